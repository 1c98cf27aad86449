import type { CompiledRules } from '../plan/compile.ts';
import type { Ended } from '../limits/attempt.ts';
import type { History } from './history.ts';
import type { Freed } from '../shared/states.ts';
import type { PastRow } from './past-row.ts';
import { begins } from './past-row.ts';
import type { Planned } from './planned.ts';
import { plannedRow } from './planned.ts';
import type { Unit } from './row-order.ts';
import type { KeptOrder } from './kept-order.ts';
import { endingOf } from './kept-order.ts';
import type { Kept } from './replay.ts';
import { keptNothing, Replay } from './replay.ts';
import type { Verdict } from './verdict.ts';
import { NOT_ALL_ALLOWED, passes, REPEATED, verdictOf } from './verdict.ts';

/**
 * Two replays of the past under one set of rules. In `direct`, what stands before each check is what happened. In
 * `knockOn` it is that until an instant, and from then on what the replay decided.
 */
export type ReplayKind = 'direct' | 'knockOn';
/** Both. */
export const REPLAYS = ['direct', 'knockOn'] as const satisfies readonly ReplayKind[];

/** What both replays say of a check. */
export type Verdicts = Readonly<Record<ReplayKind, Verdict>>;

/** How a set of rules is tried. */
export type SideOptions = {
  /** Until then what happened counts. */
  readonly from: Date;
  readonly freed: Freed;
  /**
   * It asks for what orders got that took less than they asked for: the control does. How much was left was read before
   * they were held, and by then others may have given back.
   */
  readonly isAsTaken?: boolean;
  /** Is told what a replay says of a check, before that is entered. */
  readonly onAsked?: (kind: ReplayKind, row: PastRow, ended: Ended) => void;
};

/** What one replay keeps. Plain data. */
type KeptInOne = Kept & {
  /** Nonces of orders that happened, and that it did not let pass. */
  readonly without: Set<string>;
  /** Orders that it let pass and counted, though they did not happen. */
  readonly paid: Set<string>;
};

/** What both replays keep. */
export type KeptInSide = Readonly<Record<ReplayKind, KeptInOne>>;

/** Before the first row. */
export function newSide(): KeptInSide {
  const one = (): KeptInOne => ({ ...keptNothing(), without: new Set(), paid: new Set() });
  return { direct: one(), knockOn: one() };
}

type One = Pick<KeptInOne, 'without' | 'paid'> & {
  readonly kind: ReplayKind;
  readonly replay: Replay;
};

/** The past under some rules. */
export class Side {
  readonly #all: readonly One[];
  readonly #history: History;
  readonly #rulesOf: (row: PastRow) => CompiledRules;
  readonly #options: SideOptions;

