/** Bounds of what can grow. Beside each stands the error that it causes, if it is not a mistake in a request or rule. */

/** Largest amount of one transaction and of one maximum, in minor units. Far from 2^53, so sums have room. */
export const AMOUNT_MINOR_MAX = 1_000_000_000_000_000;
/** Largest sum that a counter may reach; JSON numbers are exact up to here. Beyond: `COUNTER_FULL`. */
export const COUNTER_SUM_MAX = Number.MAX_SAFE_INTEGER;
/** Largest count of one transaction (a batch of payouts, say). */
export const COUNT_MAX = 1_000_000;

/** Digits after the point that a private currency may have: the largest maximum is a thousand units then. */
export const DIGITS_MAX = 12;

/** Shortest hold, in seconds. */
export const HOLD_SECONDS_MIN = 1;
/** Longest hold, in seconds: seven days. Longer holds starve honest customers. */
export const HOLD_SECONDS_MAX = 604_800;
/** How long a hold lasts when the request does not say, in seconds: 15 minutes, for a payer to pay. */
export const HOLD_SECONDS_DEFAULT = 900;

/** Open holds of orders whose home a document is: so few that one user does not fill a merchant. `TOO_MANY_OPEN_HOLDS`. */
export const OPEN_HOLDS_DEFAULT = 100;
/** The most that a deployment may allow. With the open shares: below MongoDB's 16 MB. */
export const OPEN_HOLDS_MAX = 2_000;
/** Open shares in one document of orders that have another home. `TOO_MANY_OPEN_HOLDS`. */
export const OPEN_SHARES_DEFAULT = 2_000;
/** The most that a deployment may allow: a document of 0.9 MB. With 10,000 it is 1.8 MB, which each write stores. */
export const OPEN_SHARES_MAX = 5_000;
/** The part of the open shares of a document from which somebody should know: the metric OpenSharesHigh. */
export const OPEN_SHARES_HIGH = 0.8;
/** Shares beyond those, of captured orders and records: only calls under way, and callers that died, have any. */
export const COUNTING_SHARES_MAX = 1_000;

/** Different lists of subjects of which live rules have documents together: with SUBJECTS_MAX, DOCUMENTS_PER_CHECK_MAX. */
export const TOGETHER_MAX = 6;

/** Buckets of one document: 50 rolling rules of 19 steps, 20 of 48, or one rule and 1,000 merchants as `few` counterparts. `TOO_MANY_BUCKETS`. */
export const BUCKETS_MAX = 1_000;
/** The part of them, and of those of several subjects, from which somebody should know: doctor and PairsHigh. */
export const BUCKETS_HIGH = 0.8;
/** Of these, so many that rules of several subjects leave to others; more where others need them. */
export const BUCKETS_OF_OTHERS = 50;
/**
 * Outcomes that a document remembers for repeats, and expired shares for a late confirm. Older ones are `FORGOTTEN`.
 * A deployment has no fewer than ORDERS_PER_CALL_MAX, for a call may be repeated after another one. Nor has it many
 * more by default: of a check MongoDB spends 4 % on 149 of them, and 20 % on 500. An old user forgets some anyway, and
 * the audit knows them all.
 */
export const OUTCOMES_DEFAULT = 100;
/** The most outcomes that a deployment may have remembered. */
export const OUTCOMES_MAX = 1_000;

/**
 * How far the database's instant at which an update comes may lie from the estimate that it decides by, in milliseconds:
 * for clocks that differ, and for the way. How long it waits there is bounded elsewhere: docs/internals/mongodb.md.
 */
export const SLACK_MS = 2_000;
/** How much longer a share beside home lasts than home's hold: the clocks of two documents may differ by so much. */
export const SHARE_BEYOND_MS = 2_000;
/** A document that nothing else keeps alive is remembered this long after its last write: 7 days. */
export const MEMORY_MS = 604_800_000;
/** A document left by a refusal on a new subject holds nothing; it may go after a day. */
export const EMPTY_DOCUMENT_MS = 86_400_000;

