import { beforeEach, describe, expect, it } from 'vitest';
import { releaseHolds } from '../../cli/release/release.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { Service } from '../../functions/service.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import { countersIn } from '../support/stored-buckets.ts';
import { environmentOf, useDatabase } from '../support/database.ts';
import { checkOf, orderOf } from '../support/limits-fixture.ts';
import { runCommand } from '../support/run-command.ts';
import { serviceOn } from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const RULES = [
  { ...USER_DAY, max: { amount: 100_000 } },
  { ...USER_DAY, id: 'merchant-day', per: ['merchant'], max: { amount: 1_000_000 } },
];

const database = useDatabase({ withIndexes: true });
let service: Service;

beforeEach(async () => {
  for (const name of ['counters', 'audit']) await database.db.collection(name).deleteMany({});
  service = await serviceOn(database, RULES);
});

const stored = () => countersIn(database.db);

/** A check of an order by a user of its own, at merchant m-1. */
function checkAt(orderId: string, request: Partial<CheckRequest> = {}): CheckRequest {
  const subjects = { user: `of ${orderId}`, merchant: 'm-1' };
  return checkOf({ orderId, appId: 'shop', subjects, ...request });
}

async function hold(...checks: readonly CheckRequest[]): Promise<void> {
  for (const check of checks)
    expect(await service.limits.check(check)).toMatchObject({ kind: 'allowed' });
}

const WEEK_MS = 604_800_000;

async function release(...words: readonly string[]) {
  const { code, out, err } = await runCommand(
    'release',
    ['--app', 'shop', '--subject', 'merchant:m-1', ...words],
    { ...environmentOf(database), AUDIT: 'best-effort' },
  );
  return { code, said: out + err };
}

const GIVE_BACK = ['--give-back', '--reason', 'fills m-1', '--by', 'Jane'] as const;
const openOf = async (_id: string) => {
  const found = await database.db
    .collection<StoredDocument & { readonly _id: string }>('counters')
    .findOne({ _id });
  return { open: Number(found?.open ?? 0), shares: Number(found?.shares ?? 0) };
};

