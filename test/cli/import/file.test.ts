import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../support/run-command.ts';
import { useFolder } from '../../support/folder.ts';

const folder = useFolder();

const HEADER = 'orderId,at,amount,currency,user';
const GOOD = 'o-1,2026-01-02T09:30:00+08:00,1200,CNY,u-1';
const LINE = { orderId: 'o-1', at: '2026-01-02T09:30:00+08:00', amount: 1, currency: 'CNY' };
const GOOD_LINE = JSON.stringify({ ...LINE, subjects: { user: 'u-1' } });

async function dryRun(name: string, text: string | Uint8Array, words: readonly string[] = []) {
  const path = folder.write(name, text);
  const { code, out, err } = await runCommand('import', [path, '--dry-run', ...words]);
  return { code, out: out.replaceAll(path, name), err: err.replaceAll(path, name) };
}

// prettier-ignore
const CELLS = [
  { row: 'o-1,2026-01-02T09:30:00+08:00,12.50,CNY,u-1',  says: 'amount is "12.50", expected a whole number of minor units, only digits: 12.50 CNY are 1250' },
  { row: 'o-1,2026-01-02T09:30:00+08:00,"1,200",CNY,u-1', says: 'amount is "1,200", expected a whole number of minor units, only digits: 12.50 CNY are 1250' },
  { row: 'o-1,2026-01-02T09:30:00+08:00,-5,CNY,u-1',     says: 'amount is -5, expected a whole number from 0 to 1000000000000000' },
  { row: 'o-1,2026-01-02T09:30:00+08:00,,CNY,u-1',       says: 'amount is missing, expected a whole number from 0 to 1000000000000000' },
  { row: 'o-1,2026-01-02 09:30:00,1200,CNY,u-1',         says: 'at is "2026-01-02 09:30:00", expected an instant as RFC 3339 with its zone, from 1970 to 9998, such as 2026-01-01T00:00:00+08:00' },
  { row: 'o-1,2999-01-02T09:30:00Z,1200,CNY,u-1',        says: 'at is "2999-01-02T09:30:00Z", expected an instant that is not after now' },
  { row: ',2026-01-02T09:30:00Z,1200,CNY,u-1',           says: 'orderId is missing, expected text of 1 to 256 characters, without U+0000, U+FFFD and half surrogate pairs' },
  { row: 'o-1,2026-01-02T09:30:00Z,1200,cny,u-1',        says: 'currency is "cny", expected a currency: 3 to 12 capital letters and digits, such as CNY' },
  { row: 'o-1,2026-01-02T09:30:00Z,1200,CNY,',           says: 'subjects is an empty object, expected 1 to 10 subjects' },
  { row: 'o-1,2026-01-02T09:30:00Z,1200,CNY',            says: 'the row is 4 cells long, expected 5, one for each column' },
];

