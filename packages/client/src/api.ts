/*
 * The requests and answers of Headroom. tools/openapi/client-types.ts makes them of docs/openapi.json: change the
 * schemas in contract/ or lib/, then run `npx vitest run test/openapi -u`.
 */

/** Exactly one of several: members of the others are not there. */
type OneOf<
  Options,
  Names extends PropertyKey = Options extends unknown ? keyof Options : never,
> = Options extends unknown
  ? Options & Partial<Readonly<Record<Exclude<Names, keyof Options>, never>>>
  : never;

/** A member of a union for each code, by which TypeScript tells them apart. */
type PerCode<Of> = Of extends { readonly code: infer Code extends string }
  ? { [One in Code]: Omit<Of, 'code'> & { readonly code: One } }[Code]
  : never;

/** The caller that did something. */
export type Actor = {
  /**
   * `application`: an application signed the call. `principal`: API Gateway authenticated it.
   * `invocation`: IAM allowed it to invoke the function. `command`: a command line. `local`: nobody
   * was authenticated.
   */
  readonly kind: 'application' | 'principal' | 'invocation' | 'command' | 'local';
  /** The id of an application, the ARN or subject of a principal, or the user of a machine. */
  readonly id: string;
  /** The person that `X-Actor` named. */
  readonly person?: string;
};

/** You may pay. */
export type AllowedCheck = {
  readonly decision: 'allowed';
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  /** True if an earlier call did it. This call changed nothing. */
  readonly repeated: boolean;
  /**
   * `held`: reserved until you settle it. `confirmed`: checked with `capture`, or confirmed since.
   * `partlyRefunded`, `refunded`: refunded since. `none`: a dry run.
   */
  readonly state: 'held' | 'confirmed' | 'partlyRefunded' | 'refunded' | 'none';
  /** True if this order took the last room of a rule. */
  readonly limitReached: boolean;
  /** The rules of which this order took the last room. */
  readonly limitReachedBy: readonly string[];
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /** The sum of all refunds, in minor units. Null if Headroom could not read the audit. */
  readonly refunded?: number | null;
  /** The amount that you may still refund. */
  readonly remaining?: number;
  /** Maxima that are exceeded, of rules with `onExceed: notify`. Absent if there are none. */
  readonly exceeded?: readonly Excess[];
  /** Names the hold. Give it back unchanged to confirm or rollback. */
  readonly reservation?: string;
  /** The first instant at which the hold no longer counts. */
  readonly holdExpiresAt?: string;
  /** With `partial`: the amount that is held, or counted by now. Pay no more than that. */
  readonly amount?: number;
  /** With `partial`: the amount asked for. */
  readonly asked?: number;
  /** With `partial`: the rules that left least. Empty if the whole amount fitted. Absent in a repeat. */
  readonly amountBy?: readonly string[];
  readonly approval?: Approval;
  /** Documents beside home in which a late payment may not be counted. */
  readonly uncounted?: readonly string[];
  /**
   * The rules that `report` asks for: all that apply, or only those that refused or would have
   * refused. Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
};

/** You may pay. */
export type AllowedOfMany = {
  /** The order. */
  readonly orderId: string;
  readonly decision: 'allowed';
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  /** True if an earlier call did it. This call changed nothing. */
  readonly repeated: boolean;
  /**
   * `held`: reserved until you settle it. `confirmed`: checked with `capture`, or confirmed since.
   * `partlyRefunded`, `refunded`: refunded since. `none`: a dry run.
   */
  readonly state: 'held' | 'confirmed' | 'partlyRefunded' | 'refunded' | 'none';
  /** True if this order took the last room of a rule. */
  readonly limitReached: boolean;
  /** The rules of which this order took the last room. */
  readonly limitReachedBy: readonly string[];
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /** The sum of all refunds, in minor units. Null if Headroom could not read the audit. */
  readonly refunded?: number | null;
  /** The amount that you may still refund. */
  readonly remaining?: number;
  /** Maxima that are exceeded, of rules with `onExceed: notify`. Absent if there are none. */
  readonly exceeded?: readonly Excess[];
  /** Names the hold. Give it back unchanged to confirm or rollback. */
  readonly reservation?: string;
  /** The first instant at which the hold no longer counts. */
  readonly holdExpiresAt?: string;
  /** With `partial`: the amount that is held, or counted by now. Pay no more than that. */
  readonly amount?: number;
  /** With `partial`: the amount asked for. */
  readonly asked?: number;
  /** With `partial`: the rules that left least. Empty if the whole amount fitted. Absent in a repeat. */
  readonly amountBy?: readonly string[];
  readonly approval?: Approval;
  /** Documents beside home in which a late payment may not be counted. */
  readonly uncounted?: readonly string[];
  /**
   * The rules that `report` asks for: all that apply, or only those that refused or would have
   * refused. Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
};

/** A second person approved the order. Absent in a repeat. */
export type Approval = {
  /** The id of the proposal: `GET /v1/proposals/{id}` has it. */
  readonly proposal: string;
  /** The second person. */
  readonly by: Actor;
};

/** What `approval` takes. At most 65536 bytes. */
export type ApprovalRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** The id, from the answer 202 of a change. */
  readonly id: string;
  /** Why. Headroom stores it with the proposal. */
  readonly reason: string;
  /** How long an order may pass, from PT1S to P7D. Default: PT24H. Only for orders. */
  readonly for?: string | undefined;
};

/** A value that rules may match. The text "1", the number 1 and true are three values. */
export type AttributeValue = string | boolean | number;

/** Attributes that rules may match, beside type and subjects. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A back-test. */
export type BacktestAnswer = {
  /** The id. A repeated question has the same id. */
  readonly id: string;
  /**
   * `waiting`: it has not begun. `failed`: `problem` says why. A question that was stopped or failed
   * may be asked again.
   */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped';
  /** The first instant. */
  readonly from: string;
  /** The first instant that is left out. */
  readonly to: string;
  /** How orders went on that were refused, and that the draft allows. */
  readonly freed: 'unpaid' | 'paid';
  /** The version of the rules when it was asked for. */
  readonly revision: number;
  /** The time of the question. */
  readonly at: string;
  /** Who asked. */
  readonly by: Actor;
  readonly progress: BacktestProgress;
  /** When it began. Null while it waits. */
  readonly startedAt: string | null;
  /** When it ended. Null until then. */
  readonly endedAt: string | null;
  /** When Headroom deletes it. */
  readonly goneAt: string;
  /** The draft: `rules`, `put` or `drop`, as in the request. */
  readonly draft: Readonly<Record<string, unknown>>;
  /** Null until it is done. */
  readonly result: BacktestResult | null;
  /** Null unless it failed. */
  readonly problem: BacktestProblem | null;
  /** The id of the rule that is put or dropped. Absent for a whole set. */
  readonly rule?: string;
  /** A back-test of one subject: its kind and id. */
  readonly subject?: Subjects;
};

/** Who is newly refused. */
export type BacktestConcerned = {
  /** Judged by what happened. */
  readonly direct: BacktestSubjects;
  /** With knock-on. */
  readonly knockOn: BacktestSubjects;
};

/** The error of the test: the rules of the time, replayed beside the record. */
export type BacktestControl = {
  /** Checks of the time. */
  readonly checks: number;
  /** Each check is judged by what happened before it. */
  readonly direct: BacktestDifferences;
  /** Each check is judged by the decisions of the replay. */
  readonly knockOn: BacktestDifferences;
};

/** Checks of a time. */
export type BacktestCounts = {
  /** Checks that pass. */
  readonly allowed: number;
  /** Checks that are refused. */
  readonly refused: number;
};

/** The checks of one currency. */
export type BacktestCurrency = {
  /** The currency. Empty for rows without one. */
  readonly currency: string;
  /** As they were decided. */
  readonly recorded: BacktestEnds;
  /** Each check is judged by what happened before it. */
  readonly direct: BacktestDraft;
  /** The draft's own decisions stand before each check. */
  readonly knockOn: BacktestDraft;
};

/** A day. */
export type BacktestDay = {
  /** Its first instant. Days are counted from `from` on. */
  readonly from: string;
  /** As they were decided. */
  readonly recorded: BacktestCounts;
  /** As the draft decides them. */
  readonly draft: BacktestCounts;
};

/** Checks that are decided otherwise. */
export type BacktestDifferences = {
  /** How many checks. */
  readonly differences: number;
  /** Their share of all checks. */
  readonly share: number;
};

/** The decisions of the draft. */
export type BacktestDraft = {
  /** The decisions of the draft. */
  readonly draft: BacktestEnds;
  /**
   * Other tries of an order that was refused, and that the draft holds already. No other number has
   * them.
   */
  readonly notNeeded: number;
  /** Checks that passed, and that the draft refuses. */
  readonly newlyRefused: BacktestRefused;
  /** Checks that were refused, and that the draft lets pass. */
  readonly newlyAllowed: BacktestRefused;
  /** Checks that pass with less than was recorded, and how much less. */
  readonly less: BacktestSum;
  /** Checks that pass with more than was recorded, and how much more. */
  readonly more: BacktestSum;
  readonly outcomes: BacktestOutcomes;
  /** The rules that refuse, most checks first. */
  readonly byRule: readonly BacktestRule[];
  /** The days that have checks. */
  readonly byDay: readonly BacktestDay[];
  /** The hours of a week that have checks. */
  readonly byHour: readonly BacktestHour[];
};

/** The decisions. */
export type BacktestEnds = {
  /** Checks that pass. */
  readonly allowed: BacktestSum;
  /** Checks that are refused. */
  readonly refused: BacktestRefused;
};

/** An hour of the week. */
export type BacktestHour = {
  /** The day, from 0 on: day 0 begins with `from`. */
  readonly day: number;
  /** The hour of the day, from 0 on. */
  readonly hour: number;
  /** As they were decided. */
  readonly recorded: BacktestCounts;
  /** As the draft decides them. */
  readonly draft: BacktestCounts;
};

/** A back-test without its result. */
export type BacktestListed = {
  /** The id. A repeated question has the same id. */
  readonly id: string;
  /**
   * `waiting`: it has not begun. `failed`: `problem` says why. A question that was stopped or failed
   * may be asked again.
   */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped';
  /** The first instant. */
  readonly from: string;
  /** The first instant that is left out. */
  readonly to: string;
  /** How orders went on that were refused, and that the draft allows. */
  readonly freed: 'unpaid' | 'paid';
  /** The version of the rules when it was asked for. */
  readonly revision: number;
  /** The time of the question. */
  readonly at: string;
  /** Who asked. */
  readonly by: Actor;
  readonly progress: BacktestProgress;
  /** When it began. Null while it waits. */
  readonly startedAt: string | null;
  /** When it ended. Null until then. */
  readonly endedAt: string | null;
  /** When Headroom deletes it. */
  readonly goneAt: string;
  /** The id of the rule that is put or dropped. Absent for a whole set. */
  readonly rule?: string;
  /** A back-test of one subject: its kind and id. */
  readonly subject?: Subjects;
};

/** Gaps in the audit. */
export type BacktestMissing = {
  /** At least so many rows were lost. */
  readonly lostRows: number;
  /** Ends and refunds of orders whose check has no row. */
  readonly withoutCheck: number;
  /** Payments that passed undecided. They are not counted. */
  readonly undecided: number;
  /** Rows without attributes, where rules ask for some. */
  readonly withoutAttributes: number;
  /** The rules that ask for some. */
  readonly rulesWithAttributes: readonly string[];
  /** Rows whose instants alone order them. */
  readonly withoutOrder: number;
  /** Rows that are older than the first settings that are noted. */
  readonly withoutSettings: number;
  /** Rows that are older than the first stored rules. */
  readonly withoutRules: number;
  /** Orders that take what fits, and whose least no row has. */
  readonly withoutLeast: number;
  /** Orders that a second person let pass. They pass every review. */
  readonly approved: number;
  /** The instant of the audit's first row, where windows began before it. Null where none did. */
  readonly countedFrom: string | null;
  /** Their rules. */
  readonly rulesCountedFrom: readonly string[];
  /** A back-test of one subject: rules whose sums others have a part in. */
  readonly rulesOfOthers: readonly string[];
};

/** A check. */
export type BacktestOrder = {
  /** The application that owns the order. */
  readonly app: string;
  /** The order. */
  readonly orderId: string;
  /** The time of the check. */
  readonly at: string;
  /** The subjects of the order. */
  readonly subjects: Subjects;
  /** The currency. Empty for a row without one. */
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  /** The rules that refuse, of the draft or as recorded. */
  readonly rules: readonly string[];
  /** Why the draft refuses it. */
  readonly sentence?: string;
};

/** Orders that the draft decides otherwise. */
export type BacktestOrdersAnswer = {
  /** Newest first. */
  readonly orders: readonly BacktestOrder[];
  /** Send it as `before` to get the next page. Null on the last page. */
  readonly next: string | null;
};

/** What `backtestOrders` takes. */
export type BacktestOrdersRequest = {
  /** The id, from the answer of the question. */
  readonly id: string;
  /** How the draft decides these orders. Default: `refused`. */
  readonly decided?: 'refused' | 'allowed' | undefined;
  /** Which of the two replays. Default: `knockOn`. */
  readonly replay?: 'direct' | 'knockOn' | undefined;
  /** Only orders that this rule refuses, or refused. */
  readonly rule?: string | undefined;
  /** The most rows of a page. Default: 50. */
  readonly limit?: number | undefined;
  /** The language of sentences: Chinese (`zh`) if you prefer it, else English (`en`). */
  readonly language?: string | undefined;
  /** The `next` of the page before, unchanged. */
  readonly before?: string | undefined;
};

/** How the newly refused orders ended. */
export type BacktestOutcomes = {
  /** They were paid. */
  readonly paid: BacktestSum;
  /** They were paid after their hold had expired. */
  readonly paidLate: BacktestSum;
  /** They were given back. */
  readonly givenBack: BacktestSum;
  /** Nobody ended them. */
  readonly expired: BacktestSum;
  /** They were paid and refunded. */
  readonly refunded: BacktestSum;
  /** Their hold went on beyond the end. */
  readonly held: BacktestSum;
};

/** Why it failed. */
export type BacktestProblem = {
  /** The code. */
  readonly code: string;
  /** The reason. */
  readonly detail: string;
};

/** How far it has come. */
export type BacktestProgress = {
  /** Rows that were read. */
  readonly rows: number;
  /** Percent of the time that is read. */
  readonly percent: number;
};

/** Refused checks. */
export type BacktestRefused = {
  /** How many checks. */
  readonly checks: number;
  /** Minor units. Above 2^53: the nearest number. */
  readonly amount: number;
  /** How many orders: tries of one order are one. */
  readonly orders: number;
  /** How many likely payments: orders of the same subjects and amount within ten minutes are one. */
  readonly payments: number;
  /** How many subjects. */
  readonly subjects: number;
};

/** What `backtest` takes. At most 2097152 bytes. */
export type BacktestRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** A whole set of rules, for all the time. Or `put`, or `drop`. */
  readonly rules?: readonly Rule[] | undefined;
  /** One rule with its `id`, put into the rules of each time. Or `rules`, or `drop`. */
  readonly put?: Rule | undefined;
  /** A rule that is taken out of the rules of each time. Or `rules`, or `put`. */
  readonly drop?: string | undefined;
  /** The first instant. RFC 3339 with its zone, from 1970 to 9998. Headroom cuts it to milliseconds. */
  readonly from: string;
  /**
   * The first instant that is left out, later than `from` and at least two minutes ago. RFC 3339 with
   * its zone, from 1970 to 9998. Headroom cuts it to milliseconds.
   */
  readonly to: string;
  /**
   * How orders go on that were refused, and that the draft allows: their hold expires, or they are
   * paid at once. One with `capture` always counts at once. Default: `unpaid`.
   */
  readonly freed?: 'unpaid' | 'paid' | undefined;
  /** Only orders of this subject: one kind and its id. */
  readonly subject?: Subjects | undefined;
  /** The most rows to read in a second. Default: no bound. */
  readonly rowsPerSecond?: number | undefined;
};

