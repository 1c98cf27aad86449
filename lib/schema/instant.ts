const RFC_3339 =
  /^((\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3])(?::[0-5]\d){2})(?:(\.\d{1,3})\d*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** How an instant is written. */
export const INSTANT_EXPECTED =
  'an instant as RFC 3339 with its zone, from 1970 to 9998, such as 2026-01-01T00:00:00+08:00';

/** How an instant is written, in a description. */
export const INSTANT_FORM =
  'RFC 3339 with its zone, from 1970 to 9998. Headroom cuts it to milliseconds';

/**
 * Reads an instant: RFC 3339, with zone, on a date that the calendar has. More decimals than milliseconds are cut, not
 * rounded: a payment may name the same instant with nanoseconds, and the next one with what a database kept of it.
 */
export function readInstant(text: unknown): Date | undefined {
  const parts = typeof text === 'string' ? RFC_3339.exec(text) : null;
  if (parts === null) return undefined;
  const [, seconds = '', date = '', milliseconds = '', zone = ''] = parts;
  const at = new Date(`${seconds}${milliseconds}${zone}`.toUpperCase());
  const day = new Date(date);
  // JavaScript takes 30 February for 2 March.
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  const isNear = Math.max(day.getUTCFullYear(), at.getUTCFullYear()) <= 9998; // answers say it in UTC
  return exists && isNear && at.getTime() >= 0 ? at : undefined;
}
