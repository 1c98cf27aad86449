import type { CompiledRules } from '../plan/compile.ts';
import type { Shown } from '../limits/attempt.ts';
import type { History } from './history.ts';
import type { Freed } from '../../contract/backtests.ts';
import type { PastRow } from './past-row.ts';
import { isBeginning } from './past-row.ts';
import type { Planned } from './planned.ts';
import { plannedRow } from './planned.ts';
import type { Unit } from './row-order.ts';
import { endingOfAttempt } from './kept-order.ts';
import type { KeptInOne, KeptInSide, One, ReplayKind } from './one-replay.ts';
import { finalAmount, isKnownTo, isOtherwise, REPLAYS } from './one-replay.ts';
import { Replay } from './replay.ts';
import type { Verdict } from './verdict.ts';
import { NOT_ALL_ALLOWED, passes, REPEATED, verdictOf } from './verdict.ts';

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
  readonly onAsked?: (kind: ReplayKind, row: PastRow, ended: Shown) => void;
};

/** The past under some rules. */
export class Side {
  readonly #kept: KeptInSide;
  #direct: One;
  #knockOn: One | undefined;
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
    this.#kept = kept;
    const { knockOn } = kept;
    this.#direct = this.#oneOf(kept.direct, knockOn === undefined ? REPLAYS : ['direct']);
    this.#knockOn = knockOn && this.#oneOf(knockOn, ['knockOn']);
  }

  get documents(): number {
    return Math.max(...this.#all().map(({ replay }) => replay.documents));
  }

  get orders(): number {
    return Math.max(...this.#all().map(({ replay }) => replay.orders));
  }

  /** Whether an order is in memory that happened. */
  knows(nonce: string): boolean {
    return this.#direct.replay.orderBy(nonce) !== undefined;
  }

  /** Whether the end of an order needs the row of its check: one of the replays let the order go. */
  needsCheck(nonce: string): boolean {
    return this.#all().some(
      ({ replay, without }) => replay.orderBy(nonce) === undefined && !without.has(nonce),
    );
  }

  sweep(at: Date): void {
    for (const { replay } of this.#all()) replay.sweep(at);
  }

  sweepOrders(at: Date): void {
    for (const { replay } of this.#all()) replay.sweepOrders(at);
  }

  /** Takes the checks of a unit; what is said of each, in its order. */
  check(unit: Unit): readonly Verdicts[] {
    const { from } = this.#options;
    const planned = unit.map((row) => this.#plannedOf(row));
    const earlier = this.#knockOn;
    const said = this.#ask(this.#direct, planned);
    const own = earlier === undefined ? said : this.#ask(earlier, planned);
    const isOther = planned.some(
      (each, place) => each.row.at >= from && isOtherwise(this.#direct, each, said[place]),
    );
    const knockOn = earlier ?? (isOther ? this.#part() : undefined);
    return planned.map((each, place) => {
      const [direct = REPEATED, ofOwn = REPEATED] = [said[place], own[place]];
      this.#follow(this.#direct, each);
      if (knockOn !== undefined)
        if (each.row.at < from) this.#follow(knockOn, each);
        else this.#goOn(knockOn, each, ofOwn);
      return { direct, knockOn: ofOwn };
    });
  }

  /** Takes what happened without a decision. */
  enter(row: PastRow): void {
    const planned = this.#plannedOf(row);
    for (const one of this.#all()) this.#follow(one, planned);
  }

  /** Takes the end of an order, or a refund. @param check the row of its check or record, where it is needed */
  end(row: PastRow, check: PastRow | undefined): void {
    const { nonce = '', operation, at, amountMinor, reasonCode, count = 0 } = row;
    const isNeeded = operation === 'refund' || this.needsCheck(nonce);
    const planned = isNeeded && check !== undefined ? this.#plannedOf(check) : undefined;
    for (const { replay, without, less } of this.#all()) {
      if (operation === 'refund') {
        if (planned !== undefined && !without.has(nonce))
          replay.refund(replay.recalled(planned, 'counted'), amountMinor ?? 0, count, at);
        continue;
      }
      const known = replay.orderBy(nonce);
      if (known === undefined && without.has(nonce)) continue;
      const own = known ?? (planned && replay.recalled(planned, 'over', less.get(nonce)));
      if (own === undefined) continue;
      // Once its hold is over, a draft may hold the order again, which then ends in place of it.
      const order = replay.heldAs(own.id, at) ?? own;
      const to = operation === 'confirm' ? ('confirmed' as const) : ('rolledBack' as const);
      replay.settle(order, nonce, { to, reasonCode }, at, finalAmount(order, amountMinor));
    }
  }

  #plannedOf(row: PastRow): Planned {
    const { by } = this.#history.settingsAt(row.at);
    const isPartial = row.askedMinor !== undefined || row.leastMinor !== undefined;
    const isTaken = this.#options.isAsTaken === true && isPartial && isBeginning(row);
    const asked = isTaken ? { ...row, askedMinor: undefined, leastMinor: undefined } : row;
    return plannedRow(asked, this.#rulesOf(row), by, this.#history.termsOf);
  }

  #all(): readonly One[] {
    return this.#knockOn === undefined ? [this.#direct] : [this.#direct, this.#knockOn];
  }

  #oneOf(kept: KeptInOne, kinds: readonly ReplayKind[]): One {
    const { without, paid, less } = kept;
    return { kinds, replay: new Replay(this.#history.termsOf, kept), without, paid, less };
  }

  /** From now on the replays are two. */
  #part(): One {
    const { direct } = this.#kept;
    const knockOn = structuredClone(direct);
    this.#kept.knockOn = knockOn;
    this.#direct = this.#oneOf(direct, ['direct']);
    this.#knockOn = this.#oneOf(knockOn, ['knockOn']);
    return this.#knockOn;
  }

  #ask(one: One, planned: readonly Planned[]): readonly Verdict[] {
    const [first, another] = planned;
    if (first === undefined) return [];
    const isTogether = another !== undefined || first.row.atomic === true;
    return isTogether ? this.#askTogether(one, planned) : [this.#askOne(one, first)];
  }

  #askOne(one: One, planned: Planned): Verdict {
    if (isKnownTo(one, planned)) return REPEATED;
    const ended = one.replay.ask(planned);
    this.#tell(one, planned.row, ended);
    return verdictOf(ended);
  }

  #askTogether(one: One, planned: readonly Planned[]): readonly Verdict[] {
    const asked = planned.filter((each) => !isKnownTo(one, each));
    const ended = one.replay.askTogether(asked);
    for (const [place, ofOrder] of ended.entries()) {
      const row = asked[place]?.row;
      if (row !== undefined) this.#tell(one, row, ofOrder);
    }
    const verdicts = ended.map(verdictOf);
    const areAllowed = verdicts.every(passes);
    const said = new Map(
      verdicts.map((verdict, place) => {
        const isLost = !areAllowed && passes(verdict);
        return [asked[place], isLost ? NOT_ALL_ALLOWED : verdict] as const;
      }),
    );
    return planned.map((each) => said.get(each) ?? REPEATED);
  }

  #tell({ kinds }: One, row: PastRow, ended: Shown): void {
    for (const kind of kinds) this.#options.onAsked?.(kind, row, ended);
  }

  /** What happened counts. */
  #follow({ replay }: One, planned: Planned): void {
    const { row, attempt } = planned;
    const { nonce, amountMinor = attempt.request.amountMinor, holdExpiresAt: until } = row;
    if (!isBeginning(row) || nonce === undefined || replay.orderBy(nonce) !== undefined) return;
    replay.enter(planned, nonce, { amountMinor, until, ending: endingOfAttempt(attempt.request) });
  }

  /** What the replay decided counts. */
  #goOn({ replay, without, paid, less }: One, planned: Planned, verdict: Verdict): void {
    const { row, attempt } = planned;
    const { nonce, holdExpiresAt: until } = row;
    const { id, request } = attempt;
    if (!passes(verdict)) {
      if (nonce !== undefined) without.add(nonce);
      return;
    }
    const known = replay.heldAs(id, row.at);
    if (known !== undefined) {
      if (nonce === undefined) return;
      replay.join(nonce, known);
      if (known.mostMinor !== undefined) less.set(nonce, known.mostMinor);
      return;
    }
    if (verdict.outcome === REPEATED.outcome) {
      if (nonce !== undefined) without.add(nonce); // it counts already
      return;
    }
    const isFreed = !isBeginning(row);
    const isPaid = isFreed && this.#options.freed === 'paid';
    if (isFreed && (isPaid || request.capture)) paid.add(id);
    const { amountMinor = request.amountMinor } = verdict;
    const ending = endingOfAttempt({ ...request, capture: request.capture || isPaid });
    const { amountMinor: heldMinor = amountMinor } = row;
    const mostMinor = !isFreed && amountMinor < heldMinor ? amountMinor : undefined;
    if (nonce !== undefined && mostMinor !== undefined) less.set(nonce, mostMinor);
    replay.enter(planned, nonce, { amountMinor, mostMinor, until, ending });
  }
}
