import { kindOf } from '../../lib/counter/kinds.ts';
import { counterKey } from '../../lib/rule/counter.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { libRule } from '../support/service-under-test.ts';
import { countsEnd } from '../model/model-rules.ts';
import type { ModelRule } from '../model/model-types.ts';
import { kindsIn, readDocument } from '../../lib/shared/subject.ts';
import type { Maximum, SceneCounters, SceneOrder, SceneRuleSet } from './scene.ts';
import { HOLD_MS } from './scene.ts';

export type CounterRule = {
  /** The rule's id, by which a subject's own maximum names it. */
  readonly rule: string;
  readonly counter: string;
  readonly kind: string;
  readonly max: Partial<Maximum>;
  /** What must become of an order for it to count. */
  readonly ends: Pick<ModelRule, 'outcome' | 'reasonCodes'>;
  /** How long its windows are, which begin at whole multiples; Infinity is one for ever. Absent where they are other ones. */
  readonly windowMs?: number;
  /** The counter of payouts, which lower its sum once they are confirmed; they do not enter it. */
  readonly lowering?: string;
} & CounterKind;

/** How a counter differs from that of all payments. */
type CounterKind = {
  /** It is on trial, and refuses nothing: what finds no room is not counted there. */
  readonly isShadow?: true;
  /** Above so many orders it tells so, and refuses nothing. */
  readonly tellsAbove?: number;
  /** It refuses no order that has this proof. */
  readonly proof?: string;
  /** How much of a day it is in effect for; always when absent. */
  readonly hoursMs?: number;
  /** Its count is of different cards, and it has no amounts. */
  readonly isOfCards?: true;
};

/** The counter of a rule that an order enters. */
export function enteredBy(
  { counter, lowering = counter }: CounterRule,
  { isPayout = false }: Pick<SceneOrder, 'isPayout'>,
): string {
  return isPayout ? lowering : counter;
}

/** Whether a rule counts holds of home that nobody ended. */
export function isOfExpired({ ends }: CounterRule): boolean {
  return countsEnd(ends, 'expired');
}

/** Whether a rule counts payments: refunds give back what they count. */
export function isOfPayments({ ends }: CounterRule): boolean {
  return countsEnd(ends, 'confirmed');
}

/** Whether a rule counts orders that are rolled back, or some of them. */
export function isOfFailures({ ends }: CounterRule): boolean {
  const { reasonCodes: _, ...whatever } = ends;
  return countsEnd(whatever, 'rolledBack');
}

/** Windows that begin at whole multiples of their length. */
function lengthOf(window: ModelRule['window']): Pick<CounterRule, 'windowMs'> {
  if (window === 'lifetime' || window === YEAR || window === YEAR_FROM_NOON)
    return { windowMs: Infinity };
  if (window === DAY) return { windowMs: DAY_MS };
  return window === MINUTE ? { windowMs: MINUTE_MS } : {};
}

export type SceneRules = {
  readonly all: readonly Rule[];
  /** For payments of each kind: one for all of them, and perhaps one for a minute's, a span's, and a trial's. */
  readonly counted: readonly CounterRule[];
  /** By kind: the counter of all payments. */
  readonly counters: Readonly<Record<string, string>>;
};

/** Whether a rule counts at an instant, and refuses. */
export function isInEffect({ hoursMs }: CounterRule, at: Date): boolean {
  return hoursMs === undefined || at.getTime() % DAY_MS < hoursMs;
}

