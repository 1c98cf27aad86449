import type {
  summaryAnswer,
  transactionsAnswer,
  usageHistoryAnswer,
} from '../../../contract/history.ts';
import type { Told } from '../../../contract/words.ts';
import type { CountedSum, DaySummary, RefusedAlike, RowsPage, UsageHistory } from './history.ts';
import { transactionsSchema, usageHistorySchema } from './history-request.ts';
import { pageOf, placeText } from '../../http/page.ts';
import type { Language } from '../../http/sentences/language.ts';
import { rowJson, whyJson } from '../status-call.ts';
import { unknownKindsJson } from '../../http/standing-answer.ts';

/**
 * Writes a page of rows, newest first; `next` is what the next page is `before`. One row, of up to 0.1 MB,
 * always fits.
 */
export function transactionsJson(
  { subjects, rows, limit, unknownKinds }: RowsPage,
  language: Language,
): Told<typeof transactionsAnswer> {
  const { rows: transactions, last } = pageOf(rows, limit, (row) => ({
    ...{ orderId: row.orderId, app: row.appId, subjects: row.subjects, type: row.type },
    ...rowJson(row),
    ...whyJson(row, language),
  }));
  return {
    subjects,
    unknownKinds: unknownKindsJson(unknownKinds, transactionsSchema),
    transactions,
    next: last === undefined ? null : placeText(last.at.getTime(), last.id),
  };
}

/** Writes what was counted window by window. Amounts are minor units. */
export function usageHistoryJson({
  subjects,
  rule,
  window,
  windows,
  unknownKinds,
  now,
}: UsageHistory): Told<typeof usageHistoryAnswer> {
  const { unit, every, timeZone } = window;
  return {
    subjects,
    unknownKinds: unknownKindsJson(unknownKinds, usageHistorySchema),
    ...{ rule, unit, every: every === 1 ? undefined : every, timeZone },
    windows: windows.map(({ period: { start, until }, sums }) => ({
      start: start.toISOString(),
      end: until.toISOString(),
      sums: sums.map(netJson),
    })),
    now: now.toISOString(),
  };
}

/** As limits count it: without what was given back. */
function netJson(sum: CountedSum) {
  const { amountMinor, count, refundedMinor, refundedCount } = sum;
  return {
    currency: sum.currency,
    amount: Math.max(0, amountMinor - refundedMinor),
    count: Math.max(0, count - refundedCount),
    refunded: refundedMinor,
  };
}

/** Writes what happened on a day. Amounts are minor units. */
export function summaryJson({
  kind,
  date,
  zone,
  period,
  sums,
  refused,
  now,
}: DaySummary): Told<typeof summaryAnswer> {
  return {
    ...{ kind, date, timeZone: zone },
    ...{ start: period.start.toISOString(), end: period.until.toISOString() },
    sums: sums.map(dayJson),
    refused: refused.reduce((total, { checks }) => total + checks, 0),
    // A day has 23 or 25 hours when the clocks change.
    refusals: refusalsJson(
      refused,
      Math.ceil((Number(period.until) - Number(period.start)) / HOUR_MS),
    ),
    now: now.toISOString(),
  };
}

function dayJson(sum: CountedSum) {
  const { currency, amountMinor, count, recordedMinor, recordedCount } = sum;
  return {
    currency,
    confirmed: { amount: amountMinor - recordedMinor, count: count - recordedCount },
    recorded: { amount: recordedMinor, count: recordedCount },
    refunded: { amount: sum.refundedMinor, count: sum.refundedCount },
  };
}

const HOUR_MS = 3_600_000;

/** By rule, and by reason where no rule refused, each hour by hour; those of most checks first. */
function refusalsJson(refused: readonly RefusedAlike[], hours: number) {
  type Cause = { readonly rule: string } | { readonly reason: string };
  const told = new Map<string, Cause & { count: number; readonly hourly: number[] }>();
  for (const { violations, reason, hour, checks } of refused) {
    const causes: Cause[] = violations.map((rule) => ({ rule }));
    if (typeof reason === 'string') causes.push({ reason });
    for (const cause of causes) {
      const name = JSON.stringify(cause);
      const one = told.get(name) ?? { ...cause, count: 0, hourly: Array<number>(hours).fill(0) };
      one.count += checks;
      one.hourly[hour] = (one.hourly[hour] ?? 0) + checks;
      told.set(name, one);
    }
  }
  return [...told]
    .sort(([name, one], [other, two]) => two.count - one.count || (name < other ? -1 : 1))
    .map(([, one]) => one);
}
