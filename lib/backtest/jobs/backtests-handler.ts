import { CALLS } from '../../../contract/calls.ts';
import {
  BACKTEST_ORDERS_DEFAULT,
  BACKTESTS_LISTED_MAX,
  RULES_BYTES_MAX,
} from '../../shared/bounds.ts';
import type { LambdaHandler } from '../../http/handler.ts';
import { refuse } from '../../http/requests.ts';
import type { RoutesSurroundings } from '../../http/routed.ts';
import { createRoutes, route } from '../../http/routed.ts';
import { present } from '../../shared/present.ts';
import { backtestJson, backtestsJson, ordersJson } from './backtest-answer.ts';
import type { BacktestBook } from './backtest-book.ts';
import { mistakesOfRange } from '../range.ts';
import { BACKTESTS_TAKE, mistakesOfQuestion } from './backtests-request.ts';
import type { DraftGiven } from './job.ts';

/** Makes the one function of all routes of back-tests; a direct invocation says its `operation`. */
export function createBacktestsHandler(
  book: BacktestBook,
  surroundings: RoutesSurroundings,
): LambdaHandler {
  const start = route({
    call: CALLS.startBacktest,
    bodyBytesMax: RULES_BYTES_MAX,
    takes: BACKTESTS_TAKE.start,
    between: mistakesOfQuestion,
    async run(
      { rules, put, drop, from, to, freed = 'unpaid', subject = {}, rowsPerSecond },
      asking,
    ) {
      const { now: at } = asking;
      refuse(mistakesOfRange(from, to, at));
      const [one] = Object.entries(subject);
      const draft = present({ rules, put, drop }) as DraftGiven; // one of them, as was read
      const asked = { draft, from, to, freed, rowsPerSecond };
      const question =
        one === undefined ? asked : { ...asked, subject: { kind: one[0], id: one[1] } };
      const { job, isNew } = await book.start(question, asking.by(), at);
      return { answer: backtestJson(job), status: isNew ? 201 : 200 };
    },
  });
  const list = route({
    call: CALLS.listBacktests,
    takes: BACKTESTS_TAKE.list,
    run: async ({ limit = BACKTESTS_LISTED_MAX }) => ({
      answer: backtestsJson(await book.list(limit)),
    }),
  });
  const find = route({
    call: CALLS.findBacktest,
    takes: BACKTESTS_TAKE.find,
    run: async ({ id }, { now }) => ({ answer: backtestJson(await book.find(id, now)) }),
  });
  const orders = route({
    call: CALLS.backtestOrders,
    takes: BACKTESTS_TAKE.orders,
    async run({
      id,
      decided = 'refused',
      replay = 'knockOn',
      rule,
      limit = BACKTEST_ORDERS_DEFAULT,
      before,
      language = 'en',
    }) {
      const [place] = before ?? [];
      const found = await book.orders(id, {
        decided: decided === 'refused' ? 'newlyRefused' : 'newlyAllowed',
        replay,
        rule,
        before: place,
        limit: limit + 1,
      });
      const headers = { 'content-language': language };
      return { answer: ordersJson(found, limit, language), headers };
    },
  });
  const stop = route({
    call: CALLS.stopBacktest,
    takes: BACKTESTS_TAKE.stop,
    run: async ({ id }, { now }) => ({ answer: backtestJson(await book.stop(id, now)) }),
  });
  return createRoutes('backtests', { start, list, find, orders, stop }, surroundings);
}
