import type { AuditRow } from '../audit.ts';
import type { Period } from '../../windows/calendar.ts';
import { HeadroomError } from '../../shared/errors.ts';
import type { UnknownKinds } from '../../rules/known-kinds.ts';
import type { Subjects } from '../../shared/request.ts';

/** The past, from the audit's rows. */

/** What a check was answered. */
export const DECISIONS = ['allowed', 'refused'] as const;
/** One of them. */
export type Decision = (typeof DECISIONS)[number];

/** The end of a page. Ids order the rows of one instant. */
export type RowPlace = { readonly at: Date; readonly id: string };

/** Which rows are asked for. */
export type RowsQuery = {
  /** Rows that concern all of them; 1 to SUBJECTS_MAX, or of everybody's refused checks none. */
  readonly subjects: Subjects;
  /** Checks that this rule refused. */
  readonly rule?: string | undefined;
  /** Only checks with this answer. Default: every row. */
  readonly decision?: Decision | undefined;
  /** The first instant. */
  readonly since?: Date | undefined;
  /** The first instant after. */
  readonly until?: Date | undefined;
  /** Those that come after it, newest first. */
  readonly before?: RowPlace | undefined;
  /** 1 to TRANSACTIONS_MAX. */
  readonly limit: number;
};

/** The amounts counted, and the refunds of them. */
export type CountedSum = {
  /** Undefined where no row says it. */
  readonly currency?: string;
  /** Minor units. */
  readonly amountMinor: number;
  readonly count: number;
  /** Minor units. */
  readonly refundedMinor: number;
  readonly refundedCount: number;
};

/** A sum of one day. */
export type DaySum = CountedSum & {
  /** How much of it was recorded that day and happened on others, in minor units. */
  readonly recordedMinor: number;
  readonly recordedCount: number;
};

/** A sum of one window, by its place in the list of windows. */
export type WindowSum = CountedSum & { readonly window: number };

/** The sums of one window, one for each currency. */
export type WindowSums = { readonly period: Period; readonly sums: readonly CountedSum[] };

/** How many checks were refused alike, and what they asked. */
export type RefusedAlike = {
  /** Ids of the rules that refused. */
  readonly violations: readonly string[];
  /** Where no rule did: `no-rule`, `frozen`. */
  readonly reason?: string;
  /** In which hour of the stretch, from 0 on. */
  readonly hour: number;
  readonly checks: number;
};

/** There are too many rows to be read within the time that a call has. */
export class TooManyRowsError extends HeadroomError {
  override readonly name = 'TooManyRowsError';
  readonly code = 'TOO_MANY_ROWS';
  constructor(timeMs: number, cause: unknown) {
    super(
      `the audit's rows could not be read within ${timeMs} ms; ask for a shorter period, or raise STORE_TIMEOUT_MS`,
      { cause },
    );
  }
}

/** A page of rows, newest first. */
export type RowsPage = {
  readonly subjects: Subjects;
  readonly rows: readonly AuditRow[];
  readonly hasMore: boolean;
  /** Where there are no rows and it names subject kinds that no rule knows. */
  readonly unknownKinds?: UnknownKinds;
};
