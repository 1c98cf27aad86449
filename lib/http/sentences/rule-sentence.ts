import type { ByAttribute, Matched, Quantity, Rule } from '../../rule/rule.ts';
import { calendarOf, windowText } from '../../rule/windows/windows.ts';
import type { Language } from '../../shared/language.ts';
import { moneyText, paymentsText } from './money.ts';
import { wallText } from './time.ts';

/** How a language says what a rule has: what stands before it, between values, between names. */
const WORDS = {
  en: {
    ...{ least: 'at least ', most: 'at most ', both: ' and ', join: ' and ', comma: ', ' },
    counts: { is: ['of ', ' or ', ' and '], not: ['without ', ' or ', ' or '] },
    appliesTo: { is: ['applied to ', ' or ', ' and '], not: ['not applied to ', ' or ', ' or '] },
    require: ['requires ', ' and '],
    ...{ from: ['from ', ''], to: ['before ', ''] },
    modes: { enforce: [], shadow: ['on trial'], draft: ['a draft'], retired: ['retired'] },
  },
  zh: {
    ...{ least: '至少', most: '最多', both: '且', join: '、', comma: '，' },
    counts: { is: ['仅计', '或', '且'], not: ['不计', '或', '或'] },
    appliesTo: { is: ['仅限制', '或', '且'], not: ['不限制', '或', '或'] },
    require: ['须提供', '、'],
    ...{ from: ['自', '起'], to: ['至', '止'] },
    modes: { enforce: [], shadow: ['试运行'], draft: ['草稿'], retired: ['已停用'] },
  },
} as const;

/** Says what a rule means: `at most 20 payments and ¥50,000.00 a day in Asia/Shanghai, per user`. */
export function ruleSentence(rule: Rule, language: Language): string {
  const words = WORDS[language];
  const { counts, appliesTo, per, require = [], from, to } = rule;
  const [requires, and] = words.require;
  const least = bounds(rule, rule.min, language);
  const most = bounds(rule, rule.max, language, rule.maxBy);
  const limits = [
    ...(least.length === 0 ? [] : [`${words.least}${least.join(words.join)}`]),
    ...(most.length === 0 ? [] : [`${words.most}${most.join(words.join)}`]),
  ].join(words.both);
  const window = windowText(rule.window, language);
  const zone = calendarOf(rule.window)?.timeZone;
  const when = (at: Date): string =>
    zone === undefined ? at.toISOString() : wallText(at, zone, language);
  const kinds = per.map((kind) => (Object.hasOwn(KINDS, kind) ? KINDS[kind] : kind));
  return [
    ...(language === 'en'
      ? [`${limits} ${window}`, `per ${per.join(' and ')}`]
      : [`每${kinds.join('与')}${window}${limits}`]),
    ...described(counts.is, words.counts.is),
    ...described(counts.not, words.counts.not),
    ...described(appliesTo.is, words.appliesTo.is),
    ...described(appliesTo.not, words.appliesTo.not),
    ...(require.length === 0 ? [] : [`${requires}${require.join(and)}`]),
    ...(from === undefined ? [] : [words.from.join(when(from))]),
    ...(to === undefined ? [] : [words.to.join(when(to))]),
    ...words.modes[rule.mode],
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
  const payments = (count: number): string => paymentsText(count, language);
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

/** Values that are matched, name by name; nothing where none is. */
function described(
  matched: Matched,
  [before, or, and]: readonly [string, string, string],
): readonly string[] {
  const names = Object.entries(matched).map(
    ([name, values]) => `${name} ${values.map(String).join(or)}`,
  );
  return names.length === 0 ? [] : [`${before}${names.join(and)}`];
}