describe('headroom release', () => {
  it('prints what is open, and changes nothing', async () => {
    await hold(checkAt('o-1'), checkAt('o-2'), checkAt('o-3', { appId: 'other' }));
    const before = await stored();
    expect(await release()).toEqual({
      code: 1,
      said: 'merchant:m-1 has 3 open holds, 2 of application shop. Nothing was changed: --give-back gives them back.\n',
    });
    const { said } = await release('--json');
    expect(JSON.parse(said)).toMatchObject({
      ...{ document: 'merchant:m-1', app: 'shop', open: 3, found: 2 },
      orders: [{ home: 'user:of o-1' }, { home: 'user:of o-2' }],
    });
    expect(await stored()).toEqual(before);
  });

  it('gives back everywhere what is of the application, with a row that says who and why', async () => {
    await hold(checkAt('o-1'), checkAt('o-2'), checkAt('o-3', { appId: 'other' }));
    expect(await release(...GIVE_BACK)).toEqual({
      code: 0,
      said: 'merchant:m-1 has 3 open holds, 2 of application shop. 2 orders given back.\n',
    });
    expect(await openOf('merchant:m-1')).toEqual({ open: 0, shares: 1 });
    expect(await openOf('user:of o-1')).toEqual({ open: 0, shares: 0 });
    expect(await openOf('user:of o-3')).toEqual({ open: 1, shares: 0 });
    const usage = await service.limits.usage({ appId: 'shop', subjects: { merchant: 'm-1' } });
    expect(usage.rules).toMatchObject([{ held: { amountMinor: 100 }, used: { amountMinor: 0 } }]);
    const rows = await database.db.collection('audit').find({ operation: 'rollback' }).toArray();
    expect(rows).toMatchObject([
      { appId: 'shop', outcome: 'rolledBack', reason: 'released by Jane: fills m-1' },
      { appId: 'shop', outcome: 'rolledBack', reason: 'released by Jane: fills m-1' },
    ]);
    expect(await release(...GIVE_BACK)).toMatchObject({ code: 0 });
  });

  it('gives back what a user and a merchant hold in a document of both, which it names as it is stored', async () => {
    const pair = {
      ...USER_DAY,
      id: 'pair',
      per: ['user', 'merchant'],
      counterparts: 'many',
    } as const;
    service = await serviceOn(database, [...RULES, pair]);
    const subjects = { user: 'a|b:c', merchant: 'm-1' };
    await hold(checkAt('o-1', { subjects }), checkAt('o-2', { subjects, appId: 'other' }));
    const document = 'user:a\\|b\\:c|merchant:m-1';
    expect(await openOf(document)).toEqual({ open: 0, shares: 2 });
    const { code, said } = await release('--subject', document, ...GIVE_BACK);
    expect(said).toContain('2 open holds, 1 of application shop. 1 order given back.');
    expect(code).toBe(0);
    for (const one of [document, 'merchant:m-1'])
      expect(await openOf(one)).toEqual({ open: 0, shares: 1 });
    expect(await openOf('user:a|b\\:c')).toEqual({ open: 1, shares: 0 });
  });

  it('gives back more orders than one call has, and spares those that end soon', async () => {
    const long = Array.from({ length: 103 }, (_, index) =>
      checkAt(`o-${index}`, { holdMs: WEEK_MS, amountMinor: 1 }),
    );
    for (let from = 0; from < long.length; from += 100)
      await service.limits.checkMany(long.slice(from, from + 100), false);
    await hold(checkAt('soon'));
    expect(await release('--lasting', 'PT1H', ...GIVE_BACK)).toEqual({
      code: 0,
      said: 'merchant:m-1 has 104 open holds, 103 of application shop that last PT1H longer. 103 orders given back.\n',
    });
    expect(await openOf('merchant:m-1')).toEqual({ open: 0, shares: 1 });
    expect(await openOf('user:of soon')).toEqual({ open: 1, shares: 0 });
  });

  it('gives back holds at home, whatever the ids of subject and order are', async () => {
    await hold(checkAt('o:1\\', { subjects: { user: 'u:1' } }));
    const words = ['--app', 'shop', '--subject', 'user:u:1', ...GIVE_BACK];
    const { code } = await runCommand('release', words, environmentOf(database));
    expect(code).toBe(0);
    expect(await openOf('user:u\\:1')).toEqual({ open: 0, shares: 0 });
  });

  it('gives back orders of one id that several users have, and counts no hold that is over', async () => {
    const ofTwo = ['u-1', 'u-2'].map((user) =>
      checkAt('o-1', { subjects: { user, merchant: 'm-1' } }),
    );
    await hold(...ofTwo, checkAt('o-2'));
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await service.limits.check(checkAt('over', { holdMs: 1000 }), anHourAgo);
    expect(await release(...GIVE_BACK)).toEqual({
      code: 0,
      said: 'merchant:m-1 has 3 open holds, 3 of application shop. 3 orders given back.\n',
    });
    for (const user of ['user:u-1', 'user:u-2'])
      expect(await openOf(user)).toEqual({ open: 0, shares: 0 });
  });

  it('ends well where all that it could not give back was confirmed: no hold is left', async () => {
    await hold(checkAt('o-1'));
    const settleMany: Service['limits']['settleMany'] = async (...asked) => {
      const { subjects } = checkAt('o-1');
      await service.limits.confirm({ ...orderOf('o-1', subjects), appId: 'shop' });
      return service.limits.settleMany(...asked);
    };
    const limits = { ...service.limits, settleMany };
    const options = { app: 'shop', subject: 'merchant:m-1', giveBack: true, reason: 'fills m-1' };
    expect(await releaseHolds({ ...service, limits }, options)).toBe(0);
    expect(await openOf('merchant:m-1')).toEqual({ open: 0, shares: 0 });
  });

  it('leaves alone what was confirmed, or checked again, since it was read', async () => {
    await hold(checkAt('o-1'), checkAt('o-2'), checkAt('o-3'));
    const settleMany: Service['limits']['settleMany'] = async (...asked) => {
      const order = (orderId: string) => ({
        ...orderOf(orderId, checkAt(orderId).subjects),
        appId: 'shop',
      });
      await service.limits.confirm(order('o-1'));
      // The hold of o-2 expires, and the order is checked again.
      const inAnHour = new Date(Date.now() + 3_600_000);
      await service.limits.check(checkAt('o-2'), inAnHour);
      return service.limits.settleMany(asked[0], inAnHour, asked[2]);
    };
    const limits = { ...service.limits, settleMany };
    const options = { app: 'shop', subject: 'merchant:m-1', giveBack: true, reason: 'fills m-1' };
    expect(await releaseHolds({ ...service, limits }, options)).toBe(1);
    expect(await openOf('user:of o-1')).toEqual({ open: 0, shares: 0 });
    expect(await openOf('user:of o-2')).toEqual({ open: 1, shares: 0 });
  });

  it('leaves a share whose home does not know the order', async () => {
    await hold(checkAt('o-1'), checkAt('o-2'));
    await database.db.collection('counters').deleteOne({ _id: 'user:of o-1' as never });
    const { code, said } = await release(...GIVE_BACK);
    expect(said).toContain(
      `1 order given back.\n1 not: FORGOTTEN. Their home does not know these orders.`,
    );
    expect(code).toBe(1);
    expect(await openOf('merchant:m-1')).toEqual({ open: 0, shares: 1 });
  });

  // prettier-ignore
  it.each([
    { words: ['--give-back'],                        says: 'Expected --reason, which Headroom stores with each rollback.' },
    { words: ['--subject', 'm-1'],                   says: '--subject is "m-1", expected a kind and an id, such as merchant:m-1.' },
    { words: ['--lasting', '1h'],                    says: '--lasting is "1h", expected an ISO 8601 duration, such as PT1H.' },
    { words: ['--app', 'Shop'],                      says: '--app is "Shop", expected 1 to 64 lower-case letters' },
    { words: ['--give-back', '--reason', ' ', '--by', '\u0000'], says: '--by is "\\u0000"' },
  ])('refuses $words', async ({ words, says }) => {
    const { code, said } = await release(...words);
    expect(said).toContain(says);
    expect(code).toBe(2);
  });
});