/** The result. */
export type BacktestResult = {
  /** Rows that were read. */
  readonly rows: number;
  /** The first instant that was read. */
  readonly warmUpFrom: string;
  readonly control: BacktestControl;
  /** Amounts are never added up over currencies. */
  readonly currencies: readonly BacktestCurrency[];
  readonly subjects: BacktestConcerned;
  readonly missing: BacktestMissing;
};

/** A rule of the draft that refuses. */
export type BacktestRule = {
  /** The rule's id. */
  readonly rule: string;
  /** How many checks. */
  readonly checks: number;
  /** Minor units. Above 2^53: the nearest number. */
  readonly amount: number;
  /** How many orders: tries of one order are one. */
  readonly orders: number;
  /** How many likely payments: orders of the same subjects and amount within ten minutes are one. */
  readonly payments: number;
  /** How many subjects. */
  readonly subjects: number;
  /** Checks that no other rule refuses. */
  readonly alone: number;
};

/** A subject. */
export type BacktestSubject = {
  /** Its kind and id, such as `user:u-1`. */
  readonly subject: string;
  /** How many checks. */
  readonly checks: number;
};

/** The subjects that are newly refused. */
export type BacktestSubjects = {
  /** Those with most newly refused checks. */
  readonly most: readonly BacktestSubject[];
  /** How many have 1. */
  readonly once: number;
  /** How many have 2. */
  readonly twice: number;
  /** How many have 3 to 5. */
  readonly threeToFive: number;
  /** How many have more. */
  readonly more: number;
};

/** Checks, and the amounts that they asked for. */
export type BacktestSum = {
  /** How many checks. */
  readonly checks: number;
  /** Minor units. Above 2^53: the nearest number. */
  readonly amount: number;
};

/** Back-tests, newest first. */
export type BacktestsAnswer = {
  /** Newest first. */
  readonly backtests: readonly BacktestListed[];
};

/** What `backtests` takes. */
export type BacktestsRequest = {
  /** The most rows of a page. Default: 100. */
  readonly limit?: number | undefined;
};

/** A calendar period in a time zone. */
export type CalendarWindow = {
  readonly kind: 'calendar';
  /** The unit of the period. */
  readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
  /** A time zone of the IANA database. */
  readonly timeZone: string;
  /** The first instant in it. */
  readonly start: string;
  /** The first instant after it. */
  readonly end: string;
  /** The number of units, if more than 1. */
  readonly every?: number;
  /** Its periods begin on the date of the instant that orders say. */
  readonly since?: {
    /** The attribute that has the instant. */
    readonly attribute: string;
  };
};

/** The caller, and its rights. */
export type CallerAnswer = {
  /** The name that Headroom stores with changes of this caller. */
  readonly by: Actor;
  /**
   * The rights of the caller. If calls are not signed, the list has all rights, because API Gateway
   * decides by route.
   */
  readonly rights: readonly (
    | 'rules:read'
    | 'rules:write'
    | 'subjects:write'
    | 'approve'
    | 'usage:read'
    | 'health:read'
  )[];
  /** The changes that need a second person: `raises` for those that allow more, `all`, or `none`. */
  readonly fourEyes: 'none' | 'raises' | 'all';
  /** By code: currencies of the rules for which ISO 4217 has no digits, and the rules say them. */
  readonly currencies: Readonly<
    Record<
      string,
      {
        /** Its digits after the point. */
        readonly digits: number;
      }
    >
  >;
};

/** What `caller` takes. At most 65536 bytes. */
export type CallerRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
};

/** Allowed or refused. */
export type CheckAnswer = OneOf<AllowedCheck | RefusedCheck | UndecidedCheck>;

/** A check. A dry run is not possible here. */
export type CheckOfMany = {
  /** Your id of the order. Never use it for another order. */
  readonly orderId: string;
  /** The type of the order. Rules may match it. */
  readonly type?: string | undefined;
  /**
   * The subjects that limits count for. Headroom stores ids as they are: name a card by a token of
   * yours, never by its number.
   */
  readonly subjects: Subjects;
  /** Minor units, 0 to 1000000000000000: 3000000 fen are 30,000.00 yuan. */
  readonly amount: number;
  /** ISO 4217, or a private code. */
  readonly currency: string;
  /** The number that the order adds to every count, 1 to 1000000. Default: 1. */
  readonly count?: number | undefined;
  /** Attributes that rules may match. No name may be a subject kind, too. */
  readonly attributes?: Attributes | undefined;
  /**
   * The proofs that the payer has just given, such as `sca`. A rule may let an order above its
   * maximum pass that has one. A repeat may have others.
   */
  readonly proofs?: readonly string[] | undefined;
  /**
   * How long to hold the amount: an ISO 8601 duration from PT1S to P7D. Default: PT15M. Unusual
   * spellings such as `PT1H90M` work, too.
   */
  readonly hold?: string | undefined;
  /** Takes what fits if the whole amount does not. The answer says how much. */
  readonly partial?:
    | {
        /** The least amount that is of use, in minor units: 1 to `amount`. */
        readonly min: number;
      }
    | undefined;
  /** Counts the payment at once. Nothing is left to confirm. */
  readonly capture?: boolean | undefined;
  /** A call of many orders has no dry run. */
  readonly dryRun?: false | undefined;
};

/** What `check` takes. At most 65536 bytes. */
export type CheckRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** Your id of the order. Never use it for another order. */
  readonly orderId: string;
  /** The type of the order. Rules may match it. */
  readonly type?: string | undefined;
  /**
   * The subjects that limits count for. Headroom stores ids as they are: name a card by a token of
   * yours, never by its number.
   */
  readonly subjects: Subjects;
  /** Minor units, 0 to 1000000000000000: 3000000 fen are 30,000.00 yuan. */
  readonly amount: number;
  /** ISO 4217, or a private code. */
  readonly currency: string;
  /** The number that the order adds to every count, 1 to 1000000. Default: 1. */
  readonly count?: number | undefined;
  /** Attributes that rules may match. No name may be a subject kind, too. */
  readonly attributes?: Attributes | undefined;
  /**
   * The proofs that the payer has just given, such as `sca`. A rule may let an order above its
   * maximum pass that has one. A repeat may have others.
   */
  readonly proofs?: readonly string[] | undefined;
  /**
   * How long to hold the amount: an ISO 8601 duration from PT1S to P7D. Default: PT15M. Unusual
   * spellings such as `PT1H90M` work, too.
   */
  readonly hold?: string | undefined;
  /** Takes what fits if the whole amount does not. The answer says how much. */
  readonly partial?:
    | {
        /** The least amount that is of use, in minor units: 1 to `amount`. */
        readonly min: number;
      }
    | undefined;
  /** Counts the payment at once. Nothing is left to confirm. */
  readonly capture?: boolean | undefined;
  /**
   * Answers what a check would answer, and holds nothing. An application needs `check` or
   * `usage:read` for it.
   */
  readonly dryRun?: boolean | undefined;
  /**
   * The rules in the answer. `none`: no rule. `violations`: rules that refused or would have refused.
   * `all`: every rule that applies. Default: `all`.
   */
  readonly report?: 'none' | 'violations' | 'all' | undefined;
};

/** The result of one order. */
export type CheckResult = OneOf<AllowedOfMany | RefusedOfMany | UndecidedOfMany | OrderProblem>;

/** One result for each order. */
export type ChecksAnswer = {
  /** Every order was allowed. */
  readonly allAllowed: boolean;
  /** In the order given. */
  readonly results: readonly CheckResult[];
};

/** What `checks` takes. Send each `orderId` once. At most 1048576 bytes. */
export type ChecksRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** Send each `orderId` once. */
  readonly orders: readonly CheckOfMany[];
  /**
   * Headroom holds all orders or none. No order may have `capture`, because a captured order cannot
   * be given back, or `partial`.
   */
  readonly atomic?: boolean | undefined;
  /**
   * The rules in the answer. `none`: no rule. `violations`: rules that refused or would have refused.
   * `all`: every rule that applies. Default: `violations`. An answer that would be too long has less:
   * `violations` instead of `all`, or `none`.
   */
  readonly report?: 'none' | 'violations' | 'all' | undefined;
};

/** Conditions on a payment. All of them must hold. */
export type Conditions = {
  /** `type`, a subject kind or an attribute, to the values of which it has one. */
  readonly is: Readonly<Record<string, readonly AttributeValue[]>>;
  /** The same, to the values of which it has none. A payment without the name passes. */
  readonly not: Readonly<Record<string, readonly AttributeValue[]>>;
};

/** The payment counts. */
export type ConfirmAnswer = {
  /** The state of the payment now: a repeat shows refunds made since. */
  readonly state: 'confirmed' | 'partlyRefunded' | 'refunded';
  /** True if an earlier call did it. This call changed nothing. */
  readonly repeated: boolean;
  /** True if the hold had expired. The payment counts anyway. */
  readonly late: boolean;
  /** The amount counted, in minor units. */
  readonly amount: number;
  /** The sum of all refunds, in minor units. Null if Headroom could not read the audit. */
  readonly refunded?: number | null;
  /** The amount that you may still refund. */
  readonly remaining?: number;
  /** Documents beside home in which a late payment may not be counted. */
  readonly uncounted?: readonly string[];
  /**
   * The maxima that a late or larger payment exceeds. Null if that is not known: no audit row keeps
   * what the maximum depends on, or Headroom could not read the rules.
   */
  readonly exceeded?: readonly Excess[] | null;
};

/** It happened. */
export type ConfirmOfMany = {
  /** The order. */
  readonly orderId: string;
  /**
   * The `reservation` from the answer of the check, unchanged. It saves round trips. An altered one
   * is answered with 400.
   */
  readonly reservation?: string | undefined;
  /**
   * The subjects of the check, if you do not send `reservation`. The home subject (the `user`) is
   * enough. If you leave out both, Headroom looks into the audit. Without an audit the answer is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** The end of the payment. */
  readonly status: 'SUCCESS';
  /** The final amount. It may differ from the amount held. Default: the amount held. */
  readonly amount?: number | undefined;
};

