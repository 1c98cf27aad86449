import type { SummaryAnswer } from '@headroom-limits/client';

const HOUR_MS = 3_600_000;

/** An hour of a day, by the name that the URL and the screen have for it. */
type Hour = { readonly name: string; readonly start: string; readonly end: string };

/** The hours of a day: 23 or 25 where clocks change, of which two then have the same time and other names. */
export function hoursOf(
  { start, end, timeZone }: Pick<SummaryAnswer, 'start' | 'end' | 'timeZone'>,
  locale: string,
): readonly Hour[] {
  const [first, last] = [Date.parse(start), Date.parse(end)];
  const clock = new Intl.DateTimeFormat(locale, {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
  });
  const count = Math.ceil((last - first) / HOUR_MS);
  const starts = Array.from({ length: count }, (_, index) => first + index * HOUR_MS);
  return starts.map((at, index) => {
    const name = clock.format(at);
    const isAgain =
      index > 0 && starts.slice(0, index).some((other) => clock.format(other) === name);
    return {
      name: isAgain ? `${name} (2)` : name,
      start: new Date(at).toISOString(),
      end: new Date(Math.min(at + HOUR_MS, last)).toISOString(),
    };
  });
}
