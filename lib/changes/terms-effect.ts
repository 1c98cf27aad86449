import { isDeepStrictEqual } from 'node:util';
import { present } from '../shared/present.ts';
import type { Rule } from '../rule/rule.ts';
import type { Terms, Validity } from '../rule/own-terms.ts';
import { freezeAt, overridesOf, turnsAfter, underTerms } from '../rule/terms.ts';
import type { TermsWish } from './terms-change.ts';
import { ruleOfWish } from './terms-change.ts';

/** What a change of terms makes of something from an instant on, until the next step; the last one has no end. */
export type TermsStep<State> = {
  readonly from: Date;
  readonly until?: Date;
  readonly before: State;
  readonly after: State;
};

/** What a change of terms does from now on: to the maximum of a rule, or to a freeze. */
export type TermsEffect =
  | {
      readonly kind: 'maximum';
      readonly rule: Rule;
      readonly steps: readonly TermsStep<Pick<Rule, 'max' | 'maxBy'>>[];
    }
  | { readonly kind: 'freeze'; readonly steps: readonly TermsStep<boolean>[] };

/** Works out what a change does, now and at every later instant; undefined where its rule is not there. */
export function termsEffectOf(
  wish: TermsWish,
  rule: Rule | undefined,
  [before, after]: readonly [before: Terms | undefined, after: Terms | undefined],
  now: Date,
): TermsEffect | undefined {
  if (ruleOfWish(wish) === undefined) {
    const freezes = [before, after].flatMap((terms) => terms?.freeze ?? []);
    const isFrozen = (terms: Terms | undefined, at: Date): boolean =>
      freezeAt(terms, at) !== undefined;
    const steps = termsSteps(freezes, now, (at) => [isFrozen(before, at), isFrozen(after, at)]);
    return { kind: 'freeze', steps };
  }
  if (rule === undefined) return undefined;
  const layers = [before, after].flatMap((terms) => overridesOf(terms, rule));
  const maxima = (terms: Terms | undefined, at: Date): Pick<Rule, 'max' | 'maxBy'> => {
    const { max, maxBy } = underTerms(rule, terms, at);
    return { max, ...present({ maxBy }) };
  };
  const steps = termsSteps(layers, now, (at) => [maxima(before, at), maxima(after, at)]);
  return { kind: 'maximum', rule, steps };
}

/** One step for each time in which both states stay as they are. */
function termsSteps<State>(
  stretches: readonly Validity[],
  now: Date,
  statesAt: (at: Date) => readonly [before: State, after: State],
): readonly TermsStep<State>[] {
  const steps: TermsStep<State>[] = [];
  for (const from of [now, ...turnsAfter(stretches, now)]) {
    const [before, after] = statesAt(from);
    const last = steps.at(-1);
    if (last !== undefined && isDeepStrictEqual([last.before, last.after], [before, after]))
      continue;
    if (last !== undefined) steps[steps.length - 1] = { ...last, until: from };
    steps.push({ from, before, after });
  }
  return steps;
}
