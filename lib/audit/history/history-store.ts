import type { AuditRow } from '../audit.ts';
import type { Period } from '../../windows/calendar.ts';
import type { DaySum, RefusedAlike, RowsQuery, WindowSum } from './history.ts';
import type { Subjects } from '../../shared/request.ts';

/**
 * What the audit's rows say of the past. Nothing is written.
 *
 * Every call throws TooManyRowsError where there is more to read than there is time for, and
 * UndecidedError where the store does not answer.
 */
export interface HistoryStore {
  /** Rows as they are asked for, newest first; of one instant, those with the larger ids first. */
  rows(query: RowsQuery): Promise<readonly AuditRow[]>;
  /**
   * What was counted since windows began, by window and currency; nothing is said of empty windows.
   *
   * @param starts when windows begin, oldest first; each ends where the next one begins
   * @param counter only what counts in the counter of this key
   */
  countedByWindow(
    subjects: Subjects,
    starts: readonly Date[],
    counter?: string,
  ): Promise<readonly WindowSum[]>;
  /** What was confirmed and refunded within a time, of payments that name a kind of subject, by currency. */
  countedWithin(period: Period, kind: string): Promise<readonly DaySum[]>;
  /** How many checks were refused within a time that name a kind of subject, by what refused them. */
  refusedWithin(period: Period, kind: string): Promise<readonly RefusedAlike[]>;
}
