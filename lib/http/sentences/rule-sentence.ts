import type { ByAttribute, Matched, Quantity, Rule, RuleMode } from '../../rules/rule.ts';
import type { Language } from './language.ts';
import { moneyText, paymentsText } from './money.ts';
import { windowSentence } from './window-sentence.ts';

/**
 * Says what a rule means in a sentence without an end: `at most 20 payments and ¥50,000.00 a day in
 * Asia/Shanghai, per user`.
 */
export function ruleSentence(rule: Rule, language: Language): string {
  return language === 'en' ? inEnglish(rule) : inChinese(rule);
}

function inEnglish(rule: Rule): string {
  const least = bounds(rule, rule.min, 'en');
  const most = [...bounds(rule, rule.max, 'en', rule.maxBy)];
  const limits = [
    ...(least.length === 0 ? [] : [`at least ${least.join(' and ')}`]),
    ...(most.length === 0 ? [] : [`at most ${most.join(' and ')}`]),
  ];
  const { counts, appliesTo, per } = rule;
  return [
    `${limits.join(' and ')} ${windowSentence(rule.window, 'en')}`,
    `per ${per.join(' and ')}`,
    ...described(counts.is, 'of ', ' or ', ' and '),
    ...described(counts.not, 'without ', ' or ', ' or '),
    ...described(appliesTo.is, 'asked of ', ' or ', ' and '),
    ...described(appliesTo.not, 'not asked of ', ' or ', ' or '),
    ...(rule.from === undefined ? [] : [`from ${rule.from.toISOString()}`]),
    ...(rule.to === undefined ? [] : [`before ${rule.to.toISOString()}`]),
    ...(MODES.en[rule.mode] === '' ? [] : [MODES.en[rule.mode]]),
  ].join(', ');
}

function inChinese(rule: Rule): string {
  const least = bounds(rule, rule.min, 'zh');
  const most = bounds(rule, rule.max, 'zh', rule.maxBy);
  const limits = [
    ...(least.length === 0 ? [] : [`至少${least.join('、')}`]),
    ...(most.length === 0 ? [] : [`最多${most.join('、')}`]),
  ];
  const { counts, appliesTo, per } = rule;
  const kinds = per.map((kind) => (Object.hasOwn(KINDS, kind) ? KINDS[kind] : kind));
  return [
    `每${kinds.join('与')}${windowSentence(rule.window, 'zh')}${limits.join('且')}`,
    ...described(counts.is, '仅计', '或', '且'),
    ...described(counts.not, '不计', '或', '或'),
    ...described(appliesTo.is, '仅限制', '或', '且'),
    ...described(appliesTo.not, '不限制', '或', '或'),
    ...(rule.from === undefined ? [] : [`自${rule.from.toISOString()}起`]),
    ...(rule.to === undefined ? [] : [`至${rule.to.toISOString()}止`]),
    ...(MODES.zh[rule.mode] === '' ? [] : [MODES.zh[rule.mode]]),
  ].join('，');
}

/** Subject kinds that have a usual name; others are called as they are. */
const KINDS: Readonly<Record<string, string>> = {
  user: '用户',
  merchant: '商户',
  card: '卡',
  account: '账户',
  device: '设备',
};

const MODES: Readonly<Record<Language, Readonly<Record<RuleMode, string>>>> = {
  en: { enforce: '', shadow: 'on trial', draft: 'a draft', retired: 'retired' },
  zh: { enforce: '', shadow: '试运行', draft: '草稿', retired: '已停用' },
};

/** Count and amount of a minimum or a maximum; by attribute, each value with its own. */
function bounds(
  { currency = '' }: Rule,
  { amountMinor, count }: Quantity,
  language: Language,
  maxBy: Rule['maxBy'] = {},
): readonly string[] {
  const money = (amount: number): string => moneyText(amount, currency, language);
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
function described(matched: Matched, before: string, or: string, and: string): readonly string[] {
  const names = Object.entries(matched).map(
    ([name, values]) => `${name} ${values.map(String).join(or)}`,
  );
  return names.length === 0 ? [] : [`${before}${names.join(and)}`];
}
