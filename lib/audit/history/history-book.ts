import type { Period } from '../../windows/calendar.ts';
import type { DaySum, RefusedAlike, RowsPage, RowsQuery, WindowSums } from './history.ts';
import type { Stretch } from './history-windows.ts';
import type { UnknownKinds } from '../../rules/known-kinds.ts';
import type { Subjects } from '../../shared/request.ts';
import type { CalendarWindow, Rule } from '../../rules/rule.ts';

/** What was counted for subjects: of which windows. */
export type UsageHistoryQuery = {
  readonly subjects: Subjects;
  /** Only what this rule counted, in its own windows where a calendar has them. */
  readonly rule?: string | undefined;
  /** The time zone of days and months. Default: UTC. */
  readonly zone?: string | undefined;
  readonly last: Stretch;
};

/** What was counted, window by window. */
export type UsageHistory = {
  readonly subjects: Subjects;
  readonly rule?: Rule;
  readonly window: CalendarWindow;
  /** Oldest first; the last one is not over. */
  readonly windows: readonly WindowSums[];
  /** Where nothing was counted and it names subject kinds that no rule knows. */
  readonly unknownKinds?: UnknownKinds;
  readonly now: Date;
};

/** Of which day, and of what kind of subject. */
export type SummaryQuery = {
  readonly kind: string;
  /** Default: today. */
  readonly date?: string | undefined;
  readonly zone: string;
};

/** What happened on a day to a kind of subject. */
export type DaySummary = {
  readonly kind: string;
  readonly date: string;
  readonly zone: string;
  readonly period: Period;
  /** What was confirmed and refunded that day, by currency. */
  readonly sums: readonly DaySum[];
  readonly refused: readonly RefusedAlike[];
  readonly now: Date;
};

/**
 * What tells of the past. `at` stands in the place of the machine's clock.
 *
 * Every call throws AuditOffError where no audit is kept, TooManyRowsError where there is more to read
 * than there is time for, and UndecidedError where the store does not answer.
 */
export type HistoryBook = {
  /** Rows of a subject, newest first. */
  readonly transactions: (query: RowsQuery) => Promise<RowsPage>;
  /**
   * What was counted in windows.
   *
   * @throws NoSuchRuleError; InvalidRequestError for a rule that counts nothing for these subjects, a
   *   zone beside one that has its own, or more than HISTORY_WINDOWS_MAX windows
   */
  readonly usageHistory: (query: UsageHistoryQuery, at?: Date) => Promise<UsageHistory>;
  /** What happened on a day. */
  readonly summary: (query: SummaryQuery, at?: Date) => Promise<DaySummary>;
};
