const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,3})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** How an instant is written. */
export const INSTANT_EXPECTED =
  'an instant as RFC 3339 with its zone, from 1970 to 9998, such as 2026-01-01T00:00:00+08:00';

/** Reads an instant: RFC 3339, with zone, with at most milliseconds, on a date that the calendar has. */
export function readInstant(text: unknown): Date | undefined {
  const parts = typeof text === 'string' ? RFC_3339.exec(text) : null;
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map(Number);
  const wall = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const exists =
    wall.getUTCMonth() === month - 1 && wall.getUTCDate() === day && wall.getUTCHours() === hour;
  if (!exists || minute > 59 || second > 59) return undefined;
  const at = new Date(parts[0].toUpperCase());
  const isNear = Math.max(year, at.getUTCFullYear()) <= 9998; // answers say it in UTC
  return isNear && at.getTime() >= 0 ? at : undefined;
}
