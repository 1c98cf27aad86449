/**
 * The most requests to the database that a check waits for, one after the other: applications, signature,
 * rules, ten documents, and the first of them once more.
 */
export const STORE_CALLS_MAX = 14;

/** As many for a call about the past: applications, signature, rules, and the rows. */
export const HISTORY_CALLS_MAX = 4;
