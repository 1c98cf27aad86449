import type { Counter } from '../counter/kind.ts';
import { fixedBucket } from '../counter/bucket.ts';
import { withCounters } from '../document/document-plan.ts';
import type { AppliedRule, Plan } from './plan.ts';

/** A plan in which some counters have other keys. @param keys by the key that is there */
export function withKeys(plan: Plan, keys: ReadonlyMap<string, string>): Plan {
  const applied = (rules: readonly AppliedRule[]) => rules.map((rule) => ruleWith(rule, keys));
  const rules = applied(plan.rules);
  const { outlook } = plan;
  return {
    ...plan,
    rules,
    outlook: {
      ...outlook,
      rules: outlook.rules === plan.rules ? rules : applied(outlook.rules),
    },
    byKind: new Map(
      [...plan.byKind].map(([kind, planned]) => [
        kind,
        planned.counters.some(({ key }) => keys.has(key))
          ? withCounters(
              planned,
              planned.counters.map((counter) => counterWith(counter, keys)),
            )
          : planned,
      ]),
    ),
  };
}

function ruleWith(applied: AppliedRule, keys: ReadonlyMap<string, string>): AppliedRule {
  if (applied.kind !== 'counted') return applied;
  const counter = keys.get(applied.counter);
  return counter === undefined ? applied : { ...applied, counter };
}

function counterWith(counter: Counter, keys: ReadonlyMap<string, string>): Counter {
  const key = keys.get(counter.key);
  if (key === undefined) return counter;
  const { bucket } = counter;
  if (bucket.kind !== 'fixed') return { ...counter, key };
  const { start, until } = bucket.reference;
  return { ...counter, key, bucket: fixedBucket(key, start, until) };
}
