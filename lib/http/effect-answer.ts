import type * as told from '../../contract/terms.ts';
import type { Told } from '../../contract/words.ts';
import type { TermsEffect, TermsStep } from '../changes/terms-effect.ts';
import { maximaJson } from './standing-answer.ts';

/** Writes what a change does, now and later. */
export function effectJson(
  effect: TermsEffect | undefined,
): Told<typeof told.termsEffect> | undefined {
  if (effect === undefined) return undefined;
  if (effect.kind === 'freeze')
    return { steps: effect.steps.map((one) => stepJson(one, (frozen) => ({ frozen }))) };
  const steps = effect.steps.map((one) => stepJson(one, maximaJson));
  return { currency: effect.rule.currency, steps };
}

function stepJson<State, Json>(
  { from, until, before, after }: TermsStep<State>,
  write: (state: State) => Json,
) {
  return {
    from,
    until: until ?? null,
    before: write(before),
    after: write(after),
  };
}