/** Rules that may apply to one check. `TOO_MANY_RULES`. */
export const RULES_PER_CHECK_MAX = 50;
/** Rules of a deployment: they are read and held in memory as a whole. */
export const RULES_MAX = 1_000;
/** Bytes of all rules together, as JSON: a document has 16 MB, in which small numbers take five times as much. */
export const RULES_BYTES_MAX = 2_097_152;
/** Changes of a rule, or of a subject's terms, on one page by default. */
export const VERSIONS_DEFAULT = 20;
/** The most of them. */
export const VERSIONS_MAX = 100;

/** Subjects of one check. */
export const SUBJECTS_MAX = 10;
/** Documents of one check: those of its subjects, and those that some of these have together. */
export const DOCUMENTS_PER_CHECK_MAX = SUBJECTS_MAX + TOGETHER_MAX;
/** Attributes of one check. */
export const ATTRIBUTES_MAX = 50;
/** Proofs in one request. */
export const PROOFS_MAX = 8;
/** Reason codes of one rule. */
export const REASON_CODES_MAX = 8;
/** Different values that a rule may allow: `max.distinct`. */
export const DISTINCT_MAX = 100;
/** Different values that a counter may have, where no maximum refuses more: 40 bytes each. Beyond: `COUNTER_FULL`. */
export const DISTINCT_VALUES_MAX = 1_000;
/** Hours in one rule's `when`. */
export const HOURS_MAX = 12;
/** Dates in one rule's `when`. */
export const DATES_MAX = 100;
/** Values in one list of a rule's `match`. */
export const MATCH_VALUES_MAX = 100;
/** Characters of an order id, a subject's id or an attribute's text: code points, as JSON Schema counts them. */
export const ID_LENGTH_MAX = 256;
/** Bytes of a request body: ten subjects and fifty attributes at their longest, of three bytes a character. */
export const BODY_BYTES_MAX = 65_536;
/** Bytes of a body of many orders: a hundred with ten ordinary subjects and attributes each fit. */
export const MANY_BODY_BYTES_MAX = 1_048_576;
/** Levels of objects and lists in a request's JSON. Requests have four. */
export const JSON_DEPTH_MAX = 32;
/** Mistakes that one answer lists; a body may hold thousands. */
export const MISTAKES_MAX = 50;
/** Characters of a value or a field's name that a mistake repeats. */
export const SHOWN_LENGTH_MAX = 80;
/** Characters of a path, and of what a YAML parser says; no path of a request or rule is longer. */
export const SHOWN_PATH_LENGTH_MAX = 200;
/** Languages of a rule's title. */
export const TITLE_LANGUAGES_MAX = 20;
/** Characters of a language's name. RFC 5646, 4.4.1: programs that store such names have room for 35. */
export const LANGUAGE_LENGTH_MAX = 35;
/** Bytes that a function returns: 6 MB in the smaller of its two meanings. Source: AWS Lambda developer guide, "Lambda quotas". */
export const RESPONSE_BYTES_MAX = 6_000_000;

/** Steps of a rolling window, at most: each is a bucket. */
export const ROLLING_STEPS_MAX = 60;
/** Steps of a rolling window when the rule does not say: half hours of a day. */
export const ROLLING_STEPS_DEFAULT = 48;
/** Shortest span of a rolling window, or of one that begins with an instant, in milliseconds. */
export const SPAN_MS_MIN = 1_000;
/** Longest span of either, in milliseconds: 366 days. */
export const SPAN_MS_MAX = 31_622_400_000;
/** Largest maximum count of an exact window, because each event is a bucket of its own. */
export const EXACT_COUNT_MAX = 100;
/** Largest `every` of a calendar window. */
export const EVERY_MAX = 366;
/** Overrides that one subject may have, of all rules, those to come among them. */
export const OVERRIDES_MAX = 50;
/** Subjects that are looked at for their overrides before a change of rules: some seconds of reading. */
export const OWNERS_MAX = 10_000;
/** Longest delay of an override, in days. */
export const OVERRIDE_DELAY_DAYS_MAX = 366;

/** Within so many milliseconds of the end of a window, a check carries the plans of both sides, for clocks may differ. */
export const CLOCK_TOLERANCE_MS = 2_000;
/** How far the database's clock may step back before it is believed, in milliseconds; until then a document's time stands still. */
export const CLOCK_BACK_MS = 60_000;
/** How long a document is kept beyond its last bucket, in milliseconds: TTL deletes by the clock of the primary. */
export const KEPT_BEYOND_MS = CLOCK_BACK_MS;

