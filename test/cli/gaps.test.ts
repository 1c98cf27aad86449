import { beforeAll, expect, it } from 'vitest';
import { environmentOf, makeIndexes, useDatabase } from '../support/database.ts';
import { handlersOn, callOverHttp } from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';
import { runCommand } from '../support/run-command.ts';

const MERCHANT = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };

const database = useDatabase();
const gaps = (...words: readonly string[]) =>
  runCommand('verify', ['--gaps', ...words], environmentOf(database));

/** Two users pay a merchant, who is beside them, and one is paid back. */
beforeAll(async () => {
  await makeIndexes(database.db);
  const handlers = await handlersOn(database, [USER_DAY, MERCHANT], { AUDIT: 'best-effort' });
  for (const [user, orderId] of [
    ['u-1', 'o-1'],
    ['u-2', 'o-2'],
    ['u-1', 'o-3'],
    ['u-1', 'o-4'],
  ]) {
    const subjects = { user, merchant: 'm-1' };
    const order = { orderId, subjects, amount: 100, currency: 'CNY' };
    expect((await callOverHttp(handlers.check, order)).body.decision).toBe('allowed');
    const way = orderId === 'o-3' ? handlers.rollback : handlers.confirm;
    expect((await callOverHttp(way, { orderId, subjects })).status).toBe(200);
  }
});

it('finds no gap where every row was written', async () => {
  const { out, err, code } = await gaps();
  expect({ out, err, code }).toEqual({
    out: 'No numbered write of a home lacks its row\n',
    err: '',
    code: 0,
  });
});

it('names the subject of which a row was lost, and how many', async () => {
  const lost = { orderId: 'o-3', operation: { $in: ['check', 'rollback'] } };
  const { deletedCount } = await database.db.collection('audit').deleteMany(lost);
  expect(deletedCount).toBe(2);
  const told = 'user:u-1: of its writes 1 to 6, 2 rows missing\n';
  expect(await gaps()).toMatchObject({ out: told, code: 1 });
  expect(await gaps('--subject', 'user:u-1')).toMatchObject({ out: told, code: 1 });
  expect(await gaps('--subject', 'user:u-2')).toMatchObject({ code: 0 });
  const { out } = await gaps('--json');
  expect(JSON.parse(out)).toEqual({
    gaps: [{ document: 'user:u-1', first: 1, last: 6, missing: 2 }],
  });
});
