import * as z from 'zod/mini';
import { joinParts } from '../../shared/subject.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';
import type { Matched, Scope } from '../rule.ts';
import { isSingleForm } from '../windows/windows.ts';
import type { RuleField } from './rule-field.ts';
import { match as matched, scope, wrongPrototypes, wrongTypes } from './scopes.ts';

/*
 * The orders that a rule counts and limits. What is counted and what is limited are said once, and only where they
 * can differ.
 */

const EVERYTHING: Scope = { is: {}, not: {} };

const matches = z.optional(
  said(matched, 'The orders that the rule counts and may refuse.', referenceTo('Matched')),
);

/** The field `match`: short for a rule that applies to all it counts. */
export const match = {
  schema: matches,
  becomes: (is) => ({ counts: { is, not: {} } }),
  *between(find: Find): Generator<Wrong> {
    if (find('match') !== undefined && (find('counts') ?? find('appliesTo')) !== undefined)
      yield [['match'], 'either match, or counts and appliesTo'];
    yield* wrongTypes(find, ['match']);
    yield* wrongPrototypes(find, ['match']);
  },
} satisfies RuleField<typeof matches>;

const counted = z.optional(scope('Instead of `match`: the orders that the rule counts.'));

/** The field `counts`. */
export const counts = {
  schema: counted,
  becomes: (given) => ({ counts: given }),
  otherwise: { counts: EVERYTHING },
  *between(find: Find): Generator<Wrong> {
    const isShort = find('match') !== undefined;
    if (!isShort && find('counts') !== undefined && isSingleForm(find('window')))
      yield [
        ['counts'],
        'nothing here: a rule for single transactions counts nothing; use appliesTo',
      ];
    yield* wrongTypes(find, ['counts'], ['counts', 'not']);
    yield* wrongPrototypes(find, ['counts'], ['counts', 'not']);
  },
  counter: (rule) => joinParts([matchText(rule.counts.is), matchText(rule.counts.not)]),
} satisfies RuleField<typeof counted>;

const limited = z.optional(
  scope('Instead of `match`: the orders that the rule may refuse, of those that it counts.'),
);

/** The field `appliesTo`. */
export const appliesTo = {
  schema: limited,
  becomes: (given) => ({ appliesTo: given }),
  otherwise: { appliesTo: EVERYTHING },
  *between(find: Find): Generator<Wrong> {
    yield* wrongTypes(find, ['appliesTo'], ['appliesTo', 'not']);
    yield* wrongPrototypes(find, ['appliesTo'], ['appliesTo', 'not']);
  },
} satisfies RuleField<typeof limited>;

/** Names values by a text that the order of names and values does not change. */
export function matchText(given: Matched): string {
  const pairs = Object.keys(given)
    .sort()
    .map((key) => {
      const values = (given[key] ?? []).map((value) => joinParts([typeof value, String(value)]));
      return joinParts([key, ...new Set(values.sort())]);
    });
  return joinParts(pairs);
}
