/** Tells one story: move by move, to its end, with everything watched. */
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { Part } from '../../lib/limits/answer.ts';
import type { Mistake } from './planting.ts';
import type { ReasonCode, Scene, SceneCall, SceneSettlement } from './scene.ts';
import { HOLD_MS, allDocuments, describeCall } from './scene.ts';
import type { Move, Running, Step, StepEnd } from './moves.ts';
import { Stage } from './stage.ts';
import { termsOf } from './stored.ts';
import { describeSums } from './watch-documents.ts';
import { Watch } from './watch.ts';

/** Longer than any hold, and than what it outlives another by. */
const LATER_MS = 3 * HOLD_MS;

/** Moves of one story; none comes near it that ends at all. */
const MOVES_MAX = 2_000;

/** How often something happened, so that stories are known to be worth telling. */
export type Tally = Map<string, number>;

export type TaleOptions = {
  readonly mistake?: Mistake | undefined;
  readonly tally?: Tally | undefined;
  readonly isWritten?: boolean;
};

export class Tale {
  readonly stage: Stage;
  readonly watch: Watch;
  readonly lines: string[] | undefined;
  readonly #scene: Scene;
  readonly #tally: Tally | undefined;

  constructor(scene: Scene, options: TaleOptions = {}) {
    this.#scene = scene;
    this.stage = new Stage(scene, options.mistake);
    this.watch = new Watch(this.stage);
    this.lines = options.isWritten === true ? [] : undefined;
    this.#tally = options.tally;
  }

  /**
   * Makes a move; false where it cannot be made.
   *
   * @throws Broken
   */
  async make(move: Move): Promise<boolean> {
    const words = this.lines && this.#describe(move);
    const about = await this.stage.make(move);
    if (about === undefined) return false;
    if (words !== undefined) this.lines?.push(words);
    this.#count(move.do === 'step' ? move.end : move.do);
    this.#look(about);
    return true;
  }

  /** Lets whatever waits happen, the oldest first, until nothing waits. @throws Broken */
  async settleDown(): Promise<void> {
    for (let [step] = this.stage.steps; step !== undefined; [step] = this.stage.steps)
      await this.make(moveOf(step, 'answered'));
  }

  /** Starts a call that the scene does not have, and lets it end. @throws Broken */
  async call(call: SceneCall): Promise<Running> {
    this.lines?.push(`${describeCall(call, this.#scene)}, begins`);
    const running = await this.stage.add(call);
    this.#look(running);
    await this.settleDown();
    return running;
  }

  async wait(ms: number): Promise<void> {
    await this.make({ do: 'wait', ms });
  }

  /** Every document is written to once more. @throws Broken */
  async sweep(): Promise<void> {
    for (const document of allDocuments(this.#scene))
      await this.call({ name: `sweep-${this.stage.moves}`, do: 'sweep', document });
  }

  /**
   * Ends the story. Every interrupted caller asks again, every delayed step arrives or is lost, and
   * every hold expires. Then the sums must agree with the answers.
   *
   * @throws Broken
   */
  async end(): Promise<void> {
    const { ending } = this.#scene;
    await this.settleDown();
    this.watch.expectTidy();
    if (ending.isLate) {
      await this.wait(LATER_MS);
      await this.sweep();
    }
    await this.#askAgain();
    for (let [step] = this.stage.onTheWay; step !== undefined; [step] = this.stage.onTheWay)
      if (ending.arrives) await this.make({ ...nameOf(step), do: 'arrive' });
      else this.stage.onTheWay.shift();
    for (const order of this.#scene.orders.keys())
      if (this.watch.isConfirmed(order)) await this.#confirm(order, 'subjects');
      else if (this.watch.isFailed(order)) await this.#fail(order, 'subjects', 'no-funds');
    this.watch.expectCounted();
    await this.wait(LATER_MS);
    await this.#unfreeze();
    await this.sweep();
    this.watch.documents.expectNothingHeld();
    this.watch.expectCounted();
    await this.#refund();
    this.watch.expectRefunded();
    this.watch.expectReconciled();
  }

  /** What was counted is given back, and asked for again. @throws Broken */
  async #refund(): Promise<void> {
    if (this.#scene.audit === undefined) return;
    for (const order of this.#scene.orders.keys()) {
      if (!this.watch.isConfirmed(order)) continue;
      const refund = { do: 'refund', order, refundId: 'all-that-is-left', by: 'subjects' } as const;
      await this.call({ name: `refund-${this.stage.moves}`, ...refund });
      await this.call({ name: `refund-${this.stage.moves}`, ...refund });
    }
  }

  /** Nothing is written to the document of a frozen subject that is asked, so nothing is tidied. */
  async #unfreeze(): Promise<void> {
    for (const document of allDocuments(this.#scene))
      if (termsOf(this.stage.documents.get(document))?.freeze !== undefined) {
        const name = `unfreeze-${this.stage.moves}`;
        await this.call({ name, do: 'terms', document, wish: { kind: 'unfreeze' } });
      }
  }

  async #askAgain(): Promise<void> {
    const name = (): string => `again-${this.stage.moves}`;
    for (const settlement of this.watch.cutSettlements())
      await this.call({ name: name(), do: 'settle', ...withAnotherCode(settlement) });
    for (const order of this.watch.cutCaptures())
      await this.call({ name: name(), do: 'check', order });
    for (const order of this.watch.cutRecords())
      await this.call({ name: name(), do: 'record', orders: [order] });
    const { confirms, fails = [] } = this.#scene.ending;
    for (const order of confirms)
      if (!this.watch.isUnsettled(order)) continue;
      else if (fails.includes(order)) await this.#fail(order, 'reservation', 'wrong-pin');
      else await this.#confirm(order, 'reservation');
  }

  async #fail(
    order: number,
    by: 'subjects' | 'reservation',
    reasonCode: ReasonCode,
  ): Promise<void> {
    const name = `fail-${this.stage.moves}`;
    await this.call({ name, do: 'settle', to: 'rolledBack', order, by, reasonCode });
  }

  async #confirm(order: number, by: 'subjects' | 'reservation'): Promise<void> {
    await this.call({
      name: `confirm-${this.stage.moves}`,
      do: 'settle',
      to: 'confirmed',
      order,
      by,
    });
  }

  #look(about: Running | 'time'): void {
    const heard = this.lines && this.stage.heard.map((told) => `    told: ${describeTold(told)}`);
    for (const told of this.stage.heard) this.#count(shortly(told));
    for (const { kind } of this.stage.termsHeard) this.#count(`terms ${kind}`);
    try {
      if (this.stage.moves > MOVES_MAX) throw new Error(`a story of ${MOVES_MAX} moves and no end`);
      this.watch.look(about);
    } finally {
      if (heard !== undefined) this.lines?.push(...heard);
    }
  }

