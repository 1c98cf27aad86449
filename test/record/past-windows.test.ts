import { expect, it } from 'vitest';
import type { ModelRule } from '../model/model-types.ts';
import { recordOf, recordedBy, limitsOver } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';

const NOW = new Date('2026-03-02T10:00:30.000Z');
const HOUR_AGO = new Date('2026-03-02T09:00:30.000Z');

const rule = (kind: string, window: ModelRule['window']): ModelRule => ({
  id: `${kind}-${window === 'lifetime' ? 'ever' : 'minute'}`,
  per: [kind],
  currency: 'CNY',
  window,
  max: { amount: 1_000 },
  mode: 'enforce',
});

const RULES = ['user', 'merchant'].flatMap((kind) => [
  rule(kind, { unit: 'minute', timeZone: 'UTC' }),
  rule(kind, 'lifetime'),
]);

it('a record enters no window that is over, neither at home nor beside it', async () => {
  const store = mingoStore({ clock: () => NOW });
  const limits = limitsOver(store, RULES);
  const subjects = { user: 'u-1', merchant: 'm-1' };
  const told = await recordedBy(
    limits,
    [recordOf({ orderId: 'o-1', subjects, happenedAt: HOUR_AGO })],
    NOW,
  );
  expect(told).toEqual(['new']);
  type Buckets = Readonly<Record<string, object>>;
  const sums = [...store.documents.values()].map(({ b }) => Object.values(b as Buckets));
  const ever = { a: 100, n: 1, ua: 100, un: 1 };
  expect(sums).toEqual([[ever], [ever]]);
});
