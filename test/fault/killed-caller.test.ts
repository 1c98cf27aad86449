import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { startTcpProxy, type Fault } from '../support/tcp-proxy.ts';
import type { Sums } from './call-rows.ts';
import type { Maxima } from './orders.ts';
import { copyTemplate, counted, perform, prepareTemplate, rulesOf, subjectsOf } from './orders.ts';

const PROGRAM = join(import.meta.dirname, '../support/kill-caller-program.ts');

/** Where the caller is killed: before a step reaches the database, or once it has happened there. */
const MOMENTS: readonly Fault[] = ['request-late', 'answer-swallowed'];

/** After every hold of the template has been taken; holds last 15 minutes. */
const KILLED_AT = new Date('2026-03-02T10:00:00.000Z');
const NEXT_SECOND = new Date('2026-03-02T10:00:01.000Z');
const EXPIRED_AT = new Date('2026-03-02T10:15:00.000Z');

const NOTHING: Sums = { used: { amountMinor: 100, count: 1 }, held: { amountMinor: 50, count: 1 } };
const HELD: Sums = { used: { amountMinor: 100, count: 1 }, held: { amountMinor: 350, count: 2 } };
const EXPIRED: Sums = { used: { amountMinor: 100, count: 1 }, held: { amountMinor: 0, count: 0 } };

const ROWS: readonly {
  readonly what: string;
  readonly max: Maxima;
  readonly steps: readonly string[];
  readonly answer: string;
  readonly after: Sums;
}[] = [
  {
    what: 'a check that fits',
    max: {},
    steps: ['hold in the user’s document', 'hold in the merchant’s', 'complete'],
    answer: 'allowed',
    after: HELD,
  },
  {
    what: "a check that the merchant's rule refuses",
    max: { merchant: 449 },
    steps: ['hold in the user’s document', 'ask the merchant’s', 'withdraw'],
    answer: 'refused',
    after: NOTHING,
  },
];

const CASES = ROWS.flatMap((row, index) =>
  row.steps.flatMap((step, after) =>
    MOMENTS.map((fault) => ({
      ...row,
      step,
      after: { step: after, sums: row.after },
      fault,
      moment: fault === 'request-late' ? 'before' : 'after',
      name: `killed-${index}-${after}-${fault}`,
    })),
  ),
);

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, true, KILLED_AT));

/** Starts a caller and kills it at a step of its check. */
async function killCaller(name: string, max: Maxima, after: number, fault: Fault): Promise<void> {
  const proxy = await startTcpProxy(inject('mongodbUri'));
  proxy.set({ fault, after, times: 1 });
  const rules = JSON.stringify(rulesOf(max, true));
  const child = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', PROGRAM, proxy.uri, database.db.databaseName],
      ...[rules, name, KILLED_AT.toISOString()],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let answer = '';
  child.stdout.on('data', (text: Buffer) => (answer += text.toString()));
  const exited = once(child, 'exit');
  await Promise.race([proxy.met(), exited]);
  child.kill('SIGKILL');
  const [, signal] = (await exited) as [number | null, string | null]; // as Node documents the event
  proxy.stop();
  expect({ signal, answer }).toEqual({ signal: 'SIGKILL', answer: '' });
}

describe('a caller killed in the middle of a check over two documents', () => {
  it.concurrent.each(CASES)(
    '$what, $moment "$step": the rest expires by itself, never admits too much, and a repeat ends it',
    async ({ name, max, after, fault, answer }) => {
      const subjects = subjectsOf(name, true);
      await copyTemplate(database.db, name);
      await killCaller(name, max, after.step, fault);
      const limits = limitsOver(database.db, rulesOf(max, true));

      // Left alone, nothing of it counts once its hold is over.
      expect(await counted(limits, subjects, EXPIRED_AT)).toEqual([EXPIRED, EXPIRED]);

      // Meanwhile others get what is free, and no more.
      const room = Math.min(max.merchant ?? 999, 999) - 150;
      const greedy = checkOf({ orderId: 'greedy', subjects, amountMinor: room + 1 });
      expect(await limits.check(greedy, NEXT_SECOND)).toMatchObject({ kind: 'refused' });

      // The same order, asked again by another caller, is completed, taken over or refused.
      const repeat = await perform(limits, { call: 'check' }, subjects, NEXT_SECOND);
      expect(repeat).toMatchObject({ kind: answer });
      expect(await counted(limits, subjects, NEXT_SECOND)).toEqual([after.sums, after.sums]);
      const left = room - (answer === 'allowed' ? 300 : 0);
      const modest = checkOf({ orderId: 'modest', subjects, amountMinor: left });
      expect(await limits.check(modest, NEXT_SECOND)).toMatchObject({ kind: 'allowed' });
      const more = checkOf({ orderId: 'more', subjects, amountMinor: 1 });
      expect(await limits.check(more, NEXT_SECOND)).toMatchObject({ kind: 'refused' });
    },
  );
});
