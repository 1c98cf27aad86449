import type { Period } from '../rule/calendar.ts';
import type { BucketFields, BucketReference } from '../document/document.ts';
import { bucketFields, bucketName, namesDigest } from '../document/document.ts';
import type { Lacking } from '../rule/require.ts';
import type { Rule } from '../rule/rule.ts';
import type { Freeze, Terms } from '../rule/terms.ts';

/** Where the bucket of a counter lies: fixed by the plan, or found by the database's clock. */
export type BucketPlan =
  | {
      readonly kind: 'fixed';
      readonly start: Date;
      readonly until: Date;
      readonly fields: BucketFields;
      /** One step of a rolling window of which others count, too: the window's sum is that of all. */
      readonly isStep?: true;
    }
  | { readonly kind: 'stepped'; readonly stepMs: number; readonly keepMs: number };

/** What a check does to one counter: the tightest maxima of all rules that share it. */
export type CounterPlan = {
  readonly key: string;
  readonly bucket: BucketPlan;
  /** Whether the counter has a currency, without which a sum of amounts means nothing. */
  readonly sumsAmounts: boolean;
  readonly maxAmountMinor: number;
  readonly maxCount: number;
  /** Only shadow rules use it: it is entered while there is room, and never refuses. */
  readonly shadow: boolean;
};

/** A rule that applies, and the counter in which it counts. */
export type AppliedRule =
  | { readonly kind: 'single'; readonly rule: Rule }
  | {
      readonly kind: 'counted';
      readonly rule: Rule;
      readonly counter: string;
      /** Absent of a rolling window, which ends at the instant that is asked. */
      readonly window?: { readonly start: Date; readonly end: Date };
    };

/** A subject of a check that is frozen. */
export type Frozen = { readonly kind: string; readonly id: string; readonly freeze: Freeze };

/**
 * What checks do that meet the same rules, while the database's clock lies in `[from, until)`. It is made once
 * for all of them, so it says nothing of an order or of the subjects that have the documents.
 */
export type Plan = {
  readonly from: Date;
  readonly until: Date;
  readonly rules: readonly AppliedRule[];
  readonly singles: readonly Rule[];
  readonly concerned: number;
  readonly needsRule: NeededRule;
  readonly frozen: readonly Frozen[];
  /** Rules that require what the order does not have: it is not decided. */
  readonly lacking: readonly Lacking[];
  readonly byKind: ReadonlyMap<string, DocumentPlan>;
};

/** What a plan asks of one document. */
export type DocumentPlan = Pick<Plan, 'from' | 'until'> & {
  readonly counters: readonly CounterPlan[];
  /** The buckets of its counters, in their order, where no instant decides which they are. */
  readonly fixed?: {
    /** Of the names. */
    readonly digest: string;
    readonly names: readonly string[];
    readonly paths: readonly string[];
    readonly references: readonly BucketReference[];
  };
  /** The end of the latest of those buckets that are fixed, in milliseconds. */
  readonly lastEnd: number;
  readonly signature: string;
  readonly isBarred?: true;
};

/** A check, worked out as far as it can be without the database. */
export type CheckPlan = {
  /** Subject kinds whose documents are visited, in that order; home is the first. */
  readonly kinds: readonly [string, ...string[]];
  readonly documents: readonly [string, ...string[]];
  /** Neighbouring, without overlap; more than one only near a boundary. */
  readonly plans: readonly Plan[];
  /** A name is missing, a subject is frozen, a rule for single transactions says no, or no rule applies where one has to. */
  readonly barred: readonly Plan[];
  /** The terms that the plans were made under, by document: each must still have them. */
  readonly terms: ReadonlyMap<string, Terms>;
};

/** What a deployment says of all checks. */
export type PlanSettings = {
  readonly homeKinds: readonly string[];
  readonly askedKinds: readonly string[];
  readonly needsRule: NeededRule;
};

/** In force or on trial. `amount` limits amounts in the order's currency; an order of no amount needs any. */
export type NeededRule = 'none' | 'any' | 'amount';

