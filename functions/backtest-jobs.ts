import type { BacktestBook } from '../lib/backtest/jobs/backtest-book.ts';
import { createBacktestBook } from '../lib/backtest/jobs/backtest-book.ts';
import { mongoJobs } from '../lib/backtest/jobs/mongo-jobs.ts';
import { examineOn, openOn } from '../lib/backtest/jobs/mongo-questions.ts';
import type { SliceContext } from '../lib/backtest/jobs/slice.ts';
import { invokerOf } from '../lib/edge/invoke.ts';
import { asking } from '../lib/mongo/client.ts';
import { isPassing } from '../lib/mongo/failure.ts';
import type { Service } from './service.ts';
import { VERSION } from './version.ts';

type Over = Pick<Service, 'db' | 'settings'>;

/** Puts the back-tests of a service's database together. */
export function backtestBookOf(
  { db, settings }: Over,
  startWork: (id: string) => Promise<void> = starting(settings),
): BacktestBook {
  return createBacktestBook({
    store: mongoJobs(db, settings.storeTimeoutMs),
    examine: (question) => asking(db, settings.storeTimeoutMs)(() => examineOn(db, question)),
    startWork,
  });
}

/** Puts together the work on back-tests in a service's database. */
export function workOf({ db, settings }: Over): {
  readonly context: Pick<SliceContext, 'store' | 'open' | 'isPassing' | 'version'>;
  readonly startWork: (id: string) => Promise<void>;
} {
  const { work: store } = mongoJobs(db, settings.storeTimeoutMs);
  return {
    context: {
      store,
      open: ({ question }) => openOn(db, question),
      isPassing,
      version: VERSION,
    },
    startWork: starting(settings),
  };
}

function starting({ backtestFunction }: Over['settings']): (id: string) => Promise<void> {
  const invoke = invokerOf(backtestFunction);
  return (id) => invoke({ id });
}
