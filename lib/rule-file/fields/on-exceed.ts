import * as z from 'zod/mini';
import { PROOF_EXPECTED, PROOF_PATTERN } from '../../shared/names.ts';
import { byForm, objectOf, patternText } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { said } from '../../schema/said.ts';
import type { RuleField } from './rule-field.ts';

const WORDS = ['refuse', 'notify', 'review'] as const;
const PROOF = 'The name of the proof, such as `sca`: the check says it in `proofs`.';

const word = z.enum(WORDS, { error: `${WORDS.join(', ')}, or an object with challenge` });
const challenge = objectOf('The order is refused, unless it has the proof.', {
  challenge: patternText(PROOF_PATTERN, PROOF_EXPECTED, PROOF),
});

const schema = z.optional(
  said(
    byForm<(typeof WORDS)[number] | { readonly challenge: string }>((given) =>
      typeof given === 'object' && given !== null ? challenge : word,
    ),
    'The fate of an order above the maximum. `notify`: it passes, and its answer says by how much it is above. `review`: it is refused, until a second person approves it. An object: it is refused, unless it has the proof. Default: `refuse`.',
    {
      anyOf: [
        { type: 'string', enum: WORDS },
        {
          type: 'object',
          properties: {
            challenge: { type: 'string', pattern: PROOF_PATTERN.source, description: PROOF },
          },
          required: ['challenge'],
          additionalProperties: false,
        },
      ],
    },
  ),
);

/** The field `onExceed`. */
export const onExceed = {
  schema,
  becomes: (given) => (given === 'refuse' ? {} : { onExceed: given }),
  between: wrongExcess,
  clauses(rule, language) {
    if (rule.onExceed === undefined) return [];
    if (rule.onExceed === 'notify')
      return [
        language === 'en' ? 'above it orders pass, and the answer says so' : '超过时放行并告知',
      ];
    if (rule.onExceed === 'review')
      return [language === 'en' ? 'above it only with an approval' : '超过时须经人工复核'];
    const { challenge } = rule.onExceed;
    return [
      language === 'en'
        ? `above it only with the proof ${challenge}`
        : `超过时须有${challenge}验证`,
    ];
  },
} satisfies RuleField<typeof schema>;

function* wrongExcess(find: Find): Generator<Wrong> {
  const given = find('onExceed');
  if (given === undefined || given === 'refuse') return;
  const only = 'refuse, or nothing';
  if (find('min') !== undefined)
    yield [['onExceed'], `${only}: what is below min is refused; write a rule of its own for max`];
  else if (find('window', 'step') === 'exact')
    yield [['onExceed'], `${only}: an exact window keeps each payment, so it takes none above max`];
  else if (given === 'notify' && find('mode') === 'shadow')
    yield [['mode'], 'enforce, draft or retired: a rule that notifies refuses nothing'];
}
