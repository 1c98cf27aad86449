import type { AuditRow } from '../audit.ts';
import type { Period } from '../../rule/zoned.ts';
import type { UnitSpan } from './history-windows.ts';
import { errorOf } from '../../shared/errors.ts';
import type { UnknownKinds } from '../../rule/known-kinds.ts';
import type { Subjects } from '../../shared/request.ts';
import type { CalendarWindow } from '../../rule/calendar.ts';
import type { RowPlace } from '../../http/page.ts';

/** Rows of a page, by default. */
export const TRANSACTIONS_DEFAULT = 20;

/** Answers of a check. */
export const DECISIONS = ['allowed', 'refused'] as const;

/** Why a check was refused, where no rule did. */
export const REASONS = ['no-rule', 'frozen'] as const;

/** A question about rows. */
export type RowsQuery = {
  /** Rows that concern all of them; 1 to SUBJECTS_MAX, or of everybody's refused checks none. */
  readonly subjects: Subjects;
  /** Id of the rule that refused. */
  readonly rule?: string | undefined;
  /** Why it was refused, where no rule did. */
  readonly reason?: (typeof REASONS)[number] | undefined;
  readonly decision?: (typeof DECISIONS)[number] | undefined;
  readonly since?: Date | undefined;
  /** The first instant after. */
  readonly until?: Date | undefined;
  readonly before?: RowPlace | undefined;
  /** 1 to TRANSACTIONS_MAX. */
  readonly limit: number;
};

/** A page of rows. */
export type RowsPage = Pick<RowsQuery, 'subjects' | 'limit'> & {
  /** Newest first, of one instant those with the larger ids first; one beyond `limit` if there are more. */
  readonly rows: readonly AuditRow[];
  /** Where there are no rows and it names subject kinds that no rule knows. */
  readonly unknownKinds?: UnknownKinds | undefined;
};

/** A question about past windows. */
export type UsageHistoryQuery = {
  readonly subjects: Subjects;
  /** Only what this rule counted, in its own windows where a calendar has them. */
  readonly rule?: string | undefined;
  /** Default: UTC. */
  readonly zone?: string | undefined;
  readonly last: UnitSpan;
};

/** Payments in one currency, and refunds of them. */
export type CountedSum = {
  /** Null where no row says it. */
  readonly currency: string | null;
  readonly amountMinor: number;
  readonly count: number;
  readonly refundedMinor: number;
  readonly refundedCount: number;
  /** In a summary: recorded that day, and happened on others. */
  readonly recordedMinor: number;
  readonly recordedCount: number;
};

/** Sums by window. */
export type UsageHistory = {
  readonly subjects: Subjects;
  readonly rule: string | undefined;
  readonly window: CalendarWindow;
  /** Oldest first; the last one is not over. */
  readonly windows: readonly { readonly period: Period; readonly sums: readonly CountedSum[] }[];
  /** Where nothing was counted and it names subject kinds that no rule knows. */
  readonly unknownKinds?: UnknownKinds | undefined;
  readonly now: Date;
};

type SummaryQuery = {
  readonly kind: string;
  /** Default: today. */
  readonly date?: string | undefined;
  readonly zone: string;
};

/** How many checks were refused alike. */
export type RefusedAlike = {
  readonly violations: readonly string[];
  /** One of `REASONS`, where no rule did. */
  readonly reason?: string | null;
  /** Of the day, from 0 on. */
  readonly hour: number;
  readonly checks: number;
};

/** A day of a kind of subject. */
export type DaySummary = SummaryQuery & {
  readonly date: string;
  readonly period: Period;
  readonly sums: readonly CountedSum[];
  readonly refused: readonly RefusedAlike[];
  readonly now: Date;
};

/** A call has too little time for its rows. */
export class TooManyRowsError extends errorOf(
  'TOO_MANY_ROWS',
  (timeMs: number) =>
    `the audit's rows could not be read within ${timeMs} ms; ask for a shorter period, or raise STORE_TIMEOUT_MS`,
) {}

/** The rows of a summary are on several shards. */
export class ClusterTooOldError extends errorOf(
  'CLUSTER_TOO_OLD',
  () =>
    'a summary joins rows of all shards, and this sharded cluster is older than version 5.1, which can; upgrade it, or ask for the history of each subject',
) {}

/**
 * Tells of the past. `at` stands in the place of the machine's clock.
 *
 * Every call throws AuditOffError where no audit is kept, TooManyRowsError where there is more to read than
 * there is time for, and UndecidedError where the store does not answer.
 */
export type HistoryBook = {
  readonly transactions: (query: RowsQuery) => Promise<RowsPage>;
  /**
   * @throws NoSuchRuleError; InvalidRequestError for a rule that counts nothing for these subjects, a
   *   zone beside one that has its own, or more than HISTORY_WINDOWS_MAX windows
   */
  readonly usageHistory: (query: UsageHistoryQuery, at?: Date) => Promise<UsageHistory>;
  /** @throws ClusterTooOldError */
  readonly summary: (query: SummaryQuery, at?: Date) => Promise<DaySummary>;
};
