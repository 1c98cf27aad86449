import { kindOf } from '../../lib/counter/kinds.ts';
import { counterKey } from '../../lib/rule/counter.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { libRule } from '../support/service-under-test.ts';
import type { ModelRule } from '../model/model-types.ts';
import { kindsIn, readDocument } from '../../lib/shared/subject.ts';
import type { Ended } from './stored.ts';
import type { Maximum, SceneOrder, SceneRuleSet } from './scene.ts';
import { HOLD_MS } from './scene.ts';

export type CounterRule = {
  /** The rule's id, by which a subject's own maximum names it. */
  readonly rule: string;
  readonly counter: string;
  readonly kind: string;
  readonly max: Partial<Maximum>;
  /** It is on trial, and refuses nothing: what finds no room is not counted there. */
  readonly isShadow?: true;
  /** Above so many orders it tells so, and refuses nothing. */
  readonly tellsAbove?: number;
  /** It refuses no order that has this proof. */
  readonly proof?: string;
  /** How much of a day it is in effect for; always when absent. */
  readonly hoursMs?: number;
  /** It counts orders that are rolled back. */
  readonly failures?: CountedFailures;
  /** Its count is of different cards, and it has no amounts. */
  readonly isOfCards?: true;
  /** It counts holds of home that nobody ended. */
  readonly isOfExpired?: true;
  /** How often an end counts: once, not at all, or less once what was counted has ended otherwise. */
  readonly counts: (ended: Ended) => number;
  /** How long its windows are, which begin at whole multiples; Infinity is one for ever. Absent where they are other ones. */
  readonly windowMs?: number;
  /** The counter of payouts, which lower its sum once they are confirmed; they do not enter it. */
  readonly lowering?: string;
};

/** The counter of a rule that an order enters. */
export function enteredBy(
  { counter, lowering = counter }: CounterRule,
  { isPayout = false }: Pick<SceneOrder, 'isPayout'>,
): string {
  return isPayout ? lowering : counter;
}

export type CountedFailures = {
  /** The codes that count; any, and none at all, when absent. */
  readonly reasonCodes?: readonly string[];
};

const confirmed = ({ to }: Ended): number => (to === 'confirmed' ? 1 : 0);

const failedBy =
  (failures: CountedFailures) =>
  ({ to, code }: Ended): number =>
    to === 'rolledBack' && isFailure(failures, code) ? 1 : 0;

/** It counts until somebody ends it after all. */
const expired = ({ to, wasOver }: Ended): number => (to === 'expired' ? 1 : wasOver ? -1 : 0);

/** Windows that begin at whole multiples of their length. */
function lengthOf(window: ModelRule['window']): Pick<CounterRule, 'windowMs'> {
  if (window === 'lifetime' || window === YEAR || window === YEAR_FROM_NOON)
    return { windowMs: Infinity };
  if (window === DAY) return { windowMs: DAY_MS };
  return window === MINUTE ? { windowMs: MINUTE_MS } : {};
}

/** Whether a rollback with a code, or without one, is a failure that a rule counts. */
export function isFailure({ reasonCodes }: CountedFailures, code: string | undefined): boolean {
  return reasonCodes === undefined || (code !== undefined && reasonCodes.includes(code));
}

export type SceneRules = {
  readonly all: readonly Rule[];
  /** For payments of each kind: one for all of them, and perhaps one for a minute's, a span's, and a trial's. */
  readonly counted: readonly CounterRule[];
  /** By kind: the counter of all payments. */
  readonly counters: Readonly<Record<string, string>>;
  /** By kind: the counter of the payments of a minute. */
  readonly minuteCounters: Readonly<Record<string, string>>;
  /** By kind: the counter of the failed payments of a minute. */
  readonly failedMinuteCounters: Readonly<Record<string, string>>;
};

/** Whether a rule counts at an instant, and refuses. */
export function isInEffect({ hoursMs }: CounterRule, at: Date): boolean {
  return hoursMs === undefined || at.getTime() % DAY_MS < hoursMs;
}

/** Counters of failures, under any of some rules. */
export function failureCounters(sets: readonly SceneRules[]): ReadonlyMap<string, CountedFailures> {
  return new Map(
    sets.flatMap(({ counted }) =>
      counted.flatMap(({ counter, failures }) => (failures ? [[counter, failures] as const] : [])),
    ),
  );
}

