import { describe, expect, it } from 'vitest';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { refusedBy } from '../../lib/limits/report.ts';
import type { ModelRule } from '../model/model-types.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';

const NOW = new Date('2026-03-02T06:00:30.000Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);
const DAY = { unit: 'day', timeZone: 'UTC' } as const;
const of = (kind: string, max: ModelRule['max'], more: Partial<ModelRule> = {}): ModelRule => ({
  ...{ id: kind, per: [kind], window: DAY, max, mode: 'enforce' },
  ...more,
});
const ONE_EACH = [of('user', { count: 1 }), of('merchant', { count: 1_000 })];

/** A service over a store in memory, whose clock the test sets. The function is so far ahead of it. */
function limitsWith(rules: readonly ModelRule[], aheadMs = 0) {
  const clock = { at: NOW };
  const store = mingoStore({ clock: () => clock.at });
  const machineNow = (): Date => new Date(clock.at.getTime() + aheadMs);
  const over = (counters = mingoStore()) => limitsOver(counters, rules, { machineNow });
  return { clock, store, over };
}

const order = (
  orderId: string,
  subjects: CheckRequest['subjects'],
  more: Partial<CheckRequest> = {},
): CheckRequest => checkOf({ orderId, subjects, ...more });

const BOTH = { user: 'u-1', merchant: 'm-1' };

/** By order, `allowed` or the rules that refuse it. */
function told(results: readonly ManyResult<CheckAnswer>[]): readonly unknown[] {
  return results.map((result) => {
    if (result.kind === 'failed') throw result.error;
    const { answer } = result;
    if (answer.kind === 'undecided') throw answer.cause;
    return answer.kind === 'refused' ? refusedBy(answer.rules).join() : answer.kind;
  });
}

describe('orders of one subject are decided in the order given', () => {
  it('if a document of the first has terms that the process does not know', async () => {
    const { store, over } = limitsWith(ONE_EACH);
    const terms = { version: 'version-1', overrides: [], history: [] };
    await store.changeTerms('merchant:m-1', { expected: undefined, terms }, NOW);
    const results = await over(store).checkMany(
      [order('o-1', BOTH), order('o-2', { user: 'u-1' })],
      false,
    );
    expect(told(results)).toEqual(['allowed', 'user']);
  });

  it('if the window of the first ends before it is read', async () => {
    const minute = { unit: 'minute', timeZone: 'UTC' } as const;
    const rules = [of('user', { count: 1 }), of('merchant', { count: 9 }, { window: minute })];
    // The function is a minute behind. So it plans a window that is over, for orders of a merchant alone.
    const { store, over } = limitsWith(rules, -62_000);
    const results = await over(store).checkMany(
      [order('o-1', BOTH), order('o-2', { user: 'u-1' })],
      false,
    );
    expect(told(results)).toEqual(['allowed', 'user']);
  });

  it('if the time of the first is over before its documents are asked', async () => {
    const { clock, store, over } = limitsWith(ONE_EACH);
    const slow: typeof store = {
      ...store,
      async hold(ask, at) {
        const holding = await store.hold(ask, at);
        if (ask.place === 'beside') clock.at = later(1_500);
        return holding;
      },
    };
    const results = await over(slow).checkMany(
      [order('o-1', BOTH, { holdMs: 1_000 }), order('o-2', { user: 'u-1' }, { holdMs: 60_000 })],
      false,
    );
    expect(told(results)).toEqual(['allowed', 'user']);
  });

  it('if the document of the first beside home is the home of another', async () => {
    const { store, over } = limitsWith([of('merchant', { count: 1 })]);
    const results = await over(store).checkMany(
      [order('o-1', { merchant: 'm-1' }), order('o-2', BOTH)],
      false,
    );
    expect(told(results)).toEqual(['allowed', 'merchant']);
  });

  it('if one that is refused at home would hold elsewhere what one after it gets', async () => {
    const rules = [of('user', { count: 1 }), of('merchant', { amount: 10 }, { currency: 'CNY' })];
    const { store, over } = limitsWith(rules);
    const other = { user: 'u-2', merchant: 'm-1' };
    const results = await over(store).checkMany(
      [
        order('o-1', BOTH, { amountMinor: 4 }),
        order('o-2', BOTH, { amountMinor: 5 }),
        order('o-3', other, { amountMinor: 6 }),
        order('o-4', { ...other, user: 'u-3' }, { amountMinor: 1 }),
      ],
      false,
    );
    expect(told(results)).toEqual(['allowed', 'user', 'allowed', 'merchant']);
  });

  it('and a refusal names the rules that refuse it in its turn', async () => {
    const rules = [of('user', { amount: 260 }, { currency: 'CNY' }), of('merchant', { count: 1 })];
    const { store, over } = limitsWith(rules);
    const results = await over(store).checkMany(
      [
        order('o-1', BOTH, { amountMinor: 10 }),
        order('o-2', BOTH, { amountMinor: 100 }),
        order('o-3', { user: 'u-1' }, { amountMinor: 120 }),
        order('o-4', { user: 'u-1' }, { amountMinor: 120 }),
      ],
      false,
    );
    expect(told(results)).toEqual(['allowed', 'merchant', 'allowed', 'allowed']);
  });
});
