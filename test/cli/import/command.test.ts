import { useHttpService } from '../../client/fixture.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { environmentOf, useDatabase } from '../../support/database.ts';
import { runCommand } from '../../support/run-command.ts';
import { handlersOn } from '../../support/service-on-database.ts';
import { useFolder } from '../../support/folder.ts';

const day = { unit: 'day', timeZone: 'Asia/Shanghai' };
// prettier-ignore
const RULES = [
  { id: 'life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: 2_000, count: 900 } },
  { id: 'shop', per: ['merchant'], currency: 'CNY', window: 'lifetime', max: { count: 900 } },
  { id: 'day', per: ['card'], currency: 'CNY', window: day, max: { count: 9 } },
];
const HEADER = 'orderId,at,amount,currency,user,merchant,card';
const AT = '2026-01-02T09:30:00+08:00';

const database = useDatabase({ withIndexes: true });
const folder = useFolder();
const service = useHttpService(database, () =>
  handlersOn(database, RULES, { AUDIT: 'best-effort' }),
);

/** Imports a file, over the database where nothing else is said. */
async function importing(name: string, words: readonly string[] = [], set = {}) {
  const path = folder.path(name);
  const ended = await runCommand('import', [path, ...words], {
    ...environmentOf(database),
    ...set,
  });
  const shown = (text: string): string =>
    text.replaceAll(path, name).replaceAll(folder.path('/'), '');
  return { code: ended.code, out: shown(ended.out), err: shown(ended.err) };
}

async function used(subject: string): Promise<unknown> {
  const { out } = await runCommand('usage', [subject, '--json'], environmentOf(database));
  const { rules } = JSON.parse(out) as { rules: { used: unknown }[] }; // the command's own
  return rules.map((rule) => rule.used);
}

const csv = (rows: readonly string[]): string => [HEADER, ...rows, ''].join('\n');

describe('a dry run', () => {
  it.each([
    { where: 'over the database', words: () => [] },
    { where: 'of a deployment', words: () => ['--url', service.url] },
  ])('warns $where of a currency that no rule names', async ({ words }) => {
    folder.write('dry.csv', csv([`d-1,${AT},100,CNX,d-1,,`, `d-2,${AT},100,CNY,d-1,,`]));
    expect(await importing('dry.csv', ['--dry-run', ...words()])).toMatchObject({
      code: 0,
      err: 'WARNING: 1 payment is in CNX, which no rule names. No maximum counts such amounts. Is the currency right?\n',
    });
  });

  it('says where the rules cannot be read', async () => {
    folder.write('away.csv', csv([`d-1,${AT},100,CNX,d-1,,`]));
    const { code, err } = await importing('away.csv', ['--dry-run', '--url', 'http://127.0.0.1:1']);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^WARNING: Not compared with the rules: .+\n$/) as unknown,
    });
  });
});