/** By what becomes of an order without the rule that it needs: which one that is. */
export const NEEDED_RULES = {
  refuse: 'any',
  'refuse-unlimited': 'amount',
  allow: 'none',
} as const satisfies Readonly<Record<string, NeededRule>>;
/** What becomes of an order without the rule that it needs. */
export type OnNoRule = keyof typeof NEEDED_RULES;

/** Places the bucket of a counter. */
export function fixedBucket(counter: string, start: Date, until: Date) {
  const fields = bucketFields(bucketName({ counter, until }));
  return { kind: 'fixed' as const, start, until, fields };
}

/** Makes what a plan asks of one document. */
export function documentPlan({
  from,
  until,
  counters,
}: Pick<DocumentPlan, 'from' | 'until' | 'counters'>): DocumentPlan {
  const buckets = counters.flatMap(({ key, bucket }) =>
    bucket.kind === 'fixed' ? [{ counter: key, ...bucket }] : [],
  );
  const all = [from.getTime(), until.getTime(), ...counters.map(signatureOf)];
  const isFixed = buckets.length === counters.length && !buckets.some(({ isStep }) => isStep);
  const names = buckets.map(({ fields }) => fields.name);
  const fixed = {
    digest: namesDigest({ names }),
    names,
    paths: buckets.map(({ fields }) => fields.path),
    references: buckets.map(({ counter, start, until: end }) => ({ counter, start, until: end })),
  };
  return {
    from,
    until,
    counters,
    signature: all.join(';'),
    ...(isFixed ? { fixed } : {}),
    lastEnd: Math.max(0, ...buckets.map((bucket) => bucket.until.getTime())),
  };
}

function signatureOf(counter: CounterPlan): string {
  const { key, bucket, sumsAmounts, maxAmountMinor, maxCount, shadow } = counter;
  const place =
    bucket.kind === 'fixed'
      ? [bucket.start.getTime(), bucket.until.getTime()]
      : [bucket.stepMs, bucket.keepMs];
  return [key, bucket.kind, ...place, sumsAmounts, maxAmountMinor, maxCount, shadow].join();
}

/** The window or step of a counter that an order enters at an instant. */
export function bucketAt(bucket: BucketPlan, at: Date): Period {
  if (bucket.kind === 'fixed') return bucket;
  const startMs = Math.floor(at.getTime() / bucket.stepMs) * bucket.stepMs;
  return { start: new Date(startMs), until: new Date(startMs + bucket.keepMs) };
}

/** The plan in which an instant lies. */
export function planFor<One extends Pick<Plan, 'from' | 'until'>>(
  plans: readonly One[],
  at: Date,
): One | undefined {
  return plans.find(({ from, until }) => from <= at && at < until);
}

/** The bucket of a counter that an order enters at an instant, as it is stored. */
export function fieldsAt({ key, bucket }: CounterPlan, at: Date): BucketFields {
  if (bucket.kind === 'fixed') return bucket.fields;
  return bucketFields(bucketName({ counter: key, until: bucketAt(bucket, at).until }));
}

/** What a document is asked in a plan; one without counters is asked whether it knows the order. */
export function documentPlanIn({ from, until, byKind }: Plan, kind: string): DocumentPlan {
  return byKind.get(kind) ?? documentPlan({ from, until, counters: [] });
}

/** Says whether the needed rule is missing. A rule whose sum the order would only enter limits nothing. */
export function isUnruled(
  { needsRule, rules }: Pick<Plan, 'needsRule' | 'rules'>,
  { amountMinor }: { readonly amountMinor: number },
): boolean {
  if (needsRule === 'none') return false;
  if (needsRule === 'any' || amountMinor === 0) return rules.length === 0;
  // A subject's own maximum that is none was given by somebody who looked at the amount.
  return rules.every(
    ({ rule: { max, override } }) => (override?.own.amountMinor ?? max.amountMinor) === undefined,
  );
}
