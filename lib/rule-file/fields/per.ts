import { SUBJECTS_MAX } from '../../shared/bounds.ts';
import { differentOnes } from '../../schema/different-ones.ts';
import { joinParts } from '../../shared/subject.ts';
import { kind } from '../../schema/fields.ts';
import type { RuleField } from './rule-field.ts';

const schema = differentOnes(
  kind(),
  [1, SUBJECTS_MAX],
  `a list of 1 to ${SUBJECTS_MAX} different subject kinds`,
  'The subject kinds that the rule counts for.',
);

/** The field `per`. */
export const per = {
  schema,
  becomes: ([owner, ...others]) => {
    if (owner === undefined) throw new TypeError('a rule counts per at least one kind');
    return { per: [owner, ...others] };
  },
  counter: (rule) => joinParts(rule.per),
} satisfies RuleField<typeof schema>;
