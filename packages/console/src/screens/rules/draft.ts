import type { Rule, StoredRule } from 'headroom-client';
import { majorOf, minorOf } from '../../ui/written.ts';

/** Over what a rule sums, as one word. */
export const WINDOWS = [
  ...(['transaction', 'minute', 'hour', 'day', 'week', 'month'] as const),
  ...(['quarter', 'year', 'rolling', 'lifetime'] as const),
];
/** One of them. */
export type WindowName = (typeof WINDOWS)[number];

/** A rule as its form has it. What has no field of its own stands in `more`, as JSON. */
export type RuleDraft = {
  readonly id: string;
  readonly titleEn: string;
  readonly titleZh: string;
  readonly per: string;
  readonly currency: string;
  readonly mode: NonNullable<Rule['mode']>;
  readonly window: WindowName;
  readonly timeZone: string;
  readonly span: string;
  readonly step: string;
  /** Major units; NaN where there is none. */
  readonly maxAmount: number;
  readonly maxCount: number;
  readonly minAmount: number;
  readonly more: string;
  readonly reason: string;
  readonly beginAnew: boolean;
};

type Fields = Readonly<Record<string, unknown>>;

/** What a new rule begins as: a draft, which counts nothing. */
const NEW: StoredRule = {
  ...{ id: '', per: ['user'], currency: 'CNY', mode: 'draft' },
  window: { unit: 'day', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
};

/** A rule's form. */
export function draftOf(given: StoredRule | undefined): RuleDraft {
  const rule = given ?? NEW;
  const { id, title, per, currency, mode = 'enforce', window, max = {}, min = {}, ...rest } = rule;
  const titles = typeof title === 'string' ? { en: title } : (title ?? {});
  const { en = '', zh = '', ...otherTitles } = titles as Readonly<Record<string, string>>;
  const numberIn = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
  const money = (value: unknown): number =>
    typeof value === 'number' ? majorOf(value, currency) : Number.NaN;
  const more = {
    ...rest,
    ...kept('title', otherTitles),
    ...kept('window', windowRest(window)),
    ...kept('max', partsByAttribute(max)),
    ...kept('min', min.count === undefined ? {} : { count: min.count }),
  };
  return {
    ...{ id, titleEn: en, titleZh: zh, per: per.join(', '), currency: currency ?? '', mode },
    ...windowDraft(window),
    ...{
      maxAmount: money(max.amount),
      maxCount: numberIn(max.count),
      minAmount: money(min.amount),
    },
    more: Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2),
    ...{ reason: '', beginAnew: false },
  };
}

function kept(name: string, fields: Fields): Fields {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields };
}

function windowRest(window: Rule['window']): Fields {
  if (typeof window === 'string') return {};
  const {
    unit: _unit,
    timeZone: _zone,
    rolling: _rolling,
    step: _step,
    ...rest
  } = window as Fields;
  return rest;
}

function partsByAttribute(max: NonNullable<Rule['max']>): Fields {
  return Object.fromEntries(Object.entries(max).filter(([, value]) => typeof value === 'object'));
}

function windowDraft(window: Rule['window']) {
  const none = { timeZone: '', span: '', step: '' };
  if (typeof window === 'string') return { ...none, window };
  if ('rolling' in window)
    return { ...none, window: 'rolling' as const, span: window.rolling, step: window.step ?? '' };
  return { ...none, window: window.unit, timeZone: window.timeZone };
}

/** What stands in `more`. @throws SyntaxError where that is no JSON object */
function moreIn(text: string): Fields {
  if (text.trim() === '') return {};
  const found: unknown = JSON.parse(text);
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new SyntaxError('expected an object');
  return found as Fields;
}

/** Whether `more` can be read. */
export function isReadable(more: string): boolean {
  try {
    moreIn(more);
    return true;
  } catch {
    return false;
  }
}

/** The rule that a form says; whether it is one, the server says. */
export function ruleIn(draft: RuleDraft): Rule {
  const {
    title: titleMore,
    window: windowMore,
    max: maxMore,
    min: minMore,
    ...rest
  } = moreIn(draft.more);
  const currency = draft.currency.trim() || undefined;
  const title = {
    ...(draft.titleEn === '' ? {} : { en: draft.titleEn }),
    ...(draft.titleZh === '' ? {} : { zh: draft.titleZh }),
    ...(titleMore as Fields | undefined),
  };
  const amount = (name: string, value: number): Fields =>
    Number.isNaN(value) ? {} : { [name]: name === 'count' ? value : minorOf(value, currency) };
  const max = {
    ...amount('amount', draft.maxAmount),
    ...amount('count', draft.maxCount),
    ...(maxMore as Fields | undefined),
  };
  const min = { ...amount('amount', draft.minAmount), ...(minMore as Fields | undefined) };
  const said = {
    ...kept('title', title),
    per: draft.per.split(/[\s,，]+/).filter(Boolean),
    ...(currency === undefined ? {} : { currency }),
    ...rest,
    window: windowIn(draft, windowMore as Fields | undefined),
    ...kept('max', max),
    ...kept('min', min),
    ...(draft.mode === 'enforce' ? {} : { mode: draft.mode }),
  };
  return said as unknown as Rule; // which the server reads as any other JSON
}

function windowIn({ window, timeZone, span, step }: RuleDraft, more: Fields | undefined): unknown {
  switch (window) {
    case 'transaction':
    case 'lifetime':
      return window;
    case 'rolling':
      return {
        rolling: span.trim(),
        ...(step.trim() === '' ? {} : { step: step.trim() }),
        ...more,
      };
    default:
      return { unit: window, timeZone: timeZone.trim(), ...more };
  }
}