/** Subjects whose sums a back-test holds in memory at one time: some 2 kB each, and four replays. */
export const BACKTEST_DOCUMENTS_MAX = 500_000;

/** Back-tests that have not ended, at one time. */
export const BACKTESTS_AT_ONCE_MAX = 3;

/** How long a back-test and its orders are kept, from the question on. */
export const BACKTEST_DAYS = 30;

/** Back-tests of a list: the newest. */
export const BACKTESTS_LISTED_MAX = 100;

/** Orders of one page, unless another number is asked for. */
export const BACKTEST_ORDERS_DEFAULT = 50;

/** The most of them. */
export const BACKTEST_ORDERS_MAX = 100;

/** Rows of the last two minutes may be missing: they are written after their calls. */
export const ROWS_COMPLETE_MS = 120_000;

/** Sets of windows that one check may carry, so that the database can pick the right one. */
export const PLANS_MAX = 8;
/** Times that a check begins: again where its time, its windows or what it had read were overtaken. */
export const ATTEMPTS_MAX = 4;
/** Orders of one call of many: their shares are one update, and their answers one body. */
export const ORDERS_PER_CALL_MAX = 100;
/** Documents of one commit of records: it holds up checks of their subjects. One order's documents always fit. */
export const DOCUMENTS_PER_COMMIT_MAX = DOCUMENTS_PER_CHECK_MAX;
/** Documents of one call of many that are updated at the same time: under half of a client's connections. */
export const DOCUMENTS_AT_ONCE = 8;

/** Longest that an answer waits for an audit row that is not part of the decision, in milliseconds. */
export const AUDIT_WAIT_MS = 500;
/** Days that audit rows are kept where nothing else is said: a year, and a month to ask about it. */
export const AUDIT_DAYS_DEFAULT = 400;
/** Days that audit rows may be kept: ten years. */
export const AUDIT_DAYS_MAX = 3_660;
/** Audit rows of one order that a call reads, newest first. */
export const AUDIT_ROWS_MAX = 100;
/** Audit rows that one read of many orders gives: ten of each, where most have one or none. */
export const AUDIT_ROWS_AT_ONCE_MAX = 1_000;
/** Refused checks, the newest, of which `status` tells how each rule stood: each has up to 0.1 MB. */
export const REFUSALS_TOLD_MAX = 10;
/** How far behind the primary an answer may be that is asked to be cheap, at most: an hour. */
export const STALE_MS_MAX = 3_600_000;
/** Refunds of one order. With what else happened to it, fewer rows than a call reads. `TOO_MANY_REFUNDS`. */
export const REFUNDS_PER_ORDER_MAX = 50;

/** Applications of a deployment: they are read and held in memory as a whole. */
export const APPS_MAX = 1_000;
/** Secrets of one application: the one in use, and its successor while callers change over. */
export const APP_SECRETS_MAX = 2;
/** How far a signed call's timestamp may be from the clock here, both ways: 5 minutes. */
export const SIGNATURE_TOLERANCE_MS = 300_000;

/** Other changes of the rules, or of a subject's terms, that may come before one. */
export const CHANGES_FIRST_MAX = 100;
/** Longest that a multi-document commit begins again because another one came first, in milliseconds. */
export const CONFLICT_MS_MAX = 5_000;
/** Longest that a multi-document commit asks for anything, in milliseconds; a function has 29 s. */
export const COMMIT_MS_MAX = 18_000;

/** The instant that stands for "never ends". */
export const NEVER = new Date('9999-12-31T00:00:00.000Z');

/** A day without a change of the clock, in milliseconds. */
export const DAY_MS = 86_400_000;

/** Days in which a second person may approve a change; then it expires. */
export const PROPOSAL_DAYS = 7;

/** Days for which a proposal about an order is kept after the instant at which it would expire. */
export const REVIEW_DAYS = 400;

/** Days for which an order may pass once it is approved. */
export const APPROVAL_DAYS_MAX = 7;

/** Rows of a page, at most. */
export const TRANSACTIONS_MAX = 100;

/** Each row is compared with the beginning of each window. */
export const HISTORY_WINDOWS_MAX = 400;

/** NEAR_PERCENTS as shares. */
export const NEAR_SHARES = [0.5, 0.8, 0.95, 1] as const;
