import { beforeAll, describe, expect, it } from 'vitest';
import type { BacktestResult } from '../../lib/backtest/result.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { mongoRuleStore, readVersionedRules } from '../../lib/rule-book/mongo-rule-store.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { rulesInForce } from '../../lib/rule-file/rule-list.ts';
import { settingsCollection } from '../../lib/audit/mongo-settings.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { environmentOf, makeIndexes, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { checkOf, limitsOver, orderOf, refundOf } from '../support/limits-fixture.ts';
import { runCommand } from '../support/run-command.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const database = useDatabase();
const folder = useFolder();

const TRANSFERS = { ...USER_DAY, id: 'tier-day', match: { tier: 'gold' }, max: { amount: 900 } };
const POINTS = { ...USER_DAY, id: 'points-day', currency: 'PTS', digits: 3 };

async function storeRules(rules: readonly StoredRule[], at: string): Promise<void> {
  const store = mongoRuleStore(database.db);
  const before = await store.read();
  const author = { at: new Date(at), by: { kind: 'command', id: 'command' } } as const;
  expect(await store.replace(before, nextSet(before, rules, author))).toBe(true);
}

async function limitsNow(): Promise<Limits> {
  const rules = rulesInForce(await readVersionedRules(database.db));
  return limitsOver(database.db, () => Promise.resolve(rules), {
    audit: auditOver(database.db, 'best-effort'),
  });
}

/** An order of 2.00 CNY of the user u-1, but for what is given. */
function order(orderId: string, request: Partial<CheckRequest> = {}): CheckRequest {
  return checkOf({ orderId, subjects: { user: 'u-1' }, amountMinor: 200, ...request });
}

/** Two checks are older than the first rules that are stored. A day at most 5.00. Two of three orders of 2.00 pass. From noon on in Shanghai it is at most 3.00, for which o-4 needs the refund. */
beforeAll(async () => {
  await makeIndexes(database.db);
  await storeRules([USER_DAY, POINTS], '2026-03-01T00:00:00Z');
  const early = order('early', { subjects: { user: 'u-0' } });
  const untold = limitsOver(database.db, [{ ...USER_DAY, mode: 'enforce' }], {
    audit: auditOver(database.db, 'best-effort'),
  });
  await untold.check(early, new Date('2026-02-10T01:00:00Z'));
  const before = await limitsNow();
  await before.check({ ...early, orderId: 'early-told' }, new Date('2026-02-10T02:00:00Z'));
  for (const minute of ['01', '02']) {
    const takesLess = { subjects: { user: 'u-3' }, amountMinor: 300, leastMinor: 1 };
    const at = new Date(`2026-02-15T01:${minute}:00Z`);
    await before.check(order(`part-${minute}`, takesLess), at);
  }
  await before.check(order('points', { currency: 'PTS' }), new Date('2026-02-20T01:00:00Z'));
  const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
  await before.check(order('o-1'), at('01:00:00'));
  await before.check(order('o-2'), at('01:01:00'));
  await before.check(order('o-3'), at('01:02:00'));
  await before.check(order('o-3'), at('01:03:00'));
  await before.confirm(orderOf('o-1', { user: 'u-1' }), at('01:04:00'));
  await before.rollback(orderOf('o-2', { user: 'u-1' }), at('01:05:00'));
  await before.refund(refundOf('o-1', 'r-1', 150), at('01:06:00'));
  await storeRules([{ ...USER_DAY, max: { amount: 300 } }, POINTS], '2026-03-02T04:00:00Z');
  const after = await limitsNow();
  await after.check(order('o-4'), at('05:00:00'));
  const tiered = { attributes: { tier: 'gold' }, subjects: { user: 'u-2' } };
  await after.check(order('o-5', { ...tiered, amountMinor: 300 }), at('06:00:00'));
  await after.check(order('o-6', { ...tiered, currency: 'EUR' }), at('06:01:00'));
}, 60_000);

const RANGE = ['--from', '2026-03-02T00:00:00+08:00', '--to', '2026-03-03T00:00:00+08:00'];

function tried(...words: readonly string[]) {
  return runCommand('backtest', [...RANGE, ...words], environmentOf(database));
}

function fileOf(...rules: readonly StoredRule[]): string {
  return folder.write('rules.yaml', JSON.stringify({ rules }));
}

function backtest(rules: readonly StoredRule[], ...more: readonly string[]) {
  return tried(fileOf(...rules), ...more);
}

async function resultBy(...words: readonly string[]) {
  const { out, err, code } = await tried('--json', ...words);
  expect({ err, code }).toEqual({ err: '', code: 0 });
  return JSON.parse(out) as BacktestResult;
}