/** What `confirm` takes. At most 65536 bytes. */
export type ConfirmRequest = {
  /** The order. */
  readonly orderId: string;
  /**
   * The `reservation` from the answer of the check, unchanged. It saves round trips. An altered one
   * is answered with 400.
   */
  readonly reservation?: string | undefined;
  /**
   * The subjects of the check, if you do not send `reservation`. The home subject (the `user`) is
   * enough. If you leave out both, Headroom looks into the audit. Without an audit the answer is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** The final amount. It may differ from the amount held. Default: the amount held. */
  readonly amount?: number | undefined;
};

/** The payment counts. */
export type ConfirmedOfMany = {
  /** The order. */
  readonly orderId: string;
  /** The state of the payment now: a repeat shows refunds made since. */
  readonly state: 'confirmed' | 'partlyRefunded' | 'refunded';
  /** True if an earlier call did it. This call changed nothing. */
  readonly repeated: boolean;
  /** True if the hold had expired. The payment counts anyway. */
  readonly late: boolean;
  /** The amount counted, in minor units. */
  readonly amount: number;
  /** The sum of all refunds, in minor units. Null if Headroom could not read the audit. */
  readonly refunded?: number | null;
  /** The amount that you may still refund. */
  readonly remaining?: number;
  /** Documents beside home in which a late payment may not be counted. */
  readonly uncounted?: readonly string[];
  /**
   * The maxima that a late or larger payment exceeds. Null if that is not known: no audit row keeps
   * what the maximum depends on, or Headroom could not read the rules.
   */
  readonly exceeded?: readonly Excess[] | null;
};

/** What `decision` takes. At most 65536 bytes. */
export type DecisionRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** The id, from the answer 202 of a change. */
  readonly id: string;
  /** Why. Headroom stores it with the proposal. */
  readonly reason: string;
};

/** What `endOverride` takes. At most 65536 bytes. */
export type EndOverrideRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** The kind of the subject. */
  readonly kind: string;
  /**
   * The id of the subject, percent-encoded in a path. For an id of `.` or `..`, invoke the function
   * directly, because URLs lose it.
   */
  readonly id: string;
  /** The rule's id. */
  readonly rule: string;
  /** The id of the override that ends, or `all`. Required if the subject has several of the rule. */
  readonly overrideId?: string | undefined;
  /** Why you make the change. Headroom stores it with the change. Callers of check can read it. */
  readonly reason: string;
  /** Answers what would change, and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /**
   * The version of the terms that you change, from `ETag`; `"none"` if there are no terms. If they
   * have another version, the answer is 412 and nothing changes. Send one version, no list and no
   * `*`. Default: any version.
   */
  readonly ifMatch?: string | undefined;
};

/** A maximum that is exceeded, and by how much. */
export type Excess = {
  /** The rule's id. */
  readonly rule: string;
  /** Minor units. */
  readonly amount?: number;
  /** Transactions. */
  readonly count?: number;
};

/** What `findBacktest` takes. */
export type FindBacktestRequest = {
  /** The id, from the answer of the question. */
  readonly id: string;
};

/** A subject's overrides of one rule. */
export type FindOverrideAnswer = {
  /** The subject: one kind, and its id. */
  readonly subject: Subjects;
  /**
   * Present and future overrides, and past ones until Headroom deletes them. Those of one rule lie on
   * each other: the last one is on top.
   */
  readonly overrides: readonly Override[];
  /** The instant of the answer, by the database's clock. */
  readonly now: string;
};

/** What `findOverride` takes. */
export type FindOverrideRequest = {
  /** The kind of the subject. */
  readonly kind: string;
  /**
   * The id of the subject, percent-encoded in a path. For an id of `.` or `..`, invoke the function
   * directly, because URLs lose it.
   */
  readonly id: string;
  /** The rule's id. */
  readonly rule: string;
};

/** One rule, and its last change. */
export type FindRuleAnswer = {
  /** The rule's id. */
  readonly id: string;
  /** The revision that last changed the rule. */
  readonly version: number;
  /** The time of the change. */
  readonly at: string;
  /** The caller that made the change. */
  readonly by: Actor;
  /** The rule as it was sent. */
  readonly rule: StoredRule;
  /** The reason given. */
  readonly reason?: string;
  /** The second person, if the change needed one. */
  readonly approvedBy?: Actor;
  /** The meaning of the rule, in the language of `Content-Language`. */
  readonly sentence?: string;
};

/** What `findRule` takes. */
export type FindRuleRequest = {
  /** The rule's id. */
  readonly id: string;
  /** The language of sentences: Chinese (`zh`) if you prefer it, else English (`en`). */
  readonly language?: string | undefined;
};

/** One thing that Headroom looked at. */
export type Finding = {
  /** Its name, such as `indexes`. */
  readonly name: string;
  /**
   * `ok`; `unknown`: the database user may not see it; `warning`: look at it soon; `fault`: calls
   * fail, or will fail.
   */
  readonly level: 'ok' | 'unknown' | 'warning' | 'fault';
  /** Its state, in a sentence for operators. It may name subjects. */
  readonly says: string;
  /** The next step, if there is one. */
  readonly todo?: string;
};

/** A freeze: Headroom refuses every new check of the subject. */
export type Freeze = {
  /**
   * True if it applies at the time of the answer, and no override above it says the same sums. In a
   * list of changes: at the time of the change.
   */
  readonly inForce: boolean;
  /** The start. */
  readonly from: string;
  /** The end; null if nobody set one. */
  readonly until: string | null;
  /** The time of the change. */
  readonly at: string;
  /** The caller that made the change. */
  readonly by: Actor;
  /** The reason given. */
  readonly reason: string;
  /** The second person, if the change needed one. */
  readonly approvedBy?: Actor;
};

/** What `freeze` takes. At most 65536 bytes. */
export type FreezeRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** The kind of the subject. */
  readonly kind: string;
  /**
   * The id of the subject, percent-encoded in a path. For an id of `.` or `..`, invoke the function
   * directly, because URLs lose it.
   */
  readonly id: string;
  /**
   * The end: the first instant at which it no longer applies. The maximum below it is then in force
   * again. Default: until you end it. RFC 3339 with its zone, from 1970 to 9998. Headroom cuts it to
   * milliseconds.
   */
  readonly until?: string | undefined;
  /** Why you make the change. Headroom stores it with the change. Callers of check can read it. */
  readonly reason: string;
  /** Answers what would change, and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /**
   * The version of the terms that you change, from `ETag`; `"none"` if there are no terms. If they
   * have another version, the answer is 412 and nothing changes. Send one version, no list and no
   * `*`. Default: any version.
   */
  readonly ifMatch?: string | undefined;
  /** `*`: only where there is none yet. Never beside `If-Match`. */
  readonly ifNoneMatch?: '*' | undefined;
};

/** A frozen subject: Headroom refuses every new check of it. */
export type Frozen = {
  /** The kind and id of the subject. */
  readonly subjects: Subjects;
  /** The reason given for the freeze. */
  readonly reason: string;
  /** The end; null if nobody set one. */
  readonly until: string | null;
};

/** A subject that was frozen then. */
export type FrozenThen = {
  /** The kind and id of the subject. */
  readonly subjects: Subjects;
  /** The reason given for the freeze. */
  readonly reason: string;
  /** The end; null if nobody had set one. */
  readonly until: string | null;
  /** A sentence in the language of `Content-Language`, without the reason. */
  readonly sentence: string;
};

/** The amount that would pass, and when. */
export type Headroom = {
  /** The largest amount that would pass now. Null if no rule limits it. */
  readonly amount: number | null;
  /**
   * The rules that allow no more. Empty if no rule limits it, and where a freeze or a missing rule
   * refuses.
   */
  readonly amountBy: readonly string[];
  /** The time at which the amount asked for would pass, with `partial` its `min`. Null for never. */
  readonly earliestAt: string | null;
  /** The rules that refuse it until then, or for ever. Empty if none does. */
  readonly earliestBy: readonly string[];
};

/** The state of the deployment. */
export type HealthAnswer = {
  /** The version of Headroom that answers. */
  readonly version: string;
  /** The worst level of all findings. */
  readonly worst: 'ok' | 'unknown' | 'warning' | 'fault';
  /** In the order of `headroom doctor`. */
  readonly findings: readonly Finding[];
};

/** What `health` takes. */
export type HealthRequest = Readonly<Record<string, never>>;

/** One operation on the order, and its outcome. */
export type HistoryRow = {
  /** The time, by the clock of the database. */
  readonly at: string;
  /** The operation. */
  readonly operation: 'check' | 'record' | 'confirm' | 'rollback' | 'refund';
  /** `held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem. */
  readonly outcome: string;
  /** The id of the refund. */
  readonly refundId?: string;
  /** The amount asked for, counted or given back, in minor units. */
  readonly amount?: number;
  /**
   * A check with `partial`: the amount asked for. If it was refused, `amount` is the least that it
   * takes.
   */
  readonly asked?: number;
  /** A check with `partial`: the rules that left least. */
  readonly amountBy?: readonly string[];
  /** The count asked for or given back. */
  readonly count?: number;
  /** The currency of the order. Absent if its check has no row. */
  readonly currency?: string;
  /** True if confirmed after the hold had expired. */
  readonly late?: boolean;
  /**
   * A rollback or refund: the reason given by the caller. A refused check: `no-rule` if no rule
   * applied, `frozen` if a subject was frozen.
   */
  readonly reason?: string;
  /** A rollback, or a record of a failure: its reason code. */
  readonly reasonCode?: string;
  /** The `X-Request-Id` of the call. */
  readonly requestId?: string;
  /** A recorded payment: the time at which it happened. */
  readonly happenedAt?: string;
  /** The rules that refused. */
  readonly violations?: readonly string[];
  /** A check: the proofs that the payer had given. */
  readonly proofs?: readonly string[];
  /** The proofs with which a refused check would have passed. */
  readonly challenges?: readonly string[];
  /** A check that a second person decides, or decided: the proposal. */
  readonly proposal?: string;
  /** A check that a second person approved: who. */
  readonly approvedBy?: Actor;
  /** The rules that refused. Only the newest 10 refused checks have them. */
  readonly refusals?: readonly Refusal[];
  /** The frozen subjects. Only the newest refused checks have them. */
  readonly frozen?: readonly FrozenThen[];
};

/** The order lacks what a rule requires. */
export type IncompleteOrder = {
  /** Names the code. */
  readonly type: string;
  /** A short text for the code. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** The problem in this call, and the way to solve it. */
  readonly detail: string;
  /** The `X-Request-Id` of the call. Logs and audit rows name the call by it. */
  readonly requestId: string;
  /** Public and stable. */
  readonly code: 'INCOMPLETE_ORDER';
  /** The names that the rules require and the order does not have. */
  readonly missing: readonly string[];
};

/** What `invalid` takes. The request is not valid. */
export type InvalidRequest = {
  /** Names the code. */
  readonly type: string;
  /** A short text for the code. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** The problem in this call, and the way to solve it. */
  readonly detail: string;
  /** The `X-Request-Id` of the call. Logs and audit rows name the call by it. */
  readonly requestId: string;
  /** Public and stable. */
  readonly code: 'INVALID_REQUEST';
  /** The mistakes, at most 50. If there are more, `detail` says how many. */
  readonly errors: readonly RequestMistake[];
};

/** The maximum from an instant on. */
export type LaterMaximum = {
  /** The start. */
  readonly from: string;
  /** The maximum then. */
  readonly max: Quantity;
  /** Maxima that depend on what the query does not give. */
  readonly maxBy?: MaximumByAttribute;
};

/** All time. */
export type LifetimeWindow = {
  readonly kind: 'lifetime';
};

/** All rules, in the form of a rule file. */
export type ListRulesAnswer = {
  /** The number of the set of rules. Every change adds 1. */
  readonly revision: number;
  /** In the order of their ids. */
  readonly rules: readonly StoredRule[];
  /** By rule id: the revision that last changed the rule. */
  readonly versions: Readonly<Record<string, number>>;
  /**
   * By rule id: the meaning of each rule, in the language of `Content-Language`. Empty if the answer
   * would be too long for a function.
   */
  readonly sentences: Readonly<Record<string, string>>;
};

/** A letter of one name that looks like letters of the other. */
export type LookAlike = {
  /** The name that has the letter. */
  readonly person: string;
  /** The letter, such as the Cyrillic a. */
  readonly letter: string;
  /** The letters that it looks like, such as the Latin a. */
  readonly looksLike: string;
};

/**
 * Names to a value, or to a list of values of which one must match. A name is `type`, a subject
 * kind or an attribute. Values of `type` are texts.
 */
export type Matched = {
  readonly type?: string | readonly string[] | undefined;
  readonly proof?: string | readonly string[] | undefined;
  readonly [name: string]: MatchedValue | string | readonly string[] | undefined;
};

/** A value, or a list of values. */
export type MatchedValue = AttributeValue | readonly AttributeValue[];

/** A maximum for each value of `by`, and `else` for every other. */
export type MaximumBy = {
  /** `type`, a subject kind or an attribute. */
  readonly by: string;
  readonly else: number;
  readonly [name: string]: number | string | undefined;
};

