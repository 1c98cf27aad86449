import { expect, it } from 'vitest';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';
import type { ModelRule } from '../model/model-types.ts';

const NOW = new Date('2026-03-02T06:00:30.000Z');

it('an order of a call of many that begins again is not taken for the one before it', async () => {
  const rule: ModelRule = {
    ...{ id: 'user-minute', per: ['user'], mode: 'enforce', max: { count: 1 } },
    window: { unit: 'minute', timeZone: 'Asia/Shanghai' },
  };
  // The function is a minute behind, so that its first attempt is for a window that is over.
  const limits = limitsOver(mingoStore({ clock: () => NOW }), [rule], {
    machineNow: () => new Date(NOW.getTime() - 62_000),
  });
  const order = (orderId: string) => checkOf({ orderId, subjects: { user: 'u-1' } });
  const results = await limits.checkMany([order('o-1'), order('o-2')], false);
  expect(results).toMatchObject([
    { kind: 'answered', answer: { kind: 'allowed' } },
    { kind: 'answered', answer: { kind: 'refused' } },
  ]);
});
