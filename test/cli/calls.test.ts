import { waysOf } from '../support/command-ways.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probePort } from '../../infra/local/ports.ts';
import type { HttpService } from '../client/http-service.ts';
import { startHttpService } from '../client/http-service.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { runCommand } from '../support/run-command.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { replaceRules } from '../support/stored-rules.ts';

// prettier-ignore
const RULES = [
  { id: 'life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: 1_000_000, count: 5 } },
  { id: 'gold', per: ['user'], currency: 'CNY', window: 'transaction', max: { amount: 500 }, match: { tier: ['gold'] } },
  { ...{ id: 'tiered', per: ['wallet'], currency: 'CNY', window: 'lifetime' }, max: { amount: { by: 'tier', gold: 9_000, else: 5_000 } } },
  { id: 'private', per: ['card'], currency: 'POINTS', window: 'lifetime', max: { amount: 900 } },
  { id: 'some', per: ['card'], currency: 'CNY', window: 'lifetime', max: { count: 3 }, counts: { not: { tier: 'gold' } }, appliesTo: { tier: ['silver', 'iron'] } },
  {
    id: 'unproven',
    per: ['till'],
    currency: 'EUR',
    window: 'transaction',
    max: { amount: 30 },
    onExceed: { challenge: 'sca' },
  },
  {
    id: 'watched',
    per: ['till'],
    currency: 'EUR',
    window: 'lifetime',
    max: { amount: 30 },
    onExceed: 'notify',
  },
];

const database = useDatabase();
const folder = useFolder();
let service: HttpService;
beforeAll(async () => {
  await makeIndexes(database.db);
  // Every counter of these rules began after the first set, and says so in its name.
  await replaceRules(database.db, [
    { id: 'earlier', per: ['user'], window: 'lifetime', max: { count: 9 } },
  ]);
  const set = { AUDIT: 'best-effort', NEAR: 'on', LOCAL_CLOCK: 'on' };
  const handlers = await handlersOn(database, RULES, set);
  service = await startHttpService(handlers);
  // Each a second after the one before it: clocks that are estimated may take two at once for either first.
  let atMs = Date.now() - 10_000;
  const post = (call: string, body: object) =>
    fetch(`${service.url}/v1/${call}`, {
      method: 'POST',
      headers: { 'x-headroom-now': new Date((atMs += 1_000)).toISOString() },
      body: JSON.stringify(body),
    });
  const subjects = { user: 'u-1' };
  await post('check', { orderId: 'o-1', subjects, amount: 123_456, currency: 'CNY' });
  await post('confirm', { orderId: 'o-1', subjects });
  await post('check', { orderId: 'o-2', subjects, amount: 100, currency: 'CNY' });
  const other = { user: 'u-3' };
  await post('check', { orderId: 'o-3', subjects: other, amount: 1_000_001, currency: 'CNY' });
  const near = { user: 'u-4' };
  await post('check', { orderId: 'o-4', subjects: near, amount: 800_000, currency: 'CNY' });
  await post('refund', { orderId: 'o-1', refundId: 'r-1', amount: 56, reason: 'less' });
});
afterAll(() => service.stop());

const WAYS = waysOf(database, () => service.url);
const [{ run: overDatabase }, { run: overHttp }] = WAYS;

/** Without instants, which are those of the moment, and ids of requests. */
function lasting(out: string): unknown {
  return JSON.parse(out, (name, value: unknown) =>
    ['now', 'at', 'start', 'end', 'requestId', 'earliestAt'].includes(name) ? undefined : value,
  );
}

describe.each(WAYS)('by $by', ({ run }) => {
  it('usage prints a line for each maximum, amounts in their currency', async () => {
    const { code, out, err } = await run('usage', ['user:u-1']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').slice(0, 3)).toEqual([
      'RULE  SUBJECTS  WINDOW        USED  HELD    MAXIMUM      LEFT  SHARE  OF        OUTCOME  AGAIN',
      'life  user:u-1  lifetime  1,234.00  1.00  10,000.00  8,765.00    12%  CNY       within   -',
      'life  user:u-1  lifetime         1     1          5         3    40%  payments  within   -',
    ]);
  });

  it('usage writes an amount of a private currency as it is stored', async () => {
    const { code, out } = await run('usage', ['card:c-1']);
    expect(code).toBe(0);
    expect(out).toMatch(/^private +card:c-1 +lifetime +0 +0 +900 +900 +0% +POINTS /m);
  });

  it.each([
    { words: [], maximum: 'by tier' },
    { words: ['--attribute', 'tier=gold'], maximum: '90.00' },
    { words: ['--attribute', 'tier=silver', '--attribute', 'a=1'], maximum: '50.00' },
  ])('usage with $words has the maximum $maximum', async ({ words, maximum }) => {
    const { code, out, err } = await run('usage', ['wallet:w-1', ...words]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^tiered +wallet:w-1 +lifetime +0.00 +0.00 +${maximum} `, 'm'));
  });

  it.each([
    { name: 'usage', words: [], code: 0 },
    { name: 'check', words: ['--dry-run', '--amount', '1', '--currency', 'CNY'], code: 1 },
  ])('$name names the kinds nearest to one that no rule knows', async ({ name, words, code }) => {
    const told = await run(name, ['usr:u-1', ...words]);
    expect({ code: told.code, err: told.err }).toEqual({ code, err: '' });
    expect(told.out).toContain('No rule knows the subject kind usr. Nearest to it: user, ');
  });

  it('usage says which rules are of some payments alone, and where nothing is stored', async () => {
    const { out } = await run('usage', ['card:c-1']);
    expect(out).toMatch(
      /\n\nNothing is stored of card:c-1: check the kind and the id\.\n {2}some counts only if tier is not gold\n {2}some refuses only if tier is silver or iron\nat /,
    );
    expect((await run('usage', ['user:u-1'])).out).not.toContain('Nothing is stored');
  });

  it('usage says where no rule counts', async () => {
    const { code, out } = await run('usage', ['merchant:m-1']);
    expect(code).toBe(0);
    expect(out).toMatch(/^No rule counts for merchant:m-1\.\n\nNo rule knows .*\nat \d{4}-.*Z\n$/);
  });

  it('near prints who is near a maximum, amounts in their currency', async () => {
    const { code, out, err } = await run('near', ['--share', '0.5']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [columns, ...lines] = out.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    expect(columns).toBe('RULE SUBJECTS USED HELD MAXIMUM SHARE OF REACHED UNTIL');
    expect(lines.slice(0, 2).map((line) => line.replace(/\d{4}-.*Z/, 'then'))).toEqual([
      'life user:u-4 0.00 8,000.00 10,000.00 80% CNY 80% by then never',
      'life user:u-4 0 1 5 20% payments 80% by then never',
    ]);
    expect(lines.at(-2)).toMatch(/^at \d{4}-.*Z$/);
  });

  it('near says that nobody is, where nobody is', async () => {
    const { code, out } = await run('near', ['--rule', 'life', '--share', '1']);
    expect(code).toBe(0);
    expect(out).toMatch(/^No subject is so near\.\n\nat \d{4}-.*Z\n$/);
  });

  it('transaction prints the state of an order, and its history', async () => {
    const { code, out, err } = await run('transaction', ['o-1']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^state {7}partlyRefunded\namount {6}1,234\.56 CNY\nrefunded {4}0\.56 CNY\n/,
    );
    expect(out).toMatch(/\nsubjects {4}user:u-1\n/);
    const happened = out.match(/^\d{4}\S+ +(check|confirm|refund) +\S+ +\S+ CNY/gm) ?? [];
    expect(happened.map((line) => line.replace(/^\S+ +/, '').replaceAll(/ +/g, ' '))).toEqual([
      'check held 1,234.56 CNY',
      'confirm confirmed 1,234.56 CNY',
      'refund refunded 0.56 CNY',
    ]);
    expect(out).toMatch(/refund r-1; "less"; request /);
  });

  it('transaction says below the table why a check was refused', async () => {
    const { code, out } = await run('transaction', ['o-3']);
    expect(code).toBe(0);
    const [, table = '', why] = out.trimEnd().split('\n\n');
    expect(table).toMatch(/ check +refused +10,000\.01 CNY +by life; request /);
    expect(why?.replace(/^\S+Z {2}/, '')).toBe(
      'life allows at most ¥10,000.00 ever: used ¥0.00, held ¥0.00, asked ¥10,000.01',
    );
  });

  it('history transactions prints a line for each, and why checks were refused', async () => {
    const { code, out, err } = await run('history', ['transactions', 'user:u-1']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/^\d{4}\S+/, '…').replaceAll(/ +/g, ' '))).toEqual([
      'AT ORDER CALL OUTCOME AMOUNT OF APP MORE',
      '… o-1 refund refunded 0.56 CNY default refund r-1; "less"',
      '… o-2 check held 1.00 CNY default',
      '… o-1 confirm confirmed 1,234.56 CNY default',
      '… o-1 check held 1,234.56 CNY default',
    ]);
    const asked = ['transactions', 'user:u-3', '--decision', 'refused', '--language', 'zh'];
    const refused = await run('history', asked);
    expect(refused.out).toMatch(/\n\no-3 {2}life：本次¥10,000\.01，.*\n$/);
    const frozen = await run('history', ['transactions', 'user:u-3', '--reason', 'frozen']);
    expect(frozen).toMatchObject({ code: 0, out: expect.not.stringContaining('o-3') as string });
    const page = await run('history', ['transactions', 'user:u-1', '--limit', '3']);
    const [, next = ''] = /\n\nOlder ones: --before (\S+)\n$/.exec(page.out) ?? [];
    const rest = await run('history', ['transactions', 'user:u-1', '--before', next]);
    expect(rest.out.trimEnd().split('\n')).toHaveLength(2);
  });

  it('history usage prints a line for each window, and history summary those of a day', async () => {
    const usage = await run('history', ['usage', 'user:u-1', '--last', 'P2D']);
    expect({ code: usage.code, err: usage.err }).toEqual({ code: 0, err: '' });
    const lines = usage.out.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    expect(lines[0]).toBe('FROM AMOUNT REFUNDED OF PAYMENTS');
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d 00:00 - - - 0$/);
    expect(lines[2]).toMatch(/^\d{4}-\d\d-\d\d 00:00 1,234\.00 0\.56 CNY 1$/);
    expect(lines.slice(3)).toEqual(['', 'user:u-1 in UTC', '']);
    const ofRule = await run('history', ['usage', 'user:u-1', '--rule', 'life', '--last', 'P1M']);
    expect(ofRule.out).toMatch(/ 1,234\.00 +0\.56 +CNY +1\n\nuser:u-1 in UTC, counted by life\n$/);
    const summary = await run('history', ['summary', 'user']);
    expect(summary.out.replaceAll(/ +/g, ' ')).toMatch(
      /^OF CONFIRMED PAYMENTS REFUNDED WHOLE\nCNY 1,234\.56 1 0\.56 0\n\n1 check refused: by life 1\n\n\d{4}-\d\d-\d\d in UTC, orders with a user\n$/,
    );
  });

  it('usage may be behind, and says of when it is', async () => {
    const { code, out } = await run('usage', ['user:u-1', '--stale', 'PT10S', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveProperty('asOf');
  });

  it('transaction ends with 1 where nothing is known of the order', async () => {
    const { code, out } = await run('transaction', ['o-nobody']);
    expect(code).toBe(1);
    expect(out).toMatch(/^state {7}unknown\n/);
  });

  it.each([
    { words: ['--amount', '100'], code: 0, says: /^allowed\n/ },
    { words: ['--amount', '1000000'], code: 1, says: /^refused by life\n/ },
    {
      words: ['--amount', '600', '--attribute', 'tier=gold'],
      code: 1,
      says: /^refused by gold\n/,
    },
  ])('check --dry-run with $words ends with $code, and holds nothing', async (row) => {
    const asked = ['--dry-run', 'user:u-1', '--currency', 'CNY', ...row.words];
    const { code, out, err } = await run('check', asked);
    expect({ code, err }).toEqual({ code: row.code, err: '' });
    expect(out).toMatch(row.says);
    const { out: after } = await run('usage', ['user:u-1', '--json']);
    expect(lasting(after)).toMatchObject({ rules: [{ held: { amount: 100, count: 1 } }] });
  });

  it('check --dry-run with --partial-min says how much would pass', async () => {
    const asked = ['--dry-run', 'user:u-9', '--currency', 'CNY', '--amount', '1000001'];
    const found = await run('check', [...asked, '--partial-min', '1']);
    expect({ code: found.code, err: found.err }).toEqual({ code: 0, err: '' });
    expect(found.out).toMatch(/^allowed: 10,000\.00 of 10,000\.01 CNY \(life\)\n/);
    const { err } = await run('check', [...asked, '--partial-min', 'some']);
    expect(err).toMatch(/--partial-min/);
  });

  it.each([
    {
      words: ['--amount', '31'],
      code: 1,
      says: /^refused by unproven: passes with the proof sca\n/,
    },
    {
      words: ['--amount', '31', '--proof', 'sca'],
      code: 0,
      says: /^allowed, above watched, which only notifies\n/,
    },
  ])('check --dry-run with $words says what a proof would do', async ({ words, code, says }) => {
    const asked = ['--dry-run', 'till:t-1', '--currency', 'EUR', ...words];
    const found = await run('check', asked);
    expect({ code: found.code, err: found.err }).toEqual({ code, err: '' });
    expect(found.out).toMatch(says);
  });

  it('check --dry-run tells people of every rule, whatever the request says of reports', async () => {
    const order = { subjects: { user: 'u-9' }, amount: 1, currency: 'CNY', report: 'none' };
    const path = folder.write('short.json', JSON.stringify(order));
    const { code, out, err } = await run('check', ['--dry-run', '--request', path]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^allowed\n[^]*\nlife /);
  });

  it('check --dry-run reads a request of a file', async () => {
    const order = { subjects: { user: 'u-9' }, amount: 1_000_001, currency: 'CNY', dryRun: false };
    const path = folder.write('order.json', JSON.stringify(order));
    const { code, out } = await run('check', ['--dry-run', '--request', path, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ decision: 'refused', refusedBy: ['life'] });
  });

  // prettier-ignore
  it.each([
    { name: 'check', words: ['--dry-run', 'user:u-1', '--amount', '1', '--currency', 'rmb'], says: /^Not asked: check: currency is "rmb", expected a currency: .* \(INVALID_REQUEST\)\n$/ },
    { name: 'history', words: ['transactions', 'user:a', '--decision', 'no'], says: /^Not read: history: decision is "no", expected one of allowed, refused \(INVALID_REQUEST\)\n$/ },
    { name: 'history', words: ['transactions', '--reason', 'no'], says: /^Not read: history: reason is "no", expected one of no-rule, frozen \(INVALID_REQUEST\)\n$/ },
    { name: 'history', words: ['transactions', 'user:a', '--limit', 'ten'], says: /^--limit is "ten", expected a whole number\./ },
    { name: 'history', words: ['usage', 'user:a', '--rule', 'never'], says: /^Not read: history: there is no rule "never"/ },
    { name: 'usage', words: ['u-1'], says: /^"u-1" is no subject; expected its kind and its id/ },
    { name: 'usage', words: ['user:a', 'user:b'], says: /^There are two subjects of kind user\./ },
    { name: 'usage', words: ['constructor:a'], says: /^Not read: usage: subjects\.constructor is there, expected no field of this name/ },
    { name: 'check', words: ['--dry-run', 'user:u-1', '--amount', '1.5', '--currency', 'CNY'], says: /^--amount is "1\.5", expected a whole number\./ },
    { name: 'check', words: ['--dry-run', 'user:u-1', '--request', 'order.json'], says: /^user:u-1 stands beside --request, which has the whole request\./ },
    { name: 'check', words: ['--dry-run', '--request', 'no-such.json'], says: /^Not asked: no-such\.json cannot be read: there is no such file\.$/m },
    { name: 'near', words: ['--share', '80'], says: /^--share is "80", expected 0\.5, 0\.8/ },
    { name: 'near', words: ['--limit', '0'], says: /^--limit is "0", expected a whole number from 1 on\./ },
    { name: 'near', words: ['--rule', 'lief'], says: /^Not read: near: there is no rule "lief"/ },
    { name: 'check', words: ['--dry-run', 'user:u-1'], says: /^Expected --amount, in minor units/ },
  ])('$name $words is one sentence, and ends with 2', async ({ name, words, says }) => {
    const { code, out, err } = await run(name, words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    expect(err).not.toMatch(/\n {4}at /);
  });
});

it.each([
  { name: 'usage', words: ['user:u-1'] },
  { name: 'transaction', words: ['o-1'] },
  { name: 'near', words: ['--share', '0.5'] },
  { name: 'history', words: ['transactions', 'user:u-1'] },
  { name: 'history', words: ['usage', 'user:u-1'] },
  { name: 'history', words: ['summary', 'user'] },
  { name: 'check', words: ['--dry-run', 'user:u-1', '--amount', '7', '--currency', 'CNY'] },
])('$name --json prints the same answer by both ways', async ({ name, words }) => {
  const [one, other] = [
    await overDatabase(name, [...words, '--json']),
    await overHttp(name, [...words, '--json']),
  ];
  expect(lasting(one.out)).toEqual(lasting(other.out));
  expect(Object.keys(lasting(one.out) as object).length).toBeGreaterThan(1); // an answer is an object
});

it('doctor asks a deployment, and ends as it does over the database', async () => {
  const { code, out, err } = await overHttp('doctor', []);
  expect({ code, err }).toEqual({ code: 2, err: '' }); // tests keep what is over
  expect(out).toMatch(/^FAULT +indexes +not as they should be: .*\. Do: drop them, then /m);
  expect(out).toMatch(/^ok +rules +7 rules in force, 0 on trial, at revision \d+$/m);
  expect(out).not.toContain('probe');
  expect(out).toMatch(/\nHeadroom \d+\.\d+\.\d+\n$/);
  const told = JSON.parse((await overHttp('doctor', ['--json'])).out) as object; // it is an object
  expect(told).toMatchObject({ worst: 'fault' });
});

describe('near --scan', () => {
  it('makes the list from the counters, and says what it did', async () => {
    const { db } = database;
    await db.collection('near').deleteMany({});
    const first = await overDatabase('near', ['--scan', '--share', '0.5']);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(
      /^\d documents and 1 row of the list: 1 added, 0 changed, 0 removed\n\nRULE /,
    );
    const again = await overDatabase('near', ['--scan', '--json'], { NEAR: 'off' });
    const told = JSON.parse(again.out) as Readonly<Record<string, unknown>>; // it is an object
    expect(told).toMatchObject({ kept: false, scanned: { rows: 1, added: 0, removed: 0 } });
    expect(told.scannedAt).toEqual(expect.any(String));
    expect(told.near).toMatchObject([{ subjects: { user: 'u-4' }, share: 0.8 }]);
  });

  it('is not a deployment’s to do', async () => {
    const { code, err } = await overHttp('near', ['--scan']);
    expect(code).toBe(2);
    expect(err).toMatch(/^--scan stands beside --url/);
  });
});

describe('whose orders are meant', () => {
  it('over the database --app says', async () => {
    expect((await overDatabase('transaction', ['o-1', '--app', 'shop'])).code).toBe(1);
    expect((await overDatabase('transaction', ['o-1', '--app', 'default'])).code).toBe(0);
  });

  it('nobody signs over the database, though callers must', async () => {
    expect((await overDatabase('transaction', ['o-1'], { AUTH: 'hmac' })).code).toBe(0);
  });

  it('over HTTP who signs says', async () => {
    await overHttp('transaction', ['o-1', '--app', 'shop']);
    expect(service.arrived.at(-1)?.url).toMatch(/\/v1\/transactions\/o-1\?app=shop$/);
    const signed = { HEADROOM_APP_ID: 'shop', HEADROOM_SECRET: 'hrs_secret' };
    await overHttp('transaction', ['o-1'], signed);
    expect(service.arrived.at(-1)?.headers).toMatchObject({
      'signature-input': expect.stringContaining('keyid="shop"') as string,
    });
    const without = await overHttp('transaction', ['o-1'], { HEADROOM_APP_ID: 'shop' });
    expect(without.err).toMatch(/^HEADROOM_SECRET is not set\./);
  });
});

it.each([
  { address: 'http://127.0.0.1:9', reason: 'bad port', why: 'browsers and Node ask no such port' },
  {
    address: () => service.url.replace('http:', 'https:'),
    reason: 'ERR_SSL_\\w+',
    why: 'it is http',
  },
])('says at once that $reason will not pass: $why', async ({ address, reason }) => {
  const url = typeof address === 'string' ? address : address();
  const { code, err } = await runCommand('usage', ['user:u-1', '--url', url]);
  expect(code).toBe(2);
  expect(err).toMatch(
    new RegExp(`^Not read: nothing answers at ${url} \\(${reason}\\); is the address right, `),
  );
});

it('says at once that nothing answers at an address', async () => {
  const port = await probePort(0); // nobody listens there any more
  const address = `http://127.0.0.1:${port ?? 0}`;
  const startedMs = performance.now();
  const asked = await runCommand('usage', ['user:u-1', '--url', address]);
  expect(asked).toEqual({
    code: 2,
    out: '',
    err: `Not read: nothing answers at ${address} (ECONNREFUSED); is the address right, and does it run?\n`,
  });
  expect(performance.now() - startedMs).toBeLessThan(8_000); // repeats would go on for 10 s
});

// prettier-ignore
it.each([
  { set: { MONGODB_URI: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100' }, says: /127\.0\.0\.1:1/ },
  { set: { MONGODB_URI: '' }, says: /^MONGODB_URI is not set\. Set it, or run npm start in this folder/ },
  { set: { AUDIT: 'on' }, says: /^Not read: The settings are wrong:\n {2}- AUDIT is "on"/ },
])('with $set it says what is wrong', async ({ set, says }) => {
  const { code, out, err } = await overDatabase('usage', ['user:u-1'], set);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(says);
  expect(err).not.toMatch(/\n {4}at /);
});