/** Maxima that depend on an attribute, a subject or a type. */
export type MaximumByAttribute = {
  /** A maximum that depends on the order. */
  readonly amount?: {
    /** `type`, a subject kind or the name of an attribute. */
    readonly by: string;
    /** The maximum by value. */
    readonly values: Readonly<Record<string, number>>;
    /** The maximum for every other value, and for orders without a value. */
    readonly else?: number;
  };
  /** A maximum that depends on the order. */
  readonly count?: {
    /** `type`, a subject kind or the name of an attribute. */
    readonly by: string;
    /** The maximum by value. */
    readonly values: Readonly<Record<string, number>>;
    /** The maximum for every other value, and for orders without a value. */
    readonly else?: number;
  };
};

/** A page, those that reached most first. */
export type NearAnswer = {
  /** Rows of windows that are not over, and of rules that still count there. */
  readonly near: readonly NearRow[];
  /** Send it as `next` to get the next page. Null on the last page. */
  readonly next: string | null;
  /** True if calls write rows when they cross a share (`NEAR`). */
  readonly kept: boolean;
  /** The time of the last scan of the counters. Null for never. */
  readonly scannedAt: string | null;
  /** The instant of the answer. */
  readonly now: string;
};

/** What `near` takes. */
export type NearRequest = {
  /** Only rows of this rule. */
  readonly rule?: string | undefined;
  /** Only rows of this kind of subject. */
  readonly kind?: string | undefined;
  /** The least share of the maximum. Default: 0.8. */
  readonly share?: 0.5 | 0.8 | 0.95 | 1 | undefined;
  /** The most rows of a page. Default: 20. */
  readonly limit?: number | undefined;
  /** The `next` of the page before, unchanged. */
  readonly next?: string | undefined;
};

/** A maximum that is nearly or fully taken. */
export type NearRow = {
  /** The rule's id. */
  readonly rule: string;
  /** `shadow`: on trial. The rule counts and never refuses. */
  readonly mode: 'enforce' | 'shadow';
  /** The subjects that the maximum counts for. */
  readonly subjects: Subjects;
  /** The largest of these shares that the subject reached in the window. */
  readonly share: 0.5 | 0.8 | 0.95 | 1;
  /** The maximum at the time of the row. */
  readonly max: {
    /** Minor units. */
    readonly amount?: number;
    /** Transactions. */
    readonly count?: number;
  };
  /** True if it is the subject's own maximum. */
  readonly overridden: boolean;
  /** The used and held sum at the time of the row. */
  readonly taken: {
    /** Minor units. */
    readonly amount?: number;
    /** Transactions. */
    readonly count?: number;
  };
  /** The start of the window. Null if it has none. */
  readonly start: string | null;
  /**
   * The time at which the row disappears: the end of the window. In a rolling window, the time at
   * which the payments that crossed the share leave it. Null for never.
   */
  readonly until: string | null;
  /** The time at which the sums were as the row shows them. */
  readonly at: string;
  /** The currency of the amounts. */
  readonly currency?: string;
  /** The instant that orders say, if the window begins with one. */
  readonly since?: string;
  /** The sums at the instant of the answer. Absent in events. */
  readonly now?: {
    /** Confirmed in this window. */
    readonly used: UsedQuantity;
    /** Held in this window. */
    readonly held: Quantity;
    /** The maximum in force. */
    readonly max: Quantity;
    /** True if it is the subject's own maximum. */
    readonly overridden: boolean;
    /**
     * The used and held share of the maximum: 1 is all of it. It can be above 1 after a late confirm.
     * If the rule limits amount and count, this is the larger share.
     */
    readonly share: number;
  };
};

/** The order failed with this problem, as if it had been sent alone. */
export type OrderProblem = {
  /** The order. */
  readonly orderId: string;
  /** The problem, as in `application/problem+json`. */
  readonly problem: Problem;
};

/** A problem with any other code. */
export type OtherProblem = {
  /** Names the code. */
  readonly type: string;
  /** A short text for the code. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** The problem in this call, and the way to solve it. */
  readonly detail: string;
  /** The `X-Request-Id` of the call. Logs and audit rows name the call by it. */
  readonly requestId: string;
  /** Public and stable. */
  readonly code:
    | 'AUDIT_OFF'
    | 'BAD_SIGNATURE'
    | 'RIGHT_MISSING'
    | 'OPERATION_NOT_ALLOWED'
    | 'NO_SUCH_TERMS'
    | 'NOT_FOUND'
    | 'NO_SUCH_PROPOSAL'
    | 'PROPOSAL_CLOSED'
    | 'WRONG_PERSON'
    | 'NO_SUCH_BACKTEST'
    | 'NO_SUCH_RULE'
    | 'RULE_CHANGED'
    | 'CONSENT_REQUIRED'
    | 'VERSION_REQUIRED'
    | 'TERMS_CHANGED'
    | 'ORDER_REUSED'
    | 'ORDER_AMBIGUOUS'
    | 'ALREADY_CONFIRMED'
    | 'ALREADY_ROLLED_BACK'
    | 'NOT_ALL_ALLOWED'
    | 'RESERVATION_REPLACED'
    | 'NOT_CONFIRMED'
    | 'REFUND_REUSED'
    | 'NOT_RECORDED'
    | 'FORGOTTEN'
    | 'TERMS_REFUSED'
    | 'TOO_MANY_OPEN_HOLDS'
    | 'TOO_MANY_BUCKETS'
    | 'COUNTER_FULL'
    | 'TOO_MANY_RULES'
    | 'CANNOT_BE_TESTED'
    | 'TOO_MANY_BACKTESTS'
    | 'TOO_MANY_ROWS'
    | 'CLUSTER_TOO_OLD'
    | 'TOO_MANY_REFUNDS'
    | 'UNDECIDED'
    | 'CLOCK_SKEW'
    | 'INTERNAL';
};

/** A subject's own maximum of one rule. */
export type Override = {
  /** Its id, to end this one alone. */
  readonly id: string;
  /** The rule's id. */
  readonly rule: string;
  /** The maximum. An absent sum stays as it is below. Null means no maximum. */
  readonly max: {
    /** Minor units. */
    readonly amount?: number | null;
    /** Transactions. */
    readonly count?: number | null;
  };
  /**
   * True if it applies at the time of the answer, and no override above it says the same sums. In a
   * list of changes: at the time of the change.
   */
  readonly inForce: boolean;
  /** The start. */
  readonly from: string;
  /** The end; null if nobody set one. */
  readonly until: string | null;
  /** The time of the change. */
  readonly at: string;
  /** The caller that made the change. */
  readonly by: Actor;
  /** The reason given. */
  readonly reason: string;
  /** The currency of the rule as it is now, if it has one. */
  readonly currency?: string;
  /** The second person, if the change needed one. */
  readonly approvedBy?: Actor;
};

/** What `override` takes. At most 65536 bytes. */
export type OverrideRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** The kind of the subject. */
  readonly kind: string;
  /**
   * The id of the subject, percent-encoded in a path. For an id of `.` or `..`, invoke the function
   * directly, because URLs lose it.
   */
  readonly id: string;
  /** The rule's id. */
  readonly rule: string;
  /**
   * The subject's own maximum: `amount` in minor units, `count`, or both. Null means no maximum. An
   * absent sum stays as it is.
   */
  readonly max: {
    readonly amount?: number | null | undefined;
    readonly count?: number | null | undefined;
  };
  /**
   * The start. Default: at once. RFC 3339 with its zone, from 1970 to 9998. Headroom cuts it to
   * milliseconds.
   */
  readonly from?: string | undefined;
  /** Instead of `from`: the time from the call to the start, an ISO 8601 duration of at most P366D. */
  readonly effectiveAfter?: string | undefined;
  /**
   * The end, after `from`: the first instant at which it no longer applies. The maximum below it is
   * then in force again. Default: until you end it. RFC 3339 with its zone, from 1970 to 9998.
   * Headroom cuts it to milliseconds.
   */
  readonly until?: string | undefined;
  /** Why you make the change. Headroom stores it with the change. Callers of check can read it. */
  readonly reason: string;
  /** Answers what would change, and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /**
   * The version of the terms that you change, from `ETag`; `"none"` if there are no terms. If they
   * have another version, the answer is 412 and nothing changes. Send one version, no list and no
   * `*`. Default: any version.
   */
  readonly ifMatch?: string | undefined;
  /** `*`: only where there is none yet. Never beside `If-Match`. */
  readonly ifNoneMatch?: '*' | undefined;
};

/** A payment that happened, or failed, without a check. */
export type Payment = {
  /** Your id of the order. Never use it for another order. */
  readonly orderId: string;
  /**
   * The time of the payment, not in the future: RFC 3339 with its zone, from 1970 to 9998. Headroom
   * cuts it to milliseconds.
   */
  readonly at: string;
  /** The type of the order. Rules may match it. */
  readonly type?: string | undefined;
  /**
   * The subjects that limits count for. Headroom stores ids as they are: name a card by a token of
   * yours, never by its number.
   */
  readonly subjects: Subjects;
  /** Minor units, 0 to 1000000000000000: 3000000 fen are 30,000.00 yuan. */
  readonly amount: number;
  /** ISO 4217, or a private code. */
  readonly currency: string;
  /** The number that the order adds to every count, 1 to 1000000. Default: 1. */
  readonly count?: number | undefined;
  /** Attributes that rules may match. No name may be a subject kind, too. */
  readonly attributes?: Attributes | undefined;
  /**
   * The proofs that the payer has just given, such as `sca`. A rule may let an order above its
   * maximum pass that has one. A repeat may have others.
   */
  readonly proofs?: readonly string[] | undefined;
  /** The end of the payment. Rules that count failures count one that failed. Default: `SUCCESS`. */
  readonly status?: 'SUCCESS' | 'FAIL' | undefined;
  /**
   * Why it failed, in a code of yours such as `wrong-pin`. Rules may count failures by it. If the
   * rollback is repeated, the first code stands.
   */
  readonly reasonCode?: string | undefined;
};

/** The end of a page, or an instant. */
export type PlaceOrInstant = string;

/** RFC 9457. */
export type Problem = PerCode<
  OneOf<OtherProblem | InvalidRequest | RefundTooLarge | IncompleteOrder>
>;

/** A change that waits, or waited, for a second person. */
export type Proposal = {
  /** The id of the proposal. */
  readonly id: string;
  /**
   * `open`: it waits for a decision. `withdrawn`: its author took it back, or a newer check replaced
   * it. `expired`: nobody decided it in 7 days.
   */
  readonly state: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
  /** The kind of thing that it changes. `order`: it changes nothing, and lets one order pass. */
  readonly about: 'rules' | 'terms' | 'order';
  /** The call that asked for it. */
  readonly operation:
    | 'put'
    | 'delete'
    | 'replace'
    | 'override'
    | 'endOverride'
    | 'freeze'
    | 'unfreeze'
    | 'check';
  /** A change of terms: their subject. An order: its subjects. Null for rules. */
  readonly subject: Subjects | null;
  /** The id of the rule. Null for a whole set of rules, for freezes, and if an order exceeds several. */
  readonly rule: string | null;
  /** The time of the proposal. */
  readonly at: string;
  /** The author. */
  readonly by: Actor;
  /** The instant at which the proposal expires. */
  readonly until: string;
  /** Null until somebody decides. */
  readonly decided: ProposalDecision | null;
  /** The maximum that it asks for, as in the request. Absent if it asks for none. */
  readonly max?: Readonly<Record<string, unknown>>;
  /** The currency of that maximum, or of the order, if there is one. */
  readonly currency?: string;
  readonly order?: ReviewedOrder;
  /** The reason given. */
  readonly reason?: string;
};

/** A proposal, its request, and the change that it would make now. */
export type ProposalAnswer = {
  /** The id of the proposal. */
  readonly id: string;
  /**
   * `open`: it waits for a decision. `withdrawn`: its author took it back, or a newer check replaced
   * it. `expired`: nobody decided it in 7 days.
   */
  readonly state: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
  /** The kind of thing that it changes. `order`: it changes nothing, and lets one order pass. */
  readonly about: 'rules' | 'terms' | 'order';
  /** The call that asked for it. */
  readonly operation:
    | 'put'
    | 'delete'
    | 'replace'
    | 'override'
    | 'endOverride'
    | 'freeze'
    | 'unfreeze'
    | 'check';
  /** A change of terms: their subject. An order: its subjects. Null for rules. */
  readonly subject: Subjects | null;
  /** The id of the rule. Null for a whole set of rules, for freezes, and if an order exceeds several. */
  readonly rule: string | null;
  /** The time of the proposal. */
  readonly at: string;
  /** The author. */
  readonly by: Actor;
  /** The instant at which the proposal expires. */
  readonly until: string;
  /** Null until somebody decides. */
  readonly decided: ProposalDecision | null;
  /**
   * The fields of the request, such as `rule`, `rules`, `ifMatch`, `beginAnew`, `drop`, `max`, `from`
   * and `until`.
   */
  readonly asked: Readonly<Record<string, unknown>>;
  /**
   * Present while a proposal about rules is open: each change, and the rule `before` it. If the
   * answer would be too long, the rules are left out, and `sharedWith` names only one rule. Read them
   * with `GET /v1/rules`.
   */
  readonly changes: readonly Readonly<Record<string, unknown>>[] | null;
  /** Null if an approval would pass. */
  readonly refused: ProposalRefused | null;
  /** The subject's terms now. Present while a proposal about terms is open. */
  readonly terms: Terms | null;
  /** The effect of an approval now. Present while a proposal about terms is open and not refused. */
  readonly effect: TermsEffect | null;
  /**
   * The letters by which the name of the author looks like that of the person who decided, or reads
   * the open proposal. Both names may be of one person. Empty if the names look different.
   */
  readonly lookAlikes: readonly LookAlike[];
  /** The maximum that it asks for, as in the request. Absent if it asks for none. */
  readonly max?: Readonly<Record<string, unknown>>;
  /** The currency of that maximum, or of the order, if there is one. */
  readonly currency?: string;
  readonly order?: ReviewedOrder;
  /** The reason given. */
  readonly reason?: string;
  /** An order: the rules that it exceeds. */
  readonly refusals?: readonly ReviewedRule[];
};

