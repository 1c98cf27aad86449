import { ruleClauses } from '../../rule-file/fields/fields.ts';
import type { ByAttribute, Rule } from '../../rule/rule.ts';
import type { Quantity } from '../../rule/own-terms.ts';
import { calendarOf, windowText } from '../../rule/windows/windows.ts';
import type { Language } from '../../shared/language.ts';
import { countText, moneyText } from './money.ts';
import { wallText } from './time.ts';

/** How a language says the first clause, and joins clauses. */
const WORDS = {
  en: {
    least: 'at least ',
    most: 'at most ',
    both: ' and ',
    join: ' and ',
    comma: ', ',
  },
  zh: {
    least: '至少',
    most: '最多',
    both: '且',
    join: '、',
    comma: '，',
  },
} as const;

/** Says what a rule means: `at most 20 payments and ¥50,000.00 a day in Asia/Shanghai, per user`. */
export function ruleSentence(rule: Rule, language: Language): string {
  const words = WORDS[language];
  const { per } = rule;
  const least = bounds(rule, rule.min, language);
  const most = bounds(rule, rule.max, language, rule.maxBy);
  const limits = [
    ...(least.length === 0 ? [] : [`${words.least}${least.join(words.join)}`]),
    ...(most.length === 0 ? [] : [`${words.most}${most.join(words.join)}`]),
  ].join(words.both);
  const window = windowText(rule.window, language);
  const zone = calendarOf(rule.window)?.timeZone;
  const kinds = per.map((kind) => (Object.hasOwn(KINDS, kind) ? KINDS[kind] : kind));
  return [
    ...(language === 'en'
      ? [`${limits} ${window}`, `per ${per.join(' and ')}`]
      : [`每${kinds.join('与')}${window}${limits}`]),
    ...ruleClauses(rule, language, (at) =>
      zone === undefined ? at.toISOString() : wallText(at, zone, language),
    ),
  ].join(words.comma);
}

/** Subject kinds that have a usual name; others are called as they are. */
const KINDS: Readonly<Record<string, string>> = {
  user: '用户',
  merchant: '商户',
  card: '卡',
  account: '账户',
  device: '设备',
};

/** Count and amount of a minimum or a maximum; by attribute, each value with its own. */
function bounds(
  rule: Rule,
  { amountMinor, count }: Quantity,
  language: Language,
  maxBy: Rule['maxBy'] = {},
): readonly string[] {
  const money = (amount: number): string => moneyText(amount, rule, language);
  const payments = (count: number): string => countText(count, rule, language);
  return [
    ...(count === undefined ? [] : [eachOf(count, maxBy.count, payments, language)]),
    ...(amountMinor === undefined ? [] : [eachOf(amountMinor, maxBy.amountMinor, money, language)]),
  ];
}

function eachOf(
  otherwise: number,
  by: ByAttribute | undefined,
  write: (value: number) => string,
  language: Language,
): string {
  if (by === undefined) return write(otherwise);
  const open = language === 'zh' ? '（' : ' (';
  const close = language === 'zh' ? '）' : ')';
  const values = Object.entries(by.values).map(
    ([value, max]) => `${write(max)}${open}${by.by} ${value}${close}`,
  );
  const rest = `${write(otherwise)}${open}${language === 'zh' ? '其他' : 'otherwise'}${close}`;
  return [...values, rest].join(language === 'zh' ? '、' : ', ');
}
