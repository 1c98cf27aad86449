/** Bounds of histories, beside those in bounds.ts. */

/** Audit rows of a page, by default. */
export const TRANSACTIONS_DEFAULT = 20;
/** The most of them. */
export const TRANSACTIONS_MAX = 100;

/** Days and months that a history may go back, today and this month among them. */
export const HISTORY_DAYS_MAX = 31;
/** This month and the same one a year ago, which AUDIT_DAYS_DEFAULT still has. */
export const HISTORY_MONTHS_MAX = 13;

/** Windows of one history: each row is compared with the beginning of each. */
export const HISTORY_WINDOWS_MAX = 400;
