/** Bounds of what is open at the same time; the others are in `bounds.ts`. */

/**
 * Open holds of orders whose home a document is, unless the deployment says otherwise: so few that one
 * user does not fill a merchant. `TOO_MANY_OPEN_HOLDS`.
 */
export const OPEN_HOLDS_DEFAULT = 100;

/** The most that a deployment may allow. With the open shares, and 50 rules each: below MongoDB's 16 MB. */
export const OPEN_HOLDS_MAX = 2_000;

/** Open shares in one document of orders that have another home; the default too. `TOO_MANY_OPEN_HOLDS`. */
export const OPEN_SHARES_MAX = 2_000;

/**
 * Shares beyond those, of captured orders and records: they are counted within their own call, so only
 * calls under way, and callers that died, have any.
 */
export const COUNTING_SHARES_MAX = 1_000;
