import * as z from 'zod/mini';
import { differentOnes } from '../../schema/different-ones.ts';
import { patternText } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { said } from '../../schema/said.ts';
import { REASON_CODES_MAX } from '../../shared/bounds.ts';
import { REASON_CODE_EXPECTED, REASON_CODE_PATTERN } from '../../shared/names.ts';
import { SETTLED_STATES } from '../../shared/states.ts';
import type { Language } from '../../shared/language.ts';
import type { Rule } from '../rule.ts';
import { isSingleForm } from '../windows/windows.ts';
import type { RuleField } from './rule-field.ts';

/*
 * The outcomes with which a rule counts an order. An open order holds its place.
 */

/** An outcome that a rule file may say: `ended` is each of the others. */
const OUTCOMES = [...SETTLED_STATES, 'ended'] as const;

const outcomes = z.optional(
  said(
    z.enum(OUTCOMES, { error: OUTCOMES.join(', ') }),
    'The outcome with which an order counts: while it is held it has its place, and any other outcome frees it. `rolledBack`: failed attempts. `ended`: both. Default: `confirmed`.',
  ),
);

/** The field `outcome`. */
export const outcome = {
  schema: outcomes,
  becomes: (given) =>
    given === 'confirmed'
      ? {}
      : { outcomes: given === 'ended' ? SETTLED_STATES : [given], refunds: NOTHING_BACK },
  between: wrongOutcome,
  counter: ({ outcomes: states = [] }) => states.join(' '),
  clauses: outcomeClauses,
} satisfies RuleField<typeof outcomes>;

/** A refund makes no payment an attempt that was not made. */
const NOTHING_BACK = { amount: false, count: false };

function* wrongOutcome(find: Find): Generator<Wrong> {
  const given = find('outcome');
  if (given === undefined || given === 'confirmed') return;
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
    const given = find('outcome');
    if (find('reasonCodes') !== undefined && given !== 'rolledBack' && given !== 'ended')
      yield [['reasonCodes'], 'nothing here, or outcome: rolledBack beside it'];
  },
  counter: ({ reasonCodes: given = [] }) => [...given].sort().join(' '),
} satisfies RuleField<typeof codes>;

function outcomeClauses(rule: Rule, language: Language): readonly string[] {
  const { outcomes: states, reasonCodes: given = [] } = rule;
  if (states === undefined) return [];
  const isBoth = states.includes('confirmed');
  if (language === 'en') {
    const those = given.length === 0 ? '' : ` for ${given.join(' or ')}`;
    const failed = `rolled back${those}`;
    return [isBoth ? `counting those confirmed or ${failed}` : `counting only those ${failed}`];
  }
  const failed = given.length === 0 ? '回滚的' : `因${given.join('或')}回滚的`;
  return [isBoth ? `计已确认的和${failed}` : `仅计${failed}`];
}
