import type { AuditRow } from '../audit.ts';
import { countsOutcome, hasNoRule } from '../../rule/counter-key.ts';
import { isSettled } from '../../shared/states.ts';
import type { Hold } from '../../document/document.ts';
import { holdId } from '../../shared/subject.ts';
import type { EndedShare, BucketPart, PartSum } from './bucket-differences.ts';
import {
  addEffect,
  differencesOf,
  givenBack,
  heldParts,
  NOTHING,
  partName,
  storedParts,
  usedBy,
} from './bucket-differences.ts';
import type { Difference } from './difference.ts';
import { isOver } from '../../counter/effect.ts';
import type { StillRead } from '../../rule/counter-key.ts';
import { groupedBy } from '../../shared/grouped.ts';
import type { StoredCounters } from './stored-counters.ts';
import { countHeld } from '../../document/written.ts';

/** The part of a row that tells of sums. */
export type RecordedRow = Pick<AuditRow, 'appId' | 'orderId' | 'outcome' | 'nonce' | 'at'> &
  Pick<AuditRow, 'amountMinor' | 'count' | 'reasonCode' | 'repeated' | 'holdExpiresAt' | 'shares'>;

/** An order, by the id of its hold and its nonce. */
export type EndedOrder = Pick<Hold, 'id' | 'nonce'>;

/**
 * Adds up what rows say that one document counts, in any order. Its memory grows with the subject's orders:
 * a nonce for each that ended, and the row of each that is held.
 */
export class Recorded {
  readonly #document: string;
  readonly #used = new Map<string, PartSum>();
  readonly #held = new Map<string, RecordedRow & Pick<EndedShare, 'buckets' | 'values'>>();
  readonly #ended = new Set<string>();
  /** Ends whose own row got lost: the check's says where they count. */
  readonly #told: EndedShare[] = [];
  /** Refunds that the document gave nothing back for: it may not have counted the payment. */
  readonly #withheld: EndedShare[] = [];

  constructor(document: string) {
    this.#document = document;
  }

