/**
 * Calls the functions so many times, some at once, and prints what is left of it after each tenth: of how
 * many calls the event or the answer is still there after a collection, bytes of the heap, timers and
 * listeners. Run with --expose-gc.
 * Arguments: address, database, number of calls.
 */
import { setTimeout } from 'node:timers/promises';
import * as handlers from '../../functions/handlers.ts';
import { readSettings } from '../../lib/edge/settings.ts';
import { createTelemetry } from '../../lib/http/telemetry.ts';
import { createClient } from '../../lib/mongo/client.ts';
import { serviceOver } from '../../functions/service.ts';

const [uri = '', database = '', calls = '0'] = process.argv.slice(2);
const AT_ONCE = 16;
const SUBJECTS = 50;

const settings = readSettings({
  MONGODB_URI: uri,
  MONGODB_DATABASE: database,
  LOG_LEVEL: 'SILENT',
  AUDIT: 'off',
  NEAR: 'off',
  STORE_TIMEOUT_MS: '20000',
});
const client = createClient(uri, settings.storeTimeoutMs);
const service = serviceOver(client, settings, createTelemetry(settings));
const check = handlers.check(service);
const confirm = handlers.confirm(service);
const rollback = handlers.rollback(service);

/** Events and answers that nothing has collected yet. */
let uncollected = 0;
const collected = new FinalizationRegistry(() => {
  uncollected -= 1;
});

/** Calls a function, and notes what came and went. */
async function call(handler: typeof check, event: object, order: number): Promise<void> {
  const context = { awsRequestId: `r-${order}` };
  for (const passing of [event, context, await handler(event, context)]) {
    uncollected += 1;
    collected.register(passing, undefined);
  }
}

/** One order's life, of three calls, the last of them a mistake now and then. */
async function live(order: number): Promise<void> {
  const name = { orderId: `o-${order}`, subjects: { user: `u-${order % SUBJECTS}` } };
  await call(check, { ...name, amount: 1, currency: 'CNY' }, order);
  await call(order % 2 === 0 ? confirm : rollback, { ...name }, order);
  await call(confirm, order % 3 === 0 ? { ...name, amount: -1 } : { ...name }, order);
}

async function left() {
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.();
    await setTimeout(1); // what was collected is told in a turn of its own
  }
  const resources = process.getActiveResourcesInfo();
  return {
    uncollected,
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
  process.stdout.write(`${JSON.stringify(await left())}\n`);
}
await client.close();
