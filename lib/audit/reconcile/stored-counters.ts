import type { Hold, Outcome } from '../../document/document.ts';
import type { Bucket } from '../../counter/sums.ts';
import { documentTime } from '../../document/document.ts';
import { entrantsAt } from '../../document/written.ts';
import type { StoredDocument } from '../../document/stored.ts';
import { readHolds, readOutcome, readPast, readBuckets } from '../../document/stored.ts';

/** Reads a whole document. */
export function readStored(stored: StoredDocument & { readonly now: Date }): StoredCounters {
  const { now, seen, mendedAt } = stored;
  return {
    now: documentTime(now, seen),
    databaseNow: now,
    buckets: readBuckets(stored),
    holds: readHolds(stored),
    settled: (stored.settled ?? []).map(readOutcome),
    expired: readPast(stored.expired, 'expired'),
    openCounts: readOpenCounts(stored),
    ...(mendedAt === undefined ? {} : { mendedAt }),
  };
}

function readOpenCounts({ open = 0, shares = 0, p = {} }: StoredDocument) {
  const counts: Record<string, number> = { open: Number(open), shares: Number(shares) };
  for (const [digest, { n }] of Object.entries(p)) counts[entrantsAt(digest)] = Number(n);
  return counts;
}

/** One document, whole. */
export type StoredCounters = {
  /** The document's time: buckets are live and holds open at it. */
  readonly now: Date;
  readonly databaseNow: Date;
  readonly buckets: readonly Bucket[];
  /** Those whose time is over too, while they are still summed. */
  readonly holds: readonly Hold[];
  readonly settled: readonly Outcome[];
  /** Holds of its own orders that nobody settled in time, as far as it remembers them. */
  readonly expired: readonly Hold[];
  /** How many holds are open by the document's own counts, by their fields. */
  readonly openCounts: Readonly<Record<string, number>>;
  readonly mendedAt?: Date;
};