describe('a CSV file', () => {
  it('says which payments failed, and why', async () => {
    const header = `${HEADER},status,reasonCode`;
    const rows = [`${GOOD},FAIL,wrong-pin`, `${GOOD.replace('o-1', 'o-2')},SUCCESS,`];
    expect(await dryRun('failed.csv', [header, ...rows].join('\n'))).toMatchObject({ code: 0 });
    const wrong = [`${GOOD},SUCCESS,wrong-pin`, `${GOOD.replace('o-1', 'o-2')},failed,`];
    const { code, out } = await dryRun('wrong.csv', [header, ...wrong].join('\n'));
    expect(code).toBe(1);
    expect(out).toContain('reasonCode is "wrong-pin", expected no reasonCode but with status FAIL');
    expect(out).toContain('status is "failed", expected SUCCESS or FAIL');
  });

  it('is told of in its currencies, in major units', async () => {
    const rows = [
      GOOD,
      '"o,2",2026-01-02T09:30:00Z,300000,CNY,u-2',
      'o-3,2026-01-02T09:30:00Z,5,JPY,u-2',
    ];
    const { code, out, err } = await dryRun('good.csv', `${[HEADER, ...rows].join('\r\n')}\r\n`);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'good.csv: 3 rows\n  CNY: 2 payments of 12.00 to 3,000.00, 3,012.00 in all\n  JPY: 1 payment of 5 to 5, 5 in all\n',
      err: '',
    });
  });

  it('sums a payment once that stands in it twice, and names an id of two payments', async () => {
    const rows = [
      'o-1,2026-01-02T09:30:00Z,1200,CNY,u-1',
      'o-2,2026-01-02T09:30:00Z,300,CNY,u-1',
      'o-1,2026-01-02T17:30:00+08:00,1200,CNY,u-1', // the same instant
      'o-2,2026-01-02T09:30:00Z,301,CNY,u-1',
      'o-2,2026-01-02T09:30:00Z,400,CNY,u-2', // of another user: another order
    ];
    const { code, out, err } = await dryRun('twice.csv', [HEADER, ...rows].join('\n'));
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'twice.csv: 5 rows, 1 of them an earlier one again\n  CNY: 3 payments of 3.00 to 12.00, 19.00 in all\n',
      err: 'WARNING: 1 row has the id of an earlier row and another content, such as "o-2" (line 5). Headroom rejects such a row (ORDER_REUSED). Give each payment an id of its own.\n',
    });
  });

  it.each(CELLS)('names $row with its line, and what was expected', async ({ row, says }) => {
    const { code, out } = await dryRun('cells.csv', `${HEADER}\n${GOOD}\n${row}\n`);
    expect({ code, last: out.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      last: `line 3: ${says}`,
    });
  });

  it('names the first 20 wrong rows, and how many more there are', async () => {
    const wrong = Array.from({ length: 23 }, () => 'o-1,2026-01-02T09:30:00Z,1.5,CNY,u-1');
    const { out } = await dryRun('many.csv', [HEADER, ...wrong].join('\n'));
    expect(out.match(/^line \d+:/gm)).toHaveLength(20);
    expect(out).toMatch(/^many.csv: 23 rows, 23 of them wrong\n/);
    expect(out).toMatch(/\nand 3 rows more\n$/);
  });

  it('warns where amounts look like major units', async () => {
    const rows = Array.from(
      { length: 10 },
      (_, index) => `o-${index},2026-01-02T09:30:00Z,${index * 9},CNY,u-1`,
    );
    const { code, err } = await dryRun('major.csv', [HEADER, ...rows].join('\n'));
    expect({ code, err }).toEqual({
      code: 0,
      err: 'WARNING: The largest of 10 payments in CNY is 81, which is 0.81 CNY. Amounts are minor units. Did you mean major units?\n',
    });
  });

  // prettier-ignore
  it.each([
    { why: 'no column',     text: 'orderId,at,currency,user\n',      says: 'Not imported: h.csv has no column amount; its columns are orderId, at, currency, user. Name one, such as --column amount=COLUMN, or --set amount=TEXT for all rows.\n' },
    { why: 'no subject',    text: 'orderId,at,amount,currency\n',    says: 'Not imported: h.csv has no column of a subject, such as user; its columns are orderId, at, amount, currency.\n' },
    { why: 'no name',       text: `${HEADER},Order No\n`,            says: 'Not imported: h.csv has a column "Order No", which is no field. Name its field, such as --column user=Order No, or --ignore Order No.\n' },
    { why: 'a name twice',  text: `${HEADER},user\n`,                says: 'Not imported: h.csv has user twice, expected one column, or one --set.\n' },
    { why: 'nothing',       text: '',                                says: 'Not imported: h.csv is empty.\n' },
    { why: 'no rows',       text: `${HEADER}\n`,                     says: 'Not imported: h.csv has no rows.\n' },
    { why: 'a quote alone', text: `${HEADER}\n${GOOD}\no-2,"a"b\n`,  says: 'Not imported: h.csv is no CSV: Invalid Closing Quote: got "b" at line 3 instead of delimiter, record delimiter, trimable character (if activated) or comment.\n' },
    { why: 'other bytes',   text: Buffer.from([0x6f, 0xd3, 0xc3]),   says: 'Not imported: h.csv is not UTF-8; save it as UTF-8.\n' },
  ])('with $why is refused as a whole', async ({ text, says }) => {
    const { code, err } = await dryRun('h.csv', text);
    expect({ code, err }).toEqual({ code: 2, err: says });
  });

  it('may call its columns otherwise, leave some out, and have what is the same in all', async () => {
    const text =
      '\uFEFFno;paid;fen;customer;level;note\n1;2026-01-02T09:30:00Z;120000;u-1;gold;x\n';
    const words = ['--column', 'orderId=no', '--column', 'at=paid', '--column', 'amount=fen'];
    const more = [
      '--column',
      'user=customer',
      '--column',
      'attributes.tier=level',
      '--ignore',
      'note',
    ];
    const set = ['--set', 'currency=CNY', '--set', 'type=PAYMENT', '--delimiter', ';'];
    const { code, out } = await dryRun('named.csv', text, [...words, ...more, ...set]);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'named.csv: 1 row\n  CNY: 1 payment of 1,200.00 to 1,200.00, 1,200.00 in all\n',
    });
  });

  // prettier-ignore
  it.each([
    { words: ['--column', 'amount'],      says: '--column is "amount", expected a field, = and its text.' },
    { words: ['--column', 'amount=fen'],  says: 'Not imported: w.csv has no column "fen"; its columns are' },
    { words: ['--set', 'user=u-1'],       says: 'Not imported: w.csv has user twice' },
    { words: ['--delimiter', ';;'],       says: '--delimiter is ";;", expected one character' },
  ])('is not read with $words', async ({ words, says }) => {
    const { code, err } = await dryRun('w.csv', `${HEADER}\n${GOOD}\n`, words);
    expect(code).toBe(2);
    expect(err).toContain(says);
  });
});

