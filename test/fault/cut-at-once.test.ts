/** A failover cuts all connections at once, whatever waits on them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mongoOneCommit } from '../../lib/audit/mongo-one-commit.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import { createClient } from '../../lib/mongo/client.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { auditedLimitsOver } from '../support/audit-fixture.ts';
import { rulesOf, subjectsOf } from '../support/broken-orders.ts';
import { untilDecided } from '../support/broken-way.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { timed } from '../support/elapsed.ts';
import { checkOf, orderOf } from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { PATIENCE_MS } from '../support/patient-counters.ts';

const RULES = rulesOf({}, true);
const CALLERS = 4;
/** Far more than a call takes whose driver finds its server at once, on a busy machine, too. */
const TIMEOUT_MS = 5_000;
/** Longer than the pause after a heartbeat, in which the driver begins no other one; in milliseconds. */
const AFTER_HEARTBEAT_MS = 600;
const NO_TRAP = { fault: 'request-lost', after: Infinity, times: 0 } as const;

const database = useDatabase();
let proxy: TcpProxy;
let client: MongoClient;

beforeAll(async () => {
  await makeIndexes(database.db);
  proxy = await startTcpProxy(inject('mongodbUri'));
  // As in a function: where members send heartbeats by themselves, none can be lost.
  client = createClient(`${proxy.uri}&serverMonitoringMode=poll`, TIMEOUT_MS);
});
afterAll(async () => {
  proxy.stop();
  await client.close();
});

function limitsOf(mode: 'best-effort' | 'session') {
  const db = client.db(database.db.databaseName);
  const options = { timeoutMs: TIMEOUT_MS };
  const counters = mongoCounters(storedCounters(db), options);
  const oneCommit = mode === 'session' ? mongoOneCommit(db, 400, options) : undefined;
  return auditedLimitsOver(db, RULES, { counters, oneCommit }).limits;
}

/** Requests that pass before all that are under way wait, and are cut: of four callers, some of each step. */
const PASSED = [0, 5, 14, 23, 32];

describe.each(['best-effort', 'session'] as const)(
  'with AUDIT=%s all connections are cut',
  (mode) => {
    it.each(PASSED)('after %i requests: each call is soon decided, or UNDECIDED', async (after) => {
      const limits = limitsOf(mode);
      const refused: unknown[] = [];
      let slowestMs = 0;
      const decide = (call: () => Promise<unknown>) =>
        untilDecided(async () => {
          const { result, ms } = await timed(() => call().catch((error: unknown) => error));
          slowestMs = Math.max(slowestMs, ms);
          if (!(result instanceof Error)) return;
          if (!(result instanceof UndecidedError)) refused.push(result);
          throw result;
        });
      const orders = Array.from({ length: CALLERS }, (_, index) => `${mode}-${after}-${index}`);
      const pay = async (name: string): Promise<void> => {
        const subjects = subjectsOf(name, true);
        await decide(() => limits.check(checkOf({ orderId: name, subjects, amountMinor: 300 })));
        await decide(() => limits.confirm(orderOf(name, subjects)));
        const refund = { ...orderOf(name, subjects), refundId: 'r', amountMinor: 100 };
        await decide(() => limits.refund(refund));
      };
      proxy.set({ fault: 'answer-swallowed', after, times: CALLERS });
      const paying = Promise.all(orders.map(pay));
      await expect
        .poll(() => proxy.faultCount(), { timeout: PATIENCE_MS, interval: 5 })
        .toBe(CALLERS);
      await proxy.quiet();
      await sleep(AFTER_HEARTBEAT_MS);
      proxy.set(NO_TRAP);
      proxy.cut();
      await paying;
      expect(refused).toEqual([]);
      expect(slowestMs).toBeLessThan(TIMEOUT_MS);
      for (const name of orders) {
        const { rules } = await limits.usage({
          appId: 'default',
          subjects: subjectsOf(name, true),
        });
        expect(rules).toMatchObject([
          { used: { amountMinor: 200, count: 1 }, held: { amountMinor: 0, count: 0 } },
          // A share beside home counts for nobody, and expires.
          {
            used: { amountMinor: 200, count: 1 },
            held: { count: expect.toBeOneOf([0, 1]) as unknown },
          },
        ]);
      }
    });
  },
);
