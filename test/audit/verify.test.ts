import { describe, expect, inject, it } from 'vitest';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import type { AuditDocument } from '../../lib/audit/mongo-audit-store.ts';
import type { ChainDocument } from '../../lib/audit/mongo-chain.ts';
import { rowHash } from '../../lib/audit/chain.ts';
import { canonicalText } from '../../lib/shared/digest.ts';
import { verifyChain } from '../../lib/audit/mongo-chain.ts';
import { sessionLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf } from '../support/limits-fixture.ts';
import { runCommand } from '../support/run-command.ts';

const NOW = new Date('2026-12-01T00:00:00.000Z');
const AFTER_400_DAYS = new Date('2028-01-01T00:00:00.000Z');
const AT = new Date('2026-11-20T10:00:00.000Z');

const database = useDatabase({ withIndexes: true });
const rows = () => auditCollection(database.db);
const ends = () => database.db.collection<ChainDocument>('chains');

/** Five rows of one user, a second apart; gives their ids. */
async function chainOf(user: string): Promise<readonly string[]> {
  const { limits } = sessionLimitsOver(database.db, [USER_DAY]);
  for (let index = 0; index < 5; index++) {
    const at = new Date(AT.getTime() + index * 1_000);
    await limits.check(checkOf({ orderId: `${user}-${index}`, subjects: { user } }), at);
  }
  const found = await rows()
    .find({ 'links.document': `user:${user}` })
    .toArray();
  return found.sort((a, b) => a.at.getTime() - b.at.getTime()).map(({ _id }) => _id);
}

async function rowOf(id: string): Promise<AuditDocument> {
  const found = await rows().findOne({ _id: id });
  if (found === null) throw new Error('it is there');
  return found;
}

type Attack = (ids: readonly string[], user: string) => Promise<unknown>;
const at = (ids: readonly string[], index: number): string => ids[index] ?? '';

// prettier-ignore
const ATTACKS: readonly {
  readonly attack: string;
  readonly make: Attack;
  readonly says: Readonly<Record<string, unknown>>;
  readonly index?: number;
}[] = [
  { attack: 'an amount is changed', make: (ids) => rows().updateOne({ _id: at(ids, 2) }, { $set: { amountMinor: 1n } }), says: { kind: 'altered', sequence: 3 }, index: 2 },
  {
    attack: 'an amount is changed and the row hashed anew',
    make: async (ids) => {
      const altered = { ...(await rowOf(at(ids, 2))), amountMinor: 1n };
      await rows().replaceOne({ _id: altered._id }, { ...altered, hash: rowHash(altered) });
    },
    says: { kind: 'altered', sequence: 3 },
    index: 2,
  },
  {
    attack: 'the newest row is changed and hashed anew',
    make: async (ids) => {
      const altered = { ...(await rowOf(at(ids, 4))), outcome: 'refused' };
      await rows().replaceOne({ _id: altered._id }, { ...altered, hash: rowHash(altered) });
    },
    says: { kind: 'altered', sequence: 5 },
    index: 4,
  },
  { attack: 'a field is added', make: (ids) => rows().updateOne({ _id: at(ids, 0) }, { $set: { reason: 'none' } }), says: { kind: 'altered', sequence: 1 }, index: 0 },
  {
    attack: 'the days of a row are shortened',
    make: (ids) => rows().updateOne({ _id: at(ids, 1) }, { $set: { expireAt: AT } }),
    says: { kind: 'altered', sequence: 2 },
    index: 1,
  },
  { attack: 'a row is taken away', make: (ids) => rows().deleteOne({ _id: at(ids, 2) }), says: { kind: 'taken away', sequence: 3 } },
  { attack: 'the first row is taken away', make: (ids) => rows().deleteOne({ _id: at(ids, 0) }), says: { kind: 'taken away', sequence: 1 } },
  { attack: 'the newest row is taken away', make: (ids) => rows().deleteOne({ _id: at(ids, 4) }), says: { kind: 'taken away', sequence: 5 } },
  { attack: 'all rows are taken away', make: (_ids, user) => rows().deleteMany({ 'links.document': `user:${user}` }), says: { kind: 'taken away' } },
  {
    attack: 'a row is added at the place of another',
    make: async (ids) => {
      const added = { ...(await rowOf(at(ids, 1))), _id: 'zzz', orderId: 'forged' };
      await rows().insertOne({ ...added, hash: rowHash(added) });
    },
    says: { kind: 'added', sequence: 2, row: 'zzz' },
  },
  {
    attack: 'a row is added at the end',
    make: async (ids) => {
      const last = await rowOf(at(ids, 4));
      const links = [
        { document: last.links?.[0]?.document ?? '', sequence: 6, previous: last.hash ?? '' },
      ];
      const added = { ...last, _id: 'after', links };
      await rows().insertOne({ ...added, hash: rowHash(added) });
    },
    says: { kind: 'added', sequence: 6, row: 'after' },
  },
  {
    attack: 'a row is added outside the chain',
    make: async (ids) => {
      await rows().insertOne({ ...(await rowOf(at(ids, 4))), _id: 'outside' });
      await rows().updateOne({ _id: 'outside' }, { $unset: { links: 1, hash: 1 } });
    },
    says: { kind: 'added', row: 'outside' },
  },
  { attack: 'the end of the chain is taken away', make: (_ids, user) => ends().deleteOne({ _id: `user:${user}` }), says: { kind: 'added', sequence: 5 } },
];

