import { beforeAll, describe, expect, inject, it } from 'vitest';
import { ABANDONED_MS, useDatabase, useShortCommits } from '../support/database.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { someOf } from '../support/extent.ts';
import { killCaller } from '../support/kill-caller.ts';
import { untilDecided } from '../support/broken-way.ts';
import {
  ATOMIC_CALLS,
  copySubjects,
  countedOfAll,
  MANY_CALLS,
  MANY_RULES,
  NOTHING_OF_ALL,
  performMany,
  subjectsIn,
} from './many-rows.ts';
import { lastOf, NOTHING, prepareTemplate } from '../support/broken-orders.ts';

/** After every hold of the template has been taken; holds last 15 minutes. */
const KILLED_AT = new Date('2026-03-02T10:00:00.000Z');
const NEXT_SECOND = new Date('2026-03-02T10:00:01.000Z');
/** A share beside home outlives home's hold by a second. */
const EXPIRED_AT = new Date('2026-03-02T10:15:02.000Z');

const EXPIRED = lastOf(NOTHING);

/**
 * Requests of a call of four orders over three documents: both kinds read, the merchant's asked to decide
 * (together they exceed its maximum), the users' asked three times, since an order that is the user's
 * alone was not read before, and home looked at once more for the order that was refused.
 */
const STEPS = [0, 1, 2, 3, 4, 5].map((after) => ({ after, name: `killed-many-${after}` }));

/** Requests of an atomic call of three orders: all documents read, three updates, the commit. */
const COMMIT = 4;

const database = useDatabase();
const shortCommits = useShortCommits();
beforeAll(async () => {
  await prepareTemplate(database.db, true, KILLED_AT);
  await prepareTemplate(shortCommits.db, true, KILLED_AT);
});

describe('a caller of many orders killed in the middle', () => {
  const [row] = MANY_CALLS;
  if (row === undefined) throw new Error('there is such a row');

  it.concurrent.each(someOf('killedCallersOfMany', STEPS))(
    'after request $after: the rest expires by itself, and a repeat by another caller ends every order',
    async ({ after, name }) => {
      await copySubjects(database.db, name);
      const { isMet } = await killCaller({
        databaseUri: inject('mongodbUri'),
        program: 'kill-many',
        args: [database.db.databaseName, JSON.stringify(row.act), name, KILLED_AT.toISOString()],
        after,
        fault: 'answer-swallowed',
      });
      expect(isMet).toBe(true);
      const limits = limitsOver(database.db, MANY_RULES);
      const left = await countedOfAll(limits, name, [], EXPIRED_AT);
      expect(left.after).toEqual([EXPIRED, EXPIRED, EXPIRED]);
      const subjects = subjectsIn(name, 'o-1');
      const greedy = checkOf({ orderId: 'greedy', subjects, amountMinor: 651 });
      expect(await limits.check(greedy, NEXT_SECOND)).toMatchObject({ kind: 'refused' });
      const answers = await performMany(limits, row.act, name, NEXT_SECOND);
      const ending = await countedOfAll(limits, name, answers, NEXT_SECOND);
      expect([row.ending, ...(row.orElse ?? [])]).toContainEqual(ending);
    },
  );
});

describe('a caller of an atomic call killed in the middle', () => {
  const [row] = ATOMIC_CALLS;
  if (row === undefined) throw new Error('there is such a row');

  const moments = [
    { after: 1, fault: 'answer-swallowed', there: NOTHING_OF_ALL, moment: 'after' },
    { after: 3, fault: 'answer-swallowed', there: NOTHING_OF_ALL, moment: 'after' },
    { after: COMMIT, fault: 'request-late', there: NOTHING_OF_ALL, moment: 'before' },
    { after: COMMIT, fault: 'answer-swallowed', there: row.ending.after, moment: 'after' },
  ] as const;
  it.concurrent.each(someOf('killedInManyCommits', moments, 1))(
    '$moment request $after: all is held or nothing, and a repeat holds all once the database has ended the commit',
    async ({ after, fault, there }) => {
      const { db, uri: databaseUri } = shortCommits;
      const name = `killed-atomic-${after}-${fault}`;
      await copySubjects(db, name);
      const { isMet } = await killCaller({
        databaseUri,
        program: 'kill-many',
        args: [db.databaseName, JSON.stringify(row.act), name, KILLED_AT.toISOString()],
        after,
        fault,
      });
      expect(isMet).toBe(true);
      const limits = limitsOver(db, MANY_RULES);
      expect((await countedOfAll(limits, name, [], NEXT_SECOND)).after).toEqual(there);
      const { answer } = await untilDecided(() => performMany(limits, row.act, name, NEXT_SECOND));
      expect(await countedOfAll(limits, name, answer, NEXT_SECOND)).toEqual(row.ending);
    },
    2 * ABANDONED_MS,
  );
});
