import * as z from 'zod/mini';
import { COUNTER_PARTS } from '../lib/rule-file/fields/fields.ts';
import { COUNTER_FATES } from '../lib/changes/rule-change.ts';
import { subjects } from '../lib/schema/fields.ts';
import { called, component, said } from '../lib/schema/said.ts';
import { ruleId, ruleIds } from './standings.ts';
import { actor, approvedBy } from './terms.ts';
import * as say from './words.ts';

/** The answers of the calls about rules. */

const author = {
  at: say.instant('The time of the change.'),
  by: called(actor, 'The caller that made the change.'),
};
const maybe = { reason: say.text('The reason given.'), approvedBy };
const id = ruleId;
const revision = say.sum('The number of the set of rules. Every change adds 1.');
const changes = ['added', 'changed', 'deleted'] as const;

const storedRule = component(
  'StoredRule',
  said(
    z.looseObject({ id: z.string() }),
    'A rule as it was sent: an `id`, and the other fields of `Rule`.',
  ),
);

/** The answer of `listRules`. */
export const listRulesAnswer = say.named(
  'ListRulesAnswer',
  'All rules, in the form of a rule file.',
  {
    revision,
    rules: say.list(storedRule, 'In the order of their ids.'),
    versions: say.record(
      say.large('A revision.'),
      'By rule id: the revision that last changed the rule.',
    ),
    sentences: say.record(
      say.text('The meaning of the rule.'),
      'By rule id: the meaning of each rule, in the language of `Content-Language`. Empty if the answer would be too long for a function.',
    ),
  },
);

/** The answer of `findRule`. */
export const findRuleAnswer = say.named(
  'FindRuleAnswer',
  'One rule, and its last change.',
  {
    id,
    version: say.sum('The revision that last changed the rule.'),
    ...author,
    rule: called(storedRule, 'The rule as it was sent.'),
  },
  {
    ...maybe,
    sentence: say.text('The meaning of the rule, in the language of `Content-Language`.'),
  },
);

/** The answer of `ruleVersions`. */
export const ruleVersionsAnswer = say.named('RuleVersionsAnswer', 'A page of changes.', {
  id,
  versions: say.list(
    say.named(
      'RuleVersion',
      'One change of a rule.',
      {
        version: say.sum('The revision that it made.'),
        change: say.oneOf(changes, 'The kind of change.'),
        ...author,
        before: say.orNull(storedRule, 'Null if there was no such rule.'),
        after: say.orNull(storedRule, 'Null if the change deleted the rule.'),
      },
      maybe,
    ),
    'Newest first.',
  ),
  next: say.nullable(say.sum('Send it as `before` to get the next page. Null on the last page.')),
});

const overrides = say.object(
  'The fate of the own maxima of subjects. Absent if none is concerned.',
  {
    fate: say.oneOf(
      ['follow', 'end', 'begin', 'stay'],
      '`follow`: the rule has a new id, and they go on with it. `end`: they no longer apply. `begin`: those from before apply. `stay`: they apply to what the rule counts now.',
    ),
    subjects: say.sum('The number of subjects, at most 10,000.'),
    more: say.flag('True if there may be more subjects than Headroom looked at.'),
  },
  {
    rule: say.text('With `follow`: the new id of the rule.'),
    named: say.list(
      subjects('A subject: its kind and id.'),
      'The first 100 subjects, if the request has `nameSubjects`. Absent if the answer would be too long for a function.',
    ),
  },
);

/** The effect of a change on one rule. */
export const ruleChange = say.named(
  'RuleChange',
  'The change of one rule.',
  {
    id,
    change: say.oneOf(changes, 'The kind of change.'),
    counter: say.oneOf(
      COUNTER_FATES,
      'The sum of the rule after the change. `kept`: it stays. `begins`: it starts at zero; the rule counted nothing before. `anew`: it starts at zero in another counter. `joins`: it has the sum of other rules. `ends`: the rule counts nothing any more. `none`: the rule counts nothing before and after.',
    ),
    because: say.list(
      say.oneOf(COUNTER_PARTS, 'A part of a counter.'),
      'The parts of the counter that change.',
    ),
    sharedWith: ruleIds(
      'Other rules that share the counter, at most 20. With `joins`: the rules that counted the sum.',
    ),
    says: say.text('The change as a sentence.'),
  },
  { overrides },
);

/** The answer of `putRule`, `deleteRule` and `replaceRules`. */
export const rulesChangedAnswer = say.named(
  'RulesChangedAnswer',
  'The result of a change. A dry run shows the result that it would have.',
  {
    revision,
    changed: say.flag('False for a dry run, and if the rules were the same before.'),
    dryRun: say.flag('True if the request asked for a dry run.'),
    changes: say.list(ruleChange, 'One change for each rule, ordered by id.'),
    warnings: say.list(
      say.text('A sentence.'),
      'Possible mistakes in the rules that were not there before the change. At most 50, and then how many more there are.',
    ),
  },
);
