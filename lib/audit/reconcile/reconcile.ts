import type { AuditRow } from '../audit.ts';
import { sumsAmounts } from '../../rule/counter.ts';
import type { Ending } from '../../shared/states.ts';
import { CONFIRMED, isSettled } from '../../shared/states.ts';
import type { Bucket, BucketReference, Hold } from '../../document/document.ts';
import { bucketName } from '../../document/bucket-name.ts';
import { present } from '../../shared/present.ts';
import { holdId } from '../../shared/subject.ts';
import type { Difference, SumName } from './difference.ts';
import { SUMS } from './difference.ts';
import { effectOf, isOver } from '../../document/effect.ts';
import { groupedBy } from '../../shared/grouped.ts';
import type { StoredCounters } from '../../document/stored-counters.ts';
import { countHeld } from '../../document/held.ts';
import { Increments, numberOf } from '../../document/update.ts';

/** The part of a row that tells of sums. */
export type RecordedRow = Pick<AuditRow, 'appId' | 'orderId' | 'outcome' | 'nonce' | 'at'> &
  Pick<AuditRow, 'amountMinor' | 'count' | 'reasonCode' | 'repeated' | 'holdExpiresAt' | 'shares'>;

/** An order, by the id of its hold and its nonce. */
export type EndedOrder = Pick<Hold, 'id' | 'nonce'>;

type Sums = { readonly amount: number; readonly count: number };
type Used = Sums & { readonly bucket: BucketReference };
/** An order that ended, or a refund of it; `at` is when it ended, or a row told it. */
type Counted = Sums & {
  readonly nonce: string;
  readonly ending?: Ending;
  readonly buckets: readonly BucketReference[];
  readonly at?: Date;
};

/**
 * Adds up what rows say that one document counts, in any order. Its memory grows with the subject's orders:
 * a nonce for each that ended, and the row of each that is held.
 */
export class Recorded {
  readonly #document: string;
  readonly #used = new Map<string, Used>();
  readonly #held = new Map<string, RecordedRow & Pick<Counted, 'buckets'>>();
  readonly #ended = new Set<string>();
  /** Ends whose own row got lost: the check's says where they count. */
  readonly #told: Counted[] = [];
  /** Refunds that the document gave nothing back for: it may not have counted the payment. */
  readonly #withheld: Counted[] = [];

  constructor(document: string) {
    this.#document = document;
  }

