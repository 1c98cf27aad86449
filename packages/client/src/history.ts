import type { Subjects, UnknownKind } from './requests.ts';
import type { RuleWindow } from './rules.ts';
import type { HistoryRow } from './status.ts';

/** What `transactions` takes. */
export type TransactionsRequest = {
  /** What concerns all of them. */
  readonly subjects: Subjects;
  /** Checks that were answered so; everything that happened where nothing is said. */
  readonly decision?: 'allowed' | 'refused' | undefined;
  /** The first instant, RFC 3339 with a zone. */
  readonly since?: string | undefined;
  /** The first instant after, RFC 3339 with a zone. */
  readonly until?: string | undefined;
  /** What `next` of the page before says. */
  readonly before?: string | undefined;
  /** 1 to 100; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** Of sentences, as `Accept-Language` says it: `zh`. */
  readonly language?: string | undefined;
};

/** One operation on an order, and what it came to. */
export type Transaction = HistoryRow & {
  readonly orderId: string;
  /** The application whose order it is. */
  readonly app: string;
  /** Those that it named; none where it said only the order. */
  readonly subjects: Subjects;
  readonly type?: string;
};

/** What `transactions` answers. */
export type TransactionsAnswer = {
  readonly subjects: Subjects;
  /** Where nothing is found: subjects of kinds that no rule knows. */
  readonly unknownKinds?: readonly UnknownKind[];
  /** Newest first. */
  readonly transactions: readonly Transaction[];
  /** What to ask for as `before` next; null where there are no more. */
  readonly next: string | null;
};

/** What `usageHistory` takes. */
export type UsageHistoryRequest = {
  readonly subjects: Subjects;
  /** Only what counts in the counter of this rule, in its own windows where a calendar has them. */
  readonly rule?: string | undefined;
  /** Whose days and months are meant, an IANA name; UTC where nothing is said. */
  readonly zone?: string | undefined;
  /** `P1D` to `P31D`, `P1M` to `P13M`; `P7D` where nothing is said. */
  readonly last?: string | undefined;
};

/** What counts in one window, of one currency. */
export type WindowSum = {
  /** Null of payments of which no row says it. */
  readonly currency: string | null;
  /** Confirmed and not refunded, in minor units. */
  readonly amount: number;
  readonly count: number;
  /** What was given back of this window, in minor units. */
  readonly refunded: number;
};

/** What `usageHistory` answers. */
export type UsageHistoryAnswer = {
  readonly subjects: Subjects;
  /** Where nothing is found: subjects of kinds that no rule knows. */
  readonly unknownKinds?: readonly UnknownKind[];
  readonly rule?: string;
  readonly unit: Extract<RuleWindow, { readonly kind: 'calendar' }>['unit'];
  /** Units of a window, where more than one. */
  readonly every?: number;
  readonly timeZone: string;
  /** Oldest first; the last one is not over. */
  readonly windows: readonly {
    readonly start: string;
    readonly end: string;
    /** By currency; none where nothing was counted. */
    readonly sums: readonly WindowSum[];
  }[];
  readonly now: string;
};

/** What `summary` takes. */
export type SummaryRequest = {
  /** Of subjects: `merchant`. */
  readonly kind: string;
  /** `2026-11-20`; today where nothing is said. */
  readonly date?: string | undefined;
  /** Whose day is meant, an IANA name; UTC where nothing is said. */
  readonly zone?: string | undefined;
};

/** Minor units, and a count as rules have it. */
type Sums = { readonly amount: number; readonly count: number };

/** What `summary` answers. */
export type SummaryAnswer = {
  readonly kind: string;
  readonly date: string;
  readonly timeZone: string;
  readonly start: string;
  readonly end: string;
  /** By currency. */
  readonly sums: readonly {
    readonly currency: string | null;
    /** Confirmed that day, or recorded that day of that day. */
    readonly confirmed: Sums;
    /** Recorded that day, of other days. */
    readonly recorded: Sums;
    readonly refunded: Sums;
  }[];
  /** Checks that were refused. */
  readonly refused: number;
  /** By rule, most checks first; by `no-rule` or `frozen` where none refused. */
  readonly refusals: readonly {
    readonly rule?: string;
    readonly reason?: string;
    readonly count: number;
  }[];
  readonly now: string;
};