describe('a chain of audit rows', () => {
  it.each(ATTACKS)('shows that $attack', async ({ attack, make, says, index }) => {
    const user = attack.replaceAll(' ', '-');
    const ids = await chainOf(user);
    const document = `user:${user}`;
    expect(await verifyChain(database.db, document, NOW)).toEqual({ rows: 5 });
    await make(ids, user);
    const { broken } = await verifyChain(database.db, document, NOW);
    expect(broken).toMatchObject({ ...says, ...(index === undefined ? {} : { row: ids[index] }) });
  });

  it('holds how a rule stood that refused, and finds where that is altered', async () => {
    await chainOf('refused');
    const { limits } = sessionLimitsOver(database.db, [USER_DAY]);
    const later = new Date(AT.getTime() + 5_000);
    await limits.check(checkOf({ orderId: 'refused-5', subjects: { user: 'refused' } }), later);
    expect(await verifyChain(database.db, 'user:refused', NOW)).toEqual({ rows: 6 });
    const lowered = { $set: { 'refusals.0.held.count': 4 } };
    const { matchedCount } = await rows().updateOne(
      { orderId: 'refused-5', 'refusals.held.count': 5 },
      lowered,
    );
    expect(matchedCount).toBe(1);
    const { broken } = await verifyChain(database.db, 'user:refused', NOW);
    expect(broken).toMatchObject({ kind: 'altered', sequence: 6 });
  });

  it('may lose rows whose days are over, from its beginning', async () => {
    const ids = await chainOf('old');
    await rows().deleteMany({ _id: at(ids, 0) });
    await rows().deleteMany({ _id: at(ids, 1) });
    const early = await verifyChain(database.db, 'user:old', NOW);
    expect(early.broken).toEqual({ kind: 'taken away', sequence: 2 });
    expect(await verifyChain(database.db, 'user:old', AFTER_400_DAYS)).toEqual({ rows: 3 });
  });

  it('hashes equal rows to equal texts, and others to others', () => {
    expect(canonicalText({ b: [1, 'x'], a: new Date(0) })).toBe(
      '{"a":@1970-01-01T00:00:00.000Z,"b":[1,"x"]}',
    );
    expect(canonicalText({ a: '@1970-01-01T00:00:00.000Z' })).toBe(
      '{"a":"@1970-01-01T00:00:00.000Z"}',
    );
    expect(canonicalText(1n)).toBe(canonicalText(1));
    expect(canonicalText('1')).not.toBe(canonicalText(1));
  });
});

/** Runs the program of npm run verify. */
async function runVerify(database: string, ...asked: readonly string[]) {
  const set = { MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: database };
  const { code, out, err } = await runCommand('verify', asked, set);
  return { code, said: out + err };
}

describe('npm run verify', () => {
  it('says of one chain, or of all, that they are whole, or names the first row that is not', async () => {
    const { databaseName } = database.db;
    await chainOf('whole');
    const ids = await chainOf('broken');
    await rows().updateOne({ _id: at(ids, 3) }, { $set: { amountMinor: 1n } });
    expect(await runVerify(databaseName, '--subject', 'user:whole')).toEqual({
      code: 0,
      said: '5 rows in 1 chain: none altered, added or taken away\n',
    });
    const broken = await runVerify(databaseName, '--subject=user:broken');
    expect(broken.code).toBe(1);
    expect(broken.said).toBe(
      `user:broken: row 4 (${JSON.stringify(ids[3])}) was altered\n1 of 1 chain broken\n`,
    );
    const all = await runVerify(databaseName);
    expect(all.code).toBe(1);
    expect(all.said).toMatch(/^user:broken: row 4 /m);
    expect(all.said).not.toMatch(/^user:whole/m);
  });

  it.each([
    { asked: ['--subject', 'user:nobody'], of: ' of user:nobody', why: 'a name may be mistyped' },
    { asked: [], of: '', why: 'nothing was kept that could be whole' },
  ])('says of $asked that there is no chain, for $why', async ({ asked, of }) => {
    expect(await runVerify('test-no-chains', ...asked)).toEqual({
      code: 2,
      said: `Not verified: database test-no-chains has no chain${of}; rows are chained with AUDIT=session only\n`,
    });
  });
});
