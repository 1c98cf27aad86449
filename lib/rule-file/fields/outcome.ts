import * as z from 'zod/mini';
import { differentOnes } from '../../schema/different-ones.ts';
import { patternText } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { said } from '../../schema/said.ts';
import { REASON_CODES_MAX } from '../../shared/bounds.ts';
import { REASON_CODE_EXPECTED, REASON_CODE_PATTERN } from '../../shared/names.ts';
import type { CountedState } from '../../shared/states.ts';
import { COUNTED_STATES, SETTLED_STATES } from '../../shared/states.ts';
import type { Language } from '../../shared/language.ts';
import type { Rule } from '../../rule/rule.ts';
import { isSingleForm } from '../../rule/windows/windows.ts';
import type { RuleField } from './rule-field.ts';

/*
 * The outcomes with which a rule counts an order. An open order holds its place.
 */

const error = `${[...COUNTED_STATES, 'ended'].join(', ')}, or a list of ${COUNTED_STATES.join(', ')}`;

/** What a rule file may say: `ended` is whatever callers end an order with. */
const outcomes = z.optional(
  said(
    z.union(
      [
        z.enum([...COUNTED_STATES, 'ended']),
        differentOnes(z.enum(COUNTED_STATES, { error }), [1, COUNTED_STATES.length], error),
      ],
      { error },
    ),
    'The outcome with which an order counts, or a list of these. While it is held it has its place, and any other outcome frees it. `rolledBack`: failed attempts. `ended`: `confirmed` and `rolledBack`. `expired`: nobody ended it in time. Then `per` begins with the first kind of HOME_KINDS. Default: `confirmed`.',
  ),
);

/** The field `outcome`. */
export const outcome = {
  schema: outcomes,
  becomes: (given) =>
    isConfirmAlone(given) ? {} : { outcomes: statesIn(given), refunds: NOTHING_BACK },
  between: wrongOutcome,
  counter: ({ outcomes: states = [] }) => states.join(' '),
  clauses: outcomeClauses,
} satisfies RuleField<typeof outcomes>;

/** The outcomes that a value names, in the order of all. */
function statesIn(given: unknown): readonly CountedState[] {
  const named: unknown = given === 'ended' ? SETTLED_STATES : given;
  return COUNTED_STATES.filter((state) =>
    Array.isArray(named) ? named.includes(state) : named === state,
  );
}

/** Whether a rule with such a value counts what is confirmed, and nothing else. */
export function isConfirmAlone(given: unknown): boolean {
  return statesIn(given).every((state) => state === 'confirmed');
}

/** A refund makes no payment an attempt that was not made. */
const NOTHING_BACK = { amount: false, count: false };

function* wrongOutcome(find: Find): Generator<Wrong> {
  const given = find('outcome');
  if (isConfirmAlone(given)) return;
  const only = 'confirmed, or nothing';
  if (isSingleForm(find('window')))
    yield [['outcome'], `${only}: a rule for single transactions counts nothing`];
  else if (find('max', 'amount') !== undefined)
    yield [['max', 'amount'], 'nothing here: a rule of failures limits the count alone'];
  if (find('refunds') !== undefined)
    yield [['refunds'], 'nothing here: refunds give back nothing of a rule of failures'];
}

const codes = z.optional(
  differentOnes(
    patternText(REASON_CODE_PATTERN, REASON_CODE_EXPECTED),
    [1, REASON_CODES_MAX],
    `a list of 1 to ${REASON_CODES_MAX} different reason codes`,
    'A rollback counts only if its `reasonCode` is one of these. Default: each counts.',
  ),
);

/** The field `reasonCodes`. */
export const reasonCodes = {
  schema: codes,
  becomes: (given) => ({ reasonCodes: given }),
  *between(find: Find): Generator<Wrong> {
    if (find('reasonCodes') !== undefined && !statesIn(find('outcome')).includes('rolledBack'))
      yield [['reasonCodes'], 'nothing here, or outcome: rolledBack beside it'];
  },
  counter: ({ reasonCodes: given = [] }) => [...given].sort().join(' '),
} satisfies RuleField<typeof codes>;

function outcomeClauses(rule: Rule, language: Language): readonly string[] {
  const { outcomes: states, reasonCodes: given = [] } = rule;
  if (states === undefined) return [];
  const isOfPayments = states.includes('confirmed');
  if (language === 'en') {
    const codes = given.length === 0 ? '' : ` for ${given.join(' or ')}`;
    const those = states.map((state) => `${OUTCOME_WORDS.en[state]}${codesOf(state, codes)}`);
    return [`counting ${isOfPayments ? '' : 'only '}those ${those.join(' or ')}`];
  }
  const codes = given.length === 0 ? '' : `因${given.join('或')}`;
  const those = states.map((state) => {
    const word = OUTCOME_WORDS.zh[state];
    return state === 'confirmed' ? `已${word}的` : `${codesOf(state, codes)}${word}的`;
  });
  return [`${isOfPayments ? '计' : '仅计'}${those.join('和')}`];
}

function codesOf(state: CountedState, codes: string): string {
  return state === 'rolledBack' ? codes : '';
}

/** How sentences call the outcomes. */
export const OUTCOME_WORDS: Readonly<Record<Language, Readonly<Record<CountedState, string>>>> = {
  en: { confirmed: 'confirmed', rolledBack: 'rolled back', expired: 'expired' },
  zh: { confirmed: '确认', rolledBack: '回滚', expired: '过期' },
};