describe('a file of JSON lines', () => {
  it('has a payment in each line, as a record takes it', async () => {
    const { code, out } = await dryRun('good.jsonl', `${GOOD_LINE}\n\n${GOOD_LINE}`);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'good.jsonl: 2 rows, 1 of them an earlier one again\n  CNY: 1 payment of 0.01 to 0.01, 0.01 in all\n',
    });
  });

  // prettier-ignore
  it.each([
    { text: '{"orderId"',                                          says: 'line 2: the request is not JSON: "{\\"orderId\\"", expected a JSON object' },
    { text: '[]',                                                  says: 'line 2: the row is a list of 0, expected a JSON object' },
    { text: GOOD_LINE.replace('"amount":1', '"amount":1,"amount":2'), says: 'line 2: amount is there twice, expected a field that stands once' },
    { text: GOOD_LINE.replace('"amount":1', '"amount":1.5'),       says: 'line 2: amount is 1.5, expected a whole number from 0 to 1000000000000000' },
    { text: GOOD_LINE.replace('"amount":1', '"amount":1,"hold":"PT1M"'), says: 'line 2: hold is "PT1M", expected only the fields orderId, at, type, subjects, amount, currency, count, attributes, proofs, status, reasonCode' },
  ])('names a line that is $text', async ({ text, says }) => {
    const { code, out } = await dryRun('wrong.jsonl', `${GOOD_LINE}\n${text}\n`);
    expect({ code, last: out.trimEnd().split('\n').at(-1) }).toEqual({ code: 1, last: says.replace('the request', 'the row') });
  });

  it('that is no UTF-8 is refused as a whole', async () => {
    const { code, err } = await dryRun('bytes.jsonl', Buffer.from([0x7b, 0xff, 0x7d]));
    expect({ code, err }).toEqual({
      code: 2,
      err: 'Not imported: bytes.jsonl is not UTF-8; save it as UTF-8.\n',
    });
  });
});

describe('what is no such file', () => {
  it('is told', async () => {
    const missing = await runCommand('import', [folder.path('missing.csv'), '--dry-run']);
    expect(missing.code).toBe(2);
    expect(missing.err).toMatch(/^Not imported: there is no file .*missing\.csv\.\n$/);
    const { code, err } = await dryRun('data.xlsx', 'x');
    expect(code).toBe(2);
    expect(err).toContain(
      'data.xlsx ends in ".xlsx", expected one of .csv, .tsv, .txt, .jsonl, .ndjson.',
    );
  });

  it('a dry run leaves nothing beside it', async () => {
    await dryRun('alone.csv', `${HEADER}\n${GOOD}\n`);
    expect(existsSync(folder.path('alone.csv.progress'))).toBe(false);
    expect(existsSync(folder.path('alone.rejected.csv'))).toBe(false);
  });
});