describe('a file that is imported', () => {
  it('counts each payment once at its own time, and says where', async () => {
    folder.write(
      'first.csv',
      csv([
        `f-1,${AT},1200,CNY,f-1,f-1,`,
        `f-2,${AT},1500,CNY,f-1,,`, // above the maximum
        `f-3,${AT},100,CNY,,,f-1`, // a day that is over
        `f-4,${AT},100,USD,f-1,,`, // no rule
        `f-2,${AT},1500,CNY,f-1,,`, // once more
        `f-1,${AT},7,CNY,f-1,f-1,`, // another payment of the same name
      ]),
    );
    const { code, out, err } = await importing('first.csv');
    expect(code).toBe(1);
    expect(err).toMatch(/^WARNING: 1 row has the id of an earlier row .+ "f-1" \(line 7\).+\n$/);
    expect(out.split('\n').slice(3)).toEqual([
      '6 rows: 2 counted, 1 recorded before, 1 not counted, because all windows of their time are over, 1 not counted, because no rule counts them, 1 not taken.',
      'Counted by: life 2, shop 1.',
      'Above the maximum of: life 1.',
      'Not taken: ORDER_REUSED 1.',
      'They are in first.rejected.csv, each with its problem.',
      '',
    ]);
    expect(await used('user:f-1')).toEqual([{ amount: 2_700, count: 2 }]);
    expect(await used('merchant:f-1')).toEqual([{ amount: 1_200, count: 1 }]);
    const [header, rejected] = folder.read('first.rejected.csv').split('\n');
    expect(header).toBe(`${HEADER},problem`);
    expect(rejected).toMatch(new RegExp(`^f-1,${AT.replace('+', '\\+')},7,CNY,f-1,f-1,,"?order`));
  });

  it('is through: a second run sends nothing', async () => {
    folder.write('twice.csv', csv([`t-1,${AT},1,CNY,t-1,,`]));
    const first = await importing('twice.csv');
    const before = service.arrived.length;
    const second = await importing('twice.csv', ['--url', 'http://127.0.0.1:1']);
    expect(second.code).toBe(2);
    expect(second.err).toMatch(
      /^Not imported: twice.csv.progress is of an import into database test-\w+, application default, columns .*; this one is into http:\/\/127\.0\.0\.1:1 of nobody who signs, .*\. Continue with the first target, or name another file with --progress\.\n$/,
    );
    const third = await importing('twice.csv');
    expect(third.code).toBe(0);
    expect(third.out).toBe(
      `${first.out.split('\n').slice(2).join('\n')}All rows are imported already. To send them again, remove twice.csv.progress.\n`,
    );
    expect(service.arrived).toHaveLength(before);
    expect(await used('user:t-1')).toEqual([{ amount: 1, count: 1 }]);
  });

  it('is sent to a deployment with --url, in the order of the file', async () => {
    const orders = Array.from({ length: 250 }, (_, index) => ({
      ...{ orderId: `url-${index}`, at: AT, subjects: { user: 'url' }, amount: 1, currency: 'CNY' },
    }));
    folder.write('url.jsonl', orders.map((order) => JSON.stringify(order)).join('\n'));
    const from = service.arrived.length;
    const { code, out } = await importing('url.jsonl', ['--url', service.url, '--json'], {
      MONGODB_URI: '',
    });
    expect({ code, out: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      out: {
        ...{ file: 'url.jsonl', rows: 250, counted: 250, repeated: 0, over: 0, withoutRule: 0 },
        ...{ rejected: 0, codes: {}, countedBy: { life: 250 }, exceededBy: {} },
      },
    });
    const sent = service.arrived.slice(from).map(({ url, body }) => {
      expect(url).toBe('/prod/v1/record');
      return (JSON.parse(body) as { orders: { orderId: string }[] }).orders;
    });
    expect(sent.map((each) => each.length)).toEqual([100, 100, 50]);
    expect(sent.flat()).toEqual(orders);
    expect(await used('user:url')).toEqual([{ amount: 250, count: 250 }]);
  });

  it('counts nothing where a row is wrong, or with --skip-invalid all others', async () => {
    const rows = [`w-1,${AT},5,CNY,w-1,,`, `w-2,${AT},1.5,CNY,w-1,,`, `w-3,${AT},7,CNY,w-1,,`];
    folder.write('wrong.csv', csv(rows));
    const refused = await importing('wrong.csv');
    expect(refused).toMatchObject({
      code: 2,
      err: 'line 3: amount is "1.5", expected a whole number of minor units, only digits: 12.50 CNY are 1250\nNot imported: 1 of 3 rows are wrong. Correct them, or leave them out with --skip-invalid.\n',
    });
    expect(await used('user:w-1')).toEqual([{ amount: 0, count: 0 }]);
    expect(existsSync(folder.path('wrong.csv.progress'))).toBe(false);
    const { code, out } = await importing('wrong.csv', ['--skip-invalid']);
    expect(code).toBe(1);
    expect(out).toContain('\n3 rows: 2 counted, 1 not taken.\n');
    expect(out).toContain('\nNot taken: INVALID_ROW 1.\n');
    expect(await used('user:w-1')).toEqual([{ amount: 12, count: 2 }]);
    // Corrected, what was left out is a file to import.
    folder.write('wrong.rejected.csv', folder.read('wrong.rejected.csv').replace('1.5,', '150,'));
    const corrected = await importing('wrong.rejected.csv');
    expect(corrected.code).toBe(0);
    expect(await used('user:w-1')).toEqual([{ amount: 162, count: 3 }]);
  });

  it('is refused once it has changed', async () => {
    folder.write('changed.csv', csv([`c-1,${AT},5,CNY,c-1,,`]));
    await importing('changed.csv');
    folder.write('changed.csv', csv([`c-1,${AT},5,CNY,c-1,,`, `c-2,${AT},5,CNY,c-1,,`]));
    expect(await importing('changed.csv')).toMatchObject({
      code: 2,
      err: 'Not wholly imported: changed.csv was changed since its import began, and 1 of 1 row are imported. Restore the file to continue.\n',
    });
    expect(await used('user:c-1')).toEqual([{ amount: 5, count: 1 }]);
  });

  it('says where nothing answers, and goes on there', async () => {
    folder.write('away.csv', csv([`a-1,${AT},5,CNY,a-1,,`]));
    const away = await importing('away.csv', [], {
      MONGODB_URI: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100',
    });
    expect(away.code).toBe(2);
    expect(away.err).toMatch(/^Not imported: .*127\.0\.0\.1:1/);
    expect((await importing('away.csv')).code).toBe(0);
    expect(await used('user:a-1')).toEqual([{ amount: 5, count: 1 }]);
  });
});

it('an import whose process is killed goes on where it was, and counts each payment once', async () => {
  const rows = Array.from(
    { length: 600 },
    (_, index) => `k-${index},${AT},1,CNY,k-${index % 3},${index % 50 === 0 ? 'k' : ''},`,
  );
  const path = folder.write('killed.csv', csv(rows));
  const root = join(import.meta.dirname, '..', '..', '..');
  const child = spawn(process.execPath, ['bin/headroom.mjs', 'import', path], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environmentOf(database) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (!existsSync(`${path}.progress`)) await delay(5);
  child.kill('SIGKILL');
  await ended;
  const { done } = JSON.parse(folder.read('killed.csv.progress')) as { done: number };
  expect(done).toBeLessThan(600);
  const { code, out } = await importing('killed.csv');
  expect(code).toBe(0);
  expect(out).toMatch(/^Goes on after [\d,]+ of 600 rows\.\n600 rows: /);
  for (const user of ['k-0', 'k-1', 'k-2'])
    expect(await used(`user:${user}`)).toEqual([{ amount: 200, count: 200 }]);
  expect(await used('merchant:k')).toEqual([{ amount: 12, count: 12 }]);
});
