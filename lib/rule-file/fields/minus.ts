import * as z from 'zod/mini';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { ownField } from '../../schema/mistakes.ts';
import { joinParts } from '../../shared/subject.ts';
import { isSingleForm } from '../../rule/windows/windows.ts';
import { matchText } from '../../rule/rule.ts';
import { MINUS_WORDS, scopeClauses } from './counted.ts';
import { isConfirmAlone } from './outcome.ts';
import type { RuleField } from './rule-field.ts';
import { scope, wrongPrototypes, wrongTypes } from './scopes.ts';

const schema = z.optional(
  scope(
    'The orders that lower the sum once they are confirmed, such as payments out of a wallet. They are never refused by the rule.',
  ),
);

/** The field `minus`. */
export const minus = {
  schema,
  becomes: (given) => ({ minus: given }),
  between: wrongMinus,
  counter: ({ minus: given }) =>
    given === undefined ? '' : joinParts([matchText(given.is), matchText(given.not)]),
  clauses: (rule, language) =>
    rule.minus === undefined ? [] : scopeClauses(rule.minus, MINUS_WORDS[language]),
} satisfies RuleField<typeof schema>;

function* wrongMinus(find: Find): Generator<Wrong> {
  const given = find('minus');
  if (given === undefined) return;
  const window = find('window');
  if (isSingleForm(window) || ownField(window, 'rolling') !== undefined)
    yield [['minus'], 'nothing here, or window: lifetime or one of the calendar'];
  else if (find('max', 'amount') === undefined)
    yield [['minus'], 'nothing here, or max.amount beside it: it lowers amounts'];
  if (!isConfirmAlone(find('outcome')))
    yield [['minus'], 'nothing here: a rule of failures counts no amounts'];
  if (isEverything(given))
    yield [
      ['minus'],
      'at least one name: otherwise each order that does not count would lower the sum',
    ];
  if (isEverything(find('match') ?? find('counts') ?? {}))
    yield [
      ['minus'],
      'nothing here, or counts beside it with at least one name: what counts does not lower the sum',
    ];
  yield* wrongTypes(find, ['minus'], ['minus', 'not']);
  yield* wrongPrototypes(find, ['minus'], ['minus', 'not']);
}

function isEverything(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const { not, ...is }: { readonly not?: unknown } = given;
  return Object.keys(is).length === 0 && (not === undefined || isEverything(not));
}
