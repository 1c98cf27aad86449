/** The rules of a scene. */
import { counterKey } from '../../lib/windows/counter.ts';
import type { Rule } from '../../lib/rules/rule.ts';
import { libRule } from '../support/service-under-test.ts';
import type { Scene } from './scene.ts';

/** Rules, and the counters that they count in. */
export type SceneRules = {
  readonly all: readonly Rule[];
  /** By kind: the counter of all payments. */
  readonly counters: Readonly<Record<string, string>>;
  /** By kind: the counter of the payments of a minute. */
  readonly minuteCounters: Readonly<Record<string, string>>;
};

/** One rule a subject kind for payments, perhaps one for those of a minute, and one for sweeps. */
export function rulesOf({
  maxima,
  minuteCount,
}: Pick<Scene, 'maxima' | 'minuteCount'>): SceneRules {
  const all: Rule[] = [];
  const counters: Record<string, string> = {};
  const minuteCounters: Record<string, string> = {};
  for (const [kind, max] of Object.entries(maxima)) {
    const common = { per: [kind] as const, mode: 'enforce' as const };
    const payments = libRule({
      ...common,
      id: kind,
      currency: 'CNY',
      window: 'lifetime',
      max,
    });
    const sweeps = libRule({
      ...common,
      id: `sweep-${kind}`,
      match: { type: 'SWEEP' },
      window: 'lifetime',
      max: { count: 1_000_000 },
    });
    all.push(payments, sweeps);
    counters[kind] = counterKey(payments, {});
    if (minuteCount === undefined) continue;
    const minute = libRule({
      ...common,
      id: `minute-${kind}`,
      currency: 'CNY',
      max: { count: minuteCount },
      window: { unit: 'minute', timeZone: 'UTC' },
    });
    all.push(minute);
    minuteCounters[kind] = counterKey(minute, {});
  }
  return { all, counters, minuteCounters };
}
