/*
 * What Headroom takes and answers. Made of docs/openapi.json by infra/openapi/client-types.ts: change the
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

/** Who did something. */
export type Actor = {
  /**
   * `application`: it signed the call; `principal`: API Gateway let it through; `invocation`: IAM let
   * it invoke the function; `command`: somebody at a command line; `local`: nobody was asked.
   */
  readonly kind: 'application' | 'principal' | 'invocation' | 'command' | 'local';
  /** An application's id, a principal's ARN or subject, a user of a machine. */
  readonly id: string;
  /** As `X-Actor` named them. */
  readonly person?: string;
};

/** It may happen. */
export type AllowedCheck = {
  readonly decision: 'allowed';
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  /** An earlier call did it, and this one changed nothing. */
  readonly repeated: boolean;
  /**
   * `confirmed` with `capture`, or where the order was confirmed since; `partlyRefunded` and
   * `refunded` where it was paid back since; `none` for a dry run.
   */
  readonly state: 'held' | 'confirmed' | 'partlyRefunded' | 'refunded' | 'none';
  /** This order took the last of some rule. */
  readonly limitReached: boolean;
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /** Of all refunds, in minor units; null where the audit could not be read. */
  readonly refunded?: number | null;
  /** What may still be refunded. */
  readonly remaining?: number;
  /** Where and what the hold is. Opaque: give it back to confirm or rollback. */
  readonly reservation?: string;
  /** The first instant at which the hold does not count. */
  readonly holdExpiresAt?: string;
  /** Documents beside home in which a late payment may not be counted. */
  readonly uncounted?: readonly string[];
  /**
   * Those that `report` asks for: every rule that applies, or those that refused and would have.
   * Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
};

/** It may happen. */
export type AllowedOfMany = {
  /** The order. */
  readonly orderId: string;
  readonly decision: 'allowed';
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  /** An earlier call did it, and this one changed nothing. */
  readonly repeated: boolean;
  /**
   * `confirmed` with `capture`, or where the order was confirmed since; `partlyRefunded` and
   * `refunded` where it was paid back since; `none` for a dry run.
   */
  readonly state: 'held' | 'confirmed' | 'partlyRefunded' | 'refunded' | 'none';
  /** This order took the last of some rule. */
  readonly limitReached: boolean;
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /** Of all refunds, in minor units; null where the audit could not be read. */
  readonly refunded?: number | null;
  /** What may still be refunded. */
  readonly remaining?: number;
  /** Where and what the hold is. Opaque: give it back to confirm or rollback. */
  readonly reservation?: string;
  /** The first instant at which the hold does not count. */
  readonly holdExpiresAt?: string;
  /** Documents beside home in which a late payment may not be counted. */
  readonly uncounted?: readonly string[];
  /**
   * Those that `report` asks for: every rule that applies, or those that refused and would have.
   * Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
};

/** What rules may match; text "1", number 1 and true are three values. */
export type AttributeValue = string | boolean | number;

/** What rules may match, beside type and subjects. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A natural period of a time zone. */
export type CalendarWindow = {
  readonly kind: 'calendar';
  /** What it is a period of. */
  readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
  /** An IANA name. */
  readonly timeZone: string;
  /** The first instant in it. */
  readonly start: string;
  /** The first instant after it. */
  readonly end: string;
  /** Units, where above 1. */
  readonly every?: number;
};

/** Who calls, and what they may. */
export type CallerAnswer = {
  /** Who is kept with what they change. */
  readonly by: Actor;
  /**
   * To what is everybody’s. Where calls are not signed all of them, for API Gateway decides by the
   * route.
   */
  readonly rights: readonly (
    | 'rules:read'
    | 'rules:write'
    | 'subjects:write'
    | 'approve'
    | 'usage:read'
  )[];
  /** Which changes need a second person: those by which more may pass, all, or none. */
  readonly fourEyes: 'none' | 'raises' | 'all';
};

/** What `caller` takes. At most 65536 bytes. */
export type CallerRequest = {
  /** The person who acts, in printable ASCII: kept with the change. */
  readonly actor?: string | undefined;
};

/** Allowed or refused. */
export type CheckAnswer = OneOf<AllowedCheck | RefusedCheck | UndecidedCheck>;

/** A check, without a dry run. */
export type CheckOfMany = {
  /** Yours; names the order for ever. */
  readonly orderId: string;
  /** What rules may match. */
  readonly type?: string | undefined;
  /**
   * Whom limits count for. Ids are stored as they are: name a card by a token of yours, never by its
   * number.
   */
  readonly subjects: Subjects;
  /** Minor units, 0 to 1000000000000000: 3000000 fen are 30,000.00 yuan. */
  readonly amount: number;
  /** ISO 4217, or a private code. */
  readonly currency: string;
  /** How much it adds to every count, 1 to 1000000; 1 where nothing is said. */
  readonly count?: number | undefined;
  /** For rules to match. No name that is a subject kind, too. */
  readonly attributes?: Attributes | undefined;
  /**
   * An ISO 8601 duration from PT1S to P7D; PT15M where nothing is said. Other ways to write such a
   * length, `PT1H90M`, are taken, too.
   */
  readonly hold?: string | undefined;
  /** Counts at once, with nothing to confirm. */
  readonly capture?: boolean | undefined;
  /** No dry run. */
  readonly dryRun?: false | undefined;
};

/** What `check` takes. At most 65536 bytes. */
export type CheckRequest = {
  /** Yours; names the order for ever. */
  readonly orderId: string;
  /** What rules may match. */
  readonly type?: string | undefined;
  /**
   * Whom limits count for. Ids are stored as they are: name a card by a token of yours, never by its
   * number.
   */
  readonly subjects: Subjects;
  /** Minor units, 0 to 1000000000000000: 3000000 fen are 30,000.00 yuan. */
  readonly amount: number;
  /** ISO 4217, or a private code. */
  readonly currency: string;
  /** How much it adds to every count, 1 to 1000000; 1 where nothing is said. */
  readonly count?: number | undefined;
  /** For rules to match. No name that is a subject kind, too. */
  readonly attributes?: Attributes | undefined;
  /**
   * An ISO 8601 duration from PT1S to P7D; PT15M where nothing is said. Other ways to write such a
   * length, `PT1H90M`, are taken, too.
   */
  readonly hold?: string | undefined;
  /** Counts at once, with nothing to confirm. */
  readonly capture?: boolean | undefined;
  /** Only says what would happen. */
  readonly dryRun?: boolean | undefined;
  /**
   * What is told of rules: nothing; of those that refused, or would have; or of all that apply. `all`
   * where nothing is said.
   */
  readonly report?: 'none' | 'violations' | 'all' | undefined;
};

/** What became of one order. */
export type CheckResult = OneOf<AllowedOfMany | RefusedOfMany | UndecidedOfMany | OrderProblem>;

/** Nothing is said of any order but in its own result. */
export type ChecksAnswer = {
  /** Every order was allowed. */
  readonly allAllowed: boolean;
  /** In the order given. */
  readonly results: readonly CheckResult[];
};

/** What `checks` takes. Each `orderId` stands once. At most 1048576 bytes. */
export type ChecksRequest = {
  /** Each `orderId` stands once. */
  readonly orders: readonly CheckOfMany[];
  /** All are held, or nothing new is. `capture` cannot be given back, so there is none. */
  readonly atomic?: boolean | undefined;
  /**
   * What is told of rules: nothing; of those that refused, or would have; or of all that apply.
   * `violations` where nothing is said. A call with `all` whose answer might be too long is 400.
   */
  readonly report?: 'none' | 'violations' | 'all' | undefined;
};

/** It is counted. */
export type ConfirmAnswer = {
  /** As the payment stands now: a repeat tells of what was refunded since. */
  readonly state: 'confirmed' | 'partlyRefunded' | 'refunded';
  /** An earlier call did it, and this one changed nothing. */
  readonly repeated: boolean;
  /** The hold had expired; the payment is counted all the same. */
  readonly late: boolean;
  /** What is counted, in minor units. */
  readonly amount: number;
  /** Of all refunds, in minor units; null where the audit could not be read. */
  readonly refunded?: number | null;
  /** What may still be refunded. */
  readonly remaining?: number;
  /** Documents beside home in which a late payment may not be counted. */
  readonly uncounted?: readonly string[];
  /** What a late or larger payment exceeds; null where the rules could not be read. */
  readonly exceeded?: readonly Excess[] | null;
};

/** It happened. */
export type ConfirmOfMany = {
  /** The order. */
  readonly orderId: string;
  /** What the check answered, unchanged; saves round trips. One that was altered or made up is 400. */
  readonly reservation?: string | undefined;
  /**
   * In place of `reservation`: the subjects of the check; home alone (the `user`) is enough. Where
   * both are left out, the audit says where the order is; where it is off, that is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** How it ended. */
  readonly status: 'SUCCESS';
  /** The final amount, smaller or larger than what was held; left out, it is what was held. */
  readonly amount?: number | undefined;
};

/** What `confirm` takes. At most 65536 bytes. */
export type ConfirmRequest = {
  /** The order. */
  readonly orderId: string;
  /** What the check answered, unchanged; saves round trips. One that was altered or made up is 400. */
  readonly reservation?: string | undefined;
  /**
   * In place of `reservation`: the subjects of the check; home alone (the `user`) is enough. Where
   * both are left out, the audit says where the order is; where it is off, that is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** The final amount, smaller or larger than what was held; left out, it is what was held. */
  readonly amount?: number | undefined;
};

/** It is counted. */
export type ConfirmedOfMany = {
  /** The order. */
  readonly orderId: string;
  /** As the payment stands now: a repeat tells of what was refunded since. */
  readonly state: 'confirmed' | 'partlyRefunded' | 'refunded';
  /** An earlier call did it, and this one changed nothing. */
  readonly repeated: boolean;
  /** The hold had expired; the payment is counted all the same. */
  readonly late: boolean;
  /** What is counted, in minor units. */
  readonly amount: number;
  /** Of all refunds, in minor units; null where the audit could not be read. */
  readonly refunded?: number | null;
  /** What may still be refunded. */
  readonly remaining?: number;
  /** Documents beside home in which a late payment may not be counted. */
  readonly uncounted?: readonly string[];
  /** What a late or larger payment exceeds; null where the rules could not be read. */
  readonly exceeded?: readonly Excess[] | null;
};

/** What `decision` takes. At most 65536 bytes. */
export type DecisionRequest = {
  /** The person who acts, in printable ASCII: kept with the change. */
  readonly actor?: string | undefined;
  /** As the answer 202 of a change says it. */
  readonly id: string;
  /** Why. It is kept with the proposal. */
  readonly reason: string;
};

/** What `endOverride` takes. At most 65536 bytes. */
export type EndOverrideRequest = {
  /** The person who acts, in printable ASCII: kept with the change. */
  readonly actor?: string | undefined;
  /** What the subject is. */
  readonly kind: string;
  /**
   * Which one, percent-encoded in a path. Not one called `.` or `..`, which every URL loses: it is
   * changed by direct invocation.
   */
  readonly id: string;
  /** The rule's id. */
  readonly rule: string;
  /** Why. It is kept with the change, and told to callers of check. */
  readonly reason: string;
  /**
   * For which version of the terms the change is, as `ETag` said it; `"none"` where there are none.
   * Otherwise 412, and nothing changes. One version: no list of them, no `*`. Whatever they are where
   * nothing is said.
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

/** A subject's overrides of one rule. */
export type FindOverrideAnswer = {
  /** Whose they are: one kind, and its id. */
  readonly subject: Subjects;
  /** Those in force, those to come, and those that are over and not yet taken out. */
  readonly overrides: readonly Override[];
  /** The instant of the answer, by the database's clock. */
  readonly now: string;
};

/** What `findOverride` takes. */
export type FindOverrideRequest = {
  /** What the subject is. */
  readonly kind: string;
  /**
   * Which one, percent-encoded in a path. Not one called `.` or `..`, which every URL loses: it is
   * changed by direct invocation.
   */
  readonly id: string;
  /** The rule's id. */
  readonly rule: string;
};

/** One rule, and the change that made it so. */
export type FindRuleAnswer = {
  /** The rule's id. */
  readonly id: string;
  /** The revision that made it so. */
  readonly version: number;
  /** When it was made so. */
  readonly at: string;
  /** Who made it so. */
  readonly by: Actor;
  /** As it was put. */
  readonly rule: StoredRule;
  /** Why, in their words. */
  readonly reason?: string;
  /** Who let it through, where it needed a second person. */
  readonly approvedBy?: Actor;
  /** What it means, in the language of `Content-Language`. */
  readonly sentence?: string;
};

/** What `findRule` takes. */
export type FindRuleRequest = {
  /** The rule's id. */
  readonly id: string;
  /** The language of sentences: English (`en`), or Chinese (`zh`) where it is preferred. */
  readonly language?: string | undefined;
};

/** While it is in force every new check of the subject is refused. */
export type Freeze = {
  /** At the instant of the answer; of what a change left, at that of the change. */
  readonly inForce: boolean;
  /** When it begins. */
  readonly from: string;
  /** When it ends; null where nobody has said. */
  readonly until: string | null;
  /** When it was done. */
  readonly at: string;
  /** Who did it. */
  readonly by: Actor;
  /** Why, in their words. */
  readonly reason: string;
  /** Who let it through, where it needed a second person. */
  readonly approvedBy?: Actor;
};

/** What `freeze` takes. At most 65536 bytes. */
export type FreezeRequest = {
  /** The person who acts, in printable ASCII: kept with the change. */
  readonly actor?: string | undefined;
  /** What the subject is. */
  readonly kind: string;
  /**
   * Which one, percent-encoded in a path. Not one called `.` or `..`, which every URL loses: it is
   * changed by direct invocation.
   */
  readonly id: string;
  /**
   * The first instant at which it is over; where nothing is said it goes on until it is ended. RFC
   * 3339 with its zone, at most milliseconds, from 1970 to 9998.
   */
  readonly until?: string | undefined;
  /** Why. It is kept with the change, and told to callers of check. */
  readonly reason: string;
  /**
   * For which version of the terms the change is, as `ETag` said it; `"none"` where there are none.
   * Otherwise 412, and nothing changes. One version: no list of them, no `*`. Whatever they are where
   * nothing is said.
   */
  readonly ifMatch?: string | undefined;
  /** `*`: only where there is none yet. Never beside `If-Match`. */
  readonly ifNoneMatch?: '*' | undefined;
};

/** A subject of which every new check is refused. */
export type Frozen = {
  /** Who it is. */
  readonly subjects: Subjects;
  /** In the words of whoever froze it. */
  readonly reason: string;
  /** When it ends; null where nobody has said. */
  readonly until: string | null;
};

/** A subject that was frozen then. */
export type FrozenThen = {
  /** Who it was. */
  readonly subjects: Subjects;
  /** In the words of whoever froze it. */
  readonly reason: string;
  /** When it ended; null where nobody had said. */
  readonly until: string | null;
  /** The same in the language of `Content-Language`, without the reason. */
  readonly sentence: string;
};

/** How much would pass, and when. */
export type Headroom = {
  /** The largest amount that would pass now; null where no rule limits it. */
  readonly amount: number | null;
  /** When the amount asked would pass; null for never. */
  readonly earliestAt: string | null;
};

/** One operation on the order, and what it came to. */
export type HistoryRow = {
  /** The database's. */
  readonly at: string;
  /** What was asked. */
  readonly operation: 'check' | 'record' | 'confirm' | 'rollback' | 'refund';
  /** `held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem. */
  readonly outcome: string;
  /** Of a refund. */
  readonly refundId?: string;
  /** Asked, counted or given back, in minor units. */
  readonly amount?: number;
  /** Asked or given back. */
  readonly count?: number;
  /** Of a check. */
  readonly currency?: string;
  /** Confirmed after its hold had expired. */
  readonly late?: boolean;
  /**
   * In the caller's words, of a rollback or refund; `no-rule` of a check that no rule applied to,
   * `frozen` of one of a frozen subject.
   */
  readonly reason?: string;
  /** The call, as in its `X-Request-Id`. */
  readonly requestId?: string;
  /** Of a record: when the payment happened. */
  readonly happenedAt?: string;
  /** The rules that refused. */
  readonly violations?: readonly string[];
  /** How each of them stood: of the newest 10 refused checks. */
  readonly refusals?: readonly Refusal[];
  /** Of those, the subjects that were frozen. */
  readonly frozen?: readonly FrozenThen[];
};

/** What `invalid` takes. The request is not understood. */
export type InvalidRequest = {
  /** Names the code. */
  readonly type: string;
  /** What the code means. */
  readonly title: string;
  /** HTTP's. */
  readonly status: number;
  /** What is wrong here, and what to do: one sentence. */
  readonly detail: string;
  /** As in `X-Request-Id`: by it logs and audit rows name the call. */
  readonly requestId: string;
  /** Public and stable. */
  readonly code: 'INVALID_REQUEST';
  /** Every mistake, the first 50; `detail` says how many more there are. */
  readonly errors: readonly RequestMistake[];
};

/** All time. */
export type LifetimeWindow = {
  readonly kind: 'lifetime';
};

/** All rules, in the form of a rule file. */
export type ListRulesAnswer = {
  /** Numbers the sets of rules. */
  readonly revision: number;
  /** In the order of their ids. */
  readonly rules: readonly StoredRule[];
  /** By id: the revision that made the rule so. */
  readonly versions: Readonly<Record<string, number>>;
  /**
   * By id: what each means, in the language of `Content-Language`. Empty where the answer would be
   * longer than a function may return.
   */
  readonly sentences: Readonly<Record<string, string>>;
};

/**
 * Each name has this value, or one of these: `type`, whose values are texts, a subject kind or an
 * attribute.
 */
export type Matched = {
  readonly type?: string | readonly string[] | undefined;
  readonly [name: string]: MatchedValue | string | readonly string[] | undefined;
};

/** A value, or a list of such. */
export type MatchedValue = AttributeValue | readonly AttributeValue[];

/** A maximum for each value of `by`, and `else` for every other. */
export type MaximumBy = {
  /** `type`, a subject kind or an attribute. */
  readonly by: string;
  readonly else: number;
  readonly [name: string]: number | string | undefined;
};

/** A page, nearest first. */
export type NearAnswer = {
  /** Rows whose window is not over. */
  readonly near: readonly NearRow[];
  /** For the next page; null on the last. */
  readonly next: string | null;
  /** Calls write what they cross (`NEAR`). */
  readonly kept: boolean;
  /** When the list was made from the counters last; null for never. */
  readonly scannedAt: string | null;
  /** The instant of the answer. */
  readonly now: string;
};

/** What `near` takes. */
export type NearRequest = {
  /** Of one rule. */
  readonly rule?: string | undefined;
  /** Of one kind of subject. */
  readonly kind?: string | undefined;
  /** At least so much of the maximum; 0.8 where nothing is said. */
  readonly share?: 0.5 | 0.8 | 0.95 | 1 | undefined;
  /** How many; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** The `next` of the page before, unchanged. */
  readonly next?: string | undefined;
};

/** A maximum that is nearly taken, or more. */
export type NearRow = {
  /** The rule's id. */
  readonly rule: string;
  /** `shadow` is on trial and refuses nothing. */
  readonly mode: 'enforce' | 'shadow';
  /** Whose it is. */
  readonly subjects: Subjects;
  /** The largest of these shares that was reached in the window. */
  readonly share: 0.5 | 0.8 | 0.95 | 1;
  /** The maximum when the row was written. */
  readonly max: {
    /** Minor units. */
    readonly amount?: number;
    /** Transactions. */
    readonly count?: number;
  };
  /** It is the subject's own. */
  readonly overridden: boolean;
  /** What was used and held then. */
  readonly taken: {
    /** Minor units. */
    readonly amount?: number;
    /** Transactions. */
    readonly count?: number;
  };
  /** When the window begins; null where it is no calendar’s. */
  readonly start: string | null;
  /**
   * When the row goes: the end of the window; of a rolling one, when what crossed has left it; null
   * for never.
   */
  readonly until: string | null;
  /** The instant of the counters that the row tells of. */
  readonly at: string;
  /** What amounts are in. */
  readonly currency?: string;
};

/** Its own call would have been answered with this problem. */
export type OrderProblem = {
  /** The order. */
  readonly orderId: string;
  /** As `application/problem+json` says it. */
  readonly problem: Problem;
};

/** Of every other code. */
export type OtherProblem = {
  /** Names the code. */
  readonly type: string;
  /** What the code means. */
  readonly title: string;
  /** HTTP's. */
  readonly status: number;
  /** What is wrong here, and what to do: one sentence. */
  readonly detail: string;
  /** As in `X-Request-Id`: by it logs and audit rows name the call. */
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
    | 'TOO_MANY_ROWS'
    | 'TOO_MANY_REFUNDS'
    | 'UNDECIDED'
    | 'CLOCK_SKEW'
    | 'INTERNAL';
};

/** A subject's own maximum of one rule. */
export type Override = {
  /** The rule's id. */
  readonly rule: string;
  /** What is absent stays that of the rule; null is no maximum. */
  readonly max: {
    /** Minor units. */
    readonly amount?: number | null;
    /** Transactions. */
    readonly count?: number | null;
  };
  /** At the instant of the answer; of what a change left, at that of the change. */
  readonly inForce: boolean;
  /** When it begins. */
  readonly from: string;
  /** When it ends; null where nobody has said. */
  readonly until: string | null;
  /** When it was done. */
  readonly at: string;
  /** Who did it. */
  readonly by: Actor;
  /** Why, in their words. */
  readonly reason: string;
  /** Who let it through, where it needed a second person. */
  readonly approvedBy?: Actor;
};

/** What `override` takes. At most 65536 bytes. */
export type OverrideRequest = {
  /** The person who acts, in printable ASCII: kept with the change. */
  readonly actor?: string | undefined;
  /** What the subject is. */
  readonly kind: string;
  /**
   * Which one, percent-encoded in a path. Not one called `.` or `..`, which every URL loses: it is
   * changed by direct invocation.
   */
  readonly id: string;
  /** The rule's id. */
  readonly rule: string;
  /**
   * In place of that of the rule: `amount` in minor units, `count`, or both; null for none. What is
   * absent stays that of the rule.
   */
  readonly max: {
    readonly amount?: number | null | undefined;
    readonly count?: number | null | undefined;
  };
  /**
   * When it begins; at once where nothing is said. RFC 3339 with its zone, at most milliseconds, from
   * 1970 to 9998.
   */
  readonly from?: string | undefined;
  /** In place of `from`: how long after the call it begins, an ISO 8601 duration of at most P366D. */
  readonly effectiveAfter?: string | undefined;
  /**
   * The first instant at which it is over, after `from`; where nothing is said it goes on until it is
   * ended. RFC 3339 with its zone, at most milliseconds, from 1970 to 9998.
   */
  readonly until?: string | undefined;
  /** Why. It is kept with the change, and told to callers of check. */
  readonly reason: string;
  /**
   * For which version of the terms the change is, as `ETag` said it; `"none"` where there are none.
   * Otherwise 412, and nothing changes. One version: no list of them, no `*`. Whatever they are where
   * nothing is said.
   */
  readonly ifMatch?: string | undefined;
  /** `*`: only where there is none yet. Never beside `If-Match`. */
  readonly ifNoneMatch?: '*' | undefined;
};

/** A payment that happened. */
export type Payment = {
  /** Yours; names the order for ever. */
  readonly orderId: string;
  /** When it happened: RFC 3339 with a zone, to the millisecond at most; not after now. */
  readonly at: string;
  /** What rules may match. */
  readonly type?: string | undefined;
  /**
   * Whom limits count for. Ids are stored as they are: name a card by a token of yours, never by its
   * number.
   */
  readonly subjects: Subjects;
  /** Minor units, 0 to 1000000000000000: 3000000 fen are 30,000.00 yuan. */
  readonly amount: number;
  /** ISO 4217, or a private code. */
  readonly currency: string;
  /** How much it adds to every count, 1 to 1000000; 1 where nothing is said. */
  readonly count?: number | undefined;
  /** For rules to match. No name that is a subject kind, too. */
  readonly attributes?: Attributes | undefined;
};

/** Where a page ended, or an instant. */
export type PlaceOrInstant = string;

/** RFC 9457. */
export type Problem = PerCode<OneOf<OtherProblem | InvalidRequest | RefundTooLarge>>;

/** A change that waits for a second person, or did. */
export type Proposal = {
  /** Names it. */
  readonly id: string;
  /** `open`: it waits; `withdrawn`: its author took it back; `lapsed`: nobody decided it in 7 days. */
  readonly state: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'lapsed';
  /** Of what it is a change. */
  readonly about: 'rules' | 'terms';
  /** The call that was made. */
  readonly operation:
    | 'put'
    | 'delete'
    | 'replace'
    | 'override'
    | 'endOverride'
    | 'freeze'
    | 'unfreeze';
  /** Of terms: whose they are. */
  readonly subject: Subjects | null;
  /** Its id; null of a whole set, and of freezes. */
  readonly rule: string | null;
  /** When it was made. */
  readonly at: string;
  /** Who made it. */
  readonly by: Actor;
  /** From then on it has lapsed. */
  readonly until: string;
  /** Null while nobody has. */
  readonly decided: ProposalDecision | null;
  /** Why, in their words. */
  readonly reason?: string;
};

/** A proposal, what was asked for, and what it would change now. */
export type ProposalAnswer = {
  /** Names it. */
  readonly id: string;
  /** `open`: it waits; `withdrawn`: its author took it back; `lapsed`: nobody decided it in 7 days. */
  readonly state: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'lapsed';
  /** Of what it is a change. */
  readonly about: 'rules' | 'terms';
  /** The call that was made. */
  readonly operation:
    | 'put'
    | 'delete'
    | 'replace'
    | 'override'
    | 'endOverride'
    | 'freeze'
    | 'unfreeze';
  /** Of terms: whose they are. */
  readonly subject: Subjects | null;
  /** Its id; null of a whole set, and of freezes. */
  readonly rule: string | null;
  /** When it was made. */
  readonly at: string;
  /** Who made it. */
  readonly by: Actor;
  /** From then on it has lapsed. */
  readonly until: string;
  /** Null while nobody has. */
  readonly decided: ProposalDecision | null;
  /** The fields of the call: `rule`, `rules`, `ifMatch`, `beginAnew`, `drop`; `max`, `from`, `until`. */
  readonly asked: Readonly<Record<string, unknown>>;
  /**
   * Of rules, while it is open: each change as the answer of a change has it, and the rule `before`
   * it, but where the answer would be too long: `GET /v1/rules` has them. Of those in the same
   * counter one is named then.
   */
  readonly changes: readonly Readonly<Record<string, unknown>>[] | null;
  /** Null where it would not be. */
  readonly refused: ProposalRefused | null;
  /** Of a subject's terms, while it is open: those that it has now. */
  readonly terms: Terms | null;
  /** Why, in their words. */
  readonly reason?: string;
};

/** Who decided it, when and why. */
export type ProposalDecision = {
  /** When. */
  readonly at: string;
  /** Who. */
  readonly by: Actor;
  /** Why, in their words. */
  readonly reason: string;
};

/** Why it would be refused now. */
export type ProposalRefused = {
  /** That of the problem. */
  readonly code: string;
  /** The reason. */
  readonly detail: string;
};

/** A page of proposals, newest first. */
export type ProposalsAnswer = {
  /** Newest first. */
  readonly proposals: readonly Proposal[];
  /** What to ask for as `before` next; null where there are no more. */
  readonly next: string | null;
};

/** What `proposals` takes. */
export type ProposalsRequest = {
  /** Those that stand so alone. */
  readonly state?: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'lapsed' | undefined;
  /** How many; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** Those made before the one of this id alone: what `next` of a page says. */
  readonly before?: string | undefined;
};

/** The change needs a second person, and has not happened. */
export type ProposedAnswer = {
  /** What waits for one. */
  readonly proposal: Proposal;
};

/** An amount in minor units, and a count. */
export type Quantity = {
  /** Minor units. */
  readonly amount?: number;
  /** Transactions, or what checks said with `count`. */
  readonly count?: number;
};

/** Nothing is said of any order but in its own result. */
export type RecordAnswer = {
  /** In the order given. */
  readonly results: readonly RecordResult[];
};

/** What `record` takes. Each `orderId` stands once. At most 1048576 bytes. */
export type RecordRequest = {
  /** Each `orderId` stands once. */
  readonly orders: readonly Payment[];
};

/** What became of one order. */
export type RecordResult = OneOf<RecordedPayment | OrderProblem>;

/** It is counted. */
export type RecordedPayment = {
  /** The order. */
  readonly orderId: string;
  readonly state: 'confirmed';
  /** An earlier call did it, and this one changed nothing. */
  readonly repeated: boolean;
  /** What is counted, in minor units. */
  readonly amount: number;
  /** The rules in whose windows it counts. */
  readonly counted: readonly string[];
  /** The rules whose windows were over: it counts nowhere there. */
  readonly over: readonly string[];
  /** What is exceeded now; empty in a repeat. */
  readonly exceeded: readonly Excess[];
};

/** What is refunded of the order by now. */
export type RefundAnswer = {
  /** `refunded` once nothing is left. */
  readonly state: 'partlyRefunded' | 'refunded';
  /** An earlier call did it, and this one changed nothing. */
  readonly repeated: boolean;
  /** Of this refund, in minor units. */
  readonly amount: number;
  /** Of all refunds. */
  readonly refunded: number;
  /** What may still be refunded. */
  readonly remaining: number;
  /** Of the windows of the check: */
  readonly windows: {
    /** How many still count the payment. */
    readonly open: number;
    /** How many are over; in those nothing is left to give back. */
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
  /** What the check answered, unchanged; saves round trips. One that was altered or made up is 400. */
  readonly reservation?: string | undefined;
  /**
   * In place of `reservation`: the subjects of the check; home alone (the `user`) is enough. Where
   * both are left out, the audit says where the order is; where it is off, that is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** For the records. */
  readonly reason?: string | undefined;
};

/** More than is left to refund. */
export type RefundTooLarge = {
  /** Names the code. */
  readonly type: string;
  /** What the code means. */
  readonly title: string;
  /** HTTP's. */
  readonly status: number;
  /** What is wrong here, and what to do: one sentence. */
  readonly detail: string;
  /** As in `X-Request-Id`: by it logs and audit rows name the call. */
  readonly requestId: string;
  /** Public and stable. */
  readonly code: 'REFUND_TOO_LARGE';
  /** What may still be refunded, in minor units. */
  readonly remaining: number;
};

/** How a rule stood when it refused a check. It may be another one since. */
export type Refusal = {
  /** The rule's id. */
  readonly rule: string;
  /** Why it refused, in the language of `Content-Language`, without an end. */
  readonly sentence: string;
  /** Above `max`, or below `min`. */
  readonly outcome: 'exceeded' | 'below-minimum';
  readonly window: RuleWindow;
  /** What might be counted; what was not limited is absent. */
  readonly max: Quantity;
  /** Of the rule, as it was then: `GET /v1/rules/{id}/versions` has it. */
  readonly version?: number;
  /** Of rules with a maximum amount. */
  readonly currency?: string;
  /** Of rules for single transactions. */
  readonly min?: Quantity;
  /** Confirmed in this window then. */
  readonly used?: Quantity;
  /** Held in this window then. */
  readonly held?: Quantity;
  /** Where `max` was the subject's own, and not the rule's. */
  readonly override?: {
    /** In the words of whoever gave it. */
    readonly reason: string;
    /** When it ended; null where nobody had said. */
    readonly until: string | null;
    /** The maximum of the rule. */
    readonly own: Quantity;
  };
};

/** It may not happen, and nothing changed. */
export type RefusedCheck = {
  readonly decision: 'refused';
  /**
   * `rule`: those of `refusedBy`; `frozen`: those of `frozen`; `no-rule`: none applies, and such
   * orders are refused (`ON_NO_RULE=refuse`), or none limits the amount
   * (`ON_NO_RULE=refuse-unlimited`).
   */
  readonly reason: 'rule' | 'no-rule' | 'frozen';
  readonly repeated: false;
  readonly limitReached: false;
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /**
   * Those that `report` asks for: every rule that applies, or those that refused and would have.
   * Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
  /** Subjects that are frozen, with the reason `frozen`. */
  readonly frozen?: readonly Frozen[];
  /** With the reason `no-rule`: subject kinds that no rule knows. */
  readonly unknownKinds?: readonly UnknownKind[];
};

/** It may not happen, and nothing changed. */
export type RefusedOfMany = {
  /** The order. */
  readonly orderId: string;
  readonly decision: 'refused';
  /**
   * `rule`: those of `refusedBy`; `frozen`: those of `frozen`; `no-rule`: none applies, and such
   * orders are refused (`ON_NO_RULE=refuse`), or none limits the amount
   * (`ON_NO_RULE=refuse-unlimited`).
   */
  readonly reason: 'rule' | 'no-rule' | 'frozen';
  readonly repeated: false;
  readonly limitReached: false;
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /**
   * Those that `report` asks for: every rule that applies, or those that refused and would have.
   * Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
  /** Subjects that are frozen, with the reason `frozen`. */
  readonly frozen?: readonly Frozen[];
  /** With the reason `no-rule`: subject kinds that no rule knows. */
  readonly unknownKinds?: readonly UnknownKind[];
};

/** One place where the request is not what it must be. */
export type RequestMistake = {
  /** Where: `orders[3].amount`. */
  readonly path: string;
  /** What should stand there. */
  readonly expected: string;
  /** What stands there, shortened; absent where nothing does. */
  readonly value?: string;
};

/** It is given back. */
export type RollbackAnswer = {
  readonly state: 'rolledBack';
  /** An earlier call did it, and this one changed nothing. */
  readonly repeated: boolean;
};

/** It did not happen. */
export type RollbackOfMany = {
  /** The order. */
  readonly orderId: string;
  /** What the check answered, unchanged; saves round trips. One that was altered or made up is 400. */
  readonly reservation?: string | undefined;
  /**
   * In place of `reservation`: the subjects of the check; home alone (the `user`) is enough. Where
   * both are left out, the audit says where the order is; where it is off, that is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** How it ended. */
  readonly status: 'FAIL';
  /** For the records. */
  readonly reason?: string | undefined;
};

/** What `rollback` takes. At most 65536 bytes. */
export type RollbackRequest = {
  /** The order. */
  readonly orderId: string;
  /** What the check answered, unchanged; saves round trips. One that was altered or made up is 400. */
  readonly reservation?: string | undefined;
  /**
   * In place of `reservation`: the subjects of the check; home alone (the `user`) is enough. Where
   * both are left out, the audit says where the order is; where it is off, that is 400.
   */
  readonly subjects?: Subjects | undefined;
  /** For the records. */
  readonly reason?: string | undefined;
};

/** It is given back. */
export type RolledBackOfMany = {
  /** The order. */
  readonly orderId: string;
  readonly state: 'rolledBack';
  /** An earlier call did it, and this one changed nothing. */
  readonly repeated: boolean;
};

/** The last so many hours, say. */
export type RollingWindow = {
  readonly kind: 'rolling';
  /** How long it is. */
  readonly span: string;
  /** `exact`, or the steps in which what leaves the span is forgotten. */
  readonly step: string;
  /** The first instant in it. */
  readonly start: string;
  /** The first instant after it. */
  readonly end: string;
  /** By how much it may refuse too early. */
  readonly maxEarlyRefusal: string;
};

/**
 * A rule, as a rule file has it. What must hold between its fields is said in words; a 400 names
 * each mistake.
 */
export type Rule = {
  /** Its name. */
  readonly id?: string | undefined;
  /** A text, or one by language. */
  readonly title?: string | Titles | undefined;
  /** Whom it counts for. */
  readonly per: readonly string[];
  /** Of amounts; required with one. */
  readonly currency?: string | undefined;
  /** What it is about. */
  readonly match?: Matched | undefined;
  /** In place of `match`: what it counts. */
  readonly counts?: Scope | undefined;
  /** In place of `match`: what it may refuse, of what it counts. */
  readonly appliesTo?: Scope | undefined;
  /** What the maximum is counted over. */
  readonly window: WindowOfRule;
  /** Of `window: transaction` alone, at most `max`. */
  readonly min?:
    | {
        readonly amount?: number | undefined;
        readonly count?: number | undefined;
      }
    | undefined;
  /** Minor units, and a number. Required, but beside `min`. */
  readonly max?:
    | {
        readonly amount?: number | MaximumBy | undefined;
        readonly count?: number | MaximumBy | undefined;
      }
    | undefined;
  /** `enforce` where nothing is said. */
  readonly mode?: 'draft' | 'shadow' | 'enforce' | 'retired' | undefined;
  /** What refunds give back; both where nothing is said. */
  readonly refunds?:
    | {
        /** The amount. */
        readonly amount?: boolean | undefined;
        /** The count. */
        readonly count?: boolean | undefined;
      }
    | undefined;
  /** When it begins. */
  readonly from?: string | undefined;
  /** The first instant at which it is over, after `from`. */
  readonly to?: string | undefined;
};

/** What becomes of one rule. */
export type RuleChange = {
  /** The rule's id. */
  readonly id: string;
  /** What is done. */
  readonly change: 'added' | 'changed' | 'deleted';
  /**
   * `kept`: what was counted counts on; `begins`: it counted nothing before, and begins at zero;
   * `anew`: it counted in another counter, and begins at zero; `joins`: it has what others counted;
   * `ends`: it counts nothing after; `none`: neither before nor after.
   */
  readonly counter: 'kept' | 'begins' | 'anew' | 'joins' | 'ends' | 'none';
  /** What of it is another. */
  readonly because: readonly ('per' | 'currency' | 'counts' | 'window' | 'refunds')[];
  /** Others that count in the same counter, the first 20; of `joins`, those whose sum it has. */
  readonly sharedWith: readonly string[];
  /** The same as a sentence. */
  readonly says: string;
};

/** How a rule that applies stands after the call. */
export type RuleReport = {
  /** The rule's id. */
  readonly rule: string;
  /** `shadow`: on trial, counted and never refusing. */
  readonly mode: 'enforce' | 'shadow';
  readonly window: RuleWindow;
  /** What may be counted; what is not limited is absent. */
  readonly max: Quantity;
  /**
   * `within`: room is left; `reached`: nothing of this maximum is left; `exceeded`: the rule refuses,
   * for it is above `max`; `below-minimum`: the rule refuses, for it is below `min`;
   * `exceeded-shadow`: a rule on trial would have refused; `below-minimum-shadow`: so would one that
   * it is below the `min` of.
   */
  readonly outcome:
    | 'within'
    | 'reached'
    | 'exceeded'
    | 'below-minimum'
    | 'exceeded-shadow'
    | 'below-minimum-shadow';
  /** By language. */
  readonly title?: Readonly<Record<string, string>>;
  /** Whom it counts for. With `report: all`. */
  readonly subjects?: Subjects;
  /** Of rules for single transactions. */
  readonly min?: Quantity;
  /** Confirmed in this window. */
  readonly used?: Quantity;
  /** Held in this window. */
  readonly held?: Quantity;
  /** What is left of `max`. */
  readonly remaining?: Quantity;
  /** Where `max` is the subject's own, and not the rule's. */
  readonly override?: {
    /** In the words of whoever gave it. */
    readonly reason: string;
    /** When it ends; null where nobody has said. */
    readonly until: string | null;
    /** The maximum of the rule. */
    readonly own: Quantity;
  };
  /** Where the rule refuses: when it alone would say yes; null for never. */
  readonly retryAt?: string | null;
};

/** How a rule stands that counts for these subjects. */
export type RuleUsage = {
  /** The rule's id. */
  readonly rule: string;
  /** Whom it counts for. */
  readonly subjects: Subjects;
  /** `shadow`: on trial, counted and never refusing. */
  readonly mode: 'enforce' | 'shadow';
  readonly window: RuleWindow;
  /** What may be counted; what is not limited is absent. */
  readonly max: Quantity;
  /**
   * `within`: room is left; `reached`: nothing of this maximum is left; `exceeded`: the rule refuses,
   * for it is above `max`; `below-minimum`: the rule refuses, for it is below `min`;
   * `exceeded-shadow`: a rule on trial would have refused; `below-minimum-shadow`: so would one that
   * it is below the `min` of; `depends`: the maxima in `max` have room, and those in `maxBy` depend
   * on what nobody said.
   */
  readonly outcome:
    | 'within'
    | 'reached'
    | 'exceeded'
    | 'below-minimum'
    | 'exceeded-shadow'
    | 'below-minimum-shadow'
    | 'depends';
  /**
   * How much of the maximum is taken, of amount or count the larger: 1 is all of it, and more after a
   * late confirm. Null where a maximum is in `maxBy`.
   */
  readonly share: number | null;
  /** When a calendar window ends; null of a rolling window and of a lifetime. */
  readonly resetsAt: string | null;
  /** By language. */
  readonly title?: Readonly<Record<string, string>>;
  /** Of rules with a maximum amount. */
  readonly currency?: string;
  /**
   * Maxima that depend on an attribute, a subject or the type, which the query does not say. They are
   * not in `max`.
   */
  readonly maxBy?: {
    /** A maximum that depends on the transaction. */
    readonly amount?: {
      /** `type`, a subject kind or the name of an attribute. */
      readonly by: string;
      /** The maximum by value. */
      readonly values: Readonly<Record<string, number>>;
      /** The maximum of all other values, and of none. */
      readonly else?: number;
    };
    /** A maximum that depends on the transaction. */
    readonly count?: {
      /** `type`, a subject kind or the name of an attribute. */
      readonly by: string;
      /** The maximum by value. */
      readonly values: Readonly<Record<string, number>>;
      /** The maximum of all other values, and of none. */
      readonly else?: number;
    };
  };
  /** Of rules for single transactions. */
  readonly min?: Quantity;
  /** Confirmed in this window. */
  readonly used?: Quantity;
  /** Held in this window. */
  readonly held?: Quantity;
  /** What is left of `max`. */
  readonly remaining?: Quantity;
  /** Where `max` is the subject's own, and not the rule's. */
  readonly override?: {
    /** In the words of whoever gave it. */
    readonly reason: string;
    /** When it ends; null where nobody has said. */
    readonly until: string | null;
    /** The maximum of the rule. */
    readonly own: Quantity;
  };
  /** Where the rule refuses: when it alone would say yes; null for never. */
  readonly retryAt?: string | null;
};

/** One change of a rule. */
export type RuleVersion = {
  /** The revision that it made. */
  readonly version: number;
  /** What was done. */
  readonly change: 'added' | 'changed' | 'deleted';
  /** When it was made so. */
  readonly at: string;
  /** Who made it so. */
  readonly by: Actor;
  /** Null where there was none. */
  readonly before: StoredRule | null;
  /** Null where there is none since. */
  readonly after: StoredRule | null;
  /** Why, in their words. */
  readonly reason?: string;
  /** Who let it through, where it needed a second person. */
  readonly approvedBy?: Actor;
};

/** A page of changes. */
export type RuleVersionsAnswer = {
  /** The rule's id. */
  readonly id: string;
  /** Newest first. */
  readonly versions: readonly RuleVersion[];
  /** What to ask for as `before` next; null where there are no more. */
  readonly next: number | null;
};

/** What `ruleVersions` takes. */
export type RuleVersionsRequest = {
  /** The rule's id. */
  readonly id: string;
  /** How many; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** Those before this version alone: what `next` of a page says. */
  readonly before?: number | undefined;
};

/** What a maximum is counted over. */
export type RuleWindow = TransactionWindow | LifetimeWindow | CalendarWindow | RollingWindow;

/** What a change did, or in a dry run would do. */
export type RulesChangedAnswer = {
  /** Numbers the sets of rules. */
  readonly revision: number;
  /** False of a dry run, and where it was so already. */
  readonly changed: boolean;
  /** As it was asked. */
  readonly dryRun: boolean;
  /** In the order of ids. */
  readonly changes: readonly RuleChange[];
};

/** Names and values as in `Matched`; and under `not`, what no name has. */
export type Scope = {
  readonly type?: string | readonly string[] | undefined;
  readonly not?: Matched | undefined;
  readonly [name: string]: MatchedValue | string | readonly string[] | Matched | undefined;
};

/** A confirm or a rollback. */
export type Settlement = ConfirmOfMany | RollbackOfMany;

/** What became of one order. */
export type SettlementResult = OneOf<ConfirmedOfMany | RolledBackOfMany | OrderProblem>;

/** Nothing is said of any order but in its own result. */
export type SettlementsAnswer = {
  /** In the order given. */
  readonly results: readonly SettlementResult[];
};

/** What `settlements` takes. Each `orderId` stands once. At most 1048576 bytes. */
export type SettlementsRequest = {
  /** Each `orderId` stands once. */
  readonly settlements: readonly Settlement[];
};

/** How an order stands, and its history. */
export type StatusAnswer = {
  /** The order. */
  readonly orderId: string;
  /**
   * `expired`: a late confirm still would count; `late`: confirmed after its hold had expired;
   * `partlyRefunded`, `refunded`: counted, and paid back since; `unknown`: no row of it.
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
  /** The newest, oldest first. */
  readonly history: readonly HistoryRow[];
  /** Held, counted, given back or refused, in minor units. */
  readonly amount?: number;
  /** Of what was counted, in minor units. */
  readonly refunded?: number;
  /** Of the check. */
  readonly currency?: string;
  readonly subjects?: Subjects;
  /** While it is held or expired. */
  readonly reservation?: string;
  /** While it is held or expired. */
  readonly holdExpiresAt?: string;
};

/** What `status` takes. */
export type StatusRequest = {
  /**
   * The order, percent-encoded in a path: `o 1` is `o%201`. Not one called `.` or `..`, which every
   * URL loses: it is asked for by direct invocation.
   */
  readonly orderId: string;
  /** The language of sentences: English (`en`), or Chinese (`zh`) where it is preferred. */
  readonly language?: string | undefined;
};

/** A rule as it was put: with an `id`, and the other fields of `Rule`. */
export type StoredRule = Rule & { readonly id: string };

/** Whose terms: a kind and an id. */
export type Subject = {
  /** What the subject is. */
  readonly kind: string;
  /**
   * Which one, percent-encoded in a path. Not one called `.` or `..`, which every URL loses: it is
   * changed by direct invocation.
   */
  readonly id: string;
};

/** Whom limits count for: kinds to ids. */
export type Subjects = Readonly<Record<string, string>>;

/** What happened on a day to a kind of subject. */
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
  /** By currency. */
  readonly sums: readonly {
    /** Null of payments of which no row says it. */
    readonly currency: string | null;
    /** Confirmed that day; captured too, and recorded of that day. */
    readonly confirmed: Sums;
    /** Recorded that day, of payments of other days. */
    readonly recorded: Sums;
    /** Refunded that day, of whatever day. */
    readonly refunded: Sums;
  }[];
  /** Checks that were refused. */
  readonly refused: number;
  /** By rule. */
  readonly refusals: readonly {
    /** Checks. */
    readonly count: number;
    /** Hour by hour, from `start` on. */
    readonly hourly: readonly number[];
    /** The rule's id. */
    readonly rule?: string;
    /** In place of a rule: `no-rule`, `frozen`. */
    readonly reason?: string;
  }[];
  /** When it was told. */
  readonly now: string;
};

/** What `summary` takes. */
export type SummaryRequest = {
  /** What the subjects are. */
  readonly kind: string;
  /** The day, from 1970 to 9998; today where nothing is said. */
  readonly date?: string | undefined;
  /** Whose day is meant; UTC where nothing is said. A time zone of the IANA database. */
  readonly zone?: string | undefined;
};

/** An amount and a count. */
export type Sums = {
  /** Minor units; above 2^53 the nearest number. */
  readonly amount: number;
  /** As rules count it. */
  readonly count: number;
};

/** A subject's terms. */
export type Terms = {
  /** Null where there is none. */
  readonly freeze: Freeze | null;
  /** Those in force, those to come, and those that are over and not yet taken out. */
  readonly overrides: readonly Override[];
};

/** A subject's terms; after a change, as they stand now. */
export type TermsAnswer = {
  /** Whose they are: one kind, and its id. */
  readonly subject: Subjects;
  /** Null where there is none. */
  readonly freeze: Freeze | null;
  /** Those in force, those to come, and those that are over and not yet taken out. */
  readonly overrides: readonly Override[];
  /** The instant of the answer, by the database's clock. */
  readonly now: string;
  /** Another one after each change, for `If-Match`; `none` where there are none. */
  readonly version: string;
};

/** One change. */
export type TermsChange = {
  /** What was done. */
  readonly change: 'override' | 'endOverride' | 'freeze' | 'unfreeze';
  /** When it was done. */
  readonly at: string;
  /** Who did it. */
  readonly by: Actor;
  /** Why, in their words. */
  readonly reason: string;
  /** What the subject had; null for nothing. */
  readonly before: Terms | null;
  /** What it has since; null for nothing. */
  readonly after: Terms | null;
  /** Of an override, its rule. */
  readonly rule?: string;
  /** Who let it through, where it needed a second person. */
  readonly approvedBy?: Actor;
};

/** A page of changes, newest first. */
export type TermsChangesAnswer = {
  /** Whose they are: one kind, and its id. */
  readonly subject: Subjects;
  /** Newest first. */
  readonly changes: readonly TermsChange[];
  /** What to ask for as `before` next; null where there are no more. */
  readonly next: string | null;
};

/** What `termsChanges` takes. */
export type TermsChangesRequest = {
  /** What the subject is. */
  readonly kind: string;
  /**
   * Which one, percent-encoded in a path. Not one called `.` or `..`, which every URL loses: it is
   * changed by direct invocation.
   */
  readonly id: string;
  /** How many; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** What `next` of the page before says, unchanged; or an instant, for those before it alone. */
  readonly before?: PlaceOrInstant | undefined;
};

/** Texts by language. */
export type Titles = Readonly<Record<string, string>>;

/** One operation on an order, and what it came to. */
export type Transaction = {
  /** The order. */
  readonly orderId: string;
  /** The application whose order it is. */
  readonly app: string;
  /** Those that it named; none where it said only the order. */
  readonly subjects: Subjects;
  /** The database's. */
  readonly at: string;
  /** What was asked. */
  readonly operation: 'check' | 'record' | 'confirm' | 'rollback' | 'refund';
  /** `held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem. */
  readonly outcome: string;
  /** Of the order. */
  readonly type?: string;
  /** Of a refund. */
  readonly refundId?: string;
  /** Asked, counted or given back, in minor units. */
  readonly amount?: number;
  /** Asked or given back. */
  readonly count?: number;
  /** Of a check. */
  readonly currency?: string;
  /** Confirmed after its hold had expired. */
  readonly late?: boolean;
  /**
   * In the caller's words, of a rollback or refund; `no-rule` of a check that no rule applied to,
   * `frozen` of one of a frozen subject.
   */
  readonly reason?: string;
  /** The call, as in its `X-Request-Id`. */
  readonly requestId?: string;
  /** Of a record: when the payment happened. */
  readonly happenedAt?: string;
  /** The rules that refused. */
  readonly violations?: readonly string[];
  /** How each of the rules stood that refused. */
  readonly refusals?: readonly Refusal[];
  /** The subjects that were frozen. */
  readonly frozen?: readonly FrozenThen[];
};

/** Each transaction alone. */
export type TransactionWindow = {
  readonly kind: 'transaction';
};

/** A page of what happened, newest first. */
export type TransactionsAnswer = {
  /** Those that were asked about; none where everybody was. */
  readonly subjects: Readonly<Record<string, string>>;
  /** Newest first. */
  readonly transactions: readonly Transaction[];
  /** What to ask for as `before` next; null where there are no more. */
  readonly next: string | null;
  /** Where nothing is found: kinds in the query that no rule knows. */
  readonly unknownKinds?: readonly UnknownKind[];
};

/** What `transactions` takes. */
export type TransactionsRequest = {
  /** The language of sentences: English (`en`), or Chinese (`zh`) where it is preferred. */
  readonly language?: string | undefined;
  /** What concerns all of them. */
  readonly subjects?: Subjects | undefined;
  /** Only checks that this rule refused. */
  readonly rule?: string | undefined;
  /** Only checks that were answered so. */
  readonly decision?: 'allowed' | 'refused' | undefined;
  /** The first instant. RFC 3339 with its zone, at most milliseconds, from 1970 to 9998. */
  readonly since?: string | undefined;
  /**
   * The first instant after, later than `since`. RFC 3339 with its zone, at most milliseconds, from
   * 1970 to 9998.
   */
  readonly until?: string | undefined;
  /** What `next` of the page before says, unchanged. */
  readonly before?: string | undefined;
  /** How many; 20 where nothing is said. */
  readonly limit?: number | undefined;
};

/** The store did not decide, and the deployment lets such orders pass (`ON_UNDECIDED=allow`). */
export type UndecidedCheck = {
  readonly decision: 'allowed';
  readonly undecided: true;
  readonly repeated: false;
  readonly limitReached: false;
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  readonly state: 'none';
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /**
   * Those that `report` asks for: every rule that applies, or those that refused and would have.
   * Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
};

/** The store did not decide, and the deployment lets such orders pass (`ON_UNDECIDED=allow`). */
export type UndecidedOfMany = {
  /** The order. */
  readonly orderId: string;
  readonly decision: 'allowed';
  readonly undecided: true;
  readonly repeated: false;
  readonly limitReached: false;
  /** The rules that refused. */
  readonly refusedBy: readonly string[];
  /** The rules on trial that would have refused. */
  readonly shadowRefusedBy: readonly string[];
  readonly state: 'none';
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /**
   * Those that `report` asks for: every rule that applies, or those that refused and would have.
   * Absent with `report: none`.
   */
  readonly rules?: readonly RuleReport[];
};

/** What `unfreeze` takes. At most 65536 bytes. */
export type UnfreezeRequest = {
  /** The person who acts, in printable ASCII: kept with the change. */
  readonly actor?: string | undefined;
  /** What the subject is. */
  readonly kind: string;
  /**
   * Which one, percent-encoded in a path. Not one called `.` or `..`, which every URL loses: it is
   * changed by direct invocation.
   */
  readonly id: string;
  /** Why. It is kept with the change, and told to callers of check. */
  readonly reason: string;
  /**
   * For which version of the terms the change is, as `ETag` said it; `"none"` where there are none.
   * Otherwise 412, and nothing changes. One version: no list of them, no `*`. Whatever they are where
   * nothing is said.
   */
  readonly ifMatch?: string | undefined;
};

/** A subject kind that no rule knows; most likely it is mistyped. */
export type UnknownKind = {
  /** The kind. */
  readonly kind: string;
  /** The names nearest to it, the nearest first. */
  readonly nearest: readonly string[];
};

/** How every limit of these subjects stands. */
export type UsageAnswer = {
  /** Those that were asked about. */
  readonly subjects: Subjects;
  /** Those of them that are frozen. */
  readonly frozen: readonly Frozen[];
  /** Every rule in force that counts for them. */
  readonly rules: readonly RuleUsage[];
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
  /** Kinds in the query that no rule knows. */
  readonly unknownKinds?: readonly UnknownKind[];
  /** Where `stale` was said: everything that was written before is counted. */
  readonly asOf?: string;
};

/** What was counted, window by window. */
export type UsageHistoryAnswer = {
  /** Those that it was counted for. */
  readonly subjects: Subjects;
  /** Of the windows. */
  readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
  /** A time zone of the IANA database. */
  readonly timeZone: string;
  /** Oldest first; the last one is not over. */
  readonly windows: readonly WindowSums[];
  /** When it was told. */
  readonly now: string;
  /** The rule whose counter it is. */
  readonly rule?: string;
  /** Where nothing is found: kinds in the query that no rule knows. */
  readonly unknownKinds?: readonly UnknownKind[];
  /** Units of a window, where more than one. */
  readonly every?: number;
};

/** What `usageHistory` takes. */
export type UsageHistoryRequest = {
  /** Kinds and ids. */
  readonly subjects: Subjects;
  /** Only what counts in the counter of this rule, in its own windows where a calendar has them. */
  readonly rule?: string | undefined;
  /**
   * Whose days and months are meant; UTC where nothing is said, none beside a rule with a zone. A
   * time zone of the IANA database.
   */
  readonly zone?: string | undefined;
  /** How far back, today or this month among it: `P1D` to `P31D`, `P1M` to `P13M`. */
  readonly last?: string | undefined;
};

/** What `usage` takes. */
export type UsageRequest = {
  /** Kinds and ids. */
  readonly subjects: Subjects;
  /** The type of the payments in question, for maxima that depend on it. */
  readonly type?: string | undefined;
  /** What the payments in question say, for maxima that depend on it. No name of a subject. */
  readonly attributes?: Attributes | undefined;
  /**
   * How far behind the answer may be, an ISO 8601 duration from PT1S to PT1H: a secondary may answer,
   * which takes nothing from those who pay. Not at all where nothing is said. Other ways to write
   * such a length are taken, too.
   */
  readonly stale?: string | undefined;
};

/** What the maximum of a rule is counted over. */
export type WindowOfRule =
  | 'transaction'
  | 'lifetime'
  | {
      /** Of the calendar. */
      readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
      /** So many units. */
      readonly every?: number | undefined;
      /** An IANA name. */
      readonly timeZone: string;
      /** A time of day, `04:00`, of days and longer units. */
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
      /** Of months, quarters, years. */
      readonly monthDay?: number | undefined;
    }
  | {
      /** How long: PT1S to P366D. */
      readonly rolling: string;
      /** `exact`, or a duration: at most `rolling`, and at least 1/60 of it. */
      readonly step?: string | undefined;
    };

/** What counts in one window. */
export type WindowSums = {
  /** Its first instant. */
  readonly start: string;
  /** The first instant after. */
  readonly end: string;
  /** By currency; none where nothing was counted. */
  readonly sums: readonly {
    /** Null of payments of which no row says it. */
    readonly currency: string | null;
    /** Confirmed and not refunded, in minor units; above 2^53 the nearest number. */
    readonly amount: number;
    /** Confirmed and not refunded. */
    readonly count: number;
    /** What was given back of this window, in minor units. */
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
  'TOO_MANY_OPEN_HOLDS',
  'TOO_MANY_BUCKETS',
  'COUNTER_FULL',
  'TOO_MANY_RULES',
  'TOO_MANY_ROWS',
  'REFUND_TOO_LARGE',
  'TOO_MANY_REFUNDS',
  'UNDECIDED',
  'CLOCK_SKEW',
  'INTERNAL',
] as const;
