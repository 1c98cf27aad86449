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
  untilMet,
} from '../support/broken-way.ts';
import { rulesOf, subjectsOf } from '../support/broken-orders.ts';
import { openHoldsOf } from '../support/held.ts';

const RULES = rulesOf({}, true);
const NOW = new Date('2026-03-02T10:00:00.000Z');

/**
 * The requests of a check over two documents that is one commit with its row. The subjects are new, and a
 * conditional update finds no document of theirs.
 */
const STEPS = [
  'read both documents',
  'make the merchant’s document, with the share',
  'make the user’s, with the hold',
  'read the ends of both chains',
  'write them',
  'add the row',
  'commit',
] as const;
/** Long enough for the driver to find the server again, and to abort what it left open. */
const BROKEN_MS = 2_000;
const COMMIT = STEPS.indexOf('commit');

const stepsBrokenBy = stepsBroken('oneCommitBreakages', STEPS);

const database = useDatabase();
const shortCommits = useShortCommits();
beforeAll(async () => {
  await makeIndexes(database.db);
  await makeIndexes(shortCommits.db);
});

function requestOf(name: string): Parameters<typeof checkOf>[0] {
  return { orderId: 'o-1', subjects: subjectsOf(name, true), amountMinor: 300 };
}

/** What is there of an order: its share in each document, its row, its places in chains. */
async function thereOf(db: Db, name: string): Promise<readonly boolean[]> {
  const documents = [`user:${name}`, `merchant:${name}`];
  const counters = db.collection<{ _id: string }>('counters');
  const chains = db.collection<{ _id: string }>('chains');
  const holds = documents.map(
    async (_id) => openHoldsOf(await counters.findOne({ _id })).length > 0,
  );
  const ends = documents.map(async (_id) => (await chains.findOne({ _id })) !== null);
  return Promise.all([
    ...holds,
    ...ends,
    ...documents.map(async (id) => (await rowsOf(db, id)) > 0),
  ]);
}

/** How many rows there are of a subject. */
function rowsOf(db: Db, subjectId: string): Promise<number> {
  return db.collection('audit').countDocuments({ subjectIds: subjectId, outcome: 'held' });
}

const ALL = [true, true, true, true, true, true];
const NONE = ALL.map(() => false);

/** An order that is asked again is held once, with one row in whole chains. */
async function expectWhole(db: Db, name: string, patienceMs: number, at?: Date): Promise<void> {
  const { limits } = sessionLimitsOver(db, RULES);
  const deadlineMs = Date.now() + patienceMs;
  const repeat = async (): Promise<unknown> => {
    try {
      return await limits.check(checkOf(requestOf(name)), at);
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      return repeat();
    }
  };
  expect(await repeat()).toMatchObject({ kind: 'allowed' });
  expect(await thereOf(db, name)).toEqual(ALL);
  expect(await rowsOf(db, `user:${name}`)).toBe(1);
  for (const document of [`user:${name}`, `merchant:${name}`])
    expect(await verifyChain(db, document, NOW)).toEqual({ rows: 1 });
}

describe('audit-1: a check over two documents and its audit row are both there or both absent', () => {
  it('sends the requests that are broken here', async () => {
    const name = 'whole';
    const way = await startOneCommitWay(database.db, RULES, 20_000);
    way.proxy.set({ fault: 'request-lost', after: Infinity, times: 0 });
    await way.limits.check(checkOf(requestOf(name)));
    expect(way.proxy.requestCount()).toBe(STEPS.length);
    await way.stop();
    expect(await thereOf(database.db, name)).toEqual(ALL);
  });

  it.each(ALL_FAULTS)('whichever step breaks by %s', async (fault) => {
    await fewAtATime(stepsBrokenBy(fault), STEPS.length, async (after) => {
      const name = `${fault}-${after}`;
      const way = await startOneCommitWay(database.db, RULES, BROKEN_MS);
      const ended = await untilMet(way.proxy, { fault, after, times: 1 }, () =>
        way.limits.check(checkOf(requestOf(name))),
      );
      expect(way.proxy.faultCount()).toBe(1);
      const there = await thereOf(database.db, name);
      expect({ fault, step: STEPS[after], there }).toEqual({
        fault,
        step: STEPS[after],
        there: expect.toBeOneOf([ALL, NONE]) as unknown,
      });
      if (!(ended instanceof Error)) expect(there).toEqual(ALL);
      await way.proxy.release();
      const { answer } = await way.untilDecided((limits) => limits.check(checkOf(requestOf(name))));
      expect(answer).toMatchObject({ kind: 'allowed' });
      await way.stop();
      await expectWhole(database.db, name, 10_000);
    });
  });
});

describe('a caller killed in the middle of a commit', () => {
  const moments = [
    { after: 2, fault: 'answer-swallowed', there: NONE, moment: 'after' },
    { after: 4, fault: 'answer-swallowed', there: NONE, moment: 'after' },
    { after: 5, fault: 'answer-swallowed', there: NONE, moment: 'after' },
    { after: COMMIT, fault: 'request-late', there: NONE, moment: 'before' },
    { after: COMMIT, fault: 'answer-swallowed', there: ALL, moment: 'after' },
  ] as const;
  it.concurrent.each(someOf('killedInCommits', moments))(
    '$moment step $after leaves all or nothing to be seen, and what a repeat completes once the database has ended the commit',
    async ({ after, fault, there }) => {
      const { db, uri: databaseUri } = shortCommits;
      const name = `killed-${after}-${fault}`;
      const { isMet } = await killCaller({
        databaseUri,
        program: 'kill-caller',
        args: [
          ...[db.databaseName, JSON.stringify(RULES), name, NOW.toISOString()],
          ...[JSON.stringify({ call: 'check' }), 'one-commit'],
        ],
        after,
        fault,
      });
      expect(isMet).toBe(true);
      expect(await thereOf(db, name)).toEqual(there);
      await expectWhole(db, name, ABANDONED_MS, NOW);
    },
    2 * ABANDONED_MS,
  );
});