  /** @param row an effect's */
  add(row: RecordedRow): void {
    const { outcome, nonce, at, shares } = row;
    if (nonce === undefined) return;
    const share = shares.find(({ document }) => document === this.#document);
    const { buckets = [], values } = share ?? {};
    const sums = { amount: row.amountMinor ?? 0, count: row.count ?? 0 };
    const counted = { nonce, ...sums, buckets, values, at };
    if (isSettled(outcome)) {
      const ended = { ...counted, ending: { to: outcome, reasonCode: row.reasonCode } };
      if (row.repeated === true) {
        this.#ended.add(nonce);
        this.#told.push(ended);
        return;
      }
      this.end(nonce);
      for (const bucket of buckets) addEffect(this.#used, bucket, usedBy(bucket, ended));
      return;
    }
    switch (outcome) {
      case 'held':
        if (share !== undefined) this.#held.set(nonce, { ...row, buckets, values });
        return;
      case 'refunded':
        if (share === undefined) this.#withheld.push(counted);
        for (const bucket of buckets) addEffect(this.#used, bucket, givenBack(bucket, counted));
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
    const expired = this.#expired(stored);
    return [...stored.settled, ...missing, ...expired].filter(
      ({ nonce }) => !this.#ended.has(nonce),
    );
  }

  /**
   * Attempts that nobody ended in time, which count in counters of these: those that the document remembers, and
   * those that rows tell of. It has no hold of them any more.
   */
  #expired({ now, holds, settled, expired }: StoredCounters): readonly ExpiredShare[] {
    const found = new Map<string, ExpiredShare>();
    for (const [nonce, row] of this.#held) {
      const { holdExpiresAt: until, amountMinor: amount = 0, count = 0, buckets, values } = row;
      if (until !== undefined && isOver({ until }, now))
        found.set(nonce, { id: holdId(row), nonce, amount, count, buckets, values });
    }
    for (const hold of expired) found.set(hold.nonce, { ...hold, buckets: hold.places.buckets });
    for (const { nonce } of [...holds, ...settled]) found.delete(nonce);
    return [...found.values()].filter(
      ({ nonce, buckets }) =>
        !this.#ended.has(nonce) && buckets.some(({ counter }) => countsOutcome(counter, 'expired')),
    );
  }

  /** Rows of holds that are open as far as rows say, and that the document does not have. */
  #missing({ now, holds }: StoredCounters): readonly (readonly [string, RecordedRow])[] {
    const known = new Set(holds.map(({ id }) => id));
    return [...this.#held].filter(([, row]) => {
      const { holdExpiresAt: until } = row;
      return until !== undefined && !isOver({ until }, now) && !known.has(holdId(row));
    });
  }

  /** Live buckets only: nothing reads the others, and a tidy drops those that no rule reads. */
  compare(document: StoredCounters, stillRead?: StillRead): readonly Difference[] {
    const { now, buckets, holds, settled } = document;
    // The rows of some ends got lost, or are on their way; the document remembers them.
    const recalled = settled.filter(({ nonce }) => !this.#ended.has(nonce));
    const used = new Map(this.#used);
    const recalledAs = recalled.map((outcome): EndedShare => {
      const ending = { to: outcome.state, reasonCode: outcome.reasonCode };
      return { ...outcome, buckets: [], ending };
    });
    const withheld = groupedBy(this.#withheld, ({ nonce }) => nonce);
    const unplaced: EndedShare[] = [];
    for (const one of [...this.#told, ...recalledAs]) {
      const { buckets: named, values } = this.#held.get(one.nonce) ?? one;
      if (named.length === 0) unplaced.push(one);
      for (const bucket of named) {
        addEffect(used, bucket, usedBy(bucket, { ...one, values }));
        for (const refund of withheld.get(one.nonce) ?? [])
          addEffect(used, bucket, givenBack(bucket, { ...refund, values }));
      }
    }
    for (const { buckets: entered, ...one } of this.#expired(document))
      for (const bucket of entered) addEffect(used, bucket, usedBy(bucket, one, 'expired'));
    const parts = buckets.flatMap(storedParts);
    const stored = new Map(parts.map((part) => [partName(part), part.stored]));
    const all = new Map<string, BucketPart>(parts.map((part) => [partName(part), part]));
    // Somebody may have taken out what open holds alone are in.
    const held = heldParts(holds);
    for (const [name, part] of held) if (!all.has(name)) all.set(name, part);
    for (const [name, part] of used) all.set(name, part);
    const ended = new Set([...this.#ended, ...recalled.map(({ nonce }) => nonce)]);
    const sums = [...all].flatMap(([name, part]) =>
      isOver(part.bucket, now) || hasNoRule(part.bucket.counter, stillRead)
        ? []
        : differencesOf(
            part,
            stored.get(name),
            used.get(name) ?? NOTHING,
            held.get(name) ?? NOTHING,
            unplaced,
          ),
    );
    const missing = this.#missing(document).flatMap(([nonce, row]): readonly Difference[] => {
      const { orderId, holdExpiresAt: until } = row;
      return until === undefined || ended.has(nonce) ? [] : [{ kind: 'hold', orderId, until }];
    });
    return [...sums, ...openCountsOf(document), ...missing];
  }
}

type ExpiredShare = EndedOrder & Omit<EndedShare, 'ending' | 'at'>;

/** Each count of open holds that is not what the holds add up to. */
function openCountsOf({ holds, openCounts }: StoredCounters): readonly Difference[] {
  const counted: Record<string, bigint> = {};
  countHeld(counted, holds, 1n);
  return [...new Set([...Object.keys(openCounts), ...Object.keys(counted)])].flatMap(
    (field): readonly Difference[] => {
      const [stored, expected] = [openCounts[field] ?? 0, Number(counted[field] ?? 0)];
      return stored === expected ? [] : [{ kind: 'open', field, stored, expected }];
    },
  );
}
