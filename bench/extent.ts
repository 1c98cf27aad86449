import type { Effort } from './measure.ts';

/** How much a run measures. */
export type Extent = {
  /** Documents where operations do not meet at one. */
  readonly subjects: number;
  /** Rows that a back-test replays. */
  readonly pastRows: number;
  /** All rows for each of them. */
  readonly efforts: readonly Effort[];
  /** The rows to measure beside the floor. Default: all. */
  readonly only?: readonly string[];
};

/** The number of callers for which goals are set, and with which another revision is measured. */
export const GOAL_CALLERS = 16;

/**
 * V8 has compiled a call after a second or two; what is not steady by then is not getting faster. Where goals
 * are set it has twice the time.
 */
export const WARM_MS = 1_500;

/**
 * The revision that every published run is measured beside: holds were not yet fields. A step that costs 3 % beside
 * the step before is not seen there, and thirty of them are.
 */
export const FIXED_REVISION = 'fbf87540';

/** The extent of a published run: what one caller waits, and the rates of as many as goals are set for. */
export const FULL: Extent = {
  subjects: 1_000,
  pastRows: 200_000,
  efforts: [
    { callers: 1, rounds: 5, sliceMs: 250, warmMs: WARM_MS },
    // More rounds, for what is reached should not be chance.
    { callers: GOAL_CALLERS, rounds: 9, sliceMs: 250, warmMs: 2 * WARM_MS },
  ],
};

/** A minute or two. */
export const SHORT: Extent = {
  subjects: 1_000,
  pastRows: 20_000,
  efforts: [{ callers: GOAL_CALLERS, rounds: 5, sliceMs: 100, warmMs: 500 }],
};