  constructor(
    history: History,
    rulesOf: (row: PastRow) => CompiledRules,
    options: SideOptions,
    kept: KeptInSide,
  ) {
    this.#history = history;
    this.#rulesOf = rulesOf;
    this.#options = options;
    this.#all = REPLAYS.map((kind) => {
      const { without, paid } = kept[kind];
      return { kind, replay: new Replay(history.termsOf, kept[kind]), without, paid };
    });
  }

  get documents(): number {
    return Math.max(...this.#all.map(({ replay }) => replay.documents));
  }

  /** Whether an order is in memory that happened, so that its end needs no row of its check. */
  knows(nonce: string): boolean {
    return this.#all[0]?.replay.orderBy(nonce) !== undefined;
  }

  sweep(at: Date): void {
    for (const { replay } of this.#all) replay.sweep(at);
  }

  /** Takes the checks of a unit; what is said of each, in its order. */
  check(unit: Unit): readonly Verdicts[] {
    const planned = unit.map((row) => this.#plannedOf(row));
    const said = this.#all.map((one) => this.#checkIn(one, planned));
    return planned.map((_row, place) => {
      const [direct = REPEATED, knockOn = REPEATED] = said.map((ofOne) => ofOne[place]);
      return { direct, knockOn };
    });
  }

  /** Takes what happened without a decision. */
  enter(row: PastRow): void {
    const planned = this.#plannedOf(row);
    for (const one of this.#all) this.#follow(one, planned);
  }

  /** Takes the end of an order, or a refund. @param check the row of its check or record, where it is needed */
  end(row: PastRow, check: PastRow | undefined): void {
    const { nonce = '', operation, at, amountMinor, reasonCode, count = 0 } = row;
    const planned = check && this.#plannedOf(check);
    for (const { replay, without } of this.#all) {
      if (operation === 'refund') {
        if (planned !== undefined && !without.has(nonce))
          replay.refund(replay.recalled(planned, 'counted'), amountMinor ?? 0, count, at);
        continue;
      }
      const known = replay.orderBy(nonce);
      if (known === undefined && without.has(nonce)) continue;
      const order = known ?? (planned && replay.recalled(planned, 'over'));
      if (order === undefined) continue;
      const to = operation === 'confirm' ? ('confirmed' as const) : ('rolledBack' as const);
      replay.settle(order, nonce, { to, reasonCode }, at, finalOf(order, amountMinor));
    }
  }

  #plannedOf(row: PastRow): Planned {
    const { by } = this.#history.settingsAt(row.at);
    const isTaken = this.#options.isAsTaken === true && begins(row);
    const asked = isTaken ? { ...row, askedMinor: undefined, leastMinor: undefined } : row;
    return plannedRow(asked, this.#rulesOf(row), by, this.#history.termsOf);
  }

  #checkIn(one: One, planned: readonly Planned[]): readonly Verdict[] {
    const [first, another] = planned;
    if (first === undefined) return [];
    const isTogether = another !== undefined || first.row.atomic === true;
    const said = isTogether ? this.#askTogether(one, planned) : [this.#askOne(one, first)];
    for (const [place, verdict] of said.entries()) {
      const each = planned[place];
      if (each === undefined) continue;
      if (one.kind === 'direct' || each.row.at < this.#options.from) this.#follow(one, each);
      else this.#goOn(one, each, verdict);
    }
    return said;
  }

  #askOne({ kind, replay, paid }: One, planned: Planned): Verdict {
    const { id } = planned.attempt;
    if (paid.has(id) || replay.heldAs(id, planned.row.at) !== undefined) return REPEATED;
    const ended = replay.ask(planned);
    this.#options.onAsked?.(kind, planned.row, ended);
    return verdictOf(ended);
  }

  #askTogether({ kind, replay }: One, planned: readonly Planned[]): readonly Verdict[] {
    const ended = replay.askTogether(planned);
    for (const [place, one] of ended.entries()) {
      const row = planned[place]?.row;
      if (row !== undefined) this.#options.onAsked?.(kind, row, one);
    }
    const said = ended.map(verdictOf);
    if (said.every(passes)) return said;
    return said.map((one) => (passes(one) ? NOT_ALL_ALLOWED : one));
  }

  /** What happened counts. */
  #follow({ replay }: One, planned: Planned): void {
    const { row, attempt } = planned;
    const { nonce, amountMinor = attempt.request.amountMinor, holdExpiresAt: until } = row;
    if (!begins(row) || nonce === undefined || replay.orderBy(nonce) !== undefined) return;
    replay.enter(planned, nonce, { amountMinor, until, ending: endingOf(attempt.request) });
  }

  /** What the replay decided counts. */
  #goOn({ replay, without, paid }: One, planned: Planned, verdict: Verdict): void {
    const { row, attempt } = planned;
    const { nonce, holdExpiresAt: until } = row;
    const { id, request } = attempt;
    if (!passes(verdict)) {
      if (nonce !== undefined) without.add(nonce);
      return;
    }
    const known = replay.heldAs(id, row.at);
    if (known !== undefined) {
      if (nonce !== undefined) replay.join(nonce, known);
      return;
    }
    if (verdict.outcome === REPEATED.outcome) {
      if (nonce !== undefined) without.add(nonce); // it counts already
      return;
    }
    const isFreed = !begins(row);
    const isPaid = isFreed && this.#options.freed === 'paid';
    if (isFreed && (isPaid || request.capture)) paid.add(id);
    const { amountMinor = request.amountMinor } = verdict;
    const ending = endingOf({ ...request, capture: request.capture || isPaid });
    const heldMinor = isFreed ? undefined : row.amountMinor;
    replay.enter(planned, nonce, { amountMinor, heldMinor, until, ending });
  }
}

/** Nobody pays more than a draft held, where that is less than what was held. */
function finalOf({ amountMinor, heldMinor }: KeptOrder, finalMinor: number | undefined) {
  if (finalMinor === undefined || heldMinor === undefined) return finalMinor;
  return amountMinor < heldMinor ? Math.min(finalMinor, amountMinor) : finalMinor;
}
