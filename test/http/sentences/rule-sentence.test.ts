import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRuleFile } from '../../../cli/rules/rule-file.ts';
import { parseRules } from '../../../lib/rule-file/rule-list.ts';
import { languageFor } from '../../../lib/http/sentences/language.ts';
import { moneyText } from '../../../lib/http/sentences/money.ts';
import { ruleSentence } from '../../../lib/http/sentences/rule-sentence.ts';

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
const USER = { id: 'r', per: ['user'], currency: 'CNY', window: DAY };

function sentences(rule: object): readonly [string, string] {
  const [read] = parseRules([rule], 'the test');
  if (read === undefined) throw new Error('one rule is read');
  return [ruleSentence(read, 'en'), ruleSentence(read, 'zh')];
}

describe('a rule as a sentence', () => {
  it.each<{ rule: object; en: string; zh: string }>([
    {
      rule: { ...USER, max: { amount: 5_000_000, count: 20 } },
      en: 'at most 20 payments and ¥50,000.00 a day in Asia/Shanghai, per user',
      zh: '每用户每天（Asia/Shanghai）最多20笔、¥50,000.00',
    },
    {
      rule: {
        ...USER,
        match: { verified: false },
        require: ['verified', 'card'],
        max: { count: 1 },
      },
      en: 'at most 1 payment a day in Asia/Shanghai, per user, of verified false, requires verified and card',
      zh: '每用户每天（Asia/Shanghai）最多1笔，仅计verified false，须提供verified、card',
    },
    {
      rule: { ...USER, window: 'transaction', min: { amount: 1 }, max: { amount: 2_000_000 } },
      en: 'at least ¥0.01 and at most ¥20,000.00 in one payment, per user',
      zh: '每用户单笔至少¥0.01且最多¥20,000.00',
    },
    {
      rule: { id: 'r', per: ['user', 'wallet'], window: 'lifetime', max: { count: 1 } },
      en: 'at most 1 payment ever, per user and wallet',
      zh: '每用户与wallet累计最多1笔',
    },
    {
      rule: { ...USER, currency: 'JPY', window: { rolling: 'P1D' }, max: { amount: 1_000_000 } },
      en: 'at most JPY\u00a01,000,000 in any 24 hours, per user',
      zh: '每用户任意24小时内最多JPY\u00a01,000,000',
    },
    {
      rule: {
        ...USER,
        window: { ...DAY, closed: { days: ['saturday', 'sunday'], dates: ['2026-12-25'] } },
        max: { count: 3 },
      },
      en: 'at most 3 payments a business day in Asia/Shanghai (closed on saturday, sunday and a date), per user',
      zh: '每用户每营业日（Asia/Shanghai，周六、周日、1个日期休）最多3笔',
    },
    {
      rule: {
        ...USER,
        window: { since: { attribute: 'registeredAt' }, for: 'P1D' },
        max: { amount: 500_000 },
      },
      en: 'at most ¥5,000.00 in the first 24 hours after registeredAt, per user',
      zh: '每用户registeredAt后24小时内最多¥5,000.00',
    },
    {
      rule: {
        ...USER,
        window: { ...DAY, unit: 'month', dayStart: '04:00', since: { attribute: 'consentAt' } },
        max: { count: 3 },
      },
      en: 'at most 3 payments a month in Asia/Shanghai (beginning on the date of consentAt at 04:00), per user',
      zh: '每用户每月（Asia/Shanghai，自consentAt当日04:00起算）最多3笔',
    },
    {
      rule: { ...USER, window: { rolling: 'PT90S' }, max: { count: 1_000 } },
      en: 'at most 1,000 payments in any 90 seconds, per user',
      zh: '每用户任意90秒内最多1,000笔',
    },
    {
      rule: {
        ...USER,
        window: { ...DAY, every: 10, dayStart: '23:00' },
        max: { count: 3 },
        mode: 'shadow',
        from: '2026-01-01T00:00:00Z',
      },
      en: 'at most 3 payments every 10 days in Asia/Shanghai (beginning at 23:00), per user, from Jan 1, 2026, 08:00 Asia/Shanghai, on trial',
      zh: '每用户每10天（Asia/Shanghai，23:00起算）最多3笔，自2026年1月1日 08:00（Asia/Shanghai）起，试运行',
    },
    {
      rule: {
        ...USER,
        per: ['card'],
        window: { ...DAY, unit: 'month', monthDay: 15 },
        counts: { type: ['PAYMENT', 'TRANSFER'], not: { tier: 'staff' } },
        appliesTo: { channel: 'app' },
        max: { amount: { by: 'tier', gold: 500_000, else: 20_000 } },
      },
      en: 'at most ¥5,000.00 (tier gold), ¥200.00 (otherwise) a month in Asia/Shanghai (beginning on day 15), per card, of type PAYMENT or TRANSFER, without tier staff, applied to channel app',
      zh: '每卡每月（Asia/Shanghai，15日起算）最多¥5,000.00（tier gold）、¥200.00（其他），仅计type PAYMENT或TRANSFER，不计tier staff，仅限制channel app',
    },
    {
      rule: { ...USER, currency: undefined, max: { distinct: { card: 3 } }, outcome: 'ended' },
      en: 'at most 3 different values of card a day in Asia/Shanghai, per user, counting those confirmed or rolled back',
      zh: '每用户每天（Asia/Shanghai）最多3个不同的card，计已确认的和回滚的',
    },
    {
      rule: {
        ...USER,
        currency: undefined,
        window: 'lifetime',
        max: { distinct: { merchant: 1 } },
      },
      en: 'at most 1 value of merchant ever, per user',
      zh: '每用户累计最多1个不同的merchant',
    },
    {
      rule: { ...USER, window: { ...DAY, unit: 'week', weekStart: 'sunday' }, max: { count: 0 } },
      en: 'at most 0 payments a week in Asia/Shanghai (beginning on sunday), per user',
      zh: '每用户每周（Asia/Shanghai，周日起算）最多0笔',
    },
    {
      rule: { ...USER, currency: 'POINTS', window: { ...DAY, unit: 'hour' }, max: { amount: 150 } },
      en: 'at most 150 POINTS an hour in Asia/Shanghai, per user',
      zh: '每用户每小时（Asia/Shanghai）最多150 POINTS',
    },
    {
      rule: { ...USER, when: { hours: '20:00-06:00' }, max: { amount: 100_000 } },
      en: 'at most ¥1,000.00 a day in Asia/Shanghai, per user, from 20:00 to 06:00',
      zh: '每用户每天（Asia/Shanghai）最多¥1,000.00，20:00至次日06:00',
    },
    {
      rule: {
        ...USER,
        max: { count: 3 },
        outcome: 'rolledBack',
        reasonCodes: ['wrong-pin', 'no-funds'],
      },
      en: 'at most 3 payments a day in Asia/Shanghai, per user, counting only those rolled back for wrong-pin or no-funds',
      zh: '每用户每天（Asia/Shanghai）最多3笔，仅计因wrong-pin或no-funds回滚的',
    },
    {
      rule: {
        ...USER,
        window: 'lifetime',
        counts: { type: 'TOPUP' },
        minus: { type: ['PAYOUT', 'TRANSFER'] },
        max: { amount: 100_000 },
      },
      en: 'at most ¥1,000.00 ever, per user, of type TOPUP, less type PAYOUT or TRANSFER',
      zh: '每用户累计最多¥1,000.00，仅计type TOPUP，减去type PAYOUT或TRANSFER',
    },
    {
      rule: { ...USER, max: { count: 3 }, outcome: 'expired' },
      en: 'at most 3 payments a day in Asia/Shanghai, per user, counting only those expired',
      zh: '每用户每天（Asia/Shanghai）最多3笔，仅计过期的',
    },
    {
      rule: {
        ...USER,
        max: { count: 3 },
        outcome: ['expired', 'rolledBack', 'confirmed'],
        reasonCodes: ['wrong-pin'],
      },
      en: 'at most 3 payments a day in Asia/Shanghai, per user, counting those confirmed or rolled back for wrong-pin or expired',
      zh: '每用户每天（Asia/Shanghai）最多3笔，计已确认的和因wrong-pin回滚的和过期的',
    },
    {
      rule: { ...USER, max: { count: 3 }, outcome: 'ended' },
      en: 'at most 3 payments a day in Asia/Shanghai, per user, counting those confirmed or rolled back',
      zh: '每用户每天（Asia/Shanghai）最多3笔，计已确认的和回滚的',
    },
    {
      rule: { ...USER, when: { hours: '00:00-00:00' }, max: { amount: 100_000 } },
      en: 'at most ¥1,000.00 a day in Asia/Shanghai, per user, all day',
      zh: '每用户每天（Asia/Shanghai）最多¥1,000.00，全天',
    },
    {
      rule: {
        ...USER,
        when: { hours: '20:00-20:00', dates: '2026-11-10' },
        max: { amount: 100_000 },
      },
      en: 'at most ¥1,000.00 a day in Asia/Shanghai, per user, on 2026-11-10, for 24 hours from 20:00',
      zh: '每用户每天（Asia/Shanghai）最多¥1,000.00，2026-11-10，20:00起24小时',
    },
    {
      rule: { ...USER, max: { amount: 100_000 }, onExceed: 'notify' },
      en: 'at most ¥1,000.00 a day in Asia/Shanghai, per user, above it orders pass, and the answer says so',
      zh: '每用户每天（Asia/Shanghai）最多¥1,000.00，超过时放行并告知',
    },
    {
      rule: { ...USER, max: { amount: 100_000 }, onExceed: { challenge: 'sca' } },
      en: 'at most ¥1,000.00 a day in Asia/Shanghai, per user, above it only with the proof sca',
      zh: '每用户每天（Asia/Shanghai）最多¥1,000.00，超过时须有sca验证',
    },
    {
      rule: {
        ...USER,
        window: 'lifetime',
        when: {
          hours: ['09:30-12:00'],
          days: ['saturday', 'sunday'],
          dates: '2026-11-11',
          timeZone: 'Asia/Shanghai',
        },
        max: { count: 1 },
      },
      en: 'at most 1 payment ever, per user, on 2026-11-11, on saturday or sunday, from 09:30 to 12:00 in Asia/Shanghai',
      zh: '每用户累计最多1笔，2026-11-11，周六或周日，09:30至12:00（Asia/Shanghai）',
    },
  ])('says $en', ({ rule, en, zh }) => {
    expect(sentences(rule)).toEqual([en, zh]);
  });

  it('is there for every rule of the example', () => {
    const rules = parseRules(parseRuleFile(readFileSync('examples/rules.yaml', 'utf8'), 'e'), 'e');
    for (const rule of rules)
      for (const language of ['en', 'zh'] as const)
        expect(ruleSentence(rule, language)).not.toMatch(/undefined|NaN|\[object|, ,/);
  });
});

describe('an amount', () => {
  it.each([
    { amount: 1_000_000_000_000_000, currency: 'CNY', text: '¥10,000,000,000,000.00' },
    { amount: 999_999_999_999_999, currency: 'USD', text: '$9,999,999,999,999.99' },
    { amount: 1_234, currency: 'KWD', text: 'KWD 1.234' },
    { amount: 7, currency: 'EUR', text: '€0.07' },
    { amount: 123_400, currency: 'HKD', text: 'HK$1,234.00' },
    { amount: 1_234, currency: 'JPY', text: 'JPY 1,234' },
    { amount: 4_990, currency: 'POINTS', text: '4,990 POINTS' },
  ])('of $amount is $text', ({ amount, currency, text }) => {
    expect(moneyText(amount, { currency }, 'en').replaceAll('\u00a0', ' ')).toBe(text);
  });
});

describe('the language of sentences', () => {
  it.each([
    { accepted: undefined, language: 'en' },
    { accepted: '', language: 'en' },
    { accepted: 'zh-CN,zh;q=0.9,en;q=0.8', language: 'zh' },
    { accepted: 'en-GB, zh;q=0.9', language: 'en' },
    { accepted: 'fr, zh-Hant;q=0.1', language: 'zh' },
    { accepted: 'en;q=0.3, ZH;q=0.7', language: 'zh' },
    { accepted: 'zh;q=0', language: 'en' },
    { accepted: 'zh;q=9, fr', language: 'en' },
    { accepted: 'zhx, *', language: 'en' },
  ])('of $accepted is $language', ({ accepted, language }) => {
    expect(languageFor(accepted)).toBe(language);
  });
});
