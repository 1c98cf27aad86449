/** The service on a stage: real calls over a store in memory, of which somebody else decides every step. */
import { LostAnswerError, UndecidedError } from '../../lib/shared/errors.ts';
import type { Documents } from '../support/mingo-store.ts';
import { Callers } from './callers.ts';
import { COMMIT } from './memory-commit.ts';
import type { Mistake } from './planting.ts';
import type { Move, Running, Step, StepEnd } from './moves.ts';
import type { Heard, Reservations } from './perform.ts';
import { perform } from './perform.ts';
import type { CounterRule, SceneRules } from './scene-rules.ts';
import { rulesByCounter, rulesOf } from './scene-rules.ts';
import type { Scene, SceneCall } from './scene.ts';
import { expireAtOf, seenBy } from './stored.ts';
import type { TermsTold } from './support-terms.ts';

/** When a story begins: not at the beginning of a minute. */
const BEGIN = Date.UTC(2026, 2, 2, 10, 0, 20);

/** How long the database lets a write wait: its `maxTimeMS` is a part of what its caller waits. */
export const WAIT_MS = 2_000;

/** Longer than anything is on its way. */
export const LONG_MS = 3_600_000;

const FOR_EVER = new Date(Date.UTC(9999, 11, 31));

export class Stage {
  readonly scene: Scene;
  readonly documents: Documents = new Map();
  now = BEGIN;
  moves = 0;
  readonly steps: Step[] = [];
  /** Steps that were given up and may still take effect. */
  readonly onTheWay: Step[] = [];
  readonly calls = new Map<string, Running>();
  readonly heard: Heard[] = [];
  readonly termsHeard: (TermsTold & { readonly running: Running })[] = [];
  /** Where the last step arrived that had been given up. */
  arrivedAt: string | undefined;
  /** How long the write of the last move had waited in the database. */
  waitedMs = 0;
  /** The document that it wrote, and the instant by which it did so: the one at which it came. */
  #decided: { readonly document: string; readonly at: number } | undefined;
  readonly #waitMsMax: number;
  /** By order: the reservations of allowed checks that anybody heard of. */
  readonly reservations = new Map<number, Reservations>();
  readonly ruleSets: readonly SceneRules[];
  readonly rulesByCounter: ReadonlyMap<string, CounterRule>;
  /** Changes of terms that were asked of the store: the version of those before, by that of those after. */
  readonly termsAsked = new Map<string, string | undefined>();
  readonly lostRows = new Set<string>();
  #rulesInForce = 0;
  readonly #callers: Callers;

  constructor(scene: Scene, mistake?: Mistake) {
    this.scene = scene;
    this.ruleSets = [scene, ...(scene.laterRules ?? [])].map((set) =>
      rulesOf(set, Object.keys(scene.maxima)),
    );
    this.rulesByCounter = rulesByCounter(this.ruleSets);
    this.#callers = new Callers(this, mistake);
    this.#waitMsMax = mistake?.isUnbounded === true ? Infinity : WAIT_MS;
  }

  /** The clock of the server that has a document; one process sees several, if documents are spread. */
  clockOf(document: string): Date {
    const [kind = ''] = document.split(':');
    const now = this.#decided?.document === document ? this.#decided.at : this.now;
    return new Date(now + (this.scene.serversAheadMs[kind] ?? 0));
  }

  /** The instants by which a document may decide: its server's, or a later one that a caller's estimate brought. */
  timesOf(document: string): readonly Date[] {
    const now = this.clockOf(document);
    const seen = seenBy(this.documents.get(document));
    return seen !== undefined && seen > now ? [now, seen] : [now];
  }

  /** Whether something waits to happen that must happen before the calls are over. */
  get isBusy(): boolean {
    return this.steps.length > 0;
  }

  /** Makes a move, and lets its consequences come to rest; what it was about, undefined if it cannot be. */
  async make(move: Move): Promise<Running | 'time' | undefined> {
    this.#decided = undefined;
    this.waitedMs = 0;
    const about = this.#make(move);
    if (about === undefined) return undefined;
    this.moves += 1;
    await rest();
    return about;
  }

  async add(call: SceneCall): Promise<Running> {
    this.#decided = undefined;
    this.moves += 1;
    const running = this.#start(call);
    await rest();
    return running;
  }

