/** Bounds of what is told of the past, beside those in bounds.ts. */

/** Audit rows that one page has, where nothing is said. */
export const TRANSACTIONS_DEFAULT = 20;
/** The most of them. */
export const TRANSACTIONS_MAX = 100;

/**
 * Bytes of the rows of one page: a page that would have more ends earlier, and the next one goes on.
 * A row has up to 0.1 MB, and quotation marks are escaped within a function's own answer.
 */
export const PAGE_BYTES_MAX = 2_500_000;

/** Days and months that a history may go back, today and this month among them. */
export const HISTORY_DAYS_MAX = 31;
/** This month and the same one a year ago, which AUDIT_DAYS_DEFAULT still has. */
export const HISTORY_MONTHS_MAX = 13;

/** Windows of one history: each row is compared with the beginning of each. */
export const HISTORY_WINDOWS_MAX = 400;
