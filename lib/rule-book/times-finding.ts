import { TIMES_REPEAT_MS } from '../rule/times.ts';
import { effectPeriod, hasTimes, inEffect } from '../rule/in-effect.ts';
import type { Matched, Rule, Scope } from '../rule/rule.ts';
import { isLive } from '../rule/rule.ts';
import { sinceOf } from '../rule/windows/windows.ts';

/**
 * Warns of rules with times outside which no other rule limits the same payments: they are refused then, where orders
 * without a rule are.
 *
 * @param isFirst whether no rule is stored yet: then nothing is said of a rule that nothing is meant to go on from
 */
export function timesSentences(
  rules: readonly Rule[],
  { at, isFirst }: { readonly at: Date; readonly isFirst: boolean },
): readonly string[] {
  const live = rules.filter((rule) => isLive(rule) && (rule.to === undefined || at < rule.to));
  const hasGap = (rule: Rule): boolean => {
    const limiting = live.filter((one) => limitsAll(one, rule));
    return hasTimes(rule) && !(isFirst && limiting.length === 1) && !coverAll(limiting, at);
  };
  return live
    .filter(hasGap)
    .map(
      ({ id }) =>
        `${id}: it is not in effect at all times (\`when\`), and at others no rule may limit its payments: ON_NO_RULE=refuse refuses them then. Add a rule for them without \`when\`, or one for the other times.`,
    );
}

/** Whether one of some rules is in effect at each instant from one on, as far as their times repeat. */
function coverAll(rules: readonly Rule[], from: Date): boolean {
  const lasting = rules.filter(
    (rule) =>
      rule.to === undefined &&
      (rule.from === undefined || rule.from <= from) &&
      rule.when?.dates === undefined,
  );
  let at = from;
  while (at.getTime() - from.getTime() < TIMES_REPEAT_MS) {
    const rule = lasting.find((one) => inEffect(one, at));
    if (rule === undefined) return false;
    at = effectPeriod(rule, at).until;
  }
  return true;
}

/** Whether a rule surely limits whatever another one limits. */
function limitsAll(one: Rule, other: Rule): boolean {
  return (
    sinceOf(one.window) === undefined &&
    one.per.every((kind) => other.per.includes(kind)) &&
    (one.currency === undefined || one.currency === other.currency) &&
    isNarrower(other.counts, one.counts) &&
    isNarrower(other.appliesTo, one.appliesTo)
  );
}

/** Whether a wider scope surely has each payment of another one. The order of values says nothing. */
function isNarrower(scope: Scope, wider: Scope): boolean {
  return (
    Object.entries(wider.is).every(([name, values]) => {
      const own = ownValues(scope.is, name);
      return own.length > 0 && own.every((value) => values.includes(value));
    }) &&
    Object.entries(wider.not).every(([name, values]) => {
      const own = ownValues(scope.not, name);
      return values.every((value) => own.includes(value));
    })
  );
}

function ownValues(matched: Matched, name: string): Matched[string] {
  return Object.hasOwn(matched, name) ? (matched[name] ?? []) : [];
}
