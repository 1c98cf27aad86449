import { CLOCK_BACK_MS } from '../../shared/bounds.ts';

/**
 * A document's time: the database's, but never before the latest instant that the document has seen,
 * unless the database's clock stepped back by more than CLOCK_BACK_MS. So a window that ended does
 * not open again, and a hold that expired does not come back, when clocks are set or a standby with
 * another clock takes over.
 *
 * @param now the database's instant
 * @param seen the latest instant at which the document changed, if it ever did
 */
export function documentTime(now: Date, seen: Date | undefined): Date {
  if (seen === undefined || seen <= now) return now;
  return new Date(Math.min(seen.getTime(), now.getTime() + CLOCK_BACK_MS));
}
