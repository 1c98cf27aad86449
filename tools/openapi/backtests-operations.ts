import { BACKTESTS_TAKE } from '../../lib/backtest/jobs/backtests-request.ts';
import type { CallId } from '../../contract/calls.ts';
import { BACKTESTS_EXAMPLES } from './backtests-examples.ts';
import type { Operation } from './operation.ts';
import { CONTENT_LANGUAGE } from './operation.ts';

/** The calls of back-tests. */

const tag = 'Back-tests';
const NEEDS = 'An application needs the rights `rules:read` and `usage:read`.';
const NEEDS_MORE = 'An application needs the rights `rules:read`, `rules:write` and `usage:read`.';

/** By operationId. */
export const BACKTESTS_OPERATIONS = {
  startBacktest: {
    tag,
    takes: BACKTESTS_TAKE.start,
    summary: 'What would these rules have decided?',
    description: `Headroom decides every check of a time again, from the audit, and changes nothing. The work goes on after the answer: read the back-test until it is \`done\`. A repeated question gets the same back-test, for 30 days. ${NEEDS_MORE}`,
    answers: 'The back-test was there already.',
    created: 'The back-test was begun.',
    codes: ['CANNOT_BE_TESTED', 'TOO_MANY_BACKTESTS'],
    example: BACKTESTS_EXAMPLES.startBacktest,
  },
  listBacktests: {
    tag,
    takes: BACKTESTS_TAKE.list,
    summary: 'Back-tests of the last 30 days',
    description: `Newest first, without their results. ${NEEDS}`,
    answers: 'Back-tests.',
    codes: [],
    example: BACKTESTS_EXAMPLES.listBacktests,
  },
  findBacktest: {
    tag,
    takes: BACKTESTS_TAKE.find,
    summary: 'One back-test, and its result',
    description: `If its work has died, it goes on from where it was written down last. ${NEEDS}`,
    answers: 'The back-test.',
    codes: ['NO_SUCH_BACKTEST'],
    example: BACKTESTS_EXAMPLES.findBacktest,
  },
  backtestOrders: {
    tag,
    takes: BACKTESTS_TAKE.orders,
    summary: 'Orders that the draft decides otherwise',
    description: `Newest first, of the first 1,000 of each kind. There are none before the back-test is done. ${NEEDS}`,
    headers: CONTENT_LANGUAGE,
    answers: 'A page of orders.',
    codes: ['NO_SUCH_BACKTEST'],
    example: BACKTESTS_EXAMPLES.backtestOrders,
  },
  stopBacktest: {
    tag,
    takes: BACKTESTS_TAKE.stop,
    summary: 'Stops a back-test',
    description: `One that has ended stays as it is. ${NEEDS_MORE}`,
    answers: 'The back-test.',
    codes: ['NO_SUCH_BACKTEST'],
    example: BACKTESTS_EXAMPLES.stopBacktest,
  },
} satisfies Readonly<Partial<Record<CallId, Operation>>>;
