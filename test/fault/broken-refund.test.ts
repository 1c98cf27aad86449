import type { Db } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyChain } from '../../lib/audit/mongo-chain.ts';
import { sessionLimitsOver } from '../support/audit-fixture.ts';
import { ABANDONED_MS, makeIndexes, useDatabase, useShortCommits } from '../support/database.ts';
import { someOf } from '../support/extent.ts';
import { killCaller } from '../support/kill-caller.ts';
import { checkOf } from '../support/limits-fixture.ts';
import {
  ALL_FAULTS,
  fewAtATime,
  startOneCommitWay,
  stepsBroken,
  untilDecided,
  untilMet,
} from '../support/broken-way.ts';
import { counted, rulesOf, subjectsOf } from '../support/broken-orders.ts';

const RULES = rulesOf({}, true);
const NOW = new Date('2026-03-02T10:00:00.000Z');

/** The requests of a refund over two documents. */
const STEPS = [
  'read the rows of the order',
  'make the ledger, and read it',
  'add the refund to it',
  'read the user’s document',
  'give back there',
  'read the merchant’s',
  'give back there',
  'read the ends of both chains',
  'write them',
  'add the row',
  'commit',
] as const;
/** Long enough for the driver to find the server again, and to abort what it left open. */
const BROKEN_MS = 2_000;
const COMMIT = STEPS.indexOf('commit');

const stepsBrokenBy = stepsBroken('refundBreakages', STEPS);

const database = useDatabase();
const shortCommits = useShortCommits();
beforeAll(async () => {
  await makeIndexes(database.db);
  await makeIndexes(shortCommits.db);
});

/** A refund of 1.00 of the 3.00 that were counted. */
function refundOf(orderId: string) {
  const whereabouts = { kind: 'recorded' } as const;
  return { appId: 'default', orderId, refundId: 'r-1', amountMinor: 100, whereabouts };
}

async function paid(db: Db, name: string): Promise<void> {
  const { limits } = sessionLimitsOver(db, RULES);
  const subjects = subjectsOf(name, true);
  const order = { orderId: name, subjects, amountMinor: 300, capture: true };
  await limits.check(checkOf(order), NOW);
}

/** What the user's and the merchant's document count, and how many refunds ledger and audit have. */
async function thereOf(db: Db, name: string): Promise<readonly unknown[]> {
  const { limits, rowsOf } = sessionLimitsOver(db, RULES);
  const sums = await counted(limits, subjectsOf(name, true), NOW);
  const ledger = await db
    .collection<{ _id: string; refunds: unknown[] }>('refunds')
    .findOne({ _id: { $regex: `^default:${name}:` } });
  const rows = await rowsOf(name);
  return [
    ...sums.map(({ used }) => used?.amountMinor),
    ledger?.refunds.length ?? 0,
    rows.filter(({ outcome }) => outcome === 'refunded').length,
  ];
}

const DONE = [200, 200, 1, 1];
const NONE = [300, 300, 0, 0];

describe('a refund over two documents', () => {
  it('sends the requests that are broken here', async () => {
    await paid(database.db, 'whole');
    const way = await startOneCommitWay(database.db, RULES, 20_000);
    way.proxy.set({ fault: 'request-lost', after: Infinity, times: 0 });
    await way.limits.refund(refundOf('whole'), NOW);
    expect(way.proxy.requestCount()).toBe(STEPS.length);
    await way.stop();
    expect(await thereOf(database.db, 'whole')).toEqual(DONE);
  });

  it.each(ALL_FAULTS)(
    'is there or absent, and repeated made once, whichever step breaks by %s',
    async (fault) => {
      await fewAtATime(stepsBrokenBy(fault), STEPS.length, async (after) => {
        const name = `${fault}-${after}`;
        await paid(database.db, name);
        const way = await startOneCommitWay(database.db, RULES, BROKEN_MS);
        const trap = { fault, after, times: 1 };
        const ended = await untilMet(way.proxy, trap, () => way.limits.refund(refundOf(name), NOW));
        expect(way.proxy.faultCount()).toBe(1);
        const there = await thereOf(database.db, name);
        expect({ step: STEPS[after], there }).toEqual({
          step: STEPS[after],
          there: expect.toBeOneOf([DONE, NONE]) as unknown,
        });
        if (!(ended instanceof Error)) expect(there).toEqual(DONE);
        await way.proxy.release();
        const { answer } = await way.untilDecided((limits) => limits.refund(refundOf(name), NOW));
        expect(answer).toMatchObject({ refunded: 100, remaining: 200 });
        await way.stop();
        expect(await thereOf(database.db, name)).toEqual(DONE);
        for (const document of [`user:${name}`, `merchant:${name}`])
          expect(await verifyChain(database.db, document, NOW)).toEqual({ rows: 2 });
      });
    },
  );

  const moments = [
    { after: 2, fault: 'answer-swallowed', there: NONE, moment: 'after' },
    { after: 8, fault: 'answer-swallowed', there: NONE, moment: 'after' },
    { after: COMMIT, fault: 'request-late', there: NONE, moment: 'before' },
    { after: COMMIT, fault: 'answer-swallowed', there: DONE, moment: 'after' },
  ] as const;
  it.concurrent.each(someOf('killedInRefunds', moments, 1))(
    'leaves all or nothing where its caller is killed $moment step $after, and what a repeat completes once the database has ended the commit',
    async ({ after, fault, there }) => {
      const { db, uri: databaseUri } = shortCommits;
      const name = `killed-${after}-${fault}`;
      await paid(db, name);
      const { isMet } = await killCaller({
        databaseUri,
        program: 'kill-refund',
        args: [db.databaseName, name, NOW.toISOString()],
        after,
        fault,
      });
      expect(isMet).toBe(true);
      expect(await thereOf(db, name)).toEqual(there);
      const { limits } = sessionLimitsOver(db, RULES);
      const { answer } = await untilDecided(() => limits.refund(refundOf(name), NOW));
      expect(answer).toMatchObject({ repeated: there === DONE, refunded: 100 });
      expect(await thereOf(db, name)).toEqual(DONE);
    },
    2 * ABANDONED_MS,
  );
});
