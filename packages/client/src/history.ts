import type { Subjects } from './api.ts';

/** What `transactions` takes. */
export type TransactionsRequest = {
  /** What concerns all of them. Without any, beside `decision: 'refused'` or a rule: everybody's refused checks. */
  readonly subjects?: Subjects | undefined;
  /** Only checks that this rule refused. */
  readonly rule?: string | undefined;
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

/** What `summary` takes. */
export type SummaryRequest = {
  /** Of subjects: `merchant`. */
  readonly kind: string;
  /** `2026-11-20`; today where nothing is said. */
  readonly date?: string | undefined;
  /** Whose day is meant, an IANA name; UTC where nothing is said. */
  readonly zone?: string | undefined;
};
