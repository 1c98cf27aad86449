import { describe, expect, it } from 'vitest';
import { OUTCOMES_DEFAULT } from '../../lib/shared/bounds.ts';
import type { LimitsOptions } from '../../lib/limits.ts';
import { createLimits } from '../../lib/limits.ts';
import type { CounterStore } from '../../lib/limits/counter-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, checkOf } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { libRule } from '../support/service-under-test.ts';

const AT = new Date('2026-03-02T10:00:00.000Z');

const RULES: readonly ModelRule[] = [
  { ...USER_DAY, id: 'shop', per: ['merchant'], max: { count: 100_000 } },
  { ...USER_DAY, id: 'card', per: ['card'], max: { count: 100 } },
];

describe('a check over a card and its home, a merchant, where as much ends as is remembered', () => {
  it('between each of its reads and its holds is decided, and not given up', async () => {
    const store = mingoStore();
    const over = (counters: CounterStore, options: Partial<LimitsOptions> = {}) =>
      createLimits({
        counters,
        rules: () => Promise.resolve(RULES.map(libRule)),
        homeKinds: ['merchant'],
        ...options,
      });
    const others = over(store);
    let calls = 0;
    const overtaken: CounterStore = {
      ...store,
      async hold(document, ...asked) {
        if (document === 'merchant:m') {
          calls += 1;
          const orders = Array.from({ length: OUTCOMES_DEFAULT }, (_, order) =>
            checkOf({
              ...{ orderId: `other-${calls}-${order}`, subjects: { merchant: 'm' } },
              capture: true,
            }),
          );
          await others.checkMany(orders, false, AT);
        }
        return store.hold(document, ...asked);
      },
    };
    const order = checkOf({ orderId: 'o-1', subjects: { merchant: 'm', card: 'c' } });
    expect(await over(overtaken).check(order, AT)).toMatchObject({ kind: 'allowed' });
    expect(calls).toBe(3);
    expect(await others.check(order, AT)).toMatchObject({ kind: 'allowed', repeated: true });
  });
});
