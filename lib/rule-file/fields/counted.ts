import * as z from 'zod/mini';
import type { Language } from '../../shared/language.ts';
import { joinParts } from '../../shared/subject.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';
import type { Matched, Scope } from '../../rule/rule.ts';
import { matchText } from '../../rule/rule.ts';
import { isSingleForm } from '../../rule/windows/windows.ts';
import type { RuleField } from './rule-field.ts';
import { match as matched, scope, wrongPrototypes, wrongTypes } from './scopes.ts';

/*
 * The orders that a rule counts and limits. What is counted and what is limited are said once, and only where they
 * can differ.
 */

/** What stands before names, between the values of one, and between names. */
type MatchedWords = readonly [before: string, or: string, and: string];
type ScopeWords = Readonly<Record<Language, Readonly<Record<'is' | 'not', MatchedWords>>>>;

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

const COUNTS_WORDS: ScopeWords = {
  en: { is: ['of ', ' or ', ' and '], not: ['without ', ' or ', ' or '] },
  zh: { is: ['仅计', '或', '且'], not: ['不计', '或', '或'] },
};

/** Of what lowers a sum. */
export const MINUS_WORDS: ScopeWords = {
  en: { is: ['less ', ' or ', ' and '], not: ['less all without ', ' or ', ' or '] },
  zh: { is: ['减去', '或', '且'], not: ['减去除此以外的：', '或', '或'] },
};

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
  clauses: (rule, language) => scopeClauses(rule.counts, COUNTS_WORDS[language]),
} satisfies RuleField<typeof counted>;

const APPLIES_TO_WORDS: ScopeWords = {
  en: { is: ['applied to ', ' or ', ' and '], not: ['not applied to ', ' or ', ' or '] },
  zh: { is: ['仅限制', '或', '且'], not: ['不限制', '或', '或'] },
};

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
  clauses: (rule, language) => scopeClauses(rule.appliesTo, APPLIES_TO_WORDS[language]),
} satisfies RuleField<typeof limited>;

/** What is in a scope, and what is not, name by name; nothing of a scope of everything. */
export function scopeClauses({ is, not }: Scope, words: ScopeWords[Language]): readonly string[] {
  return [...described(is, words.is), ...described(not, words.not)];
}

/** Values that are matched, name by name; nothing where none is. */
function described(matched: Matched, [before, or, and]: MatchedWords): readonly string[] {
  const names = Object.entries(matched).map(
    ([name, values]) => `${name} ${values.map(String).join(or)}`,
  );
  return names.length === 0 ? [] : [`${before}${names.join(and)}`];
}
