import type { Rule, StoredRule } from '@headroom-limits/client';
import { digitsOf, isoDigits } from '../../../../../lib/shared/currency.ts';
import { localZone, majorOf, minorOf } from '../../ui/written.ts';
import type { MaximumDraft } from './maximum-draft.ts';
import { maximumIn, maximumOf } from './maximum-draft.ts';
import type { ConditionDraft } from './scope-draft.ts';
import { conditionsOf, scopeIn } from './scope-draft.ts';

/** Over what a rule sums, as one word. */
export const WINDOWS = [
  ...(['transaction', 'minute', 'hour', 'day', 'week', 'month'] as const),
  ...(['quarter', 'year', 'rolling', 'lifetime'] as const),
];
/** One of them. */
export type WindowName = (typeof WINDOWS)[number];

/** A rule as its form has it. */
export type RuleDraft = {
  readonly id: string;
  readonly titleEn: string;
  readonly titleZh: string;
  readonly per: string;
  readonly currency: string;
  /** Of a currency that ISO 4217 does not have. NaN in an empty field, as for all numbers. */
  readonly digits: number;
  readonly mode: NonNullable<Rule['mode']>;
  readonly window: WindowName;
  readonly timeZone: string;
  readonly every: number;
  readonly dayStart: string;
  readonly weekStart: string;
  readonly monthDay: number;
  readonly span: string;
  readonly step: string;
  readonly amount: MaximumDraft;
  readonly count: MaximumDraft;
  readonly minAmount: number;
  readonly minCount: number;
  readonly counts: ConditionDraft[];
  readonly appliesTo: ConditionDraft[];
  /** Names, separated as those of `per`. */
  readonly require: string;
  readonly from: string;
  readonly to: string;
  readonly refundsAmount: boolean;
  readonly refundsCount: boolean;
  readonly reason: string;
  readonly beginAnew: boolean;
};

type Fields = Readonly<Record<string, unknown>>;

/** A new rule begins as a draft, which counts nothing. */
const NEW: StoredRule = {
  ...{ id: '', per: ['user'], currency: 'CNY', mode: 'draft' },
  window: { unit: 'day', timeZone: localZone() },
};

