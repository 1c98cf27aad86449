import { beforeAll, describe, expect, it } from 'vitest';
import type { Suggestion } from '../../lib/backtest/suggestion.ts';
import { rulesInForce } from '../../lib/rule-file/rule-list.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { readVersionedRules } from '../../lib/rule-book/mongo-rule-store.ts';
import { TERMS_CHANGES } from '../../lib/terms/mongo-terms-store.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { environmentOf, makeIndexes, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { runCommand } from '../support/run-command.ts';
import { replaceRules, USER_DAY } from '../support/stored-rules.ts';

const database = useDatabase();
const folder = useFolder();

const SINGLE = { id: 'single', per: ['user'], currency: 'CNY', window: 'transaction' } as const;
const LEAST: StoredRule = { ...SINGLE, id: 'least', min: { amount: 1 } };

/** In a day u-1 pays 2.00 and 2.00, u-2 3.00, and u-3 1.00. 5.50 of u-4 are refused. u-5 has a maximum of its own. */
beforeAll(async () => {
  await makeIndexes(database.db);
  await replaceRules(database.db, [USER_DAY, LEAST]);
  const rules = rulesInForce(await readVersionedRules(database.db));
  const limits = limitsOver(database.db, () => Promise.resolve(rules), {
    audit: auditOver(database.db, 'best-effort'),
  });
  const early = checkOf({ orderId: 'early', subjects: { user: 'u-1' } });
  await limits.check(early, new Date('2026-02-01T01:00:00Z'));
  const orders = [
    ['o-1', 'u-1', 200, 'gold'],
    ['o-2', 'u-1', 200, 'silver'],
    ['o-3', 'u-2', 300, 'silver'],
    ['o-4', 'u-3', 100, 'gold'],
    ['o-5', 'u-4', 550, 'silver'],
    ['o-5', 'u-4', 550, 'silver'],
    ['o-6', 'u-5', 450, 'silver'],
  ] as const;
  for (const [place, [orderId, user, amountMinor, tier]] of orders.entries()) {
    const order = checkOf({ orderId, subjects: { user }, amountMinor, attributes: { tier } });
    await limits.check(order, new Date(Date.UTC(2026, 2, 2, 1, place)));
  }
  const own = { id: 'own-1', rule: 'user-day', amount: 900, reason: 'known' };
  await database.db.collection(TERMS_CHANGES).insertOne({
    document: 'user:u-5',
    at: new Date('2026-03-01T00:00:00Z'),
    after: { version: 'v-1', overrides: [{ ...own, at: new Date(0), by: 'command' }] },
  });
}, 60_000);

const RANGE = ['--from', '2026-03-02T00:00:00+08:00', '--to', '2026-03-03T00:00:00+08:00'];

function suggested(...words: readonly string[]) {
  return runCommand('suggest', [...words, ...RANGE], environmentOf(database));
}

async function suggestionOf(...words: readonly string[]) {
  const { out, err, code } = await suggested(...words, '--json');
  expect({ err, code }).toEqual({ err: '', code: 0 });
  return JSON.parse(out) as Suggestion;
}

/** The rule of a file, which is not stored. */
function inFile(rule: StoredRule): readonly string[] {
  return [rule.id, '--file', folder.write('rules.yaml', JSON.stringify({ rules: [rule] }))];
}

