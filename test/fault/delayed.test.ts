import { beforeAll, describe, expect, inject, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { createClient } from '../../lib/mongo/client.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { useDatabase } from '../support/database.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { untilDecided, withUpTo } from '../support/broken-way.ts';
import type { Act, Sums } from '../support/broken-orders.ts';
import {
  CAPTURE,
  CHECK,
  CONFIRM,
  copyTemplate,
  counted,
  HELD,
  NOTHING,
  perform,
  prepareTemplate,
  ROLLBACK,
  rulesOf,
  subjectsOf,
  USED,
} from '../support/broken-orders.ts';

/** When a call is given up; long, so that a busy machine gives up none whose answers all come. */
const TIMEOUT_MS = 1_500;

/** Calls over two documents, and the number of their requests. */
// prettier-ignore
const ROWS: readonly { before: readonly Act[]; act: Act; requests: number; answer: object; after: Sums }[] = [
  { before: [],      act: CHECK,    requests: 2, answer: { kind: 'allowed', state: 'held' },      after: HELD },
  { before: [],      act: CAPTURE,  requests: 3, answer: { kind: 'allowed', state: 'confirmed' }, after: USED },
  { before: [CHECK], act: CONFIRM,  requests: 2, answer: { amount: 300, late: false },       after: USED },
  { before: [CHECK], act: ROLLBACK, requests: 2, answer: {},                                      after: NOTHING },
];

const CASES = ROWS.flatMap((row, index) =>
  Array.from({ length: row.requests }, (_, after) => ({
    ...row,
    after,
    sums: row.after,
    name: `delayed-${index}-${after}`,
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
      const proxy = await startTcpProxy(inject('mongodbUri'));
      const client = createClient(proxy.uri, TIMEOUT_MS);
      const db = client.db(database.db.databaseName);
      const counters = mongoCounters(db.collection<CounterDocument>(COUNTERS), {
        timeoutMs: TIMEOUT_MS,
      });
      const limits = limitsOver(db, rulesOf({}, true), { counters });
      await untilDecided(() => counted(limits, subjectsOf('nobody', true)));

      proxy.set({ fault: 'answer-late', about: `:${name}`, after, times: 1 });
      await expect(perform(limits, act, subjects)).rejects.toBeInstanceOf(UndecidedError);
      expect(proxy.faultCount()).toBe(1);
      // It arrives while the caller asks again, and others ask before and afterwards.
      const others = async () => {
        for (let number = 0; number < 6; number++) {
          if (number === 2) await proxy.release();
          const order = { orderId: `other-${number}`, subjects: { user: `${name}-other` } };
          const { answer: other } = await untilDecided(() =>
            limits.check(checkOf({ ...order, amountMinor: 7 + number, dryRun: true })),
          );
          expect(other).toMatchObject({ kind: 'allowed', repeated: false, state: 'none' });
        }
      };
      const [repeat] = await Promise.all([
        untilDecided(() => perform(limits, act, subjects)),
        others(),
      ]);
      expect(repeat.answer).toMatchObject(answer);
      const [home, other] = await counted(limitsOver(database.db, rulesOf({}, true)), subjects);
      expect(home).toEqual(sums);
      // A check that was given up once more, on a busy machine, may have left a share beside home.
      expect(other).toEqual(withUpTo(act.call === 'check' ? repeat.undecided : 0, sums));
      proxy.stop();
      await client.close(true);
    },
  );
});
