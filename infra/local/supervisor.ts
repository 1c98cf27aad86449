/**
 * The process that owns a local database: started by `startDatabase`, it locks the folder, starts
 * an engine, and stops it when it is asked to, or when the process that started it is gone, for
 * whatever reason.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Engine } from './engine.ts';
import { startEngine } from './engines.ts';
import { lockFolder } from './folder-lock.ts';
import type { News, Order } from './supervised-engine.ts';

/** How long an engine that is just being started may take to come to its senses. */
const GIVE_UP_SECONDS = 3;

const abort = new AbortController();
let engine: Engine | undefined;
let unlock: (() => Promise<void>) | undefined;
let stopping: Promise<void> | undefined;
let starting: Promise<void> | undefined;

function tell(news: News): void {
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
}

function report(line: string): void {
  tell({ kind: 'report', line });
}

async function start(order: Extract<Order, { kind: 'start' }>): Promise<void> {
  unlock = await lockFolder(order.folder);
  engine = await startEngine({ ...order, report, signal: abort.signal });
  const { uri, engine: name, version } = engine;
  tell({ kind: 'ready', uri, engine: name, version });
  void engine.ended.then(() => {
    if (stopping !== undefined) return;
    tell({ kind: 'lost' });
    void stop();
  });
}

/** Stops what runs, waits for what is just being started, gives the folder free, and ends. */
function stop(): Promise<void> {
  stopping ??= (async () => {
    abort.abort();
    // A download may take minutes more; what was started by then ends with this process.
    await Promise.race([starting?.catch(() => undefined), sleep(GIVE_UP_SECONDS * 1000)]);
    await engine?.stop().catch((error: unknown) => {
      report(`The database did not stop properly: ${messageOf(error)}`);
    });
    await unlock?.();
    process.exit(0);
  })();
  return stopping;
}

process.on('message', (order: Order) => {
  if (order.kind === 'stop') return void stop();
  starting = start(order);
  starting.catch((error: unknown) => {
    tell({ kind: 'failed', message: messageOf(error) });
    void stop();
  });
});
process.on('disconnect', () => void stop());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop());
