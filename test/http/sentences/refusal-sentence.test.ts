import { describe, expect, it } from 'vitest';
import { frozenSentence, refusalSentence } from '../../../lib/http/sentences/refusal-sentence.ts';
import { hardSentencesOf } from '../../docs/prose.ts';
import type { Refusal } from '../../../lib/http/refusal.ts';

const END = new Date('2026-03-02T16:00:00.000Z');
const DAY: Refusal = {
  rule: 'user-day',
  outcome: 'exceeded',
  currency: 'CNY',
  window: {
    kind: 'calendar',
    unit: 'day',
    every: 1,
    timeZone: 'Asia/Shanghai',
    dayStartMinutes: 0,
    weekStart: 'monday',
    monthDay: 1,
  },
  period: { start: new Date('2026-03-01T16:00:00.000Z'), end: END },
  max: { amountMinor: 5_000_000, count: 20 },
  used: { amountMinor: 4_900_000, count: 18 },
  held: { amountMinor: 50_000, count: 1 },
};
const SINGLE: Refusal = {
  rule: 'single',
  outcome: 'exceeded',
  currency: 'CNY',
  window: { kind: 'transaction' },
  max: { amountMinor: 500_000 },
};

describe('why a rule refused, as a sentence', () => {
  it.each<{ refusal: Refusal; asked: Refusal['max']; en: string; zh: string; why: string }>([
    {
      why: 'only the amount did not fit',
      refusal: DAY,
      asked: { amountMinor: 100_000, count: 1 },
      en: 'user-day allows at most ¥50,000.00 a day in Asia/Shanghai: used ¥49,000.00, held ¥500.00, asked ¥1,000.00. The window ends Mar 3, 2026, 00:00 Asia/Shanghai',
      zh: 'user-day：本次¥1,000.00，已用¥49,000.00，预占¥500.00，每天（Asia/Shanghai）最多¥50,000.00，至2026年3月3日 00:00（Asia/Shanghai）止',
    },
    {
      why: 'the maximum itself is inside, so only the count did not fit',
      refusal: DAY,
      asked: { amountMinor: 50_000, count: 2 },
      en: 'user-day allows at most 20 payments a day in Asia/Shanghai: used 18 payments, held 1 payment, asked 2 payments. The window ends Mar 3, 2026, 00:00 Asia/Shanghai',
      zh: 'user-day：本次2笔，已用18笔，预占1笔，每天（Asia/Shanghai）最多20笔，至2026年3月3日 00:00（Asia/Shanghai）止',
    },
    {
      why: 'failures counted, and each attempt under way could be one',
      refusal: {
        ...DAY,
        max: { count: 3 },
        outcomes: ['rolledBack'],
        used: { count: 2 },
        held: { count: 1 },
      },
      asked: { amountMinor: 5, count: 1 },
      en: 'user-day allows at most 3 payments rolled back a day in Asia/Shanghai: rolled back 2 payments, under way 1 payment, asked 1 payment. The window ends Mar 3, 2026, 00:00 Asia/Shanghai',
      zh: 'user-day：本次1笔，已回滚2笔，进行中1笔，每天（Asia/Shanghai）最多回滚3笔，至2026年3月3日 00:00（Asia/Shanghai）止',
    },
    {
      why: 'different values are counted, and no order has more than one',
      refusal: {
        ...DAY,
        max: { count: 3 },
        distinct: 'card',
        used: { count: 2 },
        held: { count: 1 },
        override: { reason: 'a thief', own: { count: 5 } },
      },
      asked: { amountMinor: 5, count: 7 },
      en: "user-day allows at most 3 different values of card a day in Asia/Shanghai: used 2, held 1, asked for another one. The window ends Mar 3, 2026, 00:00 Asia/Shanghai. The maximum is the subject's own; the rule has 5 different values of card",
      zh: 'user-day：本次为另一个，已用2，预占1，每天（Asia/Shanghai）最多3个不同的card，至2026年3月3日 00:00（Asia/Shanghai）止；该主体的专属上限，规则上限为5个不同的card',
    },
    {
      why: 'all that ended counted',
      refusal: {
        ...DAY,
        max: { count: 3 },
        outcomes: ['confirmed', 'rolledBack'],
        window: { kind: 'lifetime' },
        used: { count: 3 },
        held: { count: 0 },
      },
      asked: { amountMinor: 5, count: 1 },
      en: 'user-day allows at most 3 payments confirmed or rolled back ever: ended 3 payments, under way 0 payments, asked 1 payment',
      zh: 'user-day：本次1笔，已结束3笔，进行中0笔，累计最多确认或回滚3笔',
    },
    {
      why: 'attempts counted that nobody ended',
      refusal: { ...DAY, max: { count: 3 }, outcomes: ['expired'], used: { count: 3 }, held: {} },
      asked: { amountMinor: 5, count: 1 },
      en: 'user-day allows at most 3 payments expired a day in Asia/Shanghai: expired 3 payments, under way 0 payments, asked 1 payment. The window ends Mar 3, 2026, 00:00 Asia/Shanghai',
      zh: 'user-day：本次1笔，已过期3笔，进行中0笔，每天（Asia/Shanghai）最多过期3笔，至2026年3月3日 00:00（Asia/Shanghai）止',
    },
    {
      why: 'attempts counted, however they ended',
      refusal: {
        ...{ ...DAY, max: { count: 3 }, window: { kind: 'lifetime' as const } },
        ...{ outcomes: ['confirmed', 'rolledBack', 'expired'] as const },
        ...{ used: { count: 2 }, held: { count: 1 } },
      },
      asked: { amountMinor: 5, count: 1 },
      en: 'user-day allows at most 3 payments confirmed or rolled back or expired ever: ended 2 payments, under way 1 payment, asked 1 payment',
      zh: 'user-day：本次1笔，已结束2笔，进行中1笔，累计最多确认或回滚或过期3笔',
    },
    {
      why: 'neither fitted',
      refusal: { ...DAY, window: { kind: 'lifetime' } },
      asked: { amountMinor: 50_001, count: 2 },
      en: 'user-day allows at most 20 payments ever: used 18 payments, held 1 payment, asked 2 payments. It allows at most ¥50,000.00 ever: used ¥49,000.00, held ¥500.00, asked ¥500.01',
      zh: 'user-day：本次2笔，已用18笔，预占1笔，累计最多20笔；本次¥500.01，已用¥49,000.00，预占¥500.00，累计最多¥50,000.00',
    },
    {
      why: 'the maximum was the own one of the subject',
      refusal: {
        ...DAY,
        window: { kind: 'rolling', spanMs: 3_600_000, stepMs: 60_000 },
        override: { reason: 'new here', own: { amountMinor: 9_000_000, count: 20 } },
      },
      asked: { amountMinor: 100_000, count: 1 },
      en: "user-day allows at most ¥50,000.00 in any 60 minutes: used ¥49,000.00, held ¥500.00, asked ¥1,000.00. The maximum is the subject's own; the rule has ¥90,000.00",
      zh: 'user-day：本次¥1,000.00，已用¥49,000.00，预占¥500.00，任意60分钟内最多¥50,000.00；该主体的专属上限，规则上限为¥90,000.00',
    },
    {
      why: 'the rule has no such maximum itself',
      refusal: { ...SINGLE, override: { reason: 'new here', own: { count: 5 } } },
      asked: { amountMinor: 500_001, count: 1 },
      en: "single allows at most ¥5,000.00 in one payment: asked ¥5,000.01. The maximum is the subject's own; the rule has none",
      zh: 'single：本次¥5,000.01，单笔最多¥5,000.00；该主体的专属上限，规则上限为无',
    },
    {
      why: 'the rule says the digits of its currency',
      refusal: { ...SINGLE, currency: 'USDT', digits: 6 },
      asked: { amountMinor: 500_001, count: 1 },
      en: 'single allows at most 0.500000 USDT in one payment: asked 0.500001 USDT',
      zh: 'single：本次0.500001 USDT，单笔最多0.500000 USDT',
    },
    {
      why: 'it was below the minimum',
      refusal: { ...SINGLE, outcome: 'below-minimum', min: { amountMinor: 100 } },
      asked: { amountMinor: 99, count: 1 },
      en: 'single allows at least ¥1.00 in one payment: asked ¥0.99',
      zh: 'single：本次¥0.99，单笔至少¥1.00',
    },
  ])('in English and Chinese, where $why', async ({ refusal, asked, en, zh }) => {
    expect(refusalSentence(refusal, asked, 'en')).toBe(en);
    expect(refusalSentence(refusal, asked, 'zh')).toBe(zh);
    expect(await hardSentencesOf(`${en}.`)).toEqual([]);
  });

  it('tells both maxima where the figures do not say which did not fit', () => {
    const asked = { amountMinor: 1, count: 0 };
    expect(refusalSentence({ ...DAY, window: { kind: 'lifetime' } }, asked, 'en')).toBe(
      'user-day allows at most 20 payments ever: used 18 payments, held 1 payment, asked 0 payments. It allows at most ¥50,000.00 ever: used ¥49,000.00, held ¥500.00, asked ¥0.01',
    );
  });
});

it('who was frozen is a sentence, with its end where it has one', () => {
  const frozen = { kind: 'user', id: 'u-1', reason: 'stolen' };
  expect(frozenSentence(frozen, 'en')).toBe('user:u-1 was frozen');
  expect(frozenSentence(frozen, 'zh')).toBe('user:u-1已被冻结');
  expect(frozenSentence({ ...frozen, until: END }, 'en')).toBe(
    'user:u-1 was frozen until 2026-03-02T16:00:00.000Z',
  );
  expect(frozenSentence({ ...frozen, until: END }, 'zh')).toBe(
    'user:u-1已被冻结，至2026-03-02T16:00:00.000Z止',
  );
});
