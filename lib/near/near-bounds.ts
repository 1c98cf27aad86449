/** Bounds of who is near a limit, beside those in bounds.ts. */

/**
 * Longest that an answer waits for what it crossed to be written and published, all of it together, in
 * milliseconds; with its audit row, not after it.
 */
export const NEAR_WAIT_MS = 500;

/** Rows of a page of the list, by default. */
export const NEAR_ROWS_DEFAULT = 20;

/** The most of them. */
export const NEAR_ROWS_MAX = 100;

/** Shares of a maximum that rows may be asked for by: a hundredth of NEAR_PERCENTS each. */
export const NEAR_SHARES = [0.5, 0.8, 0.95, 1] as const;
