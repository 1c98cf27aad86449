import type { CaseStep, ExpectedAnswer, LimitCase } from '../cases/case.ts';
import { expectedWhenRepeated } from '../cases/case.ts';
import type { LimitsUnderTest, ModelAnswer } from './model-types.ts';
import { expectAnswer } from './plain-answer.ts';

/**
 * Plays all steps of a case and expects each answer.
 *
 * @param limits fresh, with the rules of the case and, where the case sets one, its bound on holds
 * @param twice sends every step a second time at the same instant, which must change nothing
 */
export async function playCase(
  limitCase: LimitCase,
  limits: LimitsUnderTest,
  { twice }: { readonly twice: boolean },
): Promise<void> {
  for (const [index, step] of limitCase.steps.entries()) {
    const story = `${limitCase.id}, step ${index + 1} at ${step.at}: ${step.do}`;
    await playStep(step, limits, story, (expected) => expected);
    if (twice) await playStep(step, limits, `${story}, again`, expectedWhenRepeated);
  }
}

async function playStep(
  step: CaseStep,
  limits: LimitsUnderTest,
  story: string,
  expectation: (expected: ExpectedAnswer) => ExpectedAnswer,
): Promise<void> {
  if (step.do === 'rules') {
    await limits.useRules(step.rules);
    return;
  }
  if (step.do === 'terms') {
    const [kind, id] = step.subject;
    await limits.useTerms(kind, id, step.terms, new Date(step.at));
    return;
  }
  const answer = await send(step, limits, new Date(step.at));
  expectAnswer(answer, expectation(step.expect), story);
}

function send(
  step: Exclude<CaseStep, { readonly do: 'rules' | 'terms' }>,
  limits: LimitsUnderTest,
  now: Date,
): Promise<ModelAnswer> {
  switch (step.do) {
    case 'check':
      return limits.check(step.request, now);
    case 'confirm':
      return limits.confirm(step.request, now);
    case 'rollback':
      return limits.rollback(step.request, now);
    case 'record':
      return limits.record(step.request, now);
    case 'decide':
      return limits.decide(step.request, now);
  }
}
