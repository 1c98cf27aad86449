import { BUCKETS_MAX, NEVER } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import { groupedBy } from '../shared/grouped.ts';
import { showPath } from '../schema/mistakes.ts';
import { bucketsNeeded } from '../rule/measures/measures.ts';
import { counterScope } from '../rule/counter.ts';
import type { Rule } from '../rule/rule.ts';
import { documentKind, isLive } from '../rule/rule.ts';
import { keepMsOf } from '../rule/windows/window-kind.ts';
import { isCounted, isExact, stepsOf } from '../rule/windows/windows.ts';

/**
 * Names rules that fill a document of their subjects although no maximum is reached: all rules whose counters stand
 * in it may need more buckets at one time than it has. A rolling window needs one for each step that reaches into
 * it, and every other window one. Of rules with several subjects it counts one pair alone.
 */
export function wrongBuckets(rules: readonly Rule[]): readonly Mistake[] {
  const counting = rules.filter((rule) => isLive(rule) && isCounted(rule.window));
  const needed = counting.map((rule) => ({ rule, buckets: bucketsNeeded(rule) }));
  return [...groupedBy(needed, ({ rule }) => documentKind(rule))].flatMap(([kind, all]) => {
    // Rules that follow each other need their buckets one after the other.
    const begins = [...new Set(all.map(({ rule }) => beginMs(rule)))];
    const [most] = begins
      .map((at) => onePerCounter(all.filter((one) => keepsBuckets(one.rule, at))))
      .sort((one, other) => neededOf(other) - neededOf(one));
    return most === undefined || neededOf(most) <= BUCKETS_MAX ? [] : mistakeOf(kind, most);
  });
}

type Needed = { readonly rule: Rule; readonly buckets: number };

function beginMs({ from }: Rule): number {
  return from?.getTime() ?? 0;
}

/** Whether a rule counts at an instant, or its buckets are still there. */
function keepsBuckets(rule: Rule, at: number): boolean {
  const steps = stepsOf(rule.window);
  const until = (rule.to ?? NEVER).getTime() + (steps === undefined ? 0 : keepMsOf(steps));
  return beginMs(rule) <= at && at < until;
}

function onePerCounter(all: readonly Needed[]): readonly Needed[] {
  const counters = groupedBy(all, ({ rule }) => counterScope(rule));
  return [...counters.values()].flatMap((sharing) => sharing.slice(0, 1));
}

function neededOf(all: readonly Needed[]): number {
  return all.reduce((sum, { buckets }) => sum + buckets, 0);
}

function mistakeOf(kind: string, all: readonly Needed[]): readonly Mistake[] {
  const rolling = all.filter(({ rule }) => stepsOf(rule.window) !== undefined);
  const stepped = rolling.filter(({ rule }) => !isExact(rule.window));
  const [first] = rolling.toSorted((one, other) => other.buckets - one.buckets);
  if (first === undefined) return [];
  const others = neededOf(all) - neededOf(stepped);
  // Each step is a bucket, and so is the one that leaves the window.
  const steps = Math.floor((BUCKETS_MAX - others) / stepped.length) - 1;
  const path = showPath([`rules[${first.rule.id}]`, 'window']);
  const value = `one of ${rolling.length} rolling windows per ${kind}, whose rules may need ${neededOf(all)} buckets in one document`;
  const todo =
    steps >= 1
      ? `give each a \`step\` of at least 1/${steps} of its window`
      : `use fewer of them per ${kind}`;
  return [{ path, value, expected: `rules that need at most ${BUCKETS_MAX}: ${todo}` }];
}