/** Rules by their counters, under any of some sets. Of what lowers a sum, the rule of that sum. */
export function rulesByCounter(sets: readonly SceneRules[]): ReadonlyMap<string, CounterRule> {
  return new Map(
    sets.flatMap(({ counted }) =>
      counted.flatMap((rule) =>
        [rule.counter, rule.lowering ?? rule.counter].map((counter) => [counter, rule] as const),
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
export const MINUTE_MS = 60_000;
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
    for (const { rule, ...as } of paymentRules(set, { kind, window: ofAll })) {
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
      const counts = { ends: rule, ...lengthOf(rule.window) };
      counted.push({ rule: rule.id, kind, counter, max, ...lowers, ...counts, ...as });
      if (rule.id === kind) counters[kind] = counter;
    }
  }
  return { all, counted, counters };
}

/** Subjects of several kinds have a document together. */
function perOf(kind: string): Pick<ModelRule, 'per' | 'counterparts'> {
  const [first = kind, ...others] = kindsIn(kind);
  return { per: [first, ...others], counterparts: others.length === 0 ? 'few' : 'many' };
}

/** From midnight to 40 seconds after a story begins. */
const HOURS = '00:00-10:01';
const HOURS_MS = (10 * 60 + 1) * 60_000;

type Counting = Omit<ModelRule, 'per' | 'mode'>;

type Counted = CounterKind & { readonly rule: Counting };

/** Subjects of a kind, and the window of all their payments. */
type Of = { readonly kind: string; readonly window: typeof DAY | 'lifetime' };

/** The rules of a kind: one for all payments, and one of each kind of counter that a scene has. */
function paymentRules(set: SceneRuleSet, of: Of): readonly Counted[] {
  const { kind, window } = of;
  const max = set.maxima[kind];
  if (max === undefined) return [];
  const ofAll: Counted = { rule: { id: kind, currency: 'CNY', window, max } };
  const kinds = Object.keys(COUNTER_KINDS) as (keyof SceneCounters)[]; // the table has no other keys
  return [ofAll, ...kinds.flatMap((one) => ruleOf(one, set, of) ?? [])];
}

type Wishes = Required<SceneCounters>;

function ruleOf<Kind extends keyof Wishes>(kind: Kind, set: Partial<Pick<Wishes, Kind>>, of: Of) {
  const wish: Wishes[Kind] | undefined = set[kind];
  return wish === undefined ? undefined : COUNTER_KINDS[kind](wish, of);
}

function counting(
  name: string,
  { kind }: Of,
  window: ModelRule['window'],
  count: number,
): Counting {
  return { id: `${name}-${kind}`, currency: 'CNY', window, max: { count } };
}

/** Each kind of counter that a scene may have beside that of all payments: the rule for subjects of a kind. */
const COUNTER_KINDS: {
  readonly [Kind in keyof Wishes]: (wish: Wishes[Kind], of: Of) => Counted | undefined;
} = {
  told: (most, of) => ({
    rule: { ...counting('told', of, YEAR, most), onExceed: 'notify' },
    tellsAbove: most,
  }),
  unproven: (most, of) => ({
    rule: { ...counting('unproven', of, YEAR_FROM_NOON, most), onExceed: { challenge: PROOF } },
    proof: PROOF,
  }),
  hoursCount: (most, of) => ({
    rule: { ...counting('hours', of, DAY, most), when: { hours: [HOURS] } },
    hoursMs: HOURS_MS,
  }),
  rolling: ({ spanMs, stepMs, count }, of) => ({
    rule: counting('rolling', of, { rollingMs: spanMs, stepMs }, count),
  }),
  shadow: ({ isExact, count }, of) => ({
    rule: counting('trial', of, isExact ? { rollingMs: HOLD_MS, stepMs: 'exact' } : MONTH, count),
    isShadow: true,
  }),
  failed: ({ count, reasonCodes, isMinute = false }, of) => ({
    rule: {
      ...counting('failed', of, isMinute ? MINUTE : of.window, count),
      outcome: 'rolledBack',
      ...(reasonCodes && { reasonCodes }),
    },
  }),
  expired: (most, of) =>
    of.kind === 'user'
      ? { rule: { ...counting('expired', of, of.window, most), outcome: ['expired'] } }
      : undefined,
  minuteCount: (most, of) => ({ rule: counting('minute', of, MINUTE, most) }),
  /** Payments raise a sum of amounts, and payouts lower it. */
  level: (amount, { kind, window }) => ({
    rule: {
      id: `level-${kind}`,
      currency: 'CNY',
      counts: { is: { type: 'PAYMENT' } },
      minus: { is: { type: 'PAYOUT' } },
      window,
      max: { amount },
    },
  }),
  /** Payments and payouts count by their cards. */
  cards: (count, { kind, window }) => ({
    rule: {
      id: `cards-${kind}`,
      counts: { is: { type: ['PAYMENT', 'PAYOUT'] } },
      distinct: 'pan',
      window,
      max: { count },
    },
    isOfCards: true,
  }),
};
