import type { Counter } from '../counter/kind.ts';
import { bucketAt } from '../counter/bucket.ts';
import { isOver } from '../counter/effect.ts';

/** What a plan asks of one document, while the database's clock lies in `[from, until)`. */
export type DocumentPlan = {
  readonly from: Date;
  readonly until: Date;
  readonly counters: readonly Counter[];
  readonly isBarred?: true;
  /** Where a counter is of several subjects: the part of the document that such counters may fill. */
  readonly pairs?: PairsRoom | undefined;
  /** Of a recorded payment, whose windows may end before the plan does. */
  readonly outlasts?: true;
  /** The amounts between which rules for single transactions let an order pass that takes what fits. */
  readonly single?: { readonly leastMinor: number; readonly mostMinor: number };
};

/** How many buckets a document may have of counters that are not those of rules of its own subject alone. */
export type PairsRoom = { readonly most: number; readonly ofOne: ReadonlySet<string> };

/** Whether no instant decides which buckets the counters of a plan have. */
export function isFixed({ counters }: Pick<DocumentPlan, 'counters'>): boolean {
  for (const { bucket } of counters)
    if (bucket.kind !== 'fixed' || bucket.isStep === true) return false;
  return true;
}

/** The plan in which an instant lies. */
export function planFor<One extends Pick<DocumentPlan, 'from' | 'until'>>(
  plans: readonly One[],
  at: Date,
): One | undefined {
  return plans.find(({ from, until }) => from <= at && at < until);
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
  return { ...plan, from: new Date(Math.max(...ends)), counters };
}
