import type { Rule, StoredRule } from '@headroom-limits/client';
import { digitsOf, isoDigits } from '../../../../../lib/shared/currency.ts';
import { localZone, majorOf, minorOf } from '../../ui/written.ts';
import type { MaximumDraft } from './maximum-draft.ts';
import { maximumIn, maximumOf } from './maximum-draft.ts';
import type { ConditionDraft } from './scope-draft.ts';
import { conditionsOf, scopeIn } from './scope-draft.ts';
import type { Fields } from './filled.ts';
import { filled, listText, namesIn, numberIn, someIn } from './filled.ts';
import type { WindowDraft, WindowName } from './windows.ts';
import { windowDraft, WINDOWS } from './windows.ts';

/** What may become of an order above a maximum. */
export const EXCESSES = ['refuse', 'challenge', 'review', 'notify'] as const;

/** The ends with which an order may count. */
export const OUTCOMES = ['confirmed', 'rolledBack', 'ended'] as const;

/** A rule as its form has it. */
export type RuleDraft = WindowDraft & {
  readonly id: string;
  readonly titleEn: string;
  readonly titleZh: string;
  readonly per: string;
  readonly currency: string;
  /** Of a currency that ISO 4217 does not have. NaN in an empty field, as for all numbers. */
  readonly digits: number;
  readonly mode: NonNullable<Rule['mode']>;
  readonly window: WindowName;
  readonly amount: MaximumDraft;
  readonly count: MaximumDraft;
  /** The name whose different values `count` is about; empty where it is about orders. */
  readonly distinct: string;
  readonly minAmount: number;
  readonly minCount: number;
  readonly counts: ConditionDraft[];
  readonly appliesTo: ConditionDraft[];
  readonly minus: ConditionDraft[];
  readonly outcome: (typeof OUTCOMES)[number];
  /** Codes, separated as the names of `per`. */
  readonly reasonCodes: string;
  /** Names, separated as those of `per`. */
  readonly require: string;
  /** What becomes of an order above the maximum, and the proof with which it passes. */
  readonly onExceed: (typeof EXCESSES)[number];
  readonly challenge: string;
  /** The times, separated as names are. */
  readonly whenHours: string;
  readonly whenDays: string;
  readonly whenDates: string;
  readonly whenZone: string;
  readonly from: string;
  readonly to: string;
  readonly refundsAmount: boolean;
  readonly refundsCount: boolean;
  readonly reason: string;
  readonly beginAnew: boolean;
};

/** Fields of a rule that its form says in a place of their own: the path, and `scopesIn`. */
type Elsewhere = Pick<Rule, 'id' | 'match' | 'counts' | 'appliesTo'>;

/** A new rule begins as a draft, which counts nothing. */
const NEW: StoredRule = {
  id: '',
  per: ['user'],
  currency: 'CNY',
  mode: 'draft',
  window: { unit: 'day', timeZone: localZone() },
};

/** A rule's form. */
export function draftOf(given: StoredRule | undefined): RuleDraft {
  const rule = given ?? NEW;
  const { id, title, per, currency, digits, mode = 'enforce', max, min, refunds, when } = rule;
  const { onExceed = 'refuse', outcome = 'confirmed' } = rule;
  const titles: Fields = typeof title === 'string' ? { en: title } : (title ?? {});
  const scale = digitsOf(currency ?? '', digits);
  const major = (minor: number): number => majorOf(minor, scale);
  const asIs = (value: number): number => value;
  const [[name = '', different] = []] = Object.entries(max?.distinct ?? {});
  return {
    id,
    titleEn: textOf(titles.en),
    titleZh: textOf(titles.zh),
    per: per.join(', '),
    currency: currency ?? '',
    digits: digits ?? Number.NaN,
    mode,
    ...windowDraft(rule.window),
    amount: maximumOf(max?.amount, major),
    count: maximumOf(max?.count ?? different, asIs),
    distinct: name,
    minAmount: min?.amount === undefined ? Number.NaN : major(min.amount),
    minCount: min?.count ?? Number.NaN,
    counts: conditionsOf(rule.match ?? rule.counts),
    appliesTo: conditionsOf(rule.appliesTo),
    minus: conditionsOf(rule.minus),
    outcome,
    reasonCodes: listText(rule.reasonCodes),
    require: rule.require?.join(', ') ?? '',
    onExceed: typeof onExceed === 'object' ? 'challenge' : onExceed,
    challenge: typeof onExceed === 'object' ? onExceed.challenge : '',
    whenHours: listText(when?.hours),
    whenDays: listText(when?.days),
    whenDates: listText(when?.dates),
    whenZone: when?.timeZone ?? '',
    from: rule.from ?? '',
    to: rule.to ?? '',
    refundsAmount: refunds?.amount !== false,
    refundsCount: refunds?.count !== false,
    reason: '',
    beginAnew: false,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
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
    minus: scopeIn(draft.minus),
    outcome: outcomeIn(draft, stored),
    reasonCodes: codesIn(draft),
    require: draft.require.trim() === '' ? undefined : namesIn(draft.require),
    window: WINDOWS[draft.window].write(draft, stored?.window),
    when: filled({
      hours: someIn(draft.whenHours, stored?.when?.hours),
      days: someIn(draft.whenDays, stored?.when?.days),
      dates: someIn(draft.whenDates, stored?.when?.dates),
      timeZone: draft.whenZone.trim() || undefined,
    }),
    max: filled({ amount: maximumIn(draft.amount, minor), ...countIn(draft) }),
    onExceed: excessIn(draft, stored),
    min: filled({
      amount: numberIn(draft.minAmount, minor),
      count: numberIn(draft.minCount, (value) => value),
    }),
    mode: draft.mode === 'enforce' && stored?.mode === undefined ? undefined : draft.mode,
    refunds: refundsIn(draft, stored),
    from: draft.from.trim() || undefined,
    to: draft.to.trim() || undefined,
  } satisfies Fields & Readonly<Record<Exclude<keyof Rule, keyof Elsewhere>, unknown>>;
  return filled(said) as unknown as Rule; // which the server reads as any other JSON
}

/** The maximum of orders, or of different values. */
function countIn({ count, distinct }: RuleDraft): Fields {
  const most = maximumIn(count, (value) => value);
  return distinct.trim() === '' ? { count: most } : { distinct: { [distinct.trim()]: most } };
}

/** A confirm has no reason code. */
function codesIn({ outcome, reasonCodes }: RuleDraft): readonly string[] | undefined {
  const codes = namesIn(reasonCodes);
  return outcome === 'confirmed' || codes.length === 0 ? undefined : codes;
}

function outcomeIn({ outcome }: RuleDraft, stored: StoredRule | undefined) {
  return outcome === 'confirmed' && stored?.outcome !== 'confirmed' ? undefined : outcome;
}

function excessIn({ onExceed, challenge }: RuleDraft, stored: StoredRule | undefined) {
  if (onExceed === 'challenge') return { challenge: challenge.trim() };
  return onExceed === 'refuse' && stored?.onExceed !== 'refuse' ? undefined : onExceed;
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

function titleIn({ titleEn, titleZh }: RuleDraft, stored: StoredRule | undefined): unknown {
  const before = stored?.title;
  if (typeof before === 'string' && titleZh === '') return titleEn || undefined;
  return filled({
    ...(typeof before === 'string' ? {} : before),
    en: titleEn || undefined,
    zh: titleZh || undefined,
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
