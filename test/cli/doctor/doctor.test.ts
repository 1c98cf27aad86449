import type { Db } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { INDEXES } from '../../../lib/health/mongo-indexes.ts';
import { COUNTERS } from '../../../lib/document/mongo-counter-store.ts';
import type { CounterDocument } from '../../../lib/document/mongo-counter-store.ts';
import { REFUNDS } from '../../../lib/audit/mongo-audit-store.ts';
import { environmentOf, makeIndexes, useDatabase } from '../../support/database.ts';
import { runCommand } from '../../support/run-command.ts';
import { replaceRules } from '../../support/stored-rules.ts';
import { storedCounters } from '../../support/stored-buckets.ts';

const RULE = { id: 'life', per: ['user'], window: 'lifetime', max: { count: 5 } };
const NAMES = [
  'server',
  'connection',
  'replica set',
  'write concern',
  'round trip',
  'clock',
  'TTL monitor',
  'indexes',
  'documents',
  'windows',
  'rules',
  'probe',
];

const database = useDatabase();
beforeEach(async () => {
  await database.db.dropDatabase();
  // As npm run indexes makes them: the doctor looks at when they collect.
  const { ensureIndexes } = await import('../../../lib/health/mongo-indexes.ts');
  await ensureIndexes(database.db);
  await replaceRules(database.db, [RULE]);
});

/** A set of MongoDB with fewer than three members is a warning of its own, whatever else is. */
let isSmall = false;
beforeAll(async () => {
  const { hosts = [], msg } = await database.client.db('admin').command({ hello: 1 });
  const { modules } = await database.client.db('admin').command({ buildInfo: 1 });
  const isMongoDB = !String(modules).includes('DocumentDB');
  isSmall = isMongoDB && msg !== 'isdbgrid' && (hosts as readonly string[]).length < 3;
});

const runDoctor = (words: readonly string[] = [], set = {}) =>
  runCommand('doctor', words, {
    ...environmentOf(database),
    STORE_TIMEOUT_MS: '20000',
    ...set,
  });

const CODES = { ok: 0, unknown: 0, warning: 1, fault: 2 };

type Told = {
  readonly worst: keyof typeof CODES;
  readonly findings: readonly {
    readonly name: string;
    readonly level: keyof typeof CODES;
    readonly says: string;
  }[];
};

/** A machine under load is far from its own database: how far is another test's. */
const BY_LOAD = 'round trip';
const codeOf = (findings: Told['findings']): number =>
  Math.max(...findings.filter(({ name }) => name !== BY_LOAD).map(({ level }) => CODES[level]));

/** The findings, as programs get them, and the code that the doctor ends with where no load is in the way. */
async function look(set = {}) {
  const { code, out } = await runDoctor(['--json'], set);
  const { worst, findings } = JSON.parse(out) as Told; // as its page says
  expect(code).toBe(CODES[worst]);
  const far = findings.find(({ name }) => name === BY_LOAD);
  expect(code).toBe(Math.max(codeOf(findings), CODES[far?.level ?? 'ok']));
  return { code: codeOf(findings), findings };
}

async function finding(name: string, set = {}) {
  const { code, findings } = await look(set);
  return { code, ...findings.find((each) => each.name === name) };
}

async function counts(db: Db): Promise<Readonly<Record<string, number>>> {
  const names = [...new Set(INDEXES.map(({ collection }) => collection)), 'rules'];
  const found = await Promise.all(
    names.map(async (name) => [name, await db.collection(name).countDocuments()] as const),
  );
  return Object.fromEntries(found);
}

