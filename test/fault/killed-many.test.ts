import { beforeAll, describe, expect, inject, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { killCaller } from '../support/kill-caller.ts';
import type { Sums } from './call-rows.ts';
import type { ManyRow } from './many-rows.ts';
import {
  ATOMIC_CALLS,
  copySubjects,
  countedOfAll,
  MANY_CALLS,
  MANY_RULES,
  performMany,
  subjectsIn,
} from './many-rows.ts';
import { prepareTemplate } from './orders.ts';

/** After every hold of the template has been taken; holds last 15 minutes. */
const KILLED_AT = new Date('2026-03-02T10:00:00.000Z');
const NEXT_SECOND = new Date('2026-03-02T10:00:01.000Z');
const EXPIRED_AT = new Date('2026-03-02T10:15:00.000Z');

const EXPIRED: Sums = { used: { amountMinor: 100, count: 1 }, held: { amountMinor: 0, count: 0 } };

/** Updates of a call of four orders over three documents. */
const STEPS = { many: [0, 1, 2, 3, 4, 5, 6], atomic: [0, 1, 2, 3, 4, 5] } as const;

/** Where the caller is killed: once a step has happened in the database, before it hears of it. */
const casesOf = (row: ManyRow | undefined, which: keyof typeof STEPS) =>
  STEPS[which].map((after) => ({ row, after, name: `killed-${which}-${after}` }));

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, true, KILLED_AT));

/** Kills a caller; what it left expires by itself and admits nobody else beyond the maximum. */
async function playKilled(row: ManyRow | undefined, name: string, after: number) {
  if (row === undefined) throw new Error('there is such a row');
  await copySubjects(database.db, name);
  const { isMet } = await killCaller({
    databaseUri: inject('mongodbUri'),
    program: 'kill-many-program.ts',
    args: [database.db.databaseName, JSON.stringify(row.act), name, KILLED_AT.toISOString()],
    ...{ after, fault: 'answer-swallowed' },
  });
  const limits = limitsOver(database.db, MANY_RULES);
  const left = await countedOfAll(limits, name, [], EXPIRED_AT);
  expect(left.after).toEqual([EXPIRED, EXPIRED, EXPIRED]);
  const subjects = subjectsIn(name, 'o-1');
  const greedy = checkOf({ orderId: 'greedy', subjects, amountMinor: 651 });
  expect(await limits.check(greedy, NEXT_SECOND)).toMatchObject({ kind: 'refused' });
  return { isMet, limits };
}

describe('a caller of many orders killed in the middle', () => {
  it.concurrent.each(casesOf(MANY_CALLS[0], 'many'))(
    'after update $after: the rest expires by itself, and a repeat by another caller ends every order',
    async ({ row, after, name }) => {
      const { isMet, limits } = await playKilled(row, name, after);
      expect(isMet).toBe(true);
      if (row === undefined) throw new Error('there is such a row');
      const answers = await performMany(limits, row.act, name, NEXT_SECOND);
      const ending = await countedOfAll(limits, name, answers, NEXT_SECOND);
      expect([row.ending, ...(row.orElse ?? [])]).toContainEqual(ending);
    },
  );

  it.concurrent.each(casesOf(ATOMIC_CALLS[2], 'atomic'))(
    'after update $after of an atomic call: the rest expires by itself, and admits nobody beyond a maximum',
    async ({ row, after, name }) => {
      const { isMet } = await playKilled(row, name, after);
      expect(isMet).toBe(true);
    },
  );
});
