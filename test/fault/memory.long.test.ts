import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { times } from '../support/extent.ts';
import { replaceRules } from '../support/stored-rules.ts';

const PROGRAM = join(import.meta.dirname, '../support/memory-program.ts');

const CALLS = times('callsOfAFunction');

/** What may be left of calls, however many there were: the last ones of each connection and each caller. */
const UNCOLLECTED_MAX = 100;

/** What a heap may grow by for other reasons: compiled code, caches that fill once. */
const HEAP_GROWTH_MAX = 1.25;

const database = useDatabase();

/** What is left after a tenth of the calls; see the program. */
type Left = {
  readonly uncollected: number;
  readonly heapBytes: number;
  readonly timers: number;
  readonly listeners: number;
  readonly processListeners: number;
};

it(
  `a function is after ${CALLS} calls as it was after a fifth of them: what calls had, heap, timers, listeners`,
  async () => {
    await replaceRules(database.db, [
      { id: 'life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: 10 ** 9 } },
    ]);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        ...['--expose-gc', '--import', 'tsx', PROGRAM],
        ...[inject('mongodbUri'), database.db.databaseName, String(CALLS)],
      ],
      { env: { ...process.env, POWERTOOLS_METRICS_DISABLED: 'true' } },
    );
    const tenths = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Left); // the program prints nothing else
    const [, early] = tenths;
    const late = tenths.at(-1);
    if (early === undefined || late === undefined) throw new Error('the program prints ten lines');
    process.stderr.write(
      `memory: ${early.heapBytes} bytes early, ${late.heapBytes} late; of calls ${late.uncollected}\n`,
    );
    expect(late.uncollected).toBeLessThan(UNCOLLECTED_MAX);
    // A closure kept of each call, some 100 bytes, is seen in the whole long extent, and a buffer in a share.
    expect(late.heapBytes / early.heapBytes).toBeLessThan(HEAP_GROWTH_MAX);
    expect(late.timers).toBeLessThanOrEqual(early.timers + 5);
    expect(late.listeners).toBe(early.listeners);
    expect(late.processListeners).toBe(early.processListeners);
  },
  CALLS * 20 + 60_000,
);