/** The decision. */
export type ProposalDecision = {
  /** The time of the decision. */
  readonly at: string;
  /** The second person. */
  readonly by: Actor;
  /** The reason given. */
  readonly reason: string;
  /**
   * An approved order: from this instant on the approval is over. A check of the order needs another
   * one.
   */
  readonly passesUntil?: string;
};

/** The problem that an approval would meet now. */
export type ProposalRefused = {
  /** The code of the problem. */
  readonly code: string;
  /** The reason. */
  readonly detail: string;
};

/** A page of proposals, newest first. */
export type ProposalsAnswer = {
  /** Newest first. */
  readonly proposals: readonly Proposal[];
  /** Send it as `before` to get the next page. Null on the last page. */
  readonly next: string | null;
};

/** What `proposals` takes. */
export type ProposalsRequest = {
  /** Only proposals in this state. */
  readonly state?: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | undefined;
  /** Only proposals about this. */
  readonly about?: 'rules' | 'terms' | 'order' | undefined;
  /** The most rows of a page. Default: 20. */
  readonly limit?: number | undefined;
  /** Only proposals older than the one with this id. Use `next` of the page before. */
  readonly before?: string | undefined;
};

/** The change needs a second person. Nothing has changed yet. */
export type ProposedAnswer = {
  /** The change that waits. */
  readonly proposal: Proposal;
  /** A change of terms: what it would do if it were approved now. */
  readonly effect?: TermsEffect;
};

/** An amount in minor units, and a count. */
export type Quantity = {
  /** Minor units. */
  readonly amount?: number;
  /** The number of transactions, or the sum of the `count` of the checks. */
  readonly count?: number;
};

/** One result for each order. */
export type RecordAnswer = {
  /** In the order given. */
  readonly results: readonly RecordResult[];
};

/** What `record` takes. Send each `orderId` once. At most 1048576 bytes. */
export type RecordRequest = {
  /** Send each `orderId` once. */
  readonly orders: readonly Payment[];
};

/** The result of one order. */
export type RecordResult = OneOf<RecordedPayment | OrderProblem>;

/** The payment counts. */
export type RecordedPayment = {
  /** The order. */
  readonly orderId: string;
  /** The end of the payment. */
  readonly state: 'confirmed' | 'rolledBack';
  /** True if an earlier call did it. This call changed nothing. */
  readonly repeated: boolean;
  /** The amount counted, in minor units. */
  readonly amount: number;
  /** The rules that count the payment. */
  readonly counted: readonly string[];
  /** The rules that do not count the payment, because their windows are over. */
  readonly over: readonly string[];
  /** The maxima exceeded now. Empty in a repeat. */
  readonly exceeded: readonly Excess[];
};

/** The refunds of the order so far. */
export type RefundAnswer = {
  /** `refunded`: nothing is left to refund. */
  readonly state: 'partlyRefunded' | 'refunded';
  /** True if an earlier call did it. This call changed nothing. */
  readonly repeated: boolean;
  /** The amount of this refund, in minor units. */
  readonly amount: number;
  /** The sum of all refunds. */
  readonly refunded: number;
  /** The amount that you may still refund. */
  readonly remaining: number;
  /** The windows of the check. */
  readonly windows: {
    /** The number of windows that still count the payment. */
    readonly open: number;
    /** The number of windows that are over. Nothing is left there to give back. */
    readonly over: number;
  };
};

/** What `refund` takes. At most 65536 bytes. */
export type RefundRequest = {
  /** The order. */
  readonly orderId: string;
  /** Yours; names the refund within the order for ever. */
  readonly refundId: string;
  /** 1 to what is left, in minor units; left out, all that is left. */
  readonly amount?: number | undefined;
  /**
   * The `reservation` from the answer of the check, unchanged. It saves round trips. An altered one
   * is answered with 400.
   */
  readonly reservation?: string | undefined;
  /**
   * The subjects of the check, if you do not send `reservation`. The home subject (the `user`) is
   * enough. If you leave out both, Headroom looks into the audit. Without an audit the answer is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** Why. Headroom stores it in the audit. */
  readonly reason?: string | undefined;
};

/** The refund is larger than the rest of the payment. */
export type RefundTooLarge = {
  /** Names the code. */
  readonly type: string;
  /** A short text for the code. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** The problem in this call, and the way to solve it. */
  readonly detail: string;
  /** The `X-Request-Id` of the call. Logs and audit rows name the call by it. */
  readonly requestId: string;
  /** Public and stable. */
  readonly code: 'REFUND_TOO_LARGE';
  /** The amount that you may still refund, in minor units. */
  readonly remaining: number;
};

/** A rule that refused a check, as it was then. The rule may have changed since. */
export type Refusal = {
  /** The rule's id. */
  readonly rule: string;
  /** Why the rule refused, in the language of `Content-Language`, without a full stop. */
  readonly sentence: string;
  /** Above `max`, or below `min`. */
  readonly outcome: 'exceeded' | 'below-minimum';
  readonly window: RuleWindow;
  /** The maximum then. A sum that the rule did not limit is absent. */
  readonly max: Quantity;
  /** The version of the rule then: `GET /v1/rules/{id}/versions` lists it. */
  readonly version?: number;
  /** The currency, if the rule limits amounts. */
  readonly currency?: string;
  /** The minimum. Only rules for single transactions have one. */
  readonly min?: Quantity;
  /** Confirmed in this window then. */
  readonly used?: UsedQuantity;
  /** Held in this window then. */
  readonly held?: Quantity;
  /** Present if `max` was the subject's own maximum instead of the rule's. */
  readonly override?: {
    /** The reason given for it. */
    readonly reason: string;
    /** The end; null if nobody had set one. */
    readonly until: string | null;
    /** The maximum of the rule. */
    readonly own: Quantity;
  };
};

/** You may not pay. Nothing changed. */
export type RefusedCheck = {
  readonly decision: 'refused';
  /**
   * `rule`: `refusedBy` names the rules. `challenge`: each of them asks for a proof or an approval,
   * and the order lacks the proofs in `challenges`. `review`: it passes once a second person approves
   * the proposal in `review`. `rejected`: somebody rejected that. `frozen`: `frozen` names the
   * subjects. `no-rule`: no rule applies, or with `ON_NO_RULE=refuse-unlimited` no rule limits the
   * amount.
   */
  readonly reason: 'rule' | 'challenge' | 'review' | 'rejected' | 'no-rule' | 'frozen';
  readonly repeated: false;
  readonly limitReached: false;
  /** The rules of which this order took the last room. */
  readonly limitReachedBy: readonly string[];
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /**
   * The rules that `report` asks for: all that apply, or only those that refused or would have
   * refused. Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
  /**
   * With the reason `challenge`: proofs that the order lacks. Have the payer prove them, and check
   * again with `proofs`.
   */
  readonly challenges?: readonly string[];
  readonly review?: Review;
  /** With the reason `frozen`: the frozen subjects. */
  readonly frozen?: readonly Frozen[];
  /** With the reason `no-rule`: subject kinds that no rule names. */
  readonly unknownKinds?: readonly UnknownKind[];
};

/** You may not pay. Nothing changed. */
export type RefusedOfMany = {
  /** The order. */
  readonly orderId: string;
  readonly decision: 'refused';
  /**
   * `rule`: `refusedBy` names the rules. `challenge`: each of them asks for a proof or an approval,
   * and the order lacks the proofs in `challenges`. `review`: it passes once a second person approves
   * the proposal in `review`. `rejected`: somebody rejected that. `frozen`: `frozen` names the
   * subjects. `no-rule`: no rule applies, or with `ON_NO_RULE=refuse-unlimited` no rule limits the
   * amount.
   */
  readonly reason: 'rule' | 'challenge' | 'review' | 'rejected' | 'no-rule' | 'frozen';
  readonly repeated: false;
  readonly limitReached: false;
  /** The rules of which this order took the last room. */
  readonly limitReachedBy: readonly string[];
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /**
   * The rules that `report` asks for: all that apply, or only those that refused or would have
   * refused. Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
  /**
   * With the reason `challenge`: proofs that the order lacks. Have the payer prove them, and check
   * again with `proofs`.
   */
  readonly challenges?: readonly string[];
  readonly review?: Review;
  /** With the reason `frozen`: the frozen subjects. */
  readonly frozen?: readonly Frozen[];
  /** With the reason `no-rule`: subject kinds that no rule names. */
  readonly unknownKinds?: readonly UnknownKind[];
};

/** One mistake in the request. */
export type RequestMistake = {
  /** The place of the mistake: `orders[3].amount`. */
  readonly path: string;
  /** The value that Headroom expected. */
  readonly expected: string;
  /** The value found, shortened. Absent if there was none. */
  readonly value?: string;
};

/**
 * With the reasons `review` and `rejected`: the proposal. Absent if Headroom could not store it, or
 * if it is approved and another order of an atomic call is in the way. A dry run opens none.
 */
export type Review = {
  /** The id of the proposal: `GET /v1/proposals/{id}` has it. */
  readonly proposal: string;
  /** `open`: it waits for a decision. */
  readonly state: 'open' | 'rejected';
  /** The instant at which an open proposal expires. */
  readonly until: string;
};

/** The order that waits. Absent for changes. */
export type ReviewedOrder = {
  /** The application that checked it. */
  readonly app: string;
  /** Its id. */
  readonly orderId: string;
  /** Minor units. */
  readonly amount: number;
};

/**
 * A rule that an order exceeds, as it stood at the check. An approval lets the order reach `upTo`,
 * and not more.
 */
export type ReviewedRule = {
  /** The rule's id. */
  readonly rule: string;
  /** Why the rule refused, in the language of `Content-Language`, without a full stop. */
  readonly sentence: string;
  /** Above `max`, or below `min`. */
  readonly outcome: 'exceeded' | 'below-minimum';
  readonly window: RuleWindow;
  /** The maximum then. A sum that the rule did not limit is absent. */
  readonly max: Quantity;
  /** The version of the rule then: `GET /v1/rules/{id}/versions` lists it. */
  readonly version?: number;
  /** The currency, if the rule limits amounts. */
  readonly currency?: string;
  /** The minimum. Only rules for single transactions have one. */
  readonly min?: Quantity;
  /** Confirmed in this window then. */
  readonly used?: UsedQuantity;
  /** Held in this window then. */
  readonly held?: Quantity;
  /** Present if `max` was the subject's own maximum instead of the rule's. */
  readonly override?: {
    /** The reason given for it. */
    readonly reason: string;
    /** The end; null if nobody had set one. */
    readonly until: string | null;
    /** The maximum of the rule. */
    readonly own: Quantity;
  };
  /** The sum with the order. */
  readonly upTo: Quantity;
};

/** The amount is free again. */
export type RollbackAnswer = {
  readonly state: 'rolledBack';
  /** True if an earlier call did it. This call changed nothing. */
  readonly repeated: boolean;
};

/** The payment failed. */
export type RollbackOfMany = {
  /** The order. */
  readonly orderId: string;
  /**
   * The `reservation` from the answer of the check, unchanged. It saves round trips. An altered one
   * is answered with 400.
   */
  readonly reservation?: string | undefined;
  /**
   * The subjects of the check, if you do not send `reservation`. The home subject (the `user`) is
   * enough. If you leave out both, Headroom looks into the audit. Without an audit the answer is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** The end of the payment. */
  readonly status: 'FAIL';
  /** Why. Headroom stores it in the audit. */
  readonly reason?: string | undefined;
  /**
   * Why it failed, in a code of yours such as `wrong-pin`. Rules may count failures by it. If the
   * rollback is repeated, the first code stands.
   */
  readonly reasonCode?: string | undefined;
};

/** What `rollback` takes. At most 65536 bytes. */
export type RollbackRequest = {
  /** The order. */
  readonly orderId: string;
  /**
   * The `reservation` from the answer of the check, unchanged. It saves round trips. An altered one
   * is answered with 400.
   */
  readonly reservation?: string | undefined;
  /**
   * The subjects of the check, if you do not send `reservation`. The home subject (the `user`) is
   * enough. If you leave out both, Headroom looks into the audit. Without an audit the answer is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** Why. Headroom stores it in the audit. */
  readonly reason?: string | undefined;
  /**
   * Why it failed, in a code of yours such as `wrong-pin`. Rules may count failures by it. If the
   * rollback is repeated, the first code stands.
   */
  readonly reasonCode?: string | undefined;
};