describe('the doctor', () => {
  it.each(['best-effort', 'off', 'session'])(
    'with AUDIT=%s says a line for each thing, ends with 0, and leaves nothing behind',
    async (audit) => {
      const before = await counts(database.db);
      const { code, out, err } = await runDoctor([], { AUDIT: audit });
      expect(err, out).toBe('');
      const lines = out.trimEnd().split('\n');
      expect(code).toBe(lines.some((line) => line.startsWith('WARNING ')) ? 1 : 0);
      expect(lines.map((line) => line.slice(9, 24).trimEnd())).toEqual(NAMES);
      const bad = lines.filter((line) => !/^(ok|\?) /.test(line) && !line.includes(BY_LOAD));
      expect(bad).toEqual(isSmall ? [expect.stringMatching(/^WARNING {2}replica set /)] : []);
      const played =
        audit === 'off'
          ? /; no refund to try with AUDIT=off, all right$/
          : /check \d+ ms, refusal \d+ ms, confirm \d+ ms, refund \d+ ms, check \d+ ms, all right$/;
      expect(lines.at(-1)).toMatch(played);
      expect(await counts(database.db)).toEqual(before);
    },
  );

  it('tells programs the same', async () => {
    const { code, findings } = await look();
    expect(code).toBe(isSmall ? 1 : 0);
    expect(findings.map(({ name }) => name)).toEqual(NAMES);
  });

  it('names the indexes that are missing: a fault', async () => {
    await database.db.collection('audit').dropIndex('order_at');
    expect(await finding('indexes')).toMatchObject({
      ...{ code: 2, level: 'fault' },
      says: 'missing: audit.order_at',
      todo: 'run headroom indexes; until then commits fail on a sharded cluster',
    });
  });

  it('names every collection and index of a database that nobody made any in', async () => {
    await database.db.dropDatabase();
    const { says } = await finding('indexes');
    expect(says).toMatch(
      /^missing: rules, apps, audit_settings, audit_mends, counters\.expireAt_ttl, /,
    );
    expect(says?.split(', ').length).toBe(4 + INDEXES.length);
  });

  it('names the indexes that collect at another time: a fault', async () => {
    await makeIndexes(database.db); // of tests, which keep dead documents
    expect(await finding('indexes')).toMatchObject({
      code: 2,
      says: expect.stringMatching(/^not as they should be: counters\.expireAt_ttl, /) as string,
    });
  });

  it('warns of indexes on counters that nobody needs', async () => {
    await database.db.collection(COUNTERS).createIndex({ seen: 1 }, { name: 'theirs' }, {});
    expect(await finding('indexes')).toMatchObject({
      ...{ code: 1, level: 'warning' },
      says: 'counters has indexes that Headroom does not need: theirs',
    });
  });

  it('warns of what was over long ago and is still there', async () => {
    const refunds = database.db.collection<CounterDocument>(REFUNDS);
    await refunds.insertOne({ _id: 'old', expireAt: new Date(Date.now() - 7_200_000) });
    const { code, says } = await finding('TTL monitor');
    // The monitor may come first, once a minute.
    if ((await refunds.countDocuments()) > 0)
      expect({ code, says }).toEqual({
        code: 1,
        says: 'refunds contain documents that expired more than an hour ago',
      });
  });

  it('lets no id of a subject end its line, or rule the terminal', async () => {
    const id = 'user:a\nok       rules          7 rules in force\u001b[2J\u202e';
    await storedCounters(database.db).insertOne({ _id: id });
    const { out } = await runDoctor();
    expect(out.trimEnd().split('\n')).toHaveLength(NAMES.length);
    expect(out).toContain('user:a\\u000aok       rules          7 rules in force\\u001b[2J\\u202e');
  });

  it('warns of documents that are large, the largest first', async () => {
    const counters = storedCounters(database.db);
    const expireAt = new Date(Date.now() + 86_400_000);
    await counters.insertMany([
      { _id: 'user:small', expireAt },
      { _id: 'user:large', expireAt, padding: 'x'.repeat(250_000) },
    ]);
    const { code, says } = await finding('documents');
    expect(code).toBe(1);
    expect(says).toMatch(/^2 subjects; largest, in bytes: user:large 250,\d{3}, user:small \d+$/);
  });

  it('warns of subjects that count in nearly as many windows as they may', async () => {
    const counters = storedCounters(database.db);
    const expireAt = new Date(Date.now() + 86_400_000);
    const countingIn = (windows: number) =>
      Object.fromEntries(Array.from({ length: windows }, (_, index) => [`counter-${index}`, {}]));
    expect(await finding('windows')).toMatchObject({ says: 'no subject has a document yet' });
    await counters.insertOne({ _id: 'user:few', b: countingIn(799), expireAt });
    expect((await finding('windows')).says).toBe('at most 1,000 windows; most: user:few 799');
    await counters.insertOne({ _id: 'user:many', b: countingIn(800), expireAt });
    const { code, says } = await finding('windows');
    expect(code).toBe(1);
    expect(says).toBe('at most 1,000 windows; most: user:many 800, user:few 799');
  });

  // prettier-ignore
  it.each([
    { rules: [], code: 2, says: /^none: every check is refused/ },
    { rules: [{ ...RULE, mode: 'shadow' }], code: 1, says: /^0 rules in force, 1 on trial, at revision \d+$/ },
    { rules: [{ ...RULE, per: 'user' }], code: 2, says: /^not to be read: rules\[life\]\.per is "user"/ },
    { rules: [RULE, { ...RULE, id: 'b', mode: 'shadow' }], code: 0, says: /^1 rule in force, 1 on trial, at revision \d+$/ },
  ])('of rules $rules says $says', async ({ rules, code, says }) => {
    await replaceRules(database.db, rules);
    expect(await finding('rules')).toMatchObject({
      code: isSmall ? Math.max(1, code) : code,
      says: expect.stringMatching(says) as string,
    });
  });

  it('warns of a currency whose amounts nothing limits, unless that is refused', async () => {
    const everywhere = { ...RULE, id: 'any', currency: undefined, max: { count: 9 } };
    const anywhere = JSON.parse(JSON.stringify(everywhere)) as typeof everywhere;
    await replaceRules(database.db, [{ ...RULE, currency: 'EUR', max: { amount: 9 } }, anywhere]);
    expect(await finding('rules')).toMatchObject({
      code: 1,
      level: 'warning',
      says: expect.stringMatching(
        /^2 rules in force, 0 on trial, at revision \d+; a payment in a currency other than EUR has no limit on its amount: any applies to every currency, so ON_NO_RULE=refuse allows it$/,
      ) as string,
    });
    for (const set of ['refuse-unlimited', 'allow'])
      expect(await finding('rules', { ON_NO_RULE: set })).toMatchObject({ level: 'ok' });
  });

  it('plays the probe by the settings of the functions', async () => {
    const { says } = await finding('probe', { AUDIT: 'session', CONSISTENCY: 'session' });
    expect(says).toMatch(/all right$/);
  });

  it('says which setting is wrong', async () => {
    const { code, out, err } = await runDoctor([], { CONSISTENCY: 'sometimes' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^The settings are wrong:\n {2}- CONSISTENCY is "sometimes"/);
  });
});
