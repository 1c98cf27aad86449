/**
 * Calls the functions so many times, some at once, and prints what is left of it after each tenth: bytes
 * of the heap after a collection, and timers, connections and listeners. Run with --expose-gc.
 * Arguments: address, database, number of calls.
 */
import { checkCall, confirmCall, rollbackCall } from '../../lib/edge/calls.ts';
import { createHandler } from '../../lib/edge/handler.ts';
import { readSettings } from '../../lib/edge/settings.ts';
import { createTelemetry } from '../../lib/edge/telemetry.ts';
import { createClient } from '../../lib/store/client.ts';
import { serviceOver } from '../../functions/service.ts';

const [uri = '', database = '', calls = '0'] = process.argv.slice(2);
const AT_ONCE = 16;
const SUBJECTS = 50;

const settings = readSettings({
  MONGODB_URI: uri,
  MONGODB_DATABASE: database,
  LOG_LEVEL: 'SILENT',
  AUDIT: 'off',
  STORE_TIMEOUT_MS: '20000',
});
const client = createClient(uri, settings.storeTimeoutMs);
const service = serviceOver(client, settings, createTelemetry(settings));
const check = createHandler(checkCall(service.limits.check), service);
const confirm = createHandler(confirmCall(service.limits.confirm), service);
const rollback = createHandler(rollbackCall(service.limits.rollback), service);

/** One order's life, of three calls, the last of them a mistake now and then. */
async function live(order: number): Promise<void> {
  const context = { awsRequestId: `r-${order}` };
  const name = { orderId: `o-${order}`, subjects: { user: `u-${order % SUBJECTS}` } };
  await check({ ...name, amount: 1, currency: 'CNY' }, context);
  await (order % 2 === 0 ? confirm : rollback)(name, context);
  await confirm(order % 3 === 0 ? { ...name, amount: -1 } : name, context);
}

function left() {
  globalThis.gc?.();
  const resources = process.getActiveResourcesInfo();
  return {
    heapBytes: process.memoryUsage().heapUsed,
    timers: resources.filter((name) => name === 'Timeout').length,
    listeners: client.eventNames().reduce((sum, name) => sum + client.listenerCount(name), 0),
    processListeners: process
      .eventNames()
      .reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

const orders = Math.ceil(Number(calls) / 3);
let next = 0;
for (let tenth = 1; tenth <= 10; tenth++) {
  const end = Math.ceil((orders * tenth) / 10);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < end) await live(next++);
    }),
  );
  process.stdout.write(`${JSON.stringify(left())}\n`);
}
await client.close();
