import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, makeIndexes, useDatabase } from '../../support/database.ts';
import { runCommand } from '../../support/run-command.ts';
import { useFolder } from '../../support/folder.ts';
import { replaceRules } from '../../support/stored-rules.ts';
import { storedCounters } from '../../support/stored-buckets.ts';

const LIFE = { id: 'life', per: ['user'], window: 'lifetime', max: { count: 900 } };
const HEADER = 'orderId,at,amount,currency,user';
const AT = '2026-01-02T09:30:00+08:00';

const database = useDatabase();
const folder = useFolder();
beforeAll(async () => {
  await makeIndexes(database.db);
  await replaceRules(database.db, [LIFE]);
});

async function importing(name: string, text: string, words: readonly string[] = []) {
  const path = folder.write(name, text);
  const { code, out, err } = await runCommand('import', [path, ...words], environmentOf(database));
  return { code, out: out.replaceAll(path, name), err: err.replaceAll(path, name) };
}

async function users(): Promise<readonly string[]> {
  const found = await storedCounters(database.db).find({}).toArray();
  return found.map(({ _id }) => _id).toSorted();
}

describe('lines', () => {
  it('end as they like, each of them: a file that was put together counts for its users', async () => {
    const rows = [
      `l-1,${AT},1,CNY,u-1\r\n`,
      `l-2,${AT},1,CNY,u-2\n`,
      `l-3,${AT},1,CNY,"u-3"\r\n`,
      `"l\r\n4",${AT},1,CNY,u-4\r`,
      `l-5,${AT},1,CNY,u-5`,
    ];
    const { code, out } = await importing('ends.csv', `${HEADER}\n${rows.join('')}`);
    expect({ code, counted: /\d+ counted/.exec(out)?.[0] }).toEqual({
      code: 0,
      counted: '5 counted',
    });
    expect(await users()).toEqual(['user:u-1', 'user:u-2', 'user:u-3', 'user:u-4', 'user:u-5']);
  });

  it('of JSON end where JSON has no more, not at a separator that a text may have', async () => {
    const row = (orderId: string) =>
      JSON.stringify({ orderId, at: AT, amount: 1, currency: 'CNY', subjects: { user: 'j-1' } });
    const rows = [`${row('j\u20281')}\n`, `${row('j\u20292')}\r\n`, `\r`, `${row('j-3')}\r`];
    const text = [...rows, row('j-4'), '\n\n', 'nothing\n'].join('');
    const { err, out } = await importing('ends.jsonl', text, ['--skip-invalid']);
    expect({ err, counted: /\d+ counted/.exec(out)?.[0] }).toEqual({
      err: '',
      counted: '4 counted',
    });
    expect(folder.read('ends.rejected.jsonl')).toContain('"text":"nothing"');
    const named = await importing('odd.jsonl', text, ['--dry-run']);
    expect(named.out).toContain('line 7');
  });

  it('of JSON have a payment each: a file that is one line of all of them is refused at once', async () => {
    const row = { orderId: 'a-1', at: AT, amount: 1, currency: 'CNY', subjects: { user: 'a-1' } };
    const text = `${JSON.stringify(row)}\n${JSON.stringify(Array.from({ length: 5_000 }, () => row))}`;
    const { code, out, err } = await importing('whole.jsonl', text);
    expect({ code, out, err }).toEqual({
      ...{ code: 2, out: '' },
      err: 'Not imported: line 2 of whole.jsonl has more than 131072 characters; expected the JSON of one payment on each line.\n',
    });
  });
});

describe('ids that look as if a program had changed them', () => {
  it.each([
    {
      name: 'sci.csv',
      text: `${HEADER}\no-1,${AT},1,CNY,u-1\n1.23457E+11,${AT},1,CNY,1.38E+10\n1.23457E+12,${AT},1,CNY,u-1\n`,
      err: 'WARNING: 2 rows have an id such as "1.23457E+11" (line 3), like a long number that a spreadsheet shortened. Shortening turns different ids into one. Was the column saved as text?\n',
    },
    {
      name: 'spaces.jsonl',
      text: `${JSON.stringify({ orderId: 'o-1', at: AT, amount: 1, currency: 'CNY', subjects: { user: 'u-1 ' } })}\n`,
      err: 'WARNING: 1 row has an id such as "u-1 " (line 1), with a space at an end. It is another id than the one without.\n',
    },
  ])('are told before anything is sent, of $name', async ({ name, text, err }) => {
    expect(await importing(name, text, ['--dry-run'])).toMatchObject({ code: 0, err });
  });

  it.each(['E+11', '1E', 'u-1.5E+10', '15', '1.5', 'a b'])('are not %s', async (id) => {
    const { err } = await importing('fine.csv', `${HEADER}\n${id},${AT},1,CNY,${id}\n`, [
      '--dry-run',
    ]);
    expect(err).toBe('');
  });
});

it.each([
  { delimiter: ';', word: '";"' },
  { delimiter: '\t', word: '"\\t"' },
  { delimiter: '|', word: '"|"' },
])(
  'columns that are parted otherwise by $delimiter: says how they are read',
  async ({ delimiter, word }) => {
    const text = `${HEADER}\no-1,${AT},1,CNY,u-1\n`.replaceAll(',', delimiter);
    const { code, err } = await importing('parted.csv', text, ['--dry-run']);
    expect({ code, err }).toEqual({
      code: 2,
      err: `Not imported: parted.csv has only one column, and its name has ${JSON.stringify(delimiter)} in it. If that separates the columns, add --delimiter ${word}.\n`,
    });
  },
);

it('rows that were not taken stand in a file that may be taken away: what is noted of it is not missed', async () => {
  const rows = Array.from({ length: 1_500 }, (_, index) => `o-${index},${AT},x,CNY,u-1`);
  const good = [`o-a,${AT},1,CNY,u-1`];
  const text = [HEADER, ...rows, ...good].join('\n');
  await importing('taken.csv', text, ['--skip-invalid']);
  const noted = JSON.parse(folder.read('taken.csv.progress')) as object;
  folder.write('taken.csv.progress', JSON.stringify({ ...noted, done: 1_000 }));
  rmSync(folder.path('taken.rejected.csv'));
  const { code, err } = await importing('taken.csv', text, ['--skip-invalid']);
  expect({ code, err: err.replace(/\S+\//g, '') }).toEqual({
    code: 2,
    err: 'Not imported: taken.rejected.csv is not there any more, which has the rejected rows so far. Restore it to continue, or remove taken.csv.progress to send all rows again.\n',
  });
});