/** The amount is free again. */
export type RolledBackOfMany = {
  /** The order. */
  readonly orderId: string;
  readonly state: 'rolledBack';
  /** True if an earlier call did it. This call changed nothing. */
  readonly repeated: boolean;
};

/** The time just before now, such as the last 24 hours. */
export type RollingWindow = {
  readonly kind: 'rolling';
  /** The length of the window. */
  readonly span: string;
  /** `exact`, or the length of the steps in which old payments leave the window. */
  readonly step: string;
  /** The first instant in it. */
  readonly start: string;
  /** The first instant after it. */
  readonly end: string;
  /** The longest time by which the rule may refuse too early. */
  readonly maxEarlyRefusal: string;
};

/**
 * A rule, as in a rule file. Words state the rules between fields that a schema cannot. A 400 names
 * each mistake.
 */
export type Rule = {
  /** Its name. */
  readonly id?: string | undefined;
  /** A text, or one by language. */
  readonly title?: string | Titles | undefined;
  /** The subject kinds that the rule counts for. */
  readonly per: readonly string[];
  /**
   * How many others the first subject of `per` may meet in one window. `few` has room for some
   * hundreds, in its document. `many` has no bound: each pair has a document of its own. Default:
   * few.
   */
  readonly counterparts?: 'few' | 'many' | undefined;
  /** The currency of the amounts. Required if the rule limits amounts. */
  readonly currency?: string | undefined;
  /**
   * The digits after the point, for a currency of which ISO 4217 has none, such as 6 for USDT. All
   * rules of the currency have the same. A rule file says them once, in `currencies`. Default: 0.
   */
  readonly digits?: number | undefined;
  /** The orders that the rule counts and may refuse. */
  readonly match?: Matched | undefined;
  /** Instead of `match`: the orders that the rule counts. */
  readonly counts?: Scope | undefined;
  /** Instead of `match`: the orders that the rule may refuse, of those that it counts. */
  readonly appliesTo?: Scope | undefined;
  /**
   * The orders that lower the sum once they are confirmed, such as payments out of a wallet. They are
   * never refused by the rule.
   */
  readonly minus?: Scope | undefined;
  /**
   * The outcome with which an order counts, or a list of these. While it is held it has its place,
   * and any other outcome frees it. `rolledBack`: failed attempts. `ended`: `confirmed` and
   * `rolledBack`. `expired`: nobody ended it in time. Then `per` begins with the first kind of
   * HOME_KINDS. Default: `confirmed`.
   */
  readonly outcome?:
    | 'confirmed'
    | 'rolledBack'
    | 'expired'
    | 'ended'
    | readonly ('confirmed' | 'rolledBack' | 'expired')[]
    | undefined;
  /** A rollback counts only if its `reasonCode` is one of these. Default: each counts. */
  readonly reasonCodes?: readonly string[] | undefined;
  /**
   * Names that an order must have: subject kinds, attributes or `type`. A check without them is a 422
   * that names them. It concerns the orders that the rule counts, or would count if they had the
   * names. A rule on trial requires nothing, and a record is counted as it is.
   */
  readonly require?: readonly string[] | undefined;
  /** The window over which the maximum counts. */
  readonly window: WindowOfRule;
  /**
   * The times at which the rule is in effect. At other times it neither counts an order nor refuses
   * it. A payment counts in the window in which its hours began.
   */
  readonly when?:
    | {
        /**
         * The hours of a date, such as `20:00-06:00`, which end on the next date. They do not overlap.
         * Default: the whole date.
         */
        readonly hours?: string | readonly string[] | undefined;
        /** The days of the week on which the hours begin. Default: every day. */
        readonly days?:
          | 'monday'
          | 'tuesday'
          | 'wednesday'
          | 'thursday'
          | 'friday'
          | 'saturday'
          | 'sunday'
          | readonly (
              | 'monday'
              | 'tuesday'
              | 'wednesday'
              | 'thursday'
              | 'friday'
              | 'saturday'
              | 'sunday'
            )[]
          | undefined;
        /** The dates on which the hours begin. Default: every date. */
        readonly dates?: string | readonly string[] | undefined;
        /** A time zone of the IANA database. Only for a window that has none. */
        readonly timeZone?: string | undefined;
      }
    | undefined;
  /** The minimum, at most `max`. Only for `window: transaction`. */
  readonly min?:
    | {
        readonly amount?: number | undefined;
        readonly count?: number | undefined;
      }
    | undefined;
  /** The maximum: minor units, and a number. Required unless the rule has `min`. */
  readonly max?:
    | {
        readonly amount?: number | MaximumBy | undefined;
        readonly count?: number | MaximumBy | undefined;
        /** The most different values of one name. The value of an order counts while one of its orders does. */
        readonly distinct?: Readonly<Record<string, number>> | undefined;
      }
    | undefined;
  /**
   * The fate of an order above the maximum. `notify`: it passes, and its answer says by how much it
   * is above. `review`: it is refused, until a second person approves it. An object: it is refused,
   * unless it has the proof. Default: `refuse`.
   */
  readonly onExceed?:
    | 'refuse'
    | 'notify'
    | 'review'
    | {
        /** The name of the proof, such as `sca`: the check says it in `proofs`. */
        readonly challenge: string;
      }
    | undefined;
  /** The sums that refunds give back. Default: both. */
  readonly refunds?:
    | {
        /** The amount. */
        readonly amount?: boolean | undefined;
        /** The count. */
        readonly count?: boolean | undefined;
      }
    | undefined;
  /** The start of the rule. */
  readonly from?: string | undefined;
  /** The end of the rule, after `from`: the first instant at which it no longer applies. */
  readonly to?: string | undefined;
  /** Default: `enforce`. */
  readonly mode?: 'draft' | 'shadow' | 'enforce' | 'retired' | undefined;
};

/** The change of one rule. */
export type RuleChange = {
  /** The rule's id. */
  readonly id: string;
  /** The kind of change. */
  readonly change: 'added' | 'changed' | 'deleted';
  /**
   * The sum of the rule after the change. `kept`: it stays. `begins`: it starts at zero; the rule
   * counted nothing before. `anew`: it starts at zero in another counter. `joins`: it has the sum of
   * other rules. `ends`: the rule counts nothing any more. `none`: the rule counts nothing before and
   * after.
   */
  readonly counter: 'kept' | 'begins' | 'anew' | 'joins' | 'ends' | 'none';
  /** The parts of the counter that change. */
  readonly because: readonly (
    | 'per'
    | 'counterparts'
    | 'currency'
    | 'counts'
    | 'minus'
    | 'outcome'
    | 'reasonCodes'
    | 'window'
    | 'when'
    | 'max'
    | 'refunds'
  )[];
  /** Other rules that share the counter, at most 20. With `joins`: the rules that counted the sum. */
  readonly sharedWith: readonly string[];
  /** The change as a sentence. */
  readonly says: string;
  /** The fate of the own maxima of subjects. Absent if none is concerned. */
  readonly overrides?: {
    /**
     * `follow`: the rule has a new id, and they go on with it. `end`: they no longer apply. `begin`:
     * those from before apply. `stay`: they apply to what the rule counts now.
     */
    readonly fate: 'follow' | 'end' | 'begin' | 'stay';
    /** The number of subjects, at most 10,000. */
    readonly subjects: number;
    /** True if there may be more subjects than Headroom looked at. */
    readonly more: boolean;
    /** With `follow`: the new id of the rule. */
    readonly rule?: string;
    /**
     * The first 100 subjects, if the request has `nameSubjects`. Absent if the answer would be too long
     * for a function.
     */
    readonly named?: readonly Subjects[];
  };
};

/** A rule that applies, and its sums after the call. */
export type RuleReport = {
  /** The rule's id. */
  readonly rule: string;
  /** `shadow`: on trial. The rule counts and never refuses. */
  readonly mode: 'enforce' | 'shadow';
  readonly window: RuleWindow;
  /** The maximum. A sum that the rule does not limit is absent. */
  readonly max: Quantity;
  /**
   * `within`: room is left; `reached`: no room is left; `exceeded`: the rule refuses, because the sum
   * would be above `max`; `below-minimum`: the rule refuses, because the order is below `min`;
   * `exceeded-shadow`: a rule on trial would refuse, because the sum would be above `max`;
   * `below-minimum-shadow`: a rule on trial would refuse, because the order is below `min`;
   * `exceeded-notify`: the sum is above `max`. The rule only notifies, and refuses nothing;
   * `exceeded-proven`: the sum is above `max`. The order has the proof that the rule asks for.
   */
  readonly outcome:
    | 'within'
    | 'reached'
    | 'exceeded'
    | 'below-minimum'
    | 'exceeded-shadow'
    | 'below-minimum-shadow'
    | 'exceeded-notify'
    | 'exceeded-proven';
  /** By language. */
  readonly title?: Readonly<Record<string, string>>;
  /** The subjects that the rule counts for. Present with `report: all`. */
  readonly subjects?: Subjects;
  /** The minimum. Only rules for single transactions have one. */
  readonly min?: Quantity;
  /**
   * Absent if the rule refuses an order above `max`. `notify`: it passes, and its answer says by how
   * much it is above. `review`: it passes if a second person approves it. `challenge`: it passes with
   * the proof `challenge`.
   */
  readonly onExceed?: 'notify' | 'review' | 'challenge';
  /** The proof, as the check names it in `proofs`. */
  readonly challenge?: string;
  /** The outcomes with which orders count. Absent if only those count that are confirmed. */
  readonly outcomes?: readonly ('confirmed' | 'rolledBack' | 'expired')[];
  /** A rollback counts only if its reason code is one of these. Absent if each counts. */
  readonly reasonCodes?: readonly string[];
  /**
   * `type`, a subject kind or an attribute. Present if the rule limits its different values: each
   * `count` is a number of these.
   */
  readonly distinct?: string;
  /** Confirmed in this window, or ended as `outcomes` says; less what `minus` of the rule takes off. */
  readonly used?: UsedQuantity;
  /** Held in this window. */
  readonly held?: Quantity;
  /** The part of `max` that is left. */
  readonly remaining?: Quantity;
  /** Present if `max` is the subject's own maximum instead of the rule's. */
  readonly override?: {
    /** The reason given for it. */
    readonly reason: string;
    /** The instant at which `max` changes; null if it stays. */
    readonly until: string | null;
    /** The maximum of the rule. */
    readonly own: Quantity;
  };
  /** If the rule refuses: the time at which this rule would allow the order. Null for never. */
  readonly retryAt?: string | null;
};

/** A rule that counts for these subjects, and its sums. */
export type RuleUsage = {
  /** The rule's id. */
  readonly rule: string;
  /** The subjects that the rule counts for. */
  readonly subjects: Subjects;
  /** `shadow`: on trial. The rule counts and never refuses. */
  readonly mode: 'enforce' | 'shadow';
  readonly window: RuleWindow;
  /** The maximum. A sum that the rule does not limit is absent. */
  readonly max: Quantity;
  /**
   * `within`: room is left; `reached`: no room is left; `exceeded`: the rule refuses, because the sum
   * would be above `max`; `below-minimum`: the rule refuses, because the order is below `min`;
   * `exceeded-shadow`: a rule on trial would refuse, because the sum would be above `max`;
   * `below-minimum-shadow`: a rule on trial would refuse, because the order is below `min`;
   * `exceeded-notify`: the sum is above `max`. The rule only notifies, and refuses nothing;
   * `exceeded-proven`: the sum is above `max`. The order has the proof that the rule asks for;
   * `depends`: the maxima in `max` have room; those in `maxBy` depend on an attribute that the query
   * does not give.
   */
  readonly outcome:
    | 'within'
    | 'reached'
    | 'exceeded'
    | 'below-minimum'
    | 'exceeded-shadow'
    | 'below-minimum-shadow'
    | 'exceeded-notify'
    | 'exceeded-proven'
    | 'depends';
  /**
   * The used and held share of the maximum: 1 is all of it. It can be above 1 after a late confirm.
   * If the rule limits amount and count, this is the larger share. Null if a maximum is in `maxBy`.
   */
  readonly share: number | null;
  /** The end of a calendar window. Null for rolling and lifetime windows. */
  readonly resetsAt: string | null;
  /** By language. */
  readonly title?: Readonly<Record<string, string>>;
  /** The currency, if the rule limits amounts. */
  readonly currency?: string;
  /**
   * Present outside the times of the rule (`when`). Until then it neither counts nor refuses. Null
   * for never.
   */
  readonly beginsAt?: string | null;
  /** The payments that the rule counts. Absent if it counts all. */
  readonly counts?: Conditions;
  /** The orders that lower `used` once they are confirmed. Absent: none. */
  readonly minus?: Conditions;
  /** The counted payments that the rule may refuse. Absent: all. */
  readonly appliesTo?: Conditions;
  /**
   * Maxima that depend on an attribute, a subject or a type that the query does not give. They are
   * not in `max`.
   */
  readonly maxBy?: MaximumByAttribute;
  /** Present if the subject's own terms change the maximum later: each change, in the order of time. */
  readonly later?: readonly LaterMaximum[];
  /** The minimum. Only rules for single transactions have one. */
  readonly min?: Quantity;
  /**
   * Absent if the rule refuses an order above `max`. `notify`: it passes, and its answer says by how
   * much it is above. `review`: it passes if a second person approves it. `challenge`: it passes with
   * the proof `challenge`.
   */
  readonly onExceed?: 'notify' | 'review' | 'challenge';
  /** The proof, as the check names it in `proofs`. */
  readonly challenge?: string;
  /** The outcomes with which orders count. Absent if only those count that are confirmed. */
  readonly outcomes?: readonly ('confirmed' | 'rolledBack' | 'expired')[];
  /** A rollback counts only if its reason code is one of these. Absent if each counts. */
  readonly reasonCodes?: readonly string[];
  /**
   * `type`, a subject kind or an attribute. Present if the rule limits its different values: each
   * `count` is a number of these.
   */
  readonly distinct?: string;
  /** Confirmed in this window, or ended as `outcomes` says; less what `minus` of the rule takes off. */
  readonly used?: UsedQuantity;
  /** Held in this window. */
  readonly held?: Quantity;
  /** The part of `max` that is left. */
  readonly remaining?: Quantity;
  /** Present if `max` is the subject's own maximum instead of the rule's. */
  readonly override?: {
    /** The reason given for it. */
    readonly reason: string;
    /** The instant at which `max` changes; null if it stays. */
    readonly until: string | null;
    /** The maximum of the rule. */
    readonly own: Quantity;
    /** Maxima of the rule that the query does not tell. They are not in `own`. */
    readonly maxBy?: MaximumByAttribute;
  };
  /** If the rule refuses: the time at which this rule would allow the order. Null for never. */
  readonly retryAt?: string | null;
};