  #count(what: string): void {
    this.#tally?.set(what, (this.#tally.get(what) ?? 0) + 1);
  }

  #describe(move: Move): string {
    switch (move.do) {
      case 'wait':
        return `${move.ms} ms pass`;
      case 'delete':
        return 'the database deletes what may go';
      case 'start': {
        const call = this.#scene.calls.find(({ name }) => name === move.call);
        return call === undefined ? move.call : `${describeCall(call, this.#scene)}, begins`;
      }
      case 'crash':
        return `the caller of ${move.call} dies`;
      case 'queue':
        return `what ${move.call} writes in ${move.document} waits in the database`;
      case 'arrive':
        return `what ${move.call} gave up arrives at ${move.document}`;
      case 'step': {
        const isIt = (step: Step): boolean =>
          step.call.call.name === move.call && step.document === move.document;
        const name = this.stage.steps.find(isIt)?.name ?? '?';
        return `${move.call}: ${name} ${move.document}${ENDS[move.end]}`;
      }
    }
  }

  describeDocuments(): readonly string[] {
    return allDocuments(this.#scene).map(
      (name) => `    ${name} ${describeSums(this.watch.documents.sums(name))}`,
    );
  }
}

function shortly(told: Stage['heard'][number]): string {
  switch (told.kind) {
    case 'checked':
      if (told.answer.kind === 'refused' && told.answer.reason === 'frozen') return 'frozen';
      if (told.answer.kind === 'refused' && told.answer.reason === 'challenge') return 'challenged';
      if (told.answer.kind !== 'allowed') return told.answer.kind;
      if (told.answer.repeated) return 'repeated';
      if (isLess(told.answer.part)) return 'allowed in part';
      return told.answer.exceeded.length > 0 ? 'allowed above a maximum' : 'allowed';
    case 'looked':
      return `would be ${told.answer.kind}`;
    case 'confirmed':
      return told.answer.late ? 'confirmed late' : 'confirmed';
    case 'rolledBack':
      return told.answer.repeated ? 'rolledBack again' : 'rolledBack';
    case 'recorded':
      if (told.answer.state === 'rolledBack') return 'recorded as failed';
      return told.answer.repeated ? 'recorded again' : 'recorded';
    case 'refunded':
      return told.answer.repeated ? 'refunded again' : 'refunded';
    case 'failed':
      return told.error instanceof HeadroomError ? told.error.code : 'error';
  }
}

/** Of repeated rollbacks the first code stands. */
function withAnotherCode(settlement: SceneSettlement): SceneSettlement {
  const { reasonCode } = settlement;
  if (reasonCode === undefined) return settlement;
  return { ...settlement, reasonCode: reasonCode === 'no-funds' ? 'wrong-pin' : 'no-funds' };
}

const ENDS = {
  answered: '',
  lost: ', and the answer is lost',
  failed: ' fails, without effect',
  late: ' loses its answer, and stays on its way',
  swallowed: ', and no answer comes in time',
  overdue: ' gets no answer in time, and stays on its way',
} as const;

function describeTold({ order, running, ...told }: Stage['heard'][number]): string {
  const what =
    told.kind === 'failed'
      ? String(told.error)
      : told.kind === 'checked' || told.kind === 'looked'
        ? [told.answer.kind, 'state' in told.answer ? told.answer.state : ''].join(' ')
        : `${told.kind} ${JSON.stringify(told.answer)}`;
  return `${running.call.name}, order ${order}: ${what}`;
}

function nameOf(step: Step): { readonly call: string; readonly document: string } {
  return { call: step.call.call.name, document: step.document };
}

export function moveOf(step: Step, end: StepEnd): Move {
  return { do: 'step', ...nameOf(step), end };
}

function isLess(part: Part | undefined): boolean {
  return part !== undefined && part.amount < part.asked;
}