/** Counters of what expired, under any of some rules. */
export function expiryCounters(sets: readonly SceneRules[]): ReadonlySet<string> {
  const counted = sets.flatMap((set) => set.counted);
  return new Set(counted.flatMap(({ counter, isOfExpired }) => (isOfExpired ? counter : [])));
}

/** Counters of amounts and orders, under any of some rules. */
export function sumCounters(sets: readonly SceneRules[]): ReadonlySet<string> {
  return new Set(
    sets.flatMap(({ counted }) =>
      counted.flatMap(({ counter, lowering = counter, isOfCards, isOfExpired }) =>
        (isOfCards ?? isOfExpired) === true ? [] : [counter, lowering],
      ),
    ),
  );
}

/** Whether rules count the payments of a document's kind. */
export function countsIn({ counters }: SceneRules, document: string): boolean {
  return Object.hasOwn(counters, readDocument(document).kind);
}

const DAY = { unit: 'day', timeZone: 'UTC' } as const;
/** The proof that orders may have. */
export const PROOF = 'sca';
/** No story comes to the end of one. */
const YEAR = { unit: 'year', timeZone: 'UTC' } as const;
const YEAR_FROM_NOON = { ...YEAR, dayStart: '12:00' } as const;
const MONTH = { unit: 'month', timeZone: 'UTC' } as const;
/** Counters that one order enters, and its rollback leaves empty: so many that a tidy drops them. */
const EMPTIED = Array.from({ length: 8 }, (_, index) => ({
  rollingMs: (index + 1) * 86_400_000,
  stepMs: (index + 1) * 3_600_000,
}));
const MINUTE = { unit: 'minute', timeZone: 'UTC' } as const;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * One rule a subject kind for payments, and one for sweeps; perhaps others for payments.
 *
 * @param kinds those that ever had rules: sweeps go on where no payment is counted any more
 */
export function rulesOf(
  set: SceneRuleSet,
  kinds: readonly string[] = Object.keys(set.maxima),
): SceneRules {
  const all: Rule[] = [];
  const counted: CounterRule[] = [];
  const counters: Record<string, string> = {};
  const minuteCounters: Record<string, string> = {};
  const failedMinuteCounters: Record<string, string> = {};
  for (const kind of kinds) {
    const isDaily = set.daily?.includes(kind) === true;
    const ofAll = isDaily ? DAY : 'lifetime';
    all.push(
      libRule({
        ...{ id: `sweep-${kind}`, ...perOf(kind), mode: 'enforce', match: { type: 'SWEEP' } },
        window: ofAll,
        max: { count: 1_000_000 },
      }),
    );
    const emptied = set.emptied === true ? EMPTIED : [];
    for (const [index, window] of emptied.entries())
      all.push(
        libRule({
          ...{ id: `empty-${index}-${kind}`, ...perOf(kind), mode: 'enforce', window },
          match: { type: 'EMPTY' },
          max: { count: 1_000_000 },
        }),
      );
    for (const { rule, ...as } of paymentRules(set, kind, isDaily)) {
      const refunds = { amount: set.emptied !== true };
      const made = libRule({
        ...rule,
        ...perOf(kind),
        mode: as.isShadow ? 'shadow' : 'enforce',
        refunds,
      });
      all.push(made);
      const counter = counterKey(made, {});
      // A trial with an exact span stops at its maximum; other trials count whatever comes.
      const isEndless = as.isShadow === true && rule.window === MONTH;
      const max = isEndless || as.tellsAbove !== undefined ? {} : rule.max;
      const lowering = kindOf(counter).beside?.(counter);
      const lowers = lowering === undefined ? {} : { lowering };
      const counts = { counts: confirmed, ...lengthOf(rule.window) };
      counted.push({ rule: rule.id, kind, counter, max, ...lowers, ...counts, ...as });
      if (rule.id === kind) counters[kind] = counter;
      if (rule.window === MINUTE)
        (as.failures === undefined ? minuteCounters : failedMinuteCounters)[kind] = counter;
    }
  }
  return { all, counted, counters, minuteCounters, failedMinuteCounters };
}

