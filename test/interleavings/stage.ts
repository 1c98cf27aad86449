/** The service on a stage: real calls over a store in memory, of which somebody else decides every step. */
import { OUTCOMES_DEFAULT } from '../../lib/shared/bounds.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { createLimits } from '../../lib/limits.ts';
import type { CounterStore } from '../../lib/limits/counter-store.ts';
import type { Statements } from '../../lib/limits/document/statements.ts';
import { countersOver } from '../../lib/limits/document/counters.ts';
import type { Lanes } from '../../lib/limits/document/lanes.ts';
import { learningLanes } from '../../lib/limits/document/lanes.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { Chance } from './chance.ts';
import { COMMIT, commitOver } from './memory-commit.ts';
import type { Mistake } from './mistakes.ts';
import type { Caller, Effect, Issue, Move, Running, Step, StepEnd } from './moves.ts';
import type { Heard, Reservations } from './perform.ts';
import { perform } from './perform.ts';
import { rulesOf } from './scene-rules.ts';
import type { Scene, SceneCall } from './scene.ts';
import { issuedBy } from './statement-steps.ts';

/** When a story begins: not at the beginning of a minute. */
const BEGIN = Date.UTC(2026, 2, 2, 10, 0, 20);

/** One story's world. */
export class Stage {
  readonly scene: Scene;
  readonly documents: Documents = new Map();
  now = BEGIN;
  /** Moves that were made. */
  moves = 0;
  /** What waits to happen, the oldest first. */
  readonly steps: Step[] = [];
  /** Steps that were given up and may still take effect. */
  readonly onTheWay: Step[] = [];
  readonly calls = new Map<string, Running>();
  /** What callers were told since somebody last asked. */
  readonly heard: Heard[] = [];
  /** By order: the reservations of allowed checks that anybody heard of. */
  readonly reservations = new Map<number, Reservations>();
  readonly #rules: ReturnType<typeof rulesOf>;
  readonly #callers: Caller[] = [];
  readonly #mistake: Mistake | undefined;
  #nonces = 0;

  constructor(scene: Scene, mistake?: Mistake) {
    this.scene = scene;
    this.#rules = rulesOf(scene);
    this.#mistake = mistake;
  }

  /** The clock of the server that has a document; one process sees several, if documents are spread. */
  clockOf(document: string): Date {
    const [kind = ''] = document.split(':');
    return new Date(this.now + (this.scene.serversAheadMs[kind] ?? 0));
  }

  /** Whether something waits to happen that must happen before the calls are over. */
  get isBusy(): boolean {
    return this.steps.length > 0;
  }

  /** Makes a move, and lets its consequences come to rest; what it was about, undefined if it cannot be. */
  async make(move: Move): Promise<Running | 'time' | undefined> {
    const about = this.#make(move);
    if (about === undefined) return undefined;
    this.moves += 1;
    await rest();
    return about;
  }

  /** Starts a call that the scene does not have. */
  async add(call: SceneCall): Promise<Running> {
    this.moves += 1;
    const running = this.#start(call);
    await rest();
    return running;
  }