  #make(move: Move): Running | 'time' | undefined {
    switch (move.do) {
      case 'wait':
        return this.#wait(move.ms) ? 'time' : undefined;
      case 'delete':
        return this.#delete() ? 'time' : undefined;
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
        this.arrivedAt = step?.document;
        if (step !== undefined) this.#effectOf(step).catch(() => undefined); // nobody waits for it
        return step?.call;
      }
      case 'queue': {
        const step = [...this.steps, ...this.onTheWay].find(
          (one) => mayQueue(one) && isOf(one, move),
        );
        if (step !== undefined) step.cameAt = this.now;
        return step?.call;
      }
    }
  }

  /** Time passes; hours only while nothing is under way, for no statement is waited for that long. */
  #wait(ms: number): boolean {
    if (ms >= LONG_MS && this.isBusy) return false;
    if (ms >= LONG_MS) this.onTheWay.length = 0;
    this.now += ms;
    return true;
  }

  /** Whether the time of a document is over, by the clock that deletes. */
  get mayDelete(): boolean {
    return this.#deletable().length > 0;
  }

  #deletable(): readonly string[] {
    const { deletionAheadMs } = this.scene;
    if (deletionAheadMs === undefined) return [];
    const until = new Date(this.now + deletionAheadMs);
    return [...this.documents].flatMap(([name, document]) =>
      (expireAtOf(document) ?? FOR_EVER) <= until ? [name] : [],
    );
  }

  /** As a TTL index does. Says whether there was anything to delete. */
  #delete(): boolean {
    const names = this.#deletable();
    for (const name of names) this.documents.delete(name);
    return names.length > 0;
  }

  #take(step: Step, end: StepEnd): void {
    if (end === 'answered') {
      this.#effectOf(step).then(step.answer, step.fail);
      return;
    }
    step.call.isTouched = true;
    const fail = (): void => {
      step.fail(failureOf(step, end));
    };
    if (end === 'lost' || end === 'swallowed') {
      this.#effectOf(step).then(fail, fail);
      return;
    }
    if (end !== 'failed' && step.isWrite) this.onTheWay.push(step);
    fail();
  }

  /** Does what a step does. A write that waited does it by the instant at which it came, or was ended by then. */
  #effectOf({ call, cameAt, document, effect }: Step): Promise<unknown> {
    if (cameAt === undefined) return effect();
    const waitedMs = this.now - cameAt;
    if (waitedMs > this.#waitMsMax) {
      call.isTouched = true;
      return Promise.reject(new UndecidedError('the database ended it'));
    }
    this.waitedMs = waitedMs;
    this.#decided = { document, at: cameAt };
    return effect();
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
    if (call.do === 'rules' && this.#rulesInForce + 1 < this.ruleSets.length)
      this.#rulesInForce += 1;
    const isOneCommit = call.isOneCommit ?? this.scene.isOneCommit;
    const caller = this.#callers.idle(isOneCommit);
    const running: Running = {
      call,
      caller,
      rules: this.#rulesFor(call),
      startedAt: this.moves,
      startedNow: this.now,
      state: 'running',
      isTouched: false,
      beganAt: undefined,
      endedAt: undefined,
    };
    caller.call = running;
    this.calls.set(call.name, running);
    void perform(caller, this.scene, call, this.reservations).then((told) => {
      running.state = 'ended';
      running.endedAt = this.moves;
      for (const one of told) {
        if (one.kind === 'changed' || one.kind === 'unchanged') {
          this.termsHeard.push({ ...one, running });
          continue;
        }
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

  /** Rules that came into force while a process may still have those before. */
  #rulesFor({ isStale = false }: SceneCall): SceneRules {
    const rules = this.ruleSets[Math.max(0, this.#rulesInForce - (isStale ? 1 : 0))];
    if (rules === undefined) throw new Error('a scene has rules');
    return rules;
  }
}

/** Reads are repeated below, and no time is left for more. */
function failureOf({ isWrite }: Step, end: Exclude<StepEnd, 'answered'>): UndecidedError {
  if (!isWrite || end === 'swallowed' || end === 'overdue')
    return new UndecidedError('no answer in time');
  return new LostAnswerError('the answer was lost', Infinity);
}

/** Whether a step may wait in the database: what a commit writes meets others at its end alone. */
export function mayQueue({ isWrite, document, cameAt }: Step): boolean {
  return isWrite && document !== COMMIT && cameAt === undefined;
}

/** How a move names a step. */
type Named = { readonly call: string; readonly document: string };

function isOf(step: Step, { call, document }: Named): boolean {
  return step.call.call.name === call && step.document === document;
}

function takeOut(steps: Step[], named: Named): Step | undefined {
  const at = steps.findIndex((step) => isOf(step, named));
  return at < 0 ? undefined : steps.splice(at, 1)[0];
}

/** Until no promise is left that could go on by itself: nothing here waits for time or for the world. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
