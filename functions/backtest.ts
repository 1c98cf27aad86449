import { createBacktestHandler } from '../lib/edge/backtest-handler.ts';
import { workOf } from './backtest-jobs.ts';
import { startService } from './service.ts';

const { context, startWork } = workOf(startService(process.env, 'unread'));

/** Works on a back-test, by direct invocation: `{ "id": … }`. */
export const handler = createBacktestHandler(context, startWork);
