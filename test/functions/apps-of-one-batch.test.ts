import { beforeEach, describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { createSettleHandler } from '../../lib/edge/settle-handler.ts';
import { useDatabase } from '../support/database.ts';
import { checkOf, refundOf } from '../support/limits-fixture.ts';
import { batchOf } from '../support/queue-events.ts';
import { serviceOn } from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const RULES = [{ ...USER_DAY, max: { amount: 100_000 } }];
const SUBJECTS = { user: 'u-1' };
const whereabouts = { kind: 'subjects', subjects: SUBJECTS } as const;

describe.each(['best-effort', 'session'])(
  'orders of two applications under one id, in one batch, AUDIT=%s',
  (mode) => {
    const database = useDatabase();
    let limits: Limits;
    let settle: ReturnType<typeof createSettleHandler>;

    beforeEach(async () => {
      for (const name of ['counters', 'audit', 'refunds'])
        await database.db.collection(name).deleteMany({});
      const service = await serviceOn(database, RULES, { AUDIT: mode });
      ({ limits } = service);
      settle = createSettleHandler(limits.settleMany, service);
    });

    const check = (appId: string, user = 'u-1') =>
      limits.check({ ...checkOf({ orderId: 'o-1', subjects: { user } }), appId });
    const message = (appId: string, more: object = {}) => ({
      appId,
      orderId: 'o-1',
      status: 'SUCCESS',
      ...more,
    });
    const failedOf = async (...bodies: readonly object[]): Promise<readonly string[]> => {
      const { batchItemFailures } = await settle(batchOf(...bodies), { awsRequestId: 'r' });
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    };
    const asked = (appId: string, to: 'confirmed' | 'rolledBack' = 'confirmed') => ({
      appId,
      orderId: 'o-1',
      to,
      whereabouts,
    });

    it.each(['u-1', 'u-2'])(
      'are settled each, if they are named by id alone and the second is of %s',
      async (user) => {
        await check('shop');
        await check('wallet', user);
        expect(await failedOf(message('shop'), message('wallet'))).toEqual([]);
      },
    );

    it('are told their own refunds', async () => {
      await check('shop');
      await check('wallet');
      const both = [asked('shop'), asked('wallet')];
      await limits.settleMany(both);
      await limits.refund({ ...refundOf('o-1', 'r-1'), appId: 'wallet' });
      const told = await limits.settleMany(both);
      expect(told).toMatchObject([
        { kind: 'answered', answer: { state: 'confirmed' } },
        { kind: 'answered', answer: { state: 'refunded' } },
      ]);
    });

    it('are told as their own rows have them, if their home has forgotten them', async () => {
      await check('shop');
      await check('wallet');
      const both = [asked('shop'), asked('wallet', 'rolledBack')];
      const first = await limits.settleMany(both);
      await database.db.collection('counters').deleteMany({});
      const told = await limits.settleMany(both);
      expect(told.map(({ kind }) => kind)).toEqual(first.map(({ kind }) => kind));
      expect(told).toMatchObject([
        { answer: { state: 'confirmed', repeated: true } },
        { answer: { state: 'rolledBack', repeated: true } },
      ]);
    });

    it('are no word about each other: a confirm before its check is delivered again', async () => {
      const by = { subjects: SUBJECTS };
      await check('wallet');
      expect(await failedOf(message('wallet', by))).toEqual([]);
      expect(await failedOf(message('shop', by), message('wallet', by))).toEqual(['m-0']);
    });
  },
);