function resultOf(rules: readonly StoredRule[], ...more: readonly string[]) {
  return resultBy(fileOf(...rules), ...more);
}

describe('headroom backtest', () => {
  it('decides every check as the rules of its time did', async () => {
    const { control, rows } = await resultOf([USER_DAY]);
    expect({ control, rows }).toEqual({
      control: {
        checks: 7,
        direct: { differences: 0, share: 0 },
        knockOn: { differences: 0, share: 0 },
      },
      rows: 10,
    });
  });

  it('tells the price of a lower maximum, and what follows from it', async () => {
    const { currencies } = await resultOf([{ ...USER_DAY, max: { amount: 200 } }]);
    const [yuan] = currencies;
    expect(yuan?.recorded).toMatchObject({
      allowed: { checks: 4, amount: 900 },
      refused: { checks: 2, orders: 1, payments: 1, subjects: 1, amount: 400 },
    });
    // Each judged by what happened before: o-2 after o-1, o-4 after what is left of o-1, and o-5 by itself.
    expect(yuan?.direct.newlyRefused).toMatchObject({ checks: 3, amount: 700 });
    expect(yuan?.direct.outcomes).toMatchObject({
      givenBack: { checks: 1, amount: 200 },
      expired: { checks: 2, amount: 500 },
      paid: { checks: 0, amount: 0 },
    });
    expect(yuan?.direct.byRule).toMatchObject([{ rule: 'user-day', checks: 5, alone: 5 }]);
  });

  it('tells why a check would have refused an order', async () => {
    const { orders } = await resultOf([{ ...USER_DAY, max: { amount: 200 } }]);
    const [first] = orders.direct.newlyRefused;
    expect(first).toEqual({
      app: 'default',
      orderId: 'o-2',
      at: '2026-03-02T01:01:00.000Z',
      subjects: { user: 'u-1' },
      currency: 'CNY',
      amount: 200,
      rules: ['user-day'],
      sentences: {
        en: 'user-day allows at most ¥2.00 a day in Asia/Shanghai: used ¥0.00, held ¥2.00, asked ¥2.00. The window ends Mar 3, 2026, 00:00 Asia/Shanghai',
        zh: expect.stringContaining('¥2.00') as unknown,
      },
    });
  });

  it('holds an order that a draft lets pass, so that another try is not needed', async () => {
    const { currencies, orders } = await resultOf([{ ...USER_DAY, max: { amount: 600 } }]);
    expect(currencies[0]?.knockOn).toMatchObject({ notNeeded: 1, newlyAllowed: { checks: 1 } });
    expect(orders.knockOn.newlyAllowed).toMatchObject([{ orderId: 'o-3', rules: ['user-day'] }]);
    const { draft, byDay } = currencies[0]?.knockOn ?? {};
    const ofDay = { allowed: draft?.allowed.checks, refused: draft?.refused.checks };
    expect(byDay).toMatchObject([{ recorded: { allowed: 4, refused: 2 }, draft: ofDay }]);
  });

  it('adds no amounts up over currencies', async () => {
    const { currencies } = await resultOf([USER_DAY]);
    expect(currencies.map(({ currency }) => currency)).toEqual(['CNY', 'EUR']);
    expect(currencies[1]?.recorded.refused).toMatchObject({ checks: 1, amount: 200 });
  });

  it('counts by days from the first instant', async () => {
    const { currencies } = await resultOf([USER_DAY]);
    expect(currencies[0]?.direct.byDay).toEqual([
      {
        from: '2026-03-01T16:00:00.000Z',
        recorded: { allowed: 4, refused: 2 },
        draft: { allowed: 4, refused: 2 },
      },
    ]);
  });

  it('counts by hours of the week from the first instant', async () => {
    const { currencies } = await resultOf([USER_DAY]);
    const counted = currencies[0]?.direct.byHour.map(({ day, hour, recorded }) => [
      day,
      hour,
      recorded.allowed,
      recorded.refused,
    ]);
    expect(counted).toEqual([
      [0, 9, 2, 2],
      [0, 13, 1, 0],
      [0, 14, 1, 0],
    ]);
  });

  it('puts a rule into the rules of each time', async () => {
    const once = { ...USER_DAY, id: 'once', max: { count: 1 } };
    const { currencies, control } = await resultBy('--put', fileOf(once));
    expect(control.direct.differences).toBe(0);
    // The other rule refuses o-3 twice, and with it o-2 and o-4 are one too many.
    expect(currencies[0]?.direct.byRule).toMatchObject([
      { rule: 'once', checks: 4, alone: 2 },
      { rule: 'user-day', checks: 2, alone: 0 },
    ]);
  });

  it('puts a rule in place of the one that has its id', async () => {
    const { currencies } = await resultBy('--put', fileOf({ ...USER_DAY, max: { amount: 200 } }));
    expect(currencies[0]?.direct.byRule).toMatchObject([{ rule: 'user-day', checks: 5 }]);
  });

  it('takes a rule out of the rules of each time', async () => {
    const { currencies } = await resultBy('--drop', 'user-day');
    // No rule is left, and orders need one.
    expect(currencies[0]?.direct.newlyRefused).toMatchObject({ checks: 4 });
    expect(currencies[0]?.direct.byRule).toEqual([]);
  });

  it('reads the rows of one subject alone', async () => {
    const { control, rows, missing } = await resultBy(fileOf(USER_DAY), '--subject', 'user:u-2');
    expect({ checks: control.checks, rows }).toEqual({ checks: 2, rows: 2 });
    expect(missing.rulesOfOthers).toEqual([]);
    const merchants = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };
    const { out } = await tried(fileOf(USER_DAY, merchants), '--subject', 'user:u-2');
    expect(out).toContain('sums that other subjects have a part in: merchant-day');
  });

  it.each([
    { why: 'day and month began after it', window: 'month', counted: null, rules: [] },
    {
      why: 'the year began before it',
      window: 'year',
      counted: '2026-02-10T01:00:00.000Z',
      rules: ['longer'],
    },
  ] as const)(
    'names the rules that the first row of all is too late for, also for one subject: $why',
    async ({ window, counted, rules }) => {
      const { timeZone } = USER_DAY.window;
      const longer = { ...USER_DAY, id: 'longer', window: { unit: window, timeZone } };
      for (const words of [[], ['--subject', 'user:u-2']]) {
        const { missing } = await resultBy(fileOf(USER_DAY, longer), ...words);
        const { countedFrom, rulesCountedFrom } = missing;
        expect({ countedFrom, rulesCountedFrom }).toEqual({
          countedFrom: counted,
          rulesCountedFrom: rules,
        });
      }
    },
  );

  it('reads no more rows a second than are asked for', async () => {
    const startedMs = performance.now();
    await resultBy(fileOf(USER_DAY), '--rows-per-second', '20');
    expect(performance.now() - startedMs).toBeGreaterThan(490); // for ten rows
  });

  it('prints a table, and what the past does not tell', async () => {
    const { out } = await backtest([{ ...USER_DAY, max: { amount: 200 } }, TRANSFERS]);
    expect(out).toContain('7 checks from 2026-03-01T16:00:00.000Z');
    expect(out).toContain('Control: the rules of the time decide 0 (0.000 %)');
    expect(out).toMatch(/newly refused +3 \/ 7\.00/);
    expect(out).toContain('7 rows are older than the first settings that are noted');
  });

  it('says of orders that take what fits by how much less or more they get', async () => {
    const range = ['--from', '2026-02-15T00:00:00Z', '--to', '2026-02-16T00:00:00Z'];
    // They got 3.00 and 2.00.
    const { out: less } = await backtest([{ ...USER_DAY, max: { amount: 400 } }], ...range);
    expect(less).toMatch(/^pass with less +1 \/ 1\.00 +1 \/ 1\.00$/m);
    expect(less).not.toContain('pass with more');
    const { out: more } = await backtest([{ ...USER_DAY, max: { amount: 550 } }], ...range);
    expect(more).toMatch(/^pass with more +1 \/ 0\.50 +1 \/ 0\.50$/m);
    expect(more).not.toContain('pass with less');
  });

  it('writes amounts with the digits of a rule that the draft leaves out', async () => {
    const range = ['--from', '2026-02-20T00:00:00Z', '--to', '2026-02-21T00:00:00Z'];
    const { out } = await tried('--drop', 'points-day', ...range);
    expect(out).toMatch(/^allowed +1 \/ 0\.200 +0 \/ 0\.000 +0 \/ 0\.000$/m);
  });

  it('draws the refused checks of each day', async () => {
    const file = folder.path('days.svg');
    const draft = [{ ...USER_DAY, max: { amount: 200 } }];
    const { out } = await backtest(draft, '--chart', file);
    expect(out).toMatch(/^7 checks /);
    // In CNY two were refused, and one of no rule in EUR. The draft refuses three more.
    expect(out).toMatch(/^2026-03-01 16:00Z +3 +█+[▏▎▍▌▋▊▉]? +6 +█{20}$/m);
    expect(folder.read('days.svg')).toMatch(/^<svg .*draft, with knock-on.*<\/svg>$/s);
  });

  it('prints the result also where its chart cannot be written', async () => {
    const { out, err, code } = await tried('--drop', 'user-day', '--chart', '/nowhere/days.svg');
    expect(out).toMatch(/^7 checks /);
    expect(err).toContain('The chart was not written: /nowhere/days.svg: its folder');
    expect(code).toBe(2);
  });

  it('says how many checks are refused where no rule refuses one', async () => {
    const { out } = await tried('--drop', 'user-day');
    // Six in CNY, of which two were refused, and one in EUR.
    const sentence = (checks: number): string =>
      `No rule of the draft refuses anything, with knock-on. Refused for other reasons, such as that no rule applies: ${checks}.`;
    expect(out).toContain(sentence(6));
    expect(out).toContain(sentence(1));
  });

  it('takes rows that are older than the first rules for decided by these, and counts them', async () => {
    const range = ['--from', '2026-02-10T00:00:00Z', '--to', '2026-02-11T00:00:00Z'];
    const { control, missing } = await resultOf([USER_DAY], ...range);
    expect(control).toMatchObject({ checks: 2, knockOn: { differences: 0 } });
    expect(missing).toMatchObject({ withoutRules: 1 });
    const { out } = await backtest([USER_DAY], ...range);
    expect(out).toContain('1 rows are older than the first rules that are stored');
  });

  it('refuses a draft that asks for an attribute which rows do not keep', async () => {
    const settings = { auditAttributes: ['channel'] };
    const noted = { at: new Date('2026-03-02T00:00:00Z'), settings, digest: 'x' };
    const { insertedId } = await settingsCollection(database.db).insertOne(noted as never);
    const { err, code } = await backtest([TRANSFERS]);
    await settingsCollection(database.db).deleteOne({ _id: insertedId });
    expect({ err, code }).toEqual({
      err: 'Not tested: rule "tier-day" asks for the attribute "tier", which rows do not keep from 2026-03-02T00:00:00.000Z on (AUDIT_ATTRIBUTES): try it on another time, or without that rule\n',
      code: 2,
    });
  });

  it.each([
    [['--from', 'yesterday'], /--from is "yesterday", expected an instant as RFC 3339/],
    [
      ['--from', '2026-03-02T00:00:00Z', '--to', '2026-03-01T00:00:00Z'],
      /--from is "[^"]+", expected an instant before to/,
    ],
    [
      ['--from', '2026-03-02T00:00:00Z', '--to', '9000-01-01T00:00:00Z'],
      /rows of the last two minutes may be missing/,
    ],
    [
      ['--from', '2026-03-02T00:00:00Z', '--freed', 'lost'],
      /--freed is "lost", expected unpaid or paid/,
    ],
    [['--from', '2025-03-02T00:00:00Z', '--to', '2025-03-03T00:00:00Z'], /has no check from 2025/],
  ])('says what is wrong with %j', async (words, sentence) => {
    const path = folder.write('draft.yaml', JSON.stringify({ rules: [USER_DAY] }));
    const { err, code } = await runCommand('backtest', [path, ...words], environmentOf(database));
    expect(err).toMatch(sentence);
    expect(code).toBe(2);
  });

  it.each([
    [[], /There are 0 drafts, expected a file of rules, --put or --drop, and one of them alone/],
    [['rules.yaml', '--drop', 'user-day'], /There are 2 drafts, expected/],
    [['--drop', 'user-week'], /rule "user-week" was not in force in this time/],
    [['--drop', 'user-day', '--subject', 'u-1'], /"u-1" is no subject/],
    [['--drop', 'user-day', '--subject', 'user:u-9'], /has no check of user:u-9 from/],
    [['--drop', 'user-day', '--rows-per-second', 'all'], /--rows-per-second is "all", expected a/],
    [
      ['--drop', 'user-day', '--rows-per-second', '0'],
      /--rows-per-second is "0", expected a whole number from 1 on\./,
    ],
  ])('says what is wrong with a draft of %j', async (words, sentence) => {
    const { err, code } = await tried(...words);
    expect(err).toMatch(sentence);
    expect(code).toBe(2);
  });

  it('puts one rule in, not several', async () => {
    const { err } = await tried('--put', fileOf(USER_DAY, TRANSFERS));
    expect(err).toMatch(/^Not tested: .*rules\.yaml has 2 rules, expected one\./);
  });

  it('says where a file cannot be read', async () => {
    const asked = [folder.path('none.yaml'), '--from', '2026-03-02T00:00:00Z'];
    const { err } = await runCommand('backtest', asked, environmentOf(database));
    expect(err).toMatch(/^Not tested: .*none\.yaml cannot be read: there is no such file/);
  });
});
