import type { Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditedLimitsOver, sessionLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf, sentDuring } from '../support/limits-fixture.ts';

/** As `createClient` has it: what a statement inherits from its client counts, too. */
const database = useDatabase({
  monitorCommands: true,
  writeConcern: { w: 'majority' },
  readConcern: { level: 'local' },
  readPreference: 'primary',
});
beforeAll(() => ensureIndexes(database.db));

const RULES: readonly ModelRule[] = [
  USER_DAY,
  { ...USER_DAY, id: 'merchant-day', per: ['merchant'] },
];
const WRITES: ReadonlySet<string> = new Set(['findAndModify', 'update', 'insert', 'delete']);

async function statementsOf(work: () => Promise<unknown>): Promise<readonly Document[]> {
  return (await sentDuring(database.client, work)).map(({ command }) => command);
}

/** Every operation on two documents, one order after the other. */
async function everything(limits: Limits, name: string): Promise<void> {
  const subjects = { user: name, merchant: name };
  const orders = ['a', 'b', 'c', 'd'].map((order) => `${name}-${order}`);
  const [confirmed = '', rolledBack = '', ...many] = orders;
  await limits.check(checkOf({ orderId: confirmed, subjects }));
  await limits.confirm(orderOf(confirmed, subjects));
  await limits.check(checkOf({ orderId: rolledBack, subjects }));
  await limits.rollback(orderOf(rolledBack, subjects));
  await limits.checkMany(
    many.map((orderId) => checkOf({ orderId, subjects })),
    true,
  );
}

const nameOf = (statement: Document): string => Object.keys(statement)[0] ?? '';

function concernsOf(statement: Document): Record<string, unknown> {
  const { writeConcern, readConcern } = statement as Record<string, unknown>;
  return { name: nameOf(statement), writeConcern, readConcern };
}

describe('every statement of a call', () => {
  it.each([
    {
      mode: 'CONSISTENCY=session',
      over: () => limitsOver(database.db, RULES, { inOneCommit: true }),
    },
    { mode: 'AUDIT=session', over: () => sessionLimitsOver(database.db, RULES).limits },
  ])('of $mode leaves its concerns to the commit', async ({ mode, over }) => {
    const statements = await statementsOf(() => everything(over(), mode));
    const parts = statements.filter(({ autocommit }) => autocommit === false);
    const commits = parts.filter((part) => nameOf(part) === 'commitTransaction');
    const inside = parts.filter((part) => nameOf(part) !== 'commitTransaction');
    expect(commits.length).toBeGreaterThan(3);
    expect(inside.length).toBeGreaterThan(commits.length);
    // The driver itself adds how long it waits for them.
    for (const commit of commits)
      expect(concernsOf(commit)).toMatchObject({ writeConcern: { w: 'majority' } });
    for (const part of inside)
      expect(concernsOf(part)).toEqual({
        name: nameOf(part),
        writeConcern: undefined,
        readConcern: part.startTransaction === true ? { level: 'local' } : undefined,
      });
  });

  it('alone is written with write concern majority', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    const statements = await statementsOf(() => everything(limits, 'alone'));
    const writes = statements.filter(
      (statement) => WRITES.has(nameOf(statement)) && statement.autocommit === undefined,
    );
    expect(writes.length).toBeGreaterThan(10);
    for (const write of writes)
      expect(concernsOf(write)).toEqual({
        name: nameOf(write),
        writeConcern: { w: 'majority' },
        readConcern: undefined,
      });
  });

  it('alone that reads counters reads what a majority has, from the primary', async () => {
    const statements = await statementsOf(() => everything(limitsOver(database.db, RULES), 'read'));
    const reads = statements.filter((one) => one.find === COUNTERS && one.autocommit === undefined);
    expect(reads.length).toBeGreaterThan(1);
    for (const read of reads) {
      expect(read).toMatchObject({ readConcern: { level: 'majority' } });
      expect(read.$readPreference ?? { mode: 'primary' }).toEqual({ mode: 'primary' });
    }
  });
});

describe('a check that takes what fits', () => {
  const LIMITED = RULES.map((rule) => ({ ...rule, max: { amount: 1_000 } }));
  const ADD = 'findAndModify';
  // It makes a document, or reads the one that is there.
  const MAKE = 'findAndModify';
  const READ = 'find';

  it.each([
    {
      kinds: ['user'],
      taken: 600,
      sends: [ADD],
      got: 400,
      why: 'the whole amount fits',
    },
    {
      kinds: ['user'],
      taken: 700,
      sends: [ADD, MAKE, ADD],
      got: 300,
      why: 'the document is read, and takes what is left',
    },
    {
      kinds: ['user', 'merchant'],
      taken: 600,
      sends: [ADD, ADD],
      got: 400,
      why: 'both have room for all of it',
    },
    {
      kinds: ['user', 'merchant'],
      taken: 700,
      sends: [ADD, MAKE, READ, READ, READ, ADD, READ, ADD],
      got: 300,
      why: 'one refuses, home is looked at, and both are read before they agree',
    },
  ])(
    'of $kinds.length document(s) with $taken of 1,000 taken is $sends.length statements, because $why',
    async ({ kinds, taken, sends, got }) => {
      const name = `parts-${kinds.length}-${taken}`;
      const subjects = Object.fromEntries(kinds.map((kind) => [kind, name]));
      const limits = limitsOver(database.db, LIMITED);
      await limits.check(checkOf({ orderId: 'first', subjects, amountMinor: taken }));
      const asked = { subjects, amountMinor: 400, leastMinor: 1 };
      const statements = await statementsOf(async () => {
        const answer = await limits.check(checkOf({ orderId: 'second', ...asked }));
        expect(answer).toMatchObject({ part: { amount: got, asked: 400 } });
      });
      expect(statements.map(nameOf)).toEqual(sends);
    },
  );
});
