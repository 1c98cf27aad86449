import type { Expression, PipelineStage } from './expression.ts';
import {
  above,
  atMost,
  each,
  firstOf,
  isIn,
  joined,
  largest,
  literal,
  not,
  orEmpty,
  those,
  updating,
  when,
  writing,
} from './expression.ts';

/** A part of a maximum, in whole percent, and until when it counts as told. */
export type StoredTold = { readonly percent: number; readonly until: Date };

/** A maximum, or what is taken of it. */
export type StoredQuantity<Whole> = { readonly amount?: Whole; readonly count?: Whole };

/** A row of those near a maximum, as it is stored; `_id` beside it. */
export type StoredNear<Whole> = {
  readonly rule: string;
  readonly mode: string;
  readonly kind: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly document: string;
  readonly counter: string;
  readonly currency?: string;
  readonly start?: Date;
  readonly until: Date;
  /** The largest part that was reached; 0 where a scan found that it is so no more. */
  readonly percent: number;
  readonly max: StoredQuantity<Whole>;
  readonly isOverride: boolean;
  readonly taken: StoredQuantity<Whole>;
  readonly at: Date;
};

/** What a call crossed. */
export type CrossingData = StoredNear<bigint> & { readonly told: readonly StoredTold[] };

/** What a scan found. `at` is the instant of the counters that it saw: of what came later it knows nothing. */
export type ScanData = StoredNear<bigint>;

const EPOCH = new Date(0);

const asked = (field: keyof StoredNear<bigint>): Expression => `$work.request.${field}`;

/** What sets a row apart from others: the same each time. */
const OWN = {
  rule: asked('rule'),
  kind: asked('kind'),
  subjects: asked('subjects'),
  document: asked('document'),
  counter: asked('counter'),
  currency: asked('currency'),
  start: asked('start'),
};

const crossing = updating(
  [
    {
      isLive: above(firstOf('$until', EPOCH), '$work.now'),
      isLast: atMost(firstOf('$at', EPOCH), asked('at')),
      told: those(orEmpty('$told'), 'one', above('$$one.until', '$work.now')),
    },
    { isTold: each('$work.told', 'one', '$$one.percent') },
  ],
  {
    ...OWN,
    ...writing('$work.isLast', {
      mode: asked('mode'),
      max: asked('max'),
      isOverride: asked('isOverride'),
      taken: asked('taken'),
      at: asked('at'),
    }),
    percent: largest(when('$work.isLive', firstOf('$percent', 0), 0), asked('percent')),
    until: largest('$until', asked('until')),
    told: joined(
      '$work.told',
      those('$work.request.told', 'one', not(isIn('$$one.percent', '$work.isTold'))),
    ),
  },
);

/**
 * The update by which a call notes what it crossed. Of the document before it, `told` says which parts
 * somebody has told already: of calls that cross the same one, a single one finds it untold.
 *
 * 1. Lay down the crossing, and its instant.
 * 2. Keep what is told of this window; of a rolling one, of what still counts of the crossing.
 * 3. Name the parts in it.
 * 4. Write how the maximum stands, unless a later call has; raise the largest part; add what is untold.
 * 5. Take the crossing away again.
 */
export function crossingPipeline(data: CrossingData): readonly PipelineStage[] {
  return crossing(data, literal(data.at));
}

const scan = updating([{ mayWrite: atMost(firstOf('$at', EPOCH), asked('at')) }], {
  ...OWN,
  ...writing('$work.mayWrite', {
    mode: asked('mode'),
    max: asked('max'),
    isOverride: asked('isOverride'),
    taken: asked('taken'),
    at: asked('at'),
    percent: asked('percent'),
    until: asked('until'),
  }),
});

/**
 * The update by which a scan sets a row to what the counters say, unless a call wrote it after them.
 * What was told stays told.
 */
export function scanPipeline(data: ScanData): readonly PipelineStage[] {
  return scan(data, literal(data.at));
}

/** Which rows are listed, and their order. */
export type NearFilter = Readonly<Record<string, unknown>>;

/**
 * Rows of a page: of a rule, of a kind or of all; at least so much taken; not over; beyond the last row
 * of the page before.
 */
export function nearFilter(
  {
    rule,
    kind,
    percent,
    after,
  }: {
    readonly rule?: string;
    readonly kind?: string;
    readonly percent: number;
    readonly after?: { readonly percent: number; readonly id: string };
  },
  now: Date,
): NearFilter {
  const beyond =
    after === undefined
      ? { percent: { $gte: percent } }
      : {
          $or: [
            { percent: { $gte: percent, $lt: after.percent } },
            { percent: after.percent, _id: { $gt: after.id } },
          ],
        };
  return {
    ...(rule === undefined ? {} : { rule }),
    ...(kind === undefined ? {} : { kind }),
    ...beyond,
    until: { $gt: now },
  };
}

/** Rows that a scan looks at: those that are listed, beyond the last one of the batch before. */
export function listedAfter(id: string, now: Date): NearFilter {
  return { _id: { $gt: id }, percent: { $gt: 0 }, until: { $gt: now } };
}

/** The rows with some ids. */
export function nearWithIds(ids: readonly string[]): NearFilter {
  return { _id: { $in: ids } };
}

/** The rows with some ids that were written last before an instant. */
export function writtenBefore(ids: readonly string[], at: Date): NearFilter {
  return { ...nearWithIds(ids), at: { $lt: at } };
}

/** Says when the list was made from the counters. */
export function scannedAt(at: Date): Readonly<Record<string, { readonly scannedAt: Date }>> {
  return { $set: { scannedAt: at } };
}