/** One change of a rule. */
export type RuleVersion = {
  /** The revision that it made. */
  readonly version: number;
  /** The kind of change. */
  readonly change: 'added' | 'changed' | 'deleted';
  /** The time of the change. */
  readonly at: string;
  /** The caller that made the change. */
  readonly by: Actor;
  /** Null if there was no such rule. */
  readonly before: StoredRule | null;
  /** Null if the change deleted the rule. */
  readonly after: StoredRule | null;
  /** The reason given. */
  readonly reason?: string;
  /** The second person, if the change needed one. */
  readonly approvedBy?: Actor;
};

/** A page of changes. */
export type RuleVersionsAnswer = {
  /** The rule's id. */
  readonly id: string;
  /** Newest first. */
  readonly versions: readonly RuleVersion[];
  /** Send it as `before` to get the next page. Null on the last page. */
  readonly next: number | null;
};

/** What `ruleVersions` takes. */
export type RuleVersionsRequest = {
  /** The rule's id. */
  readonly id: string;
  /** The most rows of a page. Default: 20. */
  readonly limit?: number | undefined;
  /** Only versions before this one. Use `next` of the page before. */
  readonly before?: number | undefined;
};

/** The window over which a maximum counts. */
export type RuleWindow =
  | TransactionWindow
  | LifetimeWindow
  | CalendarWindow
  | RollingWindow
  | SinceWindow;

/** The result of a change. A dry run shows the result that it would have. */
export type RulesChangedAnswer = {
  /** The number of the set of rules. Every change adds 1. */
  readonly revision: number;
  /** False for a dry run, and if the rules were the same before. */
  readonly changed: boolean;
  /** True if the request asked for a dry run. */
  readonly dryRun: boolean;
  /** One change for each rule, ordered by id. */
  readonly changes: readonly RuleChange[];
  /**
   * Possible mistakes in the rules that were not there before the change. At most 50, and then how
   * many more there are.
   */
  readonly warnings: readonly string[];
};

/** Names and values as in `Matched`. Under `not`: values that the order must not have. */
export type Scope = {
  readonly type?: string | readonly string[] | undefined;
  readonly proof?: string | readonly string[] | undefined;
  readonly not?: Matched | undefined;
  readonly [name: string]: MatchedValue | string | readonly string[] | Matched | undefined;
};

/** A confirm or a rollback. */
export type Settlement = ConfirmOfMany | RollbackOfMany;

/** The result of one order. */
export type SettlementResult = OneOf<ConfirmedOfMany | RolledBackOfMany | OrderProblem>;

/** One result for each order. */
export type SettlementsAnswer = {
  /** In the order given. */
  readonly results: readonly SettlementResult[];
};

/** What `settlements` takes. Send each `orderId` once. At most 1048576 bytes. */
export type SettlementsRequest = {
  /** Send each `orderId` once. */
  readonly settlements: readonly Settlement[];
};

/** The time after an instant that each order says. It comes once. */
export type SinceWindow = {
  readonly kind: 'since';
  /** Who says when it begins. */
  readonly since: {
    /** The attribute that has the instant. */
    readonly attribute: string;
  };
  /** How long it lasts. */
  readonly for: string;
  /** The first instant in it. */
  readonly start: string;
  /** The first instant after it. */
  readonly end: string;
};

/** The state of an order, and its history. */
export type StatusAnswer = {
  /** The order. */
  readonly orderId: string;
  /**
   * `expired`: the hold expired, and a late confirm would still count. `late`: confirmed after the
   * hold expired. `partlyRefunded`, `refunded`: counted, and refunded since. `unknown`: the audit has
   * no row of it.
   */
  readonly state:
    | 'held'
    | 'expired'
    | 'confirmed'
    | 'late'
    | 'partlyRefunded'
    | 'refunded'
    | 'rolledBack'
    | 'refused'
    | 'unknown';
  /** The instant of the answer, by the database's clock. */
  readonly now: string;
  /** The newest rows, the oldest of them first. */
  readonly history: readonly HistoryRow[];
  /** The amount held, counted, given back or refused, in minor units. */
  readonly amount?: number;
  /** The sum of all refunds, in minor units. */
  readonly refunded?: number;
  /** The currency of the check. */
  readonly currency?: string;
  readonly subjects?: Subjects;
  /** Names the hold. Present while the order is held or expired. */
  readonly reservation?: string;
  /** The first instant at which the hold no longer counts. Present while the order is held or expired. */
  readonly holdExpiresAt?: string;
};

/** What `status` takes. */
export type StatusRequest = {
  /**
   * The order, percent-encoded in a path: `o 1` is `o%201`. For an id of `.` or `..`, invoke the
   * function directly, because URLs lose it.
   */
  readonly orderId: string;
  /** The application that owns the order. Default: your own. Another one needs the right `usage:read`. */
  readonly app?: string | undefined;
  /** The language of sentences: Chinese (`zh`) if you prefer it, else English (`en`). */
  readonly language?: string | undefined;
};

/** What `stopBacktest` takes. */
export type StopBacktestRequest = {
  /** The id, from the answer of the question. */
  readonly id: string;
};

/** A rule as it was sent: an `id`, and the other fields of `Rule`. */
export type StoredRule = Rule & { readonly id: string };

/** The subject of the terms: a kind and an id. */
export type Subject = {
  /** The kind of the subject. */
  readonly kind: string;
  /**
   * The id of the subject, percent-encoded in a path. For an id of `.` or `..`, invoke the function
   * directly, because URLs lose it.
   */
  readonly id: string;
};

/** The subjects that limits count for: kinds to ids. */
export type Subjects = Readonly<Record<string, string>>;

/** The sums of one day for one kind of subject. */
export type SummaryAnswer = {
  /** The kind of subject. */
  readonly kind: string;
  /** The day. */
  readonly date: string;
  /** A time zone of the IANA database. */
  readonly timeZone: string;
  /** The first instant of the day. */
  readonly start: string;
  /** The first instant after it. */
  readonly end: string;
  /** One for each currency. */
  readonly sums: readonly {
    /** The currency. Null for payments whose rows do not have it. */
    readonly currency: string | null;
    /** Confirmed or captured that day, or recorded as a payment of that day. */
    readonly confirmed: Sums;
    /** Recorded that day as payments of other days. */
    readonly recorded: Sums;
    /** Refunded that day, whenever the payment was. */
    readonly refunded: Sums;
  }[];
  /** Checks that were refused. */
  readonly refused: number;
  /** One for each rule or reason. */
  readonly refusals: readonly {
    /** Checks. */
    readonly count: number;
    /** The number for each hour from `start`. */
    readonly hourly: readonly number[];
    /** The rule's id. */
    readonly rule?: string;
    /** `no-rule` or `frozen`, if no rule refused. */
    readonly reason?: string;
  }[];
  /** The time of the answer. */
  readonly now: string;
};

/** What `summary` takes. */
export type SummaryRequest = {
  /** The kind of the subjects. */
  readonly kind: string;
  /** The day, from 1970 to 9998. Default: today. */
  readonly date?: string | undefined;
  /** The time zone of the day. Default: UTC. A time zone of the IANA database. */
  readonly zone?: string | undefined;
};

/** An amount and a count. */
export type Sums = {
  /** Minor units. Above 2^53: the nearest number. */
  readonly amount: number;
  /** The count, as rules count it. */
  readonly count: number;
};

/** A subject's terms. */
export type Terms = {
  /** Null if there is none. */
  readonly freeze: Freeze | null;
  /**
   * Present and future overrides, and past ones until Headroom deletes them. Those of one rule lie on
   * each other: the last one is on top.
   */
  readonly overrides: readonly Override[];
};

/** A subject's terms now. After a change: with the change. */
export type TermsAnswer = {
  /** The subject: one kind, and its id. */
  readonly subject: Subjects;
  /** Null if there is none. */
  readonly freeze: Freeze | null;
  /**
   * Present and future overrides, and past ones until Headroom deletes them. Those of one rule lie on
   * each other: the last one is on top.
   */
  readonly overrides: readonly Override[];
  /** The instant of the answer, by the database's clock. */
  readonly now: string;
  /** The version, for `If-Match`. Every change makes a new one. `none` if the subject has no terms. */
  readonly version: string;
  /** Headroom knows no order of the subject. It is new, or idle for a week, or its id is mistyped. */
  readonly unseen?: true;
  /** The effect of the change. Present after a change and in a dry run. */
  readonly effect?: TermsEffect;
  /** Only of a dry run: nothing has changed. */
  readonly dryRun?: true;
  /** Only of a dry run: whether the change would wait for a second person. */
  readonly needsSecondPerson?: boolean;
};

/** One change. */
export type TermsChange = {
  /** The kind of change. */
  readonly change: 'override' | 'endOverride' | 'freeze' | 'unfreeze';
  /** The time of the change. */
  readonly at: string;
  /** The caller that made the change. */
  readonly by: Actor;
  /** The reason given. */
  readonly reason: string;
  /** The terms before the change. Null for none. */
  readonly before: Terms | null;
  /** The terms after the change. Null for none. */
  readonly after: Terms | null;
  /** The rule of the override. */
  readonly rule?: string;
  /** The second person, if the change needed one. */
  readonly approvedBy?: Actor;
};

/** A page of changes, newest first. */
export type TermsChangesAnswer = {
  /** The subject: one kind, and its id. */
  readonly subject: Subjects;
  /** Newest first. */
  readonly changes: readonly TermsChange[];
  /** Send it as `before` to get the next page. Null on the last page. */
  readonly next: string | null;
};

/** What `termsChanges` takes. */
export type TermsChangesRequest = {
  /** The kind of the subject. */
  readonly kind: string;
  /**
   * The id of the subject, percent-encoded in a path. For an id of `.` or `..`, invoke the function
   * directly, because URLs lose it.
   */
  readonly id: string;
  /** The most rows of a page. Default: 20. */
  readonly limit?: number | undefined;
  /** The `next` of the page before, unchanged. Or an instant, for changes before it. */
  readonly before?: PlaceOrInstant | undefined;
};

/** The effect of a change, now and later. */
export type TermsEffect = {
  /** In the order of time. */
  readonly steps: readonly TermsStep[];
  /** The currency of the rule, if it has one. */
  readonly currency?: string;
};

/** The maximum of the rule, or whether the subject is frozen. */
export type TermsState = {
  /** The maximum in force. A sum that is not limited is absent. */
  readonly max?: Quantity;
  /** Maxima that depend on the order, instead of those in `max`. */
  readonly maxBy?: MaximumByAttribute;
  /** True if every new check is refused. Only of a change of a freeze. */
  readonly frozen?: boolean;
};

/** A time in which nothing changes. */
export type TermsStep = {
  /** The start. The first step starts now. */
  readonly from: string;
  /** The end; null for the last step. */
  readonly until: string | null;
  /** Without the change. */
  readonly before: TermsState;
  /** With the change. */
  readonly after: TermsState;
};

/** Texts by language. */
export type Titles = Readonly<Record<string, string>>;

