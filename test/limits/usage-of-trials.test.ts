import { expect, it } from 'vitest';
import { mingoStore } from '../support/mingo-store.ts';
import { checkOf, limitsOver, USER_DAY } from '../support/limits-fixture.ts';

const AT = new Date('2026-03-02T10:00:00Z');

it.each([
  { title: 'payments', distinct: undefined },
  { title: 'different values', distinct: 'card' },
])('usage says that a trial of $title is exceeded', async ({ distinct }) => {
  const { currency: _, ...ofAny } = USER_DAY;
  const store = mingoStore({ clock: () => AT });
  const rulesUpTo = (count: number) => [
    {
      ...ofAny,
      id: 'trial',
      ...(distinct && { distinct }),
      mode: 'shadow' as const,
      max: { count },
    },
    { ...USER_DAY, max: { count: 100 } },
  ];
  const before = limitsOver(store, rulesUpTo(3));
  for (const card of ['a', 'b', 'c']) {
    const request = checkOf({ orderId: card, subjects: { user: 'u' }, capture: true });
    await before.check({ ...request, attributes: { card } }, AT);
  }
  const lowered = limitsOver(store, rulesUpTo(2));
  const { rules } = await lowered.usage({ appId: 'default', subjects: { user: 'u' } }, AT);
  expect(rules.find(({ rule }) => rule.id === 'trial')).toMatchObject({
    used: { count: 3 },
    outcome: 'exceeded-shadow',
  });
});
