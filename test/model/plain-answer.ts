/**
 * Answers in a form that compares well and fails readably: rules by id, instants as text. What an
 * answer says in passing and nobody has fixed is brought to one form here, and only here.
 */
import { expect } from 'vitest';
import type { ExpectedAnswer } from '../cases/case.ts';
import type { ModelAnswer, ModelRuleAnswer } from './model-types.ts';

/**
 * The normal form of an answer. What a repeated confirm exceeds is left out: a repeat gives the first
 * answer again, and the counter may have moved since.
 */
function plainAnswer(answer: ModelAnswer): Readonly<Record<string, unknown>> {
  switch (answer.kind) {
    case 'allowed':
    case 'refused': {
      const { rules, headroom, ...rest } = answer;
      const isFull = 'limitReachedBy' in rest && rest.limitReachedBy.length > 0;
      return {
        ...rest,
        ...('limitReachedBy' in rest ? { limitReached: isFull } : {}),
        ...('holdExpiresAt' in rest ? { holdExpiresAt: rest.holdExpiresAt.toISOString() } : {}),
        applying: rules.map(({ rule }) => rule),
        rules: Object.fromEntries(rules.map((rule) => [rule.rule, plainRule(rule)])),
        headroom: { ...headroom, earliestAt: textOf(headroom.earliestAt) },
      };
    }
    case 'confirmed': {
      const { exceeded, ...rest } = answer;
      return answer.repeated ? rest : { ...rest, exceeded };
    }
    case 'recorded': {
      const { exceeded, ...rest } = answer;
      return answer.repeated ? rest : { ...rest, exceeded };
    }
    case 'rolledBack':
    case 'orderReused':
    case 'alreadyRolledBack':
    case 'alreadyConfirmed':
    case 'incompleteOrder':
    case 'tooManyOpenHolds':
    case 'notFound':
    case 'decided':
    case 'closed':
    case 'noReview':
      return answer;
  }
}

function plainRule(answer: ModelRuleAnswer): object {
  const { used, held, remaining, outcome, retryAt } = answer;
  const figures = { used, held, remaining, outcome };
  return retryAt === undefined ? figures : { ...figures, retryAt: textOf(retryAt) };
}

function textOf(instant: Date | null): string | null {
  return instant?.toISOString() ?? null;
}

/**
 * Fails unless both answers say the same.
 *
 * @param story what happened before, for the reader of the failure
 */
export function expectSameAnswer(actual: ModelAnswer, expected: ModelAnswer, story: string): void {
  expect(plainAnswer(actual), story).toEqual(plainAnswer(expected));
}

/** Fails unless the answer says what the case expects; what the case leaves out is not looked at. */
export function expectAnswer(actual: ModelAnswer, expected: ExpectedAnswer, story: string): void {
  expect(plainAnswer(actual), story).toMatchObject(inUtc(plainExpectation(expected)));
}

function plainExpectation(expected: ExpectedAnswer): object {
  if (expected.kind !== 'confirmed' && expected.kind !== 'recorded') return expected;
  if (expected.repeated !== true) return expected;
  const { exceeded, ...rest } = expected;
  return exceeded === undefined ? expected : rest;
}

/** Instants of expectations may be written with any offset. */
function inUtc(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => {
      if (typeof part === 'string' && key.endsWith('At')) {
        return [key, new Date(part).toISOString()];
      }
      const isRecord = typeof part === 'object' && part !== null && !Array.isArray(part);
      return [key, isRecord ? inUtc(part) : part];
    }),
  );
}
