import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { replaceRules } from '../../lib/store/rules.ts';
import { useDatabase } from '../support/database.ts';

const PROGRAM = join(import.meta.dirname, '../support/memory-program.ts');

/** HEADROOM_LONG=1 takes its time: 100,000 calls. */
const CALLS = process.env.HEADROOM_LONG === undefined ? 10_000 : 100_000;

/** What a heap may differ by for other reasons: compiled code, caches that fill once. */
const HEAP_NOISE_BYTES = 4_000_000;

const database = useDatabase();

/** What is left after a tenth of the calls; see the program. */
type Left = {
  readonly heapBytes: number;
  readonly timers: number;
  readonly listeners: number;
  readonly processListeners: number;
};

it(
  `a function is after ${CALLS} calls as it was after a fifth of them: heap, timers, listeners`,
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
    process.stderr.write(`memory: ${early.heapBytes} bytes early, ${late.heapBytes} late\n`);
    // A leak of one closure a call, some 100 bytes, would be seen in the long mode; of a buffer, here.
    expect(late.heapBytes - early.heapBytes).toBeLessThan(HEAP_NOISE_BYTES);
    expect(late.timers).toBeLessThanOrEqual(early.timers + 5);
    expect(late.listeners).toBe(early.listeners);
    expect(late.processListeners).toBe(early.processListeners);
  },
  CALLS * 20 + 60_000,
);
