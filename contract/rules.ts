import * as z from 'zod/mini';
import { COUNTER_PARTS } from '../lib/windows/counter.ts';
import { COUNTER_FATES } from '../lib/rules/rule-change.ts';
import { called, component, said } from '../lib/http/said.ts';
import { ruleId, ruleIds } from './standings.ts';
import { actor, approvedBy } from './terms.ts';
import * as say from './words.ts';

/** What the calls of rules answer. */

const author = {
  at: say.instant('When it was made so.'),
  by: called(actor, 'Who made it so.'),
};
const maybe = { reason: say.text('Why, in their words.'), approvedBy };
const id = ruleId;
const revision = say.sum('Numbers the sets of rules.');
const changes = ['added', 'changed', 'deleted'] as const;

const storedRule = component(
  'StoredRule',
  said(
    z.looseObject({ id: z.string() }),
    'A rule as it was put: with an `id`, and the other fields of `Rule`.',
  ),
);

/** What `listRules` answers. */
export const listRulesAnswer = say.named(
  'ListRulesAnswer',
  'All rules, in the form of a rule file.',
  {
    revision,
    rules: say.list(storedRule, 'In the order of their ids.'),
    versions: say.record(say.large('A revision.'), 'By id: the revision that made the rule so.'),
    sentences: say.record(
      say.text('What it means.'),
      'By id: what each means, in the language of `Content-Language`. Empty where the answer would be longer than a function may return.',
    ),
  },
);

/** What `findRule` answers. */
export const findRuleAnswer = say.named(
  'FindRuleAnswer',
  'One rule, and the change that made it so.',
  {
    id,
    version: say.sum('The revision that made it so.'),
    ...author,
    rule: called(storedRule, 'As it was put.'),
  },
  { ...maybe, sentence: say.text('What it means, in the language of `Content-Language`.') },
);

/** What `ruleVersions` answers. */
export const ruleVersionsAnswer = say.named('RuleVersionsAnswer', 'A page of changes.', {
  id,
  versions: say.list(
    say.named(
      'RuleVersion',
      'One change of a rule.',
      {
        version: say.sum('The revision that it made.'),
        change: say.oneOf(changes, 'What was done.'),
        ...author,
        before: say.orNull(storedRule, 'Null where there was none.'),
        after: say.orNull(storedRule, 'Null where there is none since.'),
      },
      maybe,
    ),
    'Newest first.',
  ),
  next: say.nullable(say.sum('What to ask for as `before` next; null where there are no more.')),
});

/** What becomes of one rule. */
export const ruleChange = say.named('RuleChange', 'What becomes of one rule.', {
  id,
  change: say.oneOf(changes, 'What is done.'),
  counter: say.oneOf(
    COUNTER_FATES,
    '`kept`: what was counted counts on; `begins`: it counted nothing before, and begins at zero; `anew`: it counted in another counter, and begins at zero; `joins`: it has what others counted; `ends`: it counts nothing after; `none`: neither before nor after.',
  ),
  because: say.list(say.oneOf(COUNTER_PARTS, 'A part of a counter.'), 'What of it is another.'),
  sharedWith: ruleIds(
    'Others that count in the same counter, the first 20; of `joins`, those whose sum it has.',
  ),
  says: say.text('The same as a sentence.'),
});

/** What `putRule`, `deleteRule` and `replaceRules` answer. */
export const rulesChangedAnswer = say.named(
  'RulesChangedAnswer',
  'What a change did, or in a dry run would do.',
  {
    revision,
    changed: say.flag('False of a dry run, and where it was so already.'),
    dryRun: say.flag('As it was asked.'),
    changes: say.list(ruleChange, 'In the order of ids.'),
  },
);
