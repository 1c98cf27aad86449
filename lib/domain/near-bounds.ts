/** Bounds of who is near a limit, beside those in bounds.ts. */

/**
 * Longest that an answer waits for what it crossed to be written and published, all of it together, in
 * milliseconds; with its audit row, not after it.
 */
export const NEAR_WAIT_MS = 500;

/** Rows of those near a maximum that one page has, where nothing is said. */
export const NEAR_ROWS_DEFAULT = 20;

/** The most of them. */
export const NEAR_ROWS_MAX = 100;
