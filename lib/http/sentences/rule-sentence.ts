import type { FieldName } from '../../rule/fields/fields.ts';
import type { ByAttribute, Matched, Quantity, Rule, Scope } from '../../rule/rule.ts';
import { calendarOf, windowText } from '../../rule/windows/windows.ts';
import type { Language } from '../../shared/language.ts';
import { moneyText, paymentsText } from './money.ts';
import { wallText } from './time.ts';

/** How a language says what a rule has: what stands before it, between values, between names. */
const WORDS = {
  en: {
    least: 'at least ',
    most: 'at most ',
    both: ' and ',
    join: ' and ',
    comma: ', ',
    counts: { is: ['of ', ' or ', ' and '], not: ['without ', ' or ', ' or '] },
    appliesTo: { is: ['applied to ', ' or ', ' and '], not: ['not applied to ', ' or ', ' or '] },
    require: ['requires ', ' and '],
    from: ['from ', ''],
    to: ['before ', ''],
    modes: { enforce: [], shadow: ['on trial'], draft: ['a draft'], retired: ['retired'] },
  },
  zh: {
    least: '至少',
    most: '最多',
    both: '且',
    join: '、',
    comma: '，',
    counts: { is: ['仅计', '或', '且'], not: ['不计', '或', '或'] },
    appliesTo: { is: ['仅限制', '或', '且'], not: ['不限制', '或', '或'] },
    require: ['须提供', '、'],
    from: ['自', '起'],
    to: ['至', '止'],
    modes: { enforce: [], shadow: ['试运行'], draft: ['草稿'], retired: ['已停用'] },
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
  const kinds = per.map((kind) => (Object.hasOwn(KINDS, kind) ? KINDS[kind] : kind));
  return [
    ...(language === 'en'
      ? [`${limits} ${window}`, `per ${per.join(' and ')}`]
      : [`每${kinds.join('与')}${window}${limits}`]),
    ...Object.values(CLAUSES).flatMap((clauses) => clauses(rule, language)),
  ].join(words.comma);
}

type Clauses = (rule: Rule, language: Language) => readonly string[];
/** If the sentence says it at all, its first clause does. */
const NO_CLAUSE: Clauses = () => [];

/** What a sentence says of each field after its first clause, in this order. */
const CLAUSES: Readonly<Record<FieldName, Clauses>> = {
  id: NO_CLAUSE,
  title: NO_CLAUSE,
  per: NO_CLAUSE,
  currency: NO_CLAUSE,
  digits: NO_CLAUSE,
  window: NO_CLAUSE,
  min: NO_CLAUSE,
  max: NO_CLAUSE,
  match: NO_CLAUSE, // short for `counts`
  counts: ({ counts }, language) => scopeClauses(counts, WORDS[language].counts),
  appliesTo: ({ appliesTo }, language) => scopeClauses(appliesTo, WORDS[language].appliesTo),
  require({ require = [] }, language) {
    const [requires, and] = WORDS[language].require;
    return require.length === 0 ? [] : [`${requires}${require.join(and)}`];
  },
  refunds: NO_CLAUSE,
  from: (rule, language) => instantClause(rule, 'from', language),
  to: (rule, language) => instantClause(rule, 'to', language),
  mode: ({ mode }, language) => WORDS[language].modes[mode],
};

/** An instant on the clock of the window's zone, where it has one. */
function instantClause(rule: Rule, name: 'from' | 'to', language: Language): readonly string[] {
  const { [name]: at, window } = rule;
  if (at === undefined) return [];
  const zone = calendarOf(window)?.timeZone;
  const text = zone === undefined ? at.toISOString() : wallText(at, zone, language);
  return [WORDS[language][name].join(text)];
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

type ScopeWords = readonly [before: string, or: string, and: string];

/** What is in a scope, and what is not, name by name; nothing of a scope of everything. */
function scopeClauses(
  { is, not }: Scope,
  words: Readonly<Record<'is' | 'not', ScopeWords>>,
): readonly string[] {
  return [...described(is, words.is), ...described(not, words.not)];
}

/** Values that are matched, name by name; nothing where none is. */
function described(matched: Matched, [before, or, and]: ScopeWords): readonly string[] {
  const names = Object.entries(matched).map(
    ([name, values]) => `${name} ${values.map(String).join(or)}`,
  );
  return names.length === 0 ? [] : [`${before}${names.join(and)}`];
}
