/**
 * The plain lane: the ordinary case as one conditional update without a pipeline. A document that
 * comes back is the answer; none decides nothing, and the general lane is asked.
 *
 * So it can be wrong only by admitting, and the filter is what forbids it. It decides for the caller's
 * estimate of the instant, and for every other within SLACK_MS of it: no window may begin or end
 * there, and no hold may lapse.
 */

/** A value that is stored or compared: a driver writes bigint as a 64-bit integer. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | readonly Value[]
  | { readonly [field: string]: Value };

/** A conditional update of one document, ready for whoever runs it. Field names are in it, never expressions. */
export type PlainUpdate = {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly update: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly returnDocument: 'before' | 'after';
  readonly projection: Readonly<Record<string, 0 | 1>>;
};

/** Pushes what is new, and keeps the newest outcomes. */
export function pushing({
  holds,
  outcomes,
  outcomesMax,
}: {
  readonly holds: readonly Value[];
  readonly outcomes: readonly Value[];
  readonly outcomesMax: number;
}): {
  readonly $push?: Readonly<Record<string, unknown>>;
} {
  const $push = {
    ...(holds.length === 0 ? {} : { holds: { $each: holds } }),
    ...(outcomes.length === 0 ? {} : { settled: { $each: outcomes, $slice: -outcomesMax } }),
  };
  return Object.keys($push).length === 0 ? {} : { $push };
}
