import { PART, nameIn } from '../rule/counter-key.ts';
import type { Values } from '../rule/counter-key.ts';
import type { CounterKind } from './kind.ts';
import { level } from './level.ts';
import { plain } from './plain.ts';
import { values } from './values.ts';

/** What counters count, but for plain sums. A new kind has its row here. */
const KINDS: readonly CounterKind[] = [level, values];

/** The kind of a counter, by its key: of one whose key is a digest alone, as most are, plain sums. */
export function kindOf(key: string): CounterKind {
  if (!key.includes(PART)) return plain;
  return KINDS.find(({ isOf }) => isOf(key)) ?? plain;
}

/** The counters that a sum is made of: its own, and the one beside it. */
export function countersOf(key: string): readonly string[] {
  const beside = kindOf(key).beside?.(key);
  return beside === undefined ? [key] : [key, beside];
}

/** What a share keeps for the counters that it enters, in their order; undefined where they keep nothing. */
export function valuesIn(
  counters: readonly { readonly counter: string }[],
  values: Values | undefined,
): Values | undefined {
  if (values === undefined) return undefined;
  const kept = counters.flatMap(({ counter }) => {
    const name = nameIn(counter);
    const value = name === undefined ? undefined : values[name];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