/** One operation on an order, and its outcome. */
export type Transaction = {
  /** The order. */
  readonly orderId: string;
  /** The application that owns the order. */
  readonly app: string;
  /** The subjects of the order. If its check has no row: those that the call named. */
  readonly subjects: Subjects;
  /** The time, by the clock of the database. */
  readonly at: string;
  /** The operation. */
  readonly operation: 'check' | 'record' | 'confirm' | 'rollback' | 'refund';
  /** `held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem. */
  readonly outcome: string;
  /** The type of the order. */
  readonly type?: string;
  /** The id of the refund. */
  readonly refundId?: string;
  /** The amount asked for, counted or given back, in minor units. */
  readonly amount?: number;
  /**
   * A check with `partial`: the amount asked for. If it was refused, `amount` is the least that it
   * takes.
   */
  readonly asked?: number;
  /** A check with `partial`: the rules that left least. */
  readonly amountBy?: readonly string[];
  /** The count asked for or given back. */
  readonly count?: number;
  /** The currency of the order. Absent if its check has no row. */
  readonly currency?: string;
  /** True if confirmed after the hold had expired. */
  readonly late?: boolean;
  /**
   * A rollback or refund: the reason given by the caller. A refused check: `no-rule` if no rule
   * applied, `frozen` if a subject was frozen.
   */
  readonly reason?: string;
  /** A rollback, or a record of a failure: its reason code. */
  readonly reasonCode?: string;
  /** The `X-Request-Id` of the call. */
  readonly requestId?: string;
  /** A recorded payment: the time at which it happened. */
  readonly happenedAt?: string;
  /** The rules that refused. */
  readonly violations?: readonly string[];
  /** A check: the proofs that the payer had given. */
  readonly proofs?: readonly string[];
  /** The proofs with which a refused check would have passed. */
  readonly challenges?: readonly string[];
  /** A check that a second person decides, or decided: the proposal. */
  readonly proposal?: string;
  /** A check that a second person approved: who. */
  readonly approvedBy?: Actor;
  /** The rules that refused, as they were then. */
  readonly refusals?: readonly Refusal[];
  /** The subjects that were frozen. */
  readonly frozen?: readonly FrozenThen[];
};

/** Each transaction alone. */
export type TransactionWindow = {
  readonly kind: 'transaction';
};

/** A page of operations, newest first. */
export type TransactionsAnswer = {
  /** The subjects of the query. Empty if the query named none. */
  readonly subjects: Readonly<Record<string, string>>;
  /** Newest first. */
  readonly transactions: readonly Transaction[];
  /** Send it as `before` to get the next page. Null on the last page. */
  readonly next: string | null;
  /** If nothing was found: kinds in the query that no rule names. */
  readonly unknownKinds?: readonly UnknownKind[];
};

/** What `transactions` takes. */
export type TransactionsRequest = {
  /** The language of sentences: Chinese (`zh`) if you prefer it, else English (`en`). */
  readonly language?: string | undefined;
  /** Only operations that name all these subjects. */
  readonly subjects?: Subjects | undefined;
  /** Only checks that this rule refused. */
  readonly rule?: string | undefined;
  /** Only checks that were refused for this reason, and by no rule. */
  readonly reason?: 'no-rule' | 'frozen' | undefined;
  /** Only checks with this answer. */
  readonly decision?: 'allowed' | 'refused' | undefined;
  /** The first instant. RFC 3339 with its zone, from 1970 to 9998. Headroom cuts it to milliseconds. */
  readonly since?: string | undefined;
  /**
   * The end, later than `since`: the first instant that is left out. RFC 3339 with its zone, from
   * 1970 to 9998. Headroom cuts it to milliseconds.
   */
  readonly until?: string | undefined;
  /** The `next` of the page before, unchanged. */
  readonly before?: string | undefined;
  /** The most rows of a page. Default: 20. */
  readonly limit?: number | undefined;
};

/**
 * The database did not answer in time. This deployment lets such orders pass
 * (`ON_UNDECIDED=allow`).
 */
export type UndecidedCheck = {
  readonly decision: 'allowed';
  readonly undecided: true;
  readonly repeated: false;
  readonly limitReached: false;
  /** The rules of which this order took the last room. */
  readonly limitReachedBy: readonly string[];
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  readonly state: 'none';
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /**
   * The rules that `report` asks for: all that apply, or only those that refused or would have
   * refused. Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
};

/**
 * The database did not answer in time. This deployment lets such orders pass
 * (`ON_UNDECIDED=allow`).
 */
export type UndecidedOfMany = {
  /** The order. */
  readonly orderId: string;
  readonly decision: 'allowed';
  readonly undecided: true;
  readonly repeated: false;
  readonly limitReached: false;
  /** The rules of which this order took the last room. */
  readonly limitReachedBy: readonly string[];
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  readonly state: 'none';
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /**
   * The rules that `report` asks for: all that apply, or only those that refused or would have
   * refused. Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
};

/** What `unfreeze` takes. At most 65536 bytes. */
export type UnfreezeRequest = {
  /**
   * The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8
   * what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%`
   * that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters
   * without control characters.
   */
  readonly actor?: string | undefined;
  /** The kind of the subject. */
  readonly kind: string;
  /**
   * The id of the subject, percent-encoded in a path. For an id of `.` or `..`, invoke the function
   * directly, because URLs lose it.
   */
  readonly id: string;
  /** Why you make the change. Headroom stores it with the change. Callers of check can read it. */
  readonly reason: string;
  /** Answers what would change, and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /**
   * The version of the terms that you change, from `ETag`; `"none"` if there are no terms. If they
   * have another version, the answer is 412 and nothing changes. Send one version, no list and no
   * `*`. Default: any version.
   */
  readonly ifMatch?: string | undefined;
};

/** A subject kind that no rule names. It is probably mistyped. */
export type UnknownKind = {
  /** The kind. */
  readonly kind: string;
  /** Similar names, the most similar first. */
  readonly nearest: readonly string[];
};

/** Every limit of these subjects, and its sums. */
export type UsageAnswer = {
  /** The subjects of the query. */
  readonly subjects: Subjects;
  /** The frozen ones among them. */
  readonly frozen: readonly Frozen[];
  /** Every rule in force that counts for them. */
  readonly rules: readonly RuleUsage[];
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /** Rules that are left out of `rules`: send the attribute to see them. */
  readonly withoutInstant?: readonly {
    /** The rule's id. */
    readonly rule: string;
    /** The attribute that says it. */
    readonly attribute: string;
  }[];
  /** Kinds in the query that no rule names. */
  readonly unknownKinds?: readonly UnknownKind[];
  /**
   * Kinds whose subject has nothing stored: no payment of it counts, and it has no terms. The id may
   * be mistyped.
   */
  readonly unseen?: readonly string[];
  /** Present with `stale`: the answer counts everything written before this instant. */
  readonly asOf?: string;
};

/** The sums, window by window. */
export type UsageHistoryAnswer = {
  /** The subjects of the query. */
  readonly subjects: Subjects;
  /** The unit of the windows. */
  readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
  /** A time zone of the IANA database. */
  readonly timeZone: string;
  /** Oldest first; the last one is not over. */
  readonly windows: readonly WindowSums[];
  /** The time of the answer. */
  readonly now: string;
  /** The rule that counted. */
  readonly rule?: string;
  /** If nothing was found: kinds in the query that no rule names. */
  readonly unknownKinds?: readonly UnknownKind[];
  /** The number of units in a window, if more than one. */
  readonly every?: number;
};

/** What `usageHistory` takes. */
export type UsageHistoryRequest = {
  /** Kinds and ids. */
  readonly subjects: Subjects;
  /** Only payments that this rule counts. Its own windows are used if they are calendar windows. */
  readonly rule?: string | undefined;
  /**
   * The time zone of days and months. Default: UTC. Leave it out if the rule has a time zone. A time
   * zone of the IANA database.
   */
  readonly zone?: string | undefined;
  /** How far back to read, with today or this month: `P1D` to `P31D`, `P1M` to `P13M`. */
  readonly last?: string | undefined;
};

/** What `usage` takes. */
export type UsageRequest = {
  /** Kinds and ids. */
  readonly subjects: Subjects;
  /** The type of the payments, for maxima that depend on it. */
  readonly type?: string | undefined;
  /**
   * The attributes of the payments, for maxima that depend on them and windows that begin with them.
   * No name may be a subject kind of the query.
   */
  readonly attributes?: Attributes | undefined;
  /**
   * How old the answer may be: an ISO 8601 duration from PT1S to PT1H. A secondary may then answer,
   * so that payments do not wait. Default: the answer is current.
   */
  readonly stale?: string | undefined;
};

/** An amount in minor units, and a count. */
export type UsedQuantity = {
  /** Minor units. Below zero if more was taken off by `minus` than counts. */
  readonly amount?: number;
  /** The number of transactions, or the sum of the `count` of the checks. */
  readonly count?: number;
};

/** The window over which the maximum of a rule counts. */
export type WindowOfRule =
  | 'transaction'
  | 'lifetime'
  | {
      /** The unit of the window. */
      readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
      /** The number of units in a window. Default: 1. */
      readonly every?: number | undefined;
      /** A time zone of the IANA database. */
      readonly timeZone: string;
      /** The time at which a day starts, such as `04:00`. For days and longer units. */
      readonly dayStart?: string | undefined;
      /** Of weeks. */
      readonly weekStart?:
        | 'monday'
        | 'tuesday'
        | 'wednesday'
        | 'thursday'
        | 'friday'
        | 'saturday'
        | 'sunday'
        | undefined;
      /** Days that belong to the next open one, for business days. For days alone. */
      readonly closed?:
        | {
            /** Days of the week, such as saturday and sunday. */
            readonly days?:
              | 'monday'
              | 'tuesday'
              | 'wednesday'
              | 'thursday'
              | 'friday'
              | 'saturday'
              | 'sunday'
              | readonly (
                  | 'monday'
                  | 'tuesday'
                  | 'wednesday'
                  | 'thursday'
                  | 'friday'
                  | 'saturday'
                  | 'sunday'
                )[]
              | undefined;
            /** Dates, such as public holidays. */
            readonly dates?: string | readonly string[] | undefined;
          }
        | undefined;
      /**
       * Its periods begin on the date of this instant. A month that began on the 31st ends with shorter
       * months. An order without it is not limited. For days and longer units, in place of `weekStart`
       * and `monthDay`.
       */
      readonly since?:
        | {
            /** The name of an attribute whose value is an instant, such as `2026-11-24T10:00:00Z`. */
            readonly attribute: string;
          }
        | undefined;
      /** The day of the month on which a window starts. For months, quarters and years. */
      readonly monthDay?: number | undefined;
    }
  | {
      /** The length of the window: PT1S to P366D. */
      readonly rolling: string;
      /** `exact`, or the length of a step: at most `rolling`, and at least 1/60 of it. */
      readonly step?: string | undefined;
    }
  | {
      /**
       * When it begins. An order without the instant, or after the end, is not limited. The window is
       * open before its instant, too: a clock may be ahead.
       */
      readonly since: {
        /** The name of an attribute whose value is an instant, such as `2026-11-24T10:00:00Z`. */
        readonly attribute: string;
      };
      /** How long it lasts: PT1S to P366D. */
      readonly for: string;
    };

/** The sums of one window. */
export type WindowSums = {
  /** Its first instant. */
  readonly start: string;
  /** The first instant after. */
  readonly end: string;
  /** One for each currency. Empty if nothing counted. */
  readonly sums: readonly {
    /** The currency. Null for payments whose rows do not have it. */
    readonly currency: string | null;
    /**
     * Confirmed and not refunded, in minor units, less what `minus` of the rule takes off. Beyond 2^53:
     * the nearest number.
     */
    readonly amount: number;
    /** The count confirmed and not refunded. */
    readonly count: number;
    /** The refunds of payments of this window, in minor units. */
    readonly refunded: number;
  }[];
};

/** Every code of a problem that this version knows. */
export const PROBLEM_CODES = [
  'INVALID_REQUEST',
  'AUDIT_OFF',
  'BAD_SIGNATURE',
  'RIGHT_MISSING',
  'OPERATION_NOT_ALLOWED',
  'NO_SUCH_TERMS',
  'NOT_FOUND',
  'NO_SUCH_PROPOSAL',
  'PROPOSAL_CLOSED',
  'WRONG_PERSON',
  'NO_SUCH_BACKTEST',
  'NO_SUCH_RULE',
  'RULE_CHANGED',
  'CONSENT_REQUIRED',
  'VERSION_REQUIRED',
  'TERMS_CHANGED',
  'ORDER_REUSED',
  'ORDER_AMBIGUOUS',
  'ALREADY_CONFIRMED',
  'ALREADY_ROLLED_BACK',
  'NOT_ALL_ALLOWED',
  'RESERVATION_REPLACED',
  'NOT_CONFIRMED',
  'REFUND_REUSED',
  'NOT_RECORDED',
  'FORGOTTEN',
  'TERMS_REFUSED',
  'INCOMPLETE_ORDER',
  'TOO_MANY_OPEN_HOLDS',
  'TOO_MANY_BUCKETS',
  'COUNTER_FULL',
  'TOO_MANY_RULES',
  'CANNOT_BE_TESTED',
  'TOO_MANY_BACKTESTS',
  'TOO_MANY_ROWS',
  'CLUSTER_TOO_OLD',
  'REFUND_TOO_LARGE',
  'TOO_MANY_REFUNDS',
  'UNDECIDED',
  'CLOCK_SKEW',
  'INTERNAL',
] as const;
