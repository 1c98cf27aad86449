import { counterKey } from '../../lib/rule/counter.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { libRule } from '../support/service-under-test.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { Maximum, SceneFailed, SceneRuleSet } from './scene.ts';
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
  /** It counts orders that are rolled back. */
  readonly failures?: CountedFailures;
};

export type CountedFailures = {
  /** The codes that count; any, and none at all, when absent. */
  readonly reasonCodes?: readonly string[];
  /** How long its windows are, which begin at whole multiples; one for ever when absent. */
  readonly windowMs?: number;
};

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

/** Counters of failures, under any of some rules. */
export function failureCounters(sets: readonly SceneRules[]): ReadonlyMap<string, CountedFailures> {
  return new Map(
    sets.flatMap(({ counted }) =>
      counted.flatMap(({ counter, failures }) => (failures ? [[counter, failures] as const] : [])),
    ),
  );
}

/** Whether rules count the payments of a document's kind. Ids here have nothing that is escaped in it. */
export function countsIn({ counters }: SceneRules, document: string): boolean {
  return Object.hasOwn(counters, document.split(':')[0] ?? '');
}

const DAY = { unit: 'day', timeZone: 'UTC' } as const;
/** The proof that orders may have. */
export const PROOF = 'sca';
const QUARTER = { unit: 'quarter', timeZone: 'UTC' } as const;
const YEAR = { unit: 'year', timeZone: 'UTC' } as const;
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
        ...{ id: `sweep-${kind}`, per: [kind], mode: 'enforce', match: { type: 'SWEEP' } },
        window: ofAll,
        max: { count: 1_000_000 },
      }),
    );
    const emptied = set.emptied === true ? EMPTIED : [];
    for (const [index, window] of emptied.entries())
      all.push(
        libRule({
          ...{ id: `empty-${index}-${kind}`, per: [kind], mode: 'enforce', window },
          match: { type: 'EMPTY' },
          max: { count: 1_000_000 },
        }),
      );
    const max = set.maxima[kind];
    if (max === undefined) continue;
    const count = (rule: Counting, as: Kinds = {}): string => {
      const refunds = { amount: set.emptied !== true };
      const mode = as.isShadow ? 'shadow' : 'enforce';
      const made = libRule({ ...rule, per: [kind], mode, refunds });
      all.push(made);
      const counter = counterKey(made, {});
      // A trial with an exact span stops at its maximum; other trials count whatever comes.
      const isEndless = as.isShadow === true && rule.window === MONTH;
      const most = isEndless || as.tellsAbove !== undefined ? {} : rule.max;
      counted.push({ rule: rule.id, kind, counter, max: most, ...as });
      return counter;
    };
    counters[kind] = count({ id: kind, currency: 'CNY', window: ofAll, max });
    const { minuteCount, rolling, shadow, failed, told, unproven } = set;
    if (told !== undefined) {
      const rule = { id: `told-${kind}`, currency: 'CNY', window: QUARTER, max: { count: told } };
      count({ ...rule, onExceed: 'notify' }, { tellsAbove: told });
    }
    if (unproven !== undefined) {
      const rule = { id: `unproven-${kind}`, currency: 'CNY', window: YEAR };
      const max = { count: unproven };
      count({ ...rule, max, onExceed: { challenge: PROOF } }, { proof: PROOF });
    }
    if (rolling !== undefined) {
      const span = { rollingMs: rolling.spanMs, stepMs: rolling.stepMs };
      const rule = { id: `rolling-${kind}`, currency: 'CNY', window: span };
      count({ ...rule, max: { count: rolling.count } });
    }
    if (shadow !== undefined) {
      const span = { rollingMs: HOLD_MS, stepMs: 'exact' } as const;
      const window = shadow.isExact ? span : MONTH;
      const rule = { id: `trial-${kind}`, currency: 'CNY', window };
      count({ ...rule, max: { count: shadow.count } }, { isShadow: true });
    }
    if (failed !== undefined) {
      const { rule, failures } = failedRule(kind, failed, isDaily);
      const counter = count(rule, { failures });
      if (failures.windowMs === MINUTE_MS) failedMinuteCounters[kind] = counter;
    }
    if (minuteCount === undefined) continue;
    const rule = { id: `minute-${kind}`, currency: 'CNY', window: MINUTE };
    minuteCounters[kind] = count({ ...rule, max: { count: minuteCount } });
  }
  return { all, counted, counters, minuteCounters, failedMinuteCounters };
}

type Kinds = Pick<CounterRule, 'isShadow' | 'failures' | 'tellsAbove' | 'proof'>;

type Counting = Omit<ModelRule, 'per' | 'mode'>;

function failedRule(kind: string, failed: SceneFailed, isDaily: boolean) {
  const { count, reasonCodes, isMinute = false } = failed;
  const codes = reasonCodes && { reasonCodes };
  const window = isMinute ? MINUTE : isDaily ? DAY : ('lifetime' as const);
  const windowMs = isMinute ? MINUTE_MS : isDaily ? DAY_MS : undefined;
  const rule: Counting = {
    ...{ id: `failed-${kind}`, currency: 'CNY', outcome: 'rolledBack' },
    ...{ window, max: { count }, ...codes },
  };
  const failures: CountedFailures = { ...codes, ...(windowMs !== undefined && { windowMs }) };
  return { rule, failures };
}
