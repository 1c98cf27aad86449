import type {
  summaryAnswer,
  transactionsAnswer,
  usageHistoryAnswer,
} from '../../../contract/history.ts';
import type { Told } from '../../../contract/words.ts';
import type { DaySummary, HistoryBook, RefusedAlike, RowsPage, UsageHistory } from './history.ts';
import { TRANSACTIONS_DEFAULT } from './history.ts';
import { pageOf, placeText } from '../../http/page.ts';
import { CALLS } from '../../../contract/calls.ts';
import type { Language } from '../../shared/language.ts';
import { rowJson, whyJson } from '../status-call.ts';
import { unknownKindsJson } from '../../http/standing-answer.ts';
import type { LambdaHandler } from '../../http/handler.ts';
import type { RoutesSurroundings } from '../../http/routed.ts';
import { createRoutes, route } from '../../http/routed.ts';
import {
  lastOf,
  mistakesInTransactions,
  summarySchema,
  transactionsSchema,
  usageHistorySchema,
} from './history-request.ts';

/** A direct invocation says its `operation`. */
export function createHistoryHandler(
  book: HistoryBook,
  surroundings: RoutesSurroundings,
): LambdaHandler {
  const transactions = route({
    call: CALLS.transactions,
    takes: transactionsSchema,
    between: mistakesInTransactions,
    async run({ subjects = {}, limit = TRANSACTIONS_DEFAULT, language = 'en', ...asked }) {
      const page = await book.transactions({ ...asked, subjects, limit });
      const headers = { 'content-language': language };
      return { answer: transactionsJson(page, language), headers };
    },
  });
  const usageHistory = route({
    call: CALLS.usageHistory,
    takes: usageHistorySchema,
    run: async (asked, { at }) => ({
      answer: usageHistoryJson(await book.usageHistory({ ...asked, last: lastOf(asked) }, at)),
    }),
  });
  const summary = route({
    call: CALLS.summary,
    takes: summarySchema,
    run: async ({ zone = 'UTC', ...asked }, { at }) => ({
      answer: summaryJson(await book.summary({ ...asked, zone }, at)),
    }),
  });
  return createRoutes('history', { transactions, usageHistory, summary }, surroundings);
}

/** Newest first; `next` is what the next page is `before`. One row, of up to 0.1 MB, always fits. */
export function transactionsJson(
  { subjects, rows, limit, unknownKinds }: RowsPage,
  language: Language,
): Told<typeof transactionsAnswer> {
  const { rows: transactions, last } = pageOf(rows, limit, (row) => ({
    orderId: row.orderId,
    app: row.appId,
    subjects: row.subjects,
    type: row.type,
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

function usageHistoryJson(history: UsageHistory): Told<typeof usageHistoryAnswer> {
  const { subjects, rule, windows, unknownKinds, now } = history;
  const { unit, every, timeZone } = history.window;
  return {
    subjects,
    unknownKinds: unknownKindsJson(unknownKinds, usageHistorySchema),
    rule,
    unit,
    every: every === 1 ? undefined : every,
    timeZone,
    windows: windows.map(({ period: { start, until }, sums }) => ({
      start,
      end: until,
      // As limits count it: without what was given back.
      sums: sums.map((sum) => ({
        currency: sum.currency,
        amount: Math.max(0, sum.amountMinor - sum.refundedMinor),
        count: Math.max(0, sum.count - sum.refundedCount),
        refunded: sum.refundedMinor,
      })),
    })),
    now,
  };
}

function summaryJson(summary: DaySummary): Told<typeof summaryAnswer> {
  const { kind, date, zone: timeZone, period, refused } = summary;
  const { start, until: end } = period;
  // A day has 23 or 25 hours when the clocks change.
  const hours = Math.ceil((Number(end) - Number(start)) / 3_600_000);
  return {
    kind,
    date,
    timeZone,
    start,
    end,
    sums: summary.sums.map(({ currency, ...sum }) => ({
      currency,
      confirmed: {
        amount: sum.amountMinor - sum.recordedMinor,
        count: sum.count - sum.recordedCount,
      },
      recorded: { amount: sum.recordedMinor, count: sum.recordedCount },
      refunded: { amount: sum.refundedMinor, count: sum.refundedCount },
    })),
    refused: refused.reduce((total, { checks }) => total + checks, 0),
    refusals: refusedAlikeJson(refused, hours),
    now: summary.now,
  };
}

/** By rule, and by reason where no rule refused, each hour by hour; those of most checks first. */
export function refusedAlikeJson(refused: readonly RefusedAlike[], hours: number) {
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
