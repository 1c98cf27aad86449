import { COUNTER_PARTS } from '../../lib/domain/counter.ts';
import { COUNTER_FATES } from '../../lib/domain/rule-change.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import {
  called,
  flag,
  instant,
  list,
  nullable,
  object,
  oneOf,
  referenceTo,
  sum,
  text,
} from './json-schema.ts';

/** What the calls of rules answer, field by field. */

const author = {
  at: instant('When it was made so.'),
  by: called('Actor', 'Who made it so.'),
};
const reason = text('Why, in their words.');
const approvedBy = called('Actor', 'Who let it through, where it needed a second person.');
const id = text("The rule's id.");
const revision = sum('Numbers the sets of rules.');
const ids = (description: string): JsonObject => list(text("A rule's id."), description);
const stored = (description: string): JsonObject => ({
  anyOf: [referenceTo('StoredRule'), { type: 'null' }],
  description,
});

/** Components for rules as they are kept. */
export const RULES_ANSWERS: Readonly<Record<string, JsonObject>> = {
  StoredRule: {
    type: 'object',
    description: 'A rule as it was put: with an `id`, and the other fields of `Rule`.',
    required: ['id'],
    additionalProperties: true,
  },
  ListRulesAnswer: object('All rules, in the form of a rule file.', {
    revision,
    rules: list(referenceTo('StoredRule'), 'In the order of their ids.'),
    versions: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'By id: the revision that made the rule so.',
    },
  }),
  FindRuleAnswer: object(
    'One rule, and the change that made it so.',
    {
      id,
      version: sum('The revision that made it so.'),
      ...author,
      rule: called('StoredRule', 'As it was put.'),
    },
    { reason, approvedBy, sentence: text('What it means, in the language of `Content-Language`.') },
  ),
  RuleVersion: object(
    'One change of a rule.',
    {
      version: sum('The revision that it made.'),
      change: oneOf(['added', 'changed', 'deleted'], 'What was done.'),
      ...author,
      before: stored('Null where there was none.'),
      after: stored('Null where there is none since.'),
    },
    { reason, approvedBy },
  ),
  RuleVersionsAnswer: object('A page of changes.', {
    id,
    versions: list(referenceTo('RuleVersion'), 'Newest first.'),
    next: nullable(sum('What to ask for as `before` next; null where there are no more.')),
  }),
  RuleChange: object('What becomes of one rule.', {
    id,
    change: oneOf(['added', 'changed', 'deleted'], 'What is done.'),
    counter: oneOf(
      COUNTER_FATES,
      '`kept`: what was counted counts on; `begins`: it counted nothing before, and begins at zero; `anew`: it counted in another counter, and begins at zero; `joins`: it has what others counted; `ends`: it counts nothing after; `none`: neither before nor after.',
    ),
    because: list(oneOf(COUNTER_PARTS, 'A part of a counter.'), 'What of it is another.'),
    sharedWith: ids(
      'Others that count in the same counter, the first 20; of `joins`, those whose sum it has.',
    ),
    says: text('The same as a sentence.'),
  }),
  RulesChangedAnswer: object('What a change did, or in a dry run would do.', {
    revision,
    changed: flag('False of a dry run, and where it was so already.'),
    dryRun: flag('As it was asked.'),
    changes: list(referenceTo('RuleChange'), 'In the order of ids.'),
  }),
};