describe('headroom suggest', () => {
  it('says so where all subjects have a maximum of their own', async () => {
    const alone = [
      '--share',
      '1%',
      '--from',
      '2026-03-02T01:06:00Z',
      '--to',
      '2026-03-02T01:07:00Z',
    ];
    const { err, code } = await runCommand(
      'suggest',
      ['user-day', ...alone],
      environmentOf(database),
    );
    expect(code).not.toBe(0);
    expect(err).toContain(
      'from 2026-03-02T01:06:00.000Z to 2026-03-02T01:07:00.000Z only subjects with own maxima have a check that the maximum of rule "user-day" decides about, and these are left out: choose another time.',
    );
  });

  it('finds the least maximum that refuses at most a share of subjects', async () => {
    const { maxima, ownMaxima } = await suggestionOf('user-day', '--share', '34%');
    expect(ownMaxima).toBe(1);
    expect(maxima).toMatchObject([{ of: 'amount', present: 500 }]);
    // The second order of u-1 needs 4.00, which one of three may be refused.
    expect(maxima[0]?.passed?.suggested).toEqual({
      maximum: 300,
      share: 0.34,
      subjects: 1,
      orders: 1,
      amount: 200,
    });
  });

  it('counts a rule from the first row of all, also where a quiet month comes after it', async () => {
    const { missing } = await suggestionOf('user-day', '--share', '1%');
    expect(missing).toMatchObject({ countedFrom: null, rulesCountedFrom: [] });
  });

  it('counts refused orders in a second curve, once each', async () => {
    const { maxima } = await suggestionOf('user-day', '--share', '0%');
    const [one] = maxima;
    expect([one?.passed?.subjects, one?.all?.subjects]).toEqual([3, 4]);
    expect([one?.passed?.suggested.maximum, one?.all?.suggested.maximum]).toEqual([400, 550]);
    const quarter = one?.all?.points.find(({ share }) => share === 0.25);
    expect(quarter).toMatchObject({ maximum: 400, subjects: 1, orders: 1, amount: 550 });
  });

  it('takes the largest single amount of each subject where nothing is added up', async () => {
    const rule = { ...SINGLE, max: { amount: 1_000 } };
    const { maxima } = await suggestionOf(...inFile(rule), '--share', '0%');
    expect(maxima[0]?.passed).toMatchObject({ subjects: 4, suggested: { maximum: 450 } });
  });

  it('takes each maximum by itself, that of each value too', async () => {
    const amount = { by: 'tier', gold: 100, else: 200 };
    const rule = { ...USER_DAY, id: 'by-tier', max: { amount, count: 1 } };
    const { maxima, together } = await suggestionOf(...inFile(rule), '--share', '0%');
    const found = maxima.map(({ of, by, passed }) => [of, by?.value, passed?.suggested.maximum]);
    expect(found).toEqual([
      ['amount', 'gold', 200],
      ['amount', null, 450],
      ['count', undefined, 2],
    ]);
    expect(together).toEqual({ passed: 0, all: 0 });
  });

  it('says whom all maxima together refuse', async () => {
    const rule = { ...USER_DAY, id: 'both', max: { amount: 200, count: 1 } };
    const { maxima, together } = await suggestionOf(...inFile(rule), '--share', '25%');
    const found = maxima.map(({ passed }) => passed?.suggested);
    // Above 4.00 is u-5, and above one order is u-1.
    expect(found).toMatchObject([
      { maximum: 400, subjects: 1 },
      { maximum: 1, subjects: 1 },
    ]);
    expect(together.passed).toBe(2);
  });

  it('counts different values', async () => {
    const { currency: _currency, ...counted } = USER_DAY;
    const rule = { ...counted, id: 'tiers', max: { distinct: { tier: 1 } } };
    const { maxima } = await suggestionOf(...inFile(rule), '--share', '0%');
    expect(maxima[0]).toMatchObject({ of: 'count', most: 100 });
    expect(maxima[0]?.passed?.suggested).toEqual({ maximum: 2, share: 0, subjects: 0, orders: 0 });
  });

  it('prints both curves, and who is left out', async () => {
    const { out } = await suggested('user-day', '--share', '1%');
    expect(out).toContain(
      'max.amount: 4.00 CNY by orders that passed, 5.50 CNY by those that were refused, too. The rule has 5.00 CNY.',
    );
    expect(out).toMatch(/ 50 % +3\.00 CNY +1 +1 +2\.00 +█+/);
    expect(out).toContain('Left out: 1 subject with a maximum of its own.');
  });

  it.each([
    [
      { max: { amount: 200, count: 1 } },
      'Each maximum is alone here. Together they would have refused 2 subjects, with refused orders 2.',
    ],
    [
      { max: { amount: 200 }, onExceed: 'notify' },
      'This rule only notifies: refused stands for orders above its maximum.',
    ],
    [
      { max: { amount: 200 }, onExceed: { challenge: 'sca' } },
      'Orders with a proof or an approval pass above any maximum, and are left out.',
    ],
  ] as const)('says of %j: %s', async (given, sentence) => {
    const { out } = await suggested(
      ...inFile({ ...USER_DAY, id: 'given', ...given }),
      '--share',
      '25%',
    );
    expect(out).toContain(sentence);
  });

  it('draws both curves', async () => {
    const file = folder.path('curve.svg');
    expect(await suggested('user-day', '--share', '1%', '--chart', file)).toMatchObject({
      err: '',
    });
    const svg = folder.read('curve.svg');
    expect(svg).toMatch(/^<svg .*orders that passed.*<\/svg>$/s);
  });

  it.each([
    [
      ['user-day', '--share', '60%'],
      /--share is "60%", expected a share of subjects from 0% to 50%/,
    ],
    [['user-day', '--share', '0.01'], /--share is "0.01", expected a share/],
    [['user-dya', '--share', '1%'], /has no rule "user-dya". It has: least, user-day/],
    [['least', '--share', '1%'], /rule "least" has only a minimum, expected a rule with a maximum/],
    [
      ['euro-day', '--share', '1%', '--file', 'euro.yaml'],
      /has no check from 2026-03-01T16:00:00.000Z/,
    ],
  ])('says what is wrong with %j', async (words, sentence) => {
    const { err, code } = await suggested(
      ...words.map((word) => (word === 'euro.yaml' ? euros() : word)),
    );
    expect(err).toMatch(sentence);
    expect(code).toBe(2);
  });

  it('prints the maximum also where its chart cannot be written', async () => {
    const words = ['user-day', '--share', '1%', '--chart', '/nowhere/curve.svg'];
    const { out, err, code } = await suggested(...words);
    expect(out).toMatch(/^Rule user-day from /);
    expect(err).toContain(
      'The chart was not written: /nowhere/curve.svg: its folder is not there. Make it, or name another file.',
    );
    expect(code).toBe(2);
  });
});

/** A rule that counted nothing. */
function euros(): string {
  const rule = { ...USER_DAY, id: 'euro-day', currency: 'EUR' };
  return folder.write('euro.yaml', JSON.stringify({ rules: [rule] }));
}