/** Subjects of several kinds have a document together. */
function perOf(kind: string): Pick<ModelRule, 'per' | 'counterparts'> {
  const [first = kind, ...others] = kindsIn(kind);
  return { per: [first, ...others], counterparts: others.length === 0 ? 'few' : 'many' };
}

type Kinds = Pick<
  CounterRule,
  'isShadow' | 'failures' | 'tellsAbove' | 'proof' | 'hoursMs' | 'isOfCards' | 'isOfExpired'
> &
  Partial<Pick<CounterRule, 'counts'>>;

/** From midnight to 40 seconds after a story begins. */
const HOURS = '00:00-10:01';
const HOURS_MS = (10 * 60 + 1) * 60_000;

type Counting = Omit<ModelRule, 'per' | 'mode'>;

/** Rules of a kind that count payments: one for all of them, and others. */
function* paymentRules(
  { maxima, ...set }: SceneRuleSet,
  kind: string,
  isDaily: boolean,
): Generator<Kinds & { readonly rule: Counting }> {
  const max = maxima[kind];
  if (max === undefined) return;
  const { minuteCount, rolling, shadow, failed, told, unproven, hoursCount, level, cards } = set;
  const { expired: abandoned } = set;
  const counting = (name: string, window: ModelRule['window'], count: number): Counting => ({
    ...{ id: `${name}-${kind}`, currency: 'CNY', window, max: { count } },
  });
  yield { rule: { id: kind, currency: 'CNY', window: isDaily ? DAY : 'lifetime', max } };
  if (told !== undefined)
    yield { rule: { ...counting('told', YEAR, told), onExceed: 'notify' }, tellsAbove: told };
  if (unproven !== undefined) {
    const onExceed = { challenge: PROOF };
    yield { rule: { ...counting('unproven', YEAR_FROM_NOON, unproven), onExceed }, proof: PROOF };
  }
  if (hoursCount !== undefined) {
    const when = { hours: [HOURS] };
    yield { rule: { ...counting('hours', DAY, hoursCount), when }, hoursMs: HOURS_MS };
  }
  if (rolling !== undefined) {
    const span = { rollingMs: rolling.spanMs, stepMs: rolling.stepMs };
    yield { rule: counting('rolling', span, rolling.count) };
  }
  if (shadow !== undefined) {
    const span = { rollingMs: HOLD_MS, stepMs: 'exact' } as const;
    yield { rule: counting('trial', shadow.isExact ? span : MONTH, shadow.count), isShadow: true };
  }
  if (failed !== undefined) {
    const { count, reasonCodes, isMinute = false } = failed;
    const codes = reasonCodes && { reasonCodes };
    const window = isMinute ? MINUTE : isDaily ? DAY : 'lifetime';
    yield {
      rule: { ...counting('failed', window, count), outcome: 'rolledBack', ...codes },
      failures: { ...codes },
      counts: failedBy({ ...codes }),
    };
  }
  if (abandoned !== undefined && kind === 'user') {
    const window = isDaily ? DAY : 'lifetime';
    yield {
      rule: { ...counting('expired', window, abandoned), outcome: ['expired'] },
      isOfExpired: true,
      counts: expired,
    };
  }
  if (minuteCount !== undefined) yield { rule: counting('minute', MINUTE, minuteCount) };
  if (level !== undefined) yield { rule: levelRule(kind, isDaily ? DAY : 'lifetime', level) };
  if (cards !== undefined)
    yield { rule: cardsRule(kind, isDaily ? DAY : 'lifetime', cards), isOfCards: true };
}

/** Payments and payouts count by their cards. */
function cardsRule(kind: string, window: ModelRule['window'], count: number): Counting {
  return {
    id: `cards-${kind}`,
    counts: { is: { type: ['PAYMENT', 'PAYOUT'] } },
    distinct: 'pan',
    window,
    max: { count },
  };
}

/** Payments raise a sum of amounts, and payouts lower it. */
function levelRule(kind: string, window: ModelRule['window'], amount: number): Counting {
  return {
    id: `level-${kind}`,
    currency: 'CNY',
    counts: { is: { type: 'PAYMENT' } },
    minus: { is: { type: 'PAYOUT' } },
    window,
    max: { amount },
  };
}
