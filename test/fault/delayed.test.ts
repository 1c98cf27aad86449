import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { UndecidedError } from '../../lib/domain/errors.ts';
import { createClient } from '../../lib/store/client.ts';
import { COUNTERS } from '../../lib/store/mongo-counter-store.ts';
import { mongoCounters } from '../../lib/store/mongo-counters.ts';
import type { CounterDocument } from '../../lib/store/mongo-counter-store.ts';
import { startBreakingProxy } from '../support/breaking-proxy.ts';
import { useDatabase } from '../support/database.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { untilDecided } from './broken-way.ts';
import type { Act, Sums } from './call-rows.ts';
import { copyTemplate, counted, perform, prepareTemplate, rulesOf, subjectsOf } from './orders.ts';

const TIMEOUT_MS = 500;
/** Long after the call was given up, and within the time in which the caller asks again. */
const DELAY_MS = 900;

const HELD: Sums = { used: { amountMinor: 100, count: 1 }, held: { amountMinor: 350, count: 2 } };
const USED: Sums = { used: { amountMinor: 400, count: 2 }, held: { amountMinor: 50, count: 1 } };
const NOTHING: Sums = { used: { amountMinor: 100, count: 1 }, held: { amountMinor: 50, count: 1 } };

const CHECK = { call: 'check' } as const;
const CAPTURE = { call: 'check', capture: true } as const;

/** Calls over two documents, and the number of their requests. */
const ROWS: readonly {
  readonly before: readonly Act[];
  readonly act: Act;
  readonly requests: number;
  readonly answer: object;
  readonly after: Sums;
}[] = [
  { before: [], act: CHECK, requests: 3, answer: { kind: 'allowed', state: 'held' }, after: HELD },
  {
    ...{ before: [], act: CAPTURE, requests: 4 },
    ...{ answer: { kind: 'allowed', state: 'confirmed' }, after: USED },
  },
  {
    ...{ before: [CHECK], act: { call: 'confirm' }, requests: 2 },
    ...{ answer: { amountMinor: 300, late: false }, after: USED },
  },
  { before: [CHECK], act: { call: 'rollback' }, requests: 2, answer: {}, after: NOTHING },
];

const CASES = ROWS.flatMap((row, index) =>
  Array.from({ length: row.requests }, (_, after) => ({
    ...{ ...row, after, sums: row.after, name: `delayed-${index}-${after}` },
  })),
);

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, true));

describe('an answer that comes long after its call was given up', () => {
  it.concurrent.each(CASES)(
    '$act, answer $after: the call is undecided, its repeat is right, and no other call gets that answer',
    async ({ before, act, after, answer, sums, name }) => {
      const subjects = subjectsOf(name, true);
      await copyTemplate(database.db, name);
      for (const earlier of before)
        await perform(limitsOver(database.db, rulesOf({}, true)), earlier, subjects);
      const proxy = await startBreakingProxy(inject('mongodbUri'), `:${name}`);
      const client = createClient(proxy.uri, TIMEOUT_MS);
      const db = client.db(database.db.databaseName);
      const counters = mongoCounters(db.collection<CounterDocument>(COUNTERS), {
        timeoutMs: TIMEOUT_MS,
      });
      const limits = limitsOver(db, rulesOf({}, true), { counters });
      await untilDecided(() => counted(limits, subjectsOf('nobody', true)));

      proxy.delayAnswer(after, DELAY_MS);
      await expect(perform(limits, act, subjects)).rejects.toBeInstanceOf(UndecidedError);
      expect(proxy.delayed()).toEqual({ isKept: true, isPassedOn: false });
      const others = async () => {
        for (let number = 0; !proxy.delayed().isPassedOn || number < 3; number++) {
          const order = { orderId: `other-${number}`, subjects: { user: `${name}-other` } };
          const { answer: other } = await untilDecided(() =>
            limits.check(checkOf({ ...order, amountMinor: 7 + number, dryRun: true })),
          );
          expect(other).toMatchObject({ kind: 'allowed', repeated: false, state: 'none' });
          await sleep(20);
        }
      };
      const [repeat] = await Promise.all([
        untilDecided(() => perform(limits, act, subjects)),
        others(),
      ]);
      expect(repeat.answer).toMatchObject(answer);
      expect(await counted(limitsOver(database.db, rulesOf({}, true)), subjects)).toEqual([
        sums,
        sums,
      ]);
      proxy.stop();
      await client.close(true);
    },
  );
});
