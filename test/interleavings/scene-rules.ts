/** The rules of a scene. */
import { counterKey } from '../../lib/windows/counter.ts';
import type { Rule } from '../../lib/rules/rule.ts';
import { libRule } from '../support/service-under-test.ts';
import type { Maximum, SceneRuleSet } from './scene.ts';

/** What one kind may have in one counter. */
export type CounterRule = {
  /** The rule's id, by which a subject's own maximum names it. */
  readonly rule: string;
  readonly counter: string;
  readonly kind: string;
  readonly max: Partial<Maximum>;
};

/** Rules, and the counters that they count in. */
export type SceneRules = {
  readonly all: readonly Rule[];
  /** Of payments: one a kind for all of them, and perhaps one for those of a minute. */
  readonly counted: readonly CounterRule[];
  /** By kind: the counter of all payments. */
  readonly counters: Readonly<Record<string, string>>;
  /** By kind: the counter of the payments of a minute. */
  readonly minuteCounters: Readonly<Record<string, string>>;
};

const DAY = { unit: 'day', timeZone: 'UTC' } as const;

/** One rule a subject kind for payments, perhaps one for those of a minute, and one for sweeps. */
export function rulesOf({ maxima, minuteCount, daily = [] }: SceneRuleSet): SceneRules {
  const all: Rule[] = [];
  const counted: CounterRule[] = [];
  const counters: Record<string, string> = {};
  const minuteCounters: Record<string, string> = {};
  for (const [kind, max] of Object.entries(maxima)) {
    const common = { per: [kind] as const, mode: 'enforce' as const };
    const window = daily.includes(kind) ? DAY : 'lifetime';
    const payments = libRule({ ...common, id: kind, currency: 'CNY', window, max });
    const sweeps = libRule({
      ...{ ...common, id: `sweep-${kind}`, match: { type: 'SWEEP' }, window },
      max: { count: 1_000_000 },
    });
    all.push(payments, sweeps);
    counters[kind] = counterKey(payments, {});
    counted.push({ rule: kind, kind, counter: counters[kind], max });
    if (minuteCount === undefined) continue;
    const minute = libRule({
      ...{ ...common, id: `minute-${kind}`, currency: 'CNY', max: { count: minuteCount } },
      window: { unit: 'minute', timeZone: 'UTC' },
    });
    all.push(minute);
    minuteCounters[kind] = counterKey(minute, {});
    counted.push({
      ...{ rule: `minute-${kind}`, kind, counter: minuteCounters[kind] },
      max: { count: minuteCount },
    });
  }
  return { all, counted, counters, minuteCounters };
}