/** A rule's form. */
export function draftOf(given: StoredRule | undefined): RuleDraft {
  const rule = given ?? NEW;
  const { id, title, per, currency, digits, mode = 'enforce', max, min, refunds } = rule;
  const titles: Fields = typeof title === 'string' ? { en: title } : (title ?? {});
  const scale = digitsOf(currency ?? '', digits);
  const major = (minor: number): number => majorOf(minor, scale);
  const asIs = (value: number): number => value;
  return {
    ...{ id, titleEn: textOf(titles.en), titleZh: textOf(titles.zh), per: per.join(', ') },
    ...{
      currency: currency ?? '',
      digits: digits ?? Number.NaN,
      mode,
      ...windowDraft(rule.window),
    },
    amount: maximumOf(max?.amount, major),
    count: maximumOf(max?.count, asIs),
    minAmount: min?.amount === undefined ? Number.NaN : major(min.amount),
    minCount: min?.count ?? Number.NaN,
    counts: conditionsOf(rule.match ?? rule.counts),
    appliesTo: conditionsOf(rule.appliesTo),
    require: rule.require?.join(', ') ?? '',
    ...{ from: rule.from ?? '', to: rule.to ?? '' },
    ...{ refundsAmount: refunds?.amount !== false, refundsCount: refunds?.count !== false },
    ...{ reason: '', beginAnew: false },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function windowDraft(window: Rule['window']) {
  const none = {
    ...{ timeZone: '', dayStart: '', weekStart: '', span: '', step: '' },
    ...{ every: Number.NaN, monthDay: Number.NaN },
  };
  if (typeof window === 'string') return { ...none, window };
  if ('rolling' in window)
    return { ...none, window: 'rolling' as const, span: window.rolling, step: window.step ?? '' };
  const { unit, ...said } = window;
  return { ...none, ...said, window: unit } as typeof none & { readonly window: WindowName }; // none of undefined: it was stored
}

/**
 * The rule that a form says; whether it is one, the server says. A field that can be written in two
 * ways is written as it was stored, so that only what somebody changed is different.
 */
export function ruleIn(draft: RuleDraft, stored: StoredRule | undefined): Rule {
  const currency = draft.currency.trim() || undefined;
  const scale = scaleOf(draft);
  const minor = (major: number): number => minorOf(major, scale);
  const said = {
    title: titleIn(draft, stored),
    per: namesIn(draft.per),
    currency,
    digits: hasDigits(draft) ? numberIn(draft.digits, (value) => value) : undefined,
    ...scopesIn(draft, stored),
    require: draft.require.trim() === '' ? undefined : namesIn(draft.require),
    window: windowIn(draft),
    max: filled({
      amount: maximumIn(draft.amount, minor),
      count: maximumIn(draft.count, (value) => value),
    }),
    min: filled({
      amount: numberIn(draft.minAmount, minor),
      count: numberIn(draft.minCount, (value) => value),
    }),
    mode: draft.mode === 'enforce' && stored?.mode === undefined ? undefined : draft.mode,
    refunds: refundsIn(draft, stored),
    from: draft.from.trim() || undefined,
    to: draft.to.trim() || undefined,
  };
  return filled(said) as unknown as Rule; // which the server reads as any other JSON
}

function namesIn(text: string): readonly string[] {
  return text.split(/[\s,，]+/).filter(Boolean);
}

/** Whether the form says the digits of its currency, because ISO 4217 does not. */
export function hasDigits({ currency }: Pick<RuleDraft, 'currency'>): boolean {
  const code = currency.trim();
  return code !== '' && code !== 'XXX' && isoDigits(code) === undefined;
}

/** Digits of the amounts in a form. */
export function scaleOf({ currency, digits }: Pick<RuleDraft, 'currency' | 'digits'>): number {
  return digitsOf(currency.trim(), Number.isNaN(digits) ? undefined : digits);
}

/** Without what is undefined; undefined where nothing is left. */
function filled(fields: Fields): Fields | undefined {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return there.length === 0 ? undefined : Object.fromEntries(there);
}

function numberIn(value: number, write: (value: number) => number): number | undefined {
  return Number.isNaN(value) ? undefined : write(value);
}

function titleIn({ titleEn, titleZh }: RuleDraft, stored: StoredRule | undefined): unknown {
  const before = stored?.title;
  if (typeof before === 'string' && titleZh === '') return titleEn || undefined;
  return filled({
    ...(typeof before === 'string' ? {} : before),
    ...{ en: titleEn || undefined, zh: titleZh || undefined },
  });
}

/** A rule that limits all that it counts has one scope, unless it leaves payments out. */
function scopesIn({ counts, appliesTo }: RuleDraft, stored: StoredRule | undefined): Fields {
  const [counted, limited] = [scopeIn(counts), scopeIn(appliesTo)];
  const isShort = stored?.match !== undefined && limited === undefined;
  if (isShort && counted?.not === undefined) return { match: counted };
  return { counts: counted, appliesTo: limited };
}

function refundsIn(
  { refundsAmount, refundsCount }: RuleDraft,
  stored: StoredRule | undefined,
): unknown {
  const before = stored?.refunds;
  return filled({
    amount: refundsAmount && before?.amount === undefined ? undefined : refundsAmount,
    count: refundsCount && before?.count === undefined ? undefined : refundsCount,
  });
}

function windowIn(draft: RuleDraft): unknown {
  const { window, timeZone, dayStart, weekStart, span, step } = draft;
  if (window === 'transaction' || window === 'lifetime') return window;
  if (window === 'rolling') return filled({ rolling: span.trim(), step: step.trim() || undefined });
  return filled({
    ...{ unit: window, timeZone: timeZone.trim() },
    every: numberIn(draft.every, (value) => value),
    dayStart: hasDayStart(window) ? dayStart.trim() || undefined : undefined,
    weekStart: window === 'week' ? weekStart || undefined : undefined,
    monthDay: hasMonthDay(window) ? numberIn(draft.monthDay, (value) => value) : undefined,
  });
}

/** Whether windows of a unit begin at an hour of the day. */
export function hasDayStart(window: WindowName): boolean {
  return ['day', 'week', 'month', 'quarter', 'year'].includes(window);
}

/** Whether windows of a unit begin on a day of the month. */
export function hasMonthDay(window: WindowName): boolean {
  return ['month', 'quarter', 'year'].includes(window);
}
