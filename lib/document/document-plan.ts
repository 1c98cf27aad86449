import type { Counter } from '../counter/kind.ts';
import { bucketAt, bucketOf } from '../counter/bucket.ts';
import { bucketName } from '../counter/name.ts';
import type { BucketReference } from '../counter/sums.ts';
import type { Places } from './document.ts';
import { placesOf } from './document.ts';
import { isOver } from '../counter/effect.ts';
import type { StillRead } from '../rule/counter-key.ts';
import { hasNoRule } from '../rule/counter-key.ts';

/** What a plan asks of one document, while the database's clock lies in `[from, until)`. */
export type DocumentPlan = {
  readonly from: Date;
  readonly until: Date;
  readonly counters: readonly Counter[];
  /** Those of orders that enter all counters, where no instant decides which buckets these have. */
  readonly places?: Places | undefined;
  readonly isBarred?: true;
  /** What is still read of counters of several subjects; undefined where nobody knows. */
  readonly stillRead?: StillRead | undefined;
  /** Where a counter is of several subjects: the part of the document that such counters may fill. */
  readonly pairs?: PairsRoom | undefined;
  /** Of a recorded payment, whose windows may end before the plan does. */
  readonly outlasts?: true;
  /** The amounts between which rules for single transactions let an order pass that takes what fits. */
  readonly single?: { readonly leastMinor: number; readonly mostMinor: number };
};

/** How many buckets a document may have of counters that are not those of rules of its own subject alone. */
export type PairsRoom = { readonly most: number; readonly ofOne: ReadonlySet<string> };

/** How many buckets of some are of those counters, and not left by rules that ended. */
export function pairsAmong(
  buckets: readonly BucketReference[],
  { ofOne }: PairsRoom,
  stillRead: StillRead | undefined,
): number {
  return buckets.filter(({ counter }) => !ofOne.has(counter) && !hasNoRule(counter, stillRead))
    .length;
}

/** Plans for one document what does not change from order to order. */
export function documentPlan(
  from: Date,
  until: Date,
  counters: readonly Counter[],
  stillRead?: StillRead,
): DocumentPlan {
  const places = isFixed({ counters }) ? placesIn(counters, from) : undefined;
  return { from, until, counters, places, stillRead };
}

/** A plan with other counters: its places are worked out for each order. */
export function withCounters(plan: DocumentPlan, counters: readonly Counter[]): DocumentPlan {
  return { ...plan, counters, places: undefined };
}

/** The places of an order in some counters. */
export function placesIn(
  counters: readonly Counter[],
  now: Date,
  leftOut: readonly string[] = [],
): Places {
  const [buckets, names]: [BucketReference[], string[]] = [[], []];
  for (const counter of counters) {
    if (leftOut.includes(counter.key)) continue;
    const reference = bucketOf(counter, now);
    buckets.push(reference);
    names.push(
      counter.bucket.kind === 'fixed' ? counter.bucket.fields.name : bucketName(reference),
    );
  }
  return placesOf(buckets, names);
}

/** Whether no instant decides which buckets the counters of a plan have. */
export function isFixed({ counters, places }: Pick<DocumentPlan, 'counters' | 'places'>): boolean {
  if (places !== undefined) return true;
  for (const { bucket } of counters)
    if (bucket.kind !== 'fixed' || bucket.isStep === true) return false;
  return true;
}

/** The plan in which an instant lies. */
export function planFor<One extends Pick<DocumentPlan, 'from' | 'until'>>(
  plans: readonly One[],
  at: Date,
): One | undefined {
  const time = at.getTime();
  return plans.find(({ from, until }) => from.getTime() <= time && time < until.getTime());
}

/**
 * The plan in which an instant lies, as it is then. A recorded payment enters no window that is over: a share beside
 * home would take off there what it never added.
 */
export function planAt(plans: readonly DocumentPlan[], at: Date): DocumentPlan | undefined {
  const plan = planFor(plans, at);
  if (plan?.outlasts !== true) return plan;
  const isPast = ({ bucket }: Counter): boolean =>
    bucket.kind === 'fixed' && isOver(bucket.reference, at);
  const past = plan.counters.filter(isPast);
  if (past.length === 0) return plan;
  const ends = past.map(({ bucket }) => bucketAt(bucket, at).until.getTime());
  const counters = plan.counters.filter((counter) => !past.includes(counter));
  return withCounters({ ...plan, from: new Date(Math.max(...ends)) }, counters);
}
