import { Temporal } from 'temporal-polyfill';

const DURATION =
  /^P(?!$)(\d{1,9}W)?(\d{1,9}D)?(T(?!$)(\d{1,9}H)?(\d{1,9}M)?(\d{1,9}(\.\d{1,3})?S)?)?$/;

/** Reads an ISO 8601 duration such as `PT15M`; undefined for others, and with years or months. A day is 24 hours. */
export function durationMs(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  const duration = Temporal.Duration.from(text);
  const { weeks, days, hours, minutes, seconds, milliseconds } = duration;
  const ms = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return ms + milliseconds;
}

/** Writes at most hours: 86,400,000 is `PT24H`. By hand, because Temporal makes a formatter for each number. */
export function durationText(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const seconds = (ms % 60_000) / 1_000; // at most three decimal places, which are written as they are
  const time = [
    ...(hours > 0 ? [`${hours}H`] : []),
    ...(minutes > 0 ? [`${minutes}M`] : []),
    ...(seconds > 0 || ms === 0 ? [`${seconds}S`] : []),
  ];
  return `PT${time.join('')}`;
}
