import * as z from 'zod/mini';
import { SUBJECTS_MAX } from '../../shared/bounds.ts';
import { joinParts } from '../../shared/subject.ts';
import { kind } from '../../schema/fields.ts';
import { said } from '../../schema/said.ts';
import type { RuleField } from './rule-field.ts';

const PER_EXPECTED = `a list of 1 to ${SUBJECTS_MAX} different subject kinds`;
const schema = said(
  z.array(kind(), { error: PER_EXPECTED }).check(
    z.minLength(1, { error: PER_EXPECTED }),
    z.maxLength(SUBJECTS_MAX, { error: PER_EXPECTED }),
    z.refine((kinds) => new Set(kinds).size === kinds.length, { error: PER_EXPECTED }),
  ),
  'The subject kinds that the rule counts for.',
  { uniqueItems: true },
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