  #make(move: Move): Running | 'time' | undefined {
    switch (move.do) {
      case 'wait':
        this.now += move.ms;
        return 'time';
      case 'start': {
        const call = this.scene.calls.find(({ name }) => name === move.call);
        return call === undefined || this.calls.has(call.name) ? undefined : this.#start(call);
      }
      case 'crash':
        return this.#crash(this.calls.get(move.call));
      case 'step': {
        const step = takeOut(this.steps, move);
        if (step !== undefined) this.#take(step, move.end);
        return step?.call;
      }
      case 'arrive': {
        const step = takeOut(this.onTheWay, move);
        step?.effect(false).catch(() => undefined); // nobody waits for it
        return step?.call;
      }
    }
  }

  #take(step: Step, end: StepEnd): void {
    if (end === 'doubled') {
      this.#takeTwice(step);
      return;
    }
    if (end !== 'answered' && end !== 'repeated') step.call.isTouched = true;
    switch (end) {
      case 'answered':
      case 'repeated':
        step.effect(end === 'repeated').then(step.answer, step.fail);
        return;
      case 'lost': {
        const tell = (): void => {
          step.fail(new UndecidedError('the answer was lost'));
        };
        step.effect(false).then(tell, tell);
        return;
      }
      case 'failed':
      case 'late':
        if (end === 'late' && step.isWrite) this.onTheWay.push(step);
        step.fail(new UndecidedError('no answer in time'));
    }
  }

  /** The repeat of a commit belongs to the same transaction, which takes effect once or never. */
  #takeTwice(step: Step): void {
    const before = this.documents.get(step.document);
    step.effect(false).then(step.answer, step.fail);
    const isRemembered = this.documents.get(step.document) !== before;
    if (isRemembered || step.document === COMMIT) return;
    step.call.isTouched = true;
    this.onTheWay.push(step);
  }

  #crash(running: Running | undefined): Running | undefined {
    if (running?.state !== 'running') return undefined;
    running.state = 'dead';
    running.isTouched = true;
    const { caller } = running;
    caller.isDead = true;
    const isItsOwn = (step: Step): boolean => step.call.caller === caller;
    const own = this.steps.filter(isItsOwn);
    this.steps.splice(0, Infinity, ...this.steps.filter((step) => !isItsOwn(step)));
    this.onTheWay.push(...own.filter(({ isWrite }) => isWrite));
    return running;
  }

  #start(call: SceneCall): Running {
    const caller = this.#idleCaller();
    const running: Running = {
      call,
      caller,
      startedAt: this.moves,
      startedNow: this.now,
      state: 'running',
      isTouched: false,
    };
    caller.call = running;
    this.calls.set(call.name, running);
    void perform(caller.limits, this.scene, call, this.reservations).then((told) => {
      running.state = 'ended';
      for (const one of told) {
        this.heard.push({ ...one, running });
        if (one.kind !== 'checked' || one.answer.kind !== 'allowed') continue;
        const { reservation } = one.answer;
        const { first = reservation } = this.reservations.get(one.order) ?? {};
        if (reservation !== undefined && first !== undefined)
          this.reservations.set(one.order, { first, newest: reservation });
      }
    });
    return running;
  }

  #idleCaller(): Caller {
    const idle = this.#callers.find(({ call, isDead }) => !isDead && call?.state !== 'running');
    if (idle !== undefined) return idle;
    const { scene } = this;
    const caller: Omit<Caller, 'limits'> = { call: undefined, isDead: false };
    const isSkewed = this.#callers.length % 2 === 0;
    const issue: Issue = (name, document, isWrite, effect) =>
      this.#issue(caller, name, document, isWrite, effect);
    const limits = createLimits({
      counters: this.#counters(issue),
      rules: () => Promise.resolve(this.#rules.all),
      machineNow: () => new Date(this.now + (isSkewed ? scene.aheadMs : 0)),
      nonce: () => this.#mistake?.nonce?.(caller.call) ?? this.#nextNonce(caller),
      onUndecided: scene.onUndecided,
      onNoRule: 'allow', // a sweep is such an order
      inOneCommit: scene.isOneCommit,
    });
    const whole = Object.assign(caller, { limits });
    this.#callers.push(whole);
    return whole;
  }

  /** By its first letter one nonce in three, and that of every sweep, makes its add look for what is over. */
  #nextNonce({ call }: Omit<Caller, 'limits'>): string {
    this.#nonces += 1;
    const tidies = call?.call.do === 'sweep' || this.#nonces % 3 === 0;
    return `${tidies ? 'h' : 'n'}-${this.#nonces}`;
  }

  /** The store of one process: each of its statements becomes a step. */
  #counters(issue: Issue): CounterStore {
    const clock = (document: string): Date => this.clockOf(document);
    const lanes = lanesOf(this.scene, this.#callers.length);
    const storeOver = (
      statements: Statements,
      isOneCommit: boolean,
      together: CounterStore['together'],
    ): CounterStore => {
      const { outcomesMax = OUTCOMES_DEFAULT } = this.scene;
      return countersOver(statements, { outcomesMax, lanes, isOneCommit, together });
    };
    const together = commitOver(this.documents, clock, issue, (statements) => {
      const inner: CounterStore = storeOver(statements, true, (work) => work(inner));
      return inner;
    });
    const statements = issuedBy(issue, this.documents, mingoStatements(this.documents, clock));
    const counters = storeOver(statements, false, together);
    return this.#mistake?.counters?.(counters, this.documents) ?? counters;
  }

  #issue(
    caller: Omit<Caller, 'limits'>,
    name: string,
    document: string,
    isWrite: boolean,
    effect: Effect,
  ): Promise<unknown> {
    const { call, isDead } = caller;
    if (isDead || call === undefined) return new Promise(() => undefined);
    const planted = this.#mistake?.effect;
    const done = isWrite && planted ? planted(this.documents, document, effect) : effect;
    return new Promise((answer, fail) => {
      this.steps.push({ call, name, document, isWrite, effect: done, answer, fail });
    });
  }
}

/** Which lane a process asks first. */
function lanesOf({ lanes }: Scene, caller: number): Lanes {
  if (lanes === 'learning') return learningLanes();
  const chance = typeof lanes === 'number' ? new Chance(lanes + caller) : undefined;
  return {
    takesPlain: () => chance?.isLucky(50) ?? lanes === 'plain',
    learn: () => undefined,
    note: () => undefined,
  };
}

function takeOut(
  steps: Step[],
  { call, document }: { readonly call: string; readonly document: string },
): Step | undefined {
  const at = steps.findIndex((step) => step.call.call.name === call && step.document === document);
  return at < 0 ? undefined : steps.splice(at, 1)[0];
}

/** Until no promise is left that could go on by itself: nothing here waits for time or for the world. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
