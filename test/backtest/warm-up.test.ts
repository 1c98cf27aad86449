import { describe, expect, it } from 'vitest';
import { countedFrom, warmUpFrom } from '../../lib/backtest/warm-up.ts';
import type { ModelWindow } from '../model/model-types.ts';
import { libRule, libWindow } from '../support/service-under-test.ts';
import { USER_DAY } from '../support/limits-fixture.ts';

const FROM = new Date('2026-10-15T12:00:00+08:00');

describe('a replay begins where the longest window does, and a week of holds before it', () => {
  it.each<{ window: ModelWindow; began: string | undefined; why: string }>([
    {
      window: { unit: 'day', timeZone: 'Asia/Shanghai' },
      began: '2026-10-07T16:00:00.000Z',
      why: 'the day began at midnight in Shanghai',
    },
    {
      window: { unit: 'month', timeZone: 'Asia/Shanghai' },
      began: '2026-09-23T16:00:00.000Z',
      why: 'the month began on 1 October',
    },
    {
      window: { rollingMs: 86_400_000, stepMs: 3_600_000 },
      began: '2026-10-07T03:00:00.001Z',
      why: 'the oldest step reaches back a day and an hour',
    },
    {
      window: { since: { attribute: 'joined' }, forMs: 86_400_000 },
      began: '2026-10-07T04:00:00.000Z',
      why: 'an instant that orders say may be a day ago',
    },
    {
      window: 'transaction',
      began: '2026-10-08T04:00:00.000Z',
      why: 'nothing is counted but open holds',
    },
    { window: 'lifetime', began: undefined, why: 'all time has no beginning' },
  ])('$began, because $why', ({ window, began }) => {
    const rule = { ...libRule(USER_DAY), window: libWindow(window) };
    expect(warmUpFrom([rule], FROM)?.toISOString()).toBe(began);
  });
});

it('a rule of single orders is counted from no row on', () => {
  const first = new Date(FROM.getTime() + 1);
  const rules = (['transaction', 'lifetime'] as const).map((window) => ({
    ...libRule(USER_DAY),
    id: window,
    window: libWindow(window),
  }));
  expect(countedFrom(rules, FROM, first).rulesCountedFrom).toEqual(['lifetime']);
});