  /** @param row an effect's */
  add(row: RecordedRow): void {
    const { outcome, nonce, at, shares } = row;
    if (nonce === undefined) return;
    const share = shares.find(({ document }) => document === this.#document);
    const buckets = share?.buckets ?? [];
    const counted = { nonce, amount: row.amountMinor ?? 0, count: row.count ?? 0, buckets, at };
    if (isSettled(outcome)) {
      const ended = { ...counted, ending: { to: outcome, reasonCode: row.reasonCode } };
      if (row.repeated === true) {
        this.#ended.add(nonce);
        this.#told.push(ended);
        return;
      }
      this.end(nonce);
      for (const bucket of buckets) addTo(this.#used, bucket, usedBy(bucket, ended));
      return;
    }
    switch (outcome) {
      case 'held':
        if (share !== undefined) this.#held.set(nonce, { ...row, buckets });
        return;
      case 'refunded':
        if (share === undefined) this.#withheld.push(counted);
        for (const bucket of buckets) addTo(this.#used, bucket, givenBack(bucket, counted));
        return;
    }
  }

  /** Rows say that an attempt ended, and counts nothing that is not added otherwise. */
  end(nonce: string): void {
    this.#ended.add(nonce);
    this.#held.delete(nonce);
  }

  /** Attempts that the document remembers as ended, or no longer holds, though no row read so far ends them. */
  untold(stored: StoredCounters): readonly EndedOrder[] {
    const missing = this.#missing(stored).map(([nonce, row]) => ({ id: holdId(row), nonce }));
    return [...stored.settled, ...missing].filter(({ nonce }) => !this.#ended.has(nonce));
  }

  /** Rows of holds that are open as far as rows say, and that the document does not have. */
  #missing({ now, holds }: StoredCounters): readonly (readonly [string, RecordedRow])[] {
    const known = new Set(holds.map(({ id }) => id));
    return [...this.#held].filter(([, row]) => {
      const { holdExpiresAt: until } = row;
      return until !== undefined && !isOver({ until }, now) && !known.has(holdId(row));
    });
  }

  /** Live buckets only: nothing reads the others. */
  compare(document: StoredCounters): readonly Difference[] {
    const { now, buckets, holds, settled } = document;
    // The rows of some ends got lost, or are on their way; the document remembers them.
    const recalled = settled.filter(({ nonce }) => !this.#ended.has(nonce));
    const used = new Map(this.#used);
    const recalledAs = recalled.map((outcome): Counted => {
      const ending = { to: outcome.state, reasonCode: outcome.reasonCode };
      return { ...outcome, buckets: [], ending };
    });
    const withheld = groupedBy(this.#withheld, ({ nonce }) => nonce);
    const unplaced: Counted[] = [];
    for (const one of [...this.#told, ...recalledAs]) {
      const named = this.#held.get(one.nonce)?.buckets ?? one.buckets;
      if (named.length === 0) unplaced.push(one);
      for (const bucket of named) {
        addTo(used, bucket, usedBy(bucket, one));
        for (const refund of withheld.get(one.nonce) ?? [])
          addTo(used, bucket, givenBack(bucket, refund));
      }
    }
    const stored = new Map(buckets.map((bucket) => [bucketName(bucket), bucket]));
    const all = new Map<string, BucketReference>(stored);
    for (const [name, { bucket }] of used) all.set(name, bucket);
    const ended = new Set([...this.#ended, ...recalled.map(({ nonce }) => nonce)]);
    const sums = [...all].flatMap(([name, bucket]) =>
      isOver(bucket, now)
        ? []
        : differencesOf(bucket, stored.get(name), used.get(name) ?? NOTHING, holds, unplaced),
    );
    const missing = this.#missing(document).flatMap(([nonce, row]): readonly Difference[] => {
      const { orderId, holdExpiresAt: until } = row;
      return until === undefined || ended.has(nonce) ? [] : [{ kind: 'hold', orderId, until }];
    });
    return [...sums, ...openCountsOf(document), ...missing];
  }
}

const NOTHING: Sums = { amount: 0, count: 0 };

function addTo(sums: Map<string, Used>, bucket: BucketReference, by: Sums): void {
  const name = bucketName(bucket);
  const { amount, count } = sums.get(name) ?? NOTHING;
  const sum = { amount: exact(amount + by.amount), count: exact(count + by.count) };
  sums.set(name, { bucket, ...sum });
}

/** NaN, and every sum that it enters, where a number would be rounded. */
function exact(sum: number): number {
  return Number.isSafeInteger(sum) ? sum : Number.NaN;
}

/** An order that ended counts as the counter has it. */
function usedBy(bucket: BucketReference, { ending = CONFIRMED, ...ended }: Counted): Sums {
  const { to, reasonCode } = ending;
  const { usedAmount, usedCount } = effectOf(bucket, 'nothing', to, { ...ended, reasonCode });
  return { amount: usedAmount, count: usedCount };
}

/** A refund takes off as the counter has it. */
function givenBack(bucket: BucketReference, refund: Sums): Sums {
  const { usedAmount, usedCount } = effectOf(bucket, 'counted', 'refunded', refund);
  return { amount: usedAmount, count: usedCount };
}

/**
 * @param bucket with its beginning, where a row tells that
 * @param used by the rows that say where
 * @param unplaced payments that are known to be confirmed, and of which nothing says where: any that was
 *   counted since the bucket began may count here
 */
function differencesOf(
  { counter, until, start }: BucketReference,
  stored: Bucket | undefined,
  used: Sums,
  holds: readonly Hold[],
  unplaced: readonly Counted[],
): readonly Difference[] {
  const bucket = present({ counter, until, start });
  const name = bucketName(bucket);
  const own = holds.filter((hold) => hold.buckets.some((each) => bucketName(each) === name));
  const maybe = unplaced
    .filter(({ at }) => !at || !start || start <= at)
    .map((one) => usedBy(bucket, one));
  // By its rows, and at most by so much more what nothing places.
  const usedOf = (sum: keyof Sums, is: number): number =>
    Math.max(used[sum], Math.min(is, used[sum] + totalOf(maybe, sum)));
  const expected: Readonly<Record<SumName, number>> = {
    usedAmount: usedOf('amount', stored?.usedAmount ?? 0),
    usedCount: usedOf('count', stored?.usedCount ?? 0),
    heldAmount: totalOf(own, 'amount'),
    heldCount: totalOf(own, 'count'),
  };
  return SUMS.filter((sum) => sum.endsWith('Count') || sumsAmounts(counter)).flatMap(
    (sum): Difference[] => {
      const is = stored?.[sum] ?? 0;
      const used = sum.endsWith('Count') ? stored?.usedCount : stored?.usedAmount;
      // Stored is used and held together.
      const together = sum.startsWith('held') ? is + (used ?? 0) : is;
      if (Number.isNaN(exact(together) + exact(expected[sum])))
        return [{ kind: 'beyond', bucket, sum }];
      if (is === expected[sum]) return [];
      return [{ kind: 'sum', bucket, sum, stored: is, expected: expected[sum] }];
    },
  );
}

/** Each count of open holds that is not what the holds add up to. */
function openCountsOf({ holds, openCounts }: StoredCounters): readonly Difference[] {
  const counted = new Increments();
  countHeld(counted, holds, 1n);
  const { sums } = counted;
  return [...new Set([...Object.keys(openCounts), ...Object.keys(sums)])].flatMap(
    (field): readonly Difference[] => {
      const [stored, expected] = [openCounts[field] ?? 0, numberOf(sums[field] ?? 0)];
      return stored === expected ? [] : [{ kind: 'open', field, stored, expected }];
    },
  );
}

function totalOf(all: readonly Sums[], sum: keyof Sums): number {
  return all.reduce((total, each) => exact(total + each[sum]), 0);
}
