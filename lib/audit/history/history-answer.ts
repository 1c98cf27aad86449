import type {
  summaryAnswer,
  transactionsAnswer,
  usageHistoryAnswer,
} from '../../../contract/history.ts';
import type { Told } from '../../../contract/words.ts';
import type { CountedSum, DaySum, RefusedAlike, RowsPage } from './history.ts';
import type { DaySummary, UsageHistory } from './history-book.ts';
import { transactionsSchema, usageHistorySchema } from './history-request.ts';
import { pageOf, placeText } from '../../http/page.ts';
import type { Language } from '../../http/sentences/language.ts';
import { rowJson, whyJson } from '../status-answer.ts';
import { unknownKindsJson } from '../../http/unknown-kinds.ts';

/**
 * Writes a page of rows, newest first; `next` is what the next page is `before`. One row, of up to 0.1 MB,
 * always fits.
 */
export function transactionsJson(
  { subjects, rows, hasMore, unknownKinds }: RowsPage,
  language: Language,
): Told<typeof transactionsAnswer> {
  const { rows: told } = pageOf(rows, rows.length, (row) => ({
    ...{ orderId: row.orderId, app: row.appId, subjects: row.subjects, type: row.type },
    ...rowJson(row),
    ...whyJson(row, language),
  }));
  const last = rows[told.length - 1];
  const isAll = !hasMore && told.length === rows.length;
  return {
    subjects,
    unknownKinds: unknownKindsJson(unknownKinds, transactionsSchema),
    transactions: told,
    next: isAll || last === undefined ? null : placeText(last.at.getTime(), last.id),
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
    ...{ rule: rule?.id, unit, every: every === 1 ? undefined : every, timeZone },
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
    currency: sum.currency ?? null,
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
    // Of the hours of a day the clocks may take one or add one.
    refusals: refusalsJson(
      refused,
      Math.ceil((Number(period.until) - Number(period.start)) / HOUR_MS),
    ),
    now: now.toISOString(),
  };
}

function dayJson(sum: DaySum) {
  const { currency, amountMinor, count, recordedMinor, recordedCount } = sum;
  return {
    currency: currency ?? null,
    confirmed: { amount: amountMinor - recordedMinor, count: count - recordedCount },
    recorded: { amount: recordedMinor, count: recordedCount },
    refunded: { amount: sum.refundedMinor, count: sum.refundedCount },
  };
}

const HOUR_MS = 3_600_000;

/** By rule, and by reason where no rule refused, each hour by hour; those of most checks first. */
function refusalsJson(refused: readonly RefusedAlike[], hours: number) {
  type By = { readonly rule?: string; readonly reason?: string };
  const checks = new Map<string, { readonly by: By; readonly hourly: number[] }>();
  for (const { violations, reason, hour, checks: count } of refused) {
    const causes: readonly By[] = [
      ...violations.map((rule) => ({ rule })),
      ...(reason === undefined ? [] : [{ reason }]),
    ];
    for (const by of causes) {
      const name = JSON.stringify(by);
      const hourly = checks.get(name)?.hourly ?? Array.from({ length: hours }, () => 0);
      hourly[hour] = (hourly[hour] ?? 0) + count;
      checks.set(name, { by, hourly });
    }
  }
  return [...checks]
    .map(([name, { by, hourly }]) => ({
      name,
      by,
      hourly,
      count: hourly.reduce((sum, each) => sum + each, 0),
    }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
    .map(({ by, count, hourly }) => ({ ...by, count, hourly }));
}
