import type { Curve, Point } from './suggestion.ts';

/** Orders whose sums are kept, of one maximum: 24 bytes each. */
const ORDERS_MAX = 10_000_000;
/** No rule has a smaller maximum. */
const LEAST_MAXIMUM = 0;
/** Shares of subjects that a curve is drawn for, beside the one that is asked for. */
const SHARES = [0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5];
/** A share of decimals may be a little too small in binary: 29 of 100 are at most 0.29. */
const ROUNDING = 1e-6;

/** The sum that each order needed, and its subject. */
export class Peaks {
  readonly #subjects = new Map<string, number>();
  readonly #owners: number[] = [];
  readonly #needs: number[] = [];
  readonly #amounts: number[] = [];

  /** @throws TooManyOrdersError */
  add(subject: string, need: number, amountMinor: number): void {
    if (this.#needs.length >= ORDERS_MAX) throw new TooManyOrdersError();
    const owner = this.#subjects.get(subject) ?? this.#subjects.size;
    this.#subjects.set(subject, owner);
    this.#owners.push(owner);
    this.#needs.push(need);
    this.#amounts.push(amountMinor);
  }

  /** The highest sum of each subject, but for some that are left out. */
  peaks(leftOut: ReadonlySet<string>): ReadonlyMap<string, number> {
    const highest: number[] = [];
    for (const [place, need] of this.#needs.entries()) {
      const owner = this.#owners[place] ?? 0;
      highest[owner] = Math.max(need, highest[owner] ?? -Infinity);
    }
    return new Map(
      [...this.#subjects].flatMap(([subject, owner]) =>
        leftOut.has(subject) ? [] : [[subject, highest[owner] ?? 0] as const],
      ),
    );
  }

  /**
   * The least maxima by which at most some shares of subjects would ever have been refused. Until its first refusal a
   * subject stands as it would without a maximum. So it is refused if its highest sum is above.
   *
   * @param hasAmounts whether amounts of orders may be added up
   * @returns null where no order is left
   */
  curve(share: number, leftOut: ReadonlySet<string>, hasAmounts: boolean): Curve | null {
    const peaks = this.peaks(leftOut);
    if (peaks.size === 0) return null;
    const sorted = Float64Array.from(peaks.values()).sort();
    const pointOf = (asked: number): Point => {
      const refused = Math.min(sorted.length - 1, Math.floor(asked * sorted.length + ROUNDING));
      const maximum = Math.max(LEAST_MAXIMUM, sorted[sorted.length - 1 - refused] ?? 0);
      const { orders, amount } = this.#above(maximum, leftOut);
      const subjects = sorted.reduce((count, peak) => count + (peak > maximum ? 1 : 0), 0);
      const point = { maximum, share: asked, subjects, orders };
      return hasAmounts ? { ...point, amount } : point;
    };
    const shares = [...new Set([...SHARES, share])].sort((one, other) => one - other);
    return { subjects: sorted.length, suggested: pointOf(share), points: shares.map(pointOf) };
  }

  #above(maximum: number, leftOut: ReadonlySet<string>) {
    const out = new Set([...leftOut].map((subject) => this.#subjects.get(subject)));
    let [orders, amountMinor] = [0, 0];
    for (const [place, need] of this.#needs.entries()) {
      if (need <= maximum || out.has(this.#owners[place])) continue;
      orders += 1;
      amountMinor += this.#amounts[place] ?? 0;
    }
    return { orders, amount: amountMinor };
  }
}

/** More orders were asked than may be kept in memory. */
class TooManyOrdersError extends Error {
  override readonly name = 'TooManyOrdersError';
  constructor() {
    super(
      `the maximum was asked for more than ${ORDERS_MAX} orders, the most that are held in memory: choose a shorter time`,
    );
  }
}
