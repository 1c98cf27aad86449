import { counterKey } from '../../lib/rule/counter.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { libRule } from '../support/service-under-test.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { Maximum, SceneRuleSet } from './scene.ts';
import { HOLD_MS } from './scene.ts';

export type CounterRule = {
  /** The rule's id, by which a subject's own maximum names it. */
  readonly rule: string;
  readonly counter: string;
  readonly kind: string;
  readonly max: Partial<Maximum>;
  /** It refuses nothing: what finds no room is not counted there. */
  readonly isShadow?: true;
};

export type SceneRules = {
  readonly all: readonly Rule[];
  /** For payments of each kind: one for all of them, and perhaps one for a minute's, a span's, and a trial's. */
  readonly counted: readonly CounterRule[];
  /** By kind: the counter of all payments. */
  readonly counters: Readonly<Record<string, string>>;
  /** By kind: the counter of the payments of a minute. */
  readonly minuteCounters: Readonly<Record<string, string>>;
};

/** Whether rules count the payments of a document's kind. Ids here have nothing that is escaped in it. */
export function countsIn({ counters }: SceneRules, document: string): boolean {
  return Object.hasOwn(counters, document.split(':')[0] ?? '');
}

const DAY = { unit: 'day', timeZone: 'UTC' } as const;
const MONTH = { unit: 'month', timeZone: 'UTC' } as const;
/** Counters that one order enters, and its rollback leaves empty: so many that a tidy drops them. */
const EMPTIED = Array.from({ length: 8 }, (_, index) => ({
  rollingMs: (index + 1) * 86_400_000,
  stepMs: (index + 1) * 3_600_000,
}));
const MINUTE = { unit: 'minute', timeZone: 'UTC' } as const;

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
  for (const kind of kinds) {
    const ofAll = set.daily?.includes(kind) === true ? DAY : 'lifetime';
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
    const count = (rule: Omit<ModelRule, 'per' | 'mode'>, isShadow?: true): string => {
      const refunds = { amount: set.emptied !== true };
      const mode = isShadow ? 'shadow' : 'enforce';
      const made = libRule({ ...rule, per: [kind], mode, refunds });
      all.push(made);
      const counter = counterKey(made, {});
      // A trial with an exact span stops at its maximum; other trials count whatever comes.
      const isEndless = isShadow === true && rule.window === MONTH;
      const most = isEndless ? {} : rule.max;
      counted.push({ rule: rule.id, kind, counter, max: most, ...(isShadow && { isShadow }) });
      return counter;
    };
    counters[kind] = count({ id: kind, currency: 'CNY', window: ofAll, max });
    const { minuteCount, rolling, shadow } = set;
    if (rolling !== undefined) {
      const span = { rollingMs: rolling.spanMs, stepMs: rolling.stepMs };
      const rule = { id: `rolling-${kind}`, currency: 'CNY', window: span };
      count({ ...rule, max: { count: rolling.count } });
    }
    if (shadow !== undefined) {
      const span = { rollingMs: HOLD_MS, stepMs: 'exact' } as const;
      const window = shadow.isExact ? span : MONTH;
      const rule = { id: `trial-${kind}`, currency: 'CNY', window };
      count({ ...rule, max: { count: shadow.count } }, true);
    }
    if (minuteCount === undefined) continue;
    const rule = { id: `minute-${kind}`, currency: 'CNY', window: MINUTE };
    minuteCounters[kind] = count({ ...rule, max: { count: minuteCount } });
  }
  return { all, counted, counters, minuteCounters };
}
