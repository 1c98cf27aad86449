import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { waysOf } from '../support/command-ways.ts';
import { useFolder } from '../support/folder.ts';

const database = useDatabase();
const folder = useFolder();
const [{ run }] = waysOf(database, () => '');

const FILE = `currencies: { USDT: { digits: 6 } }
rules:
  - { id: coin, per: [user], currency: USDT, window: lifetime, max: { amount: 90000000 } }
  - { id: forint, per: [user], currency: HUF, window: lifetime, max: { amount: 12500000 } }
`;

const dry = (amount: number, currency: string) =>
  run('check', ['--dry-run', 'user:u-1', '--amount', String(amount), '--currency', currency]);

describe('amounts of a currency whose digits the rule file says', () => {
  beforeAll(async () => {
    const { code } = await run('rules', [folder.write('rules.yaml', FILE)]);
    expect(code).toBe(0);
  });

  it.each([
    { currency: 'USDT', amount: 80_000_000, room: '90.000000 USDT (coin)', why: 'the file says 6' },
    { currency: 'HUF', amount: 100, room: '125,000.00 HUF (forint)', why: 'ISO 4217 says 2' },
  ])('are told with them on the command line: $room', async ({ currency, amount, room }) => {
    const { code, out } = await dry(amount, currency);
    expect(code).toBe(0);
    expect(out).toContain(`Now would pass: ${room}.`);
  });

  it('are told so by every command that tells of amounts', async () => {
    const at = '2026-03-02T09:30:00+08:00';
    const paid = folder.write(
      'paid.jsonl',
      `${JSON.stringify({ orderId: 'o-1', at, subjects: { user: 'u-1' }, amount: 80_500_000, currency: 'USDT' })}\n`,
    );
    const imported = await run('import', [paid]);
    expect(imported).toMatchObject({ code: 0 });
    // A file alone says nothing of digits.
    expect(imported.out).toContain('of 80,500,000 to 80,500,000 minor units, 80,500,000 in all');
    for (const line of ['usage user:u-1', 'transaction o-1', 'history transactions user:u-1']) {
      const [name = '', ...words] = line.split(' ');
      expect([line, (await run(name, words)).out]).toEqual([
        line,
        expect.stringContaining('80.500000') as string,
      ]);
    }
    const { out } = await run('near', []);
    expect(out).toMatch(/80\.500000 +0\.000000 +90\.000000 +89% +USDT/);
  });
});
