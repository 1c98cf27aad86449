import type { StoredRule } from '../lib/rule-file/rule-set.ts';
import type { ProposalAnswer } from '../packages/client/src/index.ts';
import type { Digits } from './money.ts';
import { toldLines } from './rules/rules-difference.ts';
import { effectTable, sumText } from './effect-text.ts';
import { subjectsText } from './output.ts';

/** The fields of `asked` and `changes` in a proposal of rules, as the service answers it. */
type Asked = { readonly rule?: StoredRule; readonly rules?: readonly StoredRule[] };
type Change = {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'deleted';
  readonly says: string;
  /** Absent where it would be too much to tell. */
  readonly before?: StoredRule | null;
};

/** Says what an open proposal would change now: of rules as `rules import` does, of terms over time. */
export function differenceLines(proposal: ProposalAnswer, digits: Digits): readonly string[] {
  const { effect, refusals } = proposal;
  if (refusals !== undefined) return refusals.map((one) => reviewedLine(one, proposal, digits));
  if (effect !== null) {
    const table = effectTable(effect, digits).split('\n');
    return [...frozenLines(proposal), ...delayLines(proposal), ...table];
  }
  const { rule, rules = rule === undefined ? [] : [rule] } = proposal.asked as Asked; // so it is answered
  const changes = (proposal.changes ?? []) as readonly Change[]; // likewise
  return changes.flatMap(({ id, change, before, says }) => {
    const after = change === 'deleted' ? undefined : rules.find((one) => one.id === id);
    if (before === undefined) return [`${id}: ${change}`, `  ${says}`];
    return toldLines({
      id,
      kind: change,
      says,
      ...(before === null ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
  });
}

/** The rule that an order exceeds, as it stood, and the sum that an approval lets it reach. */
function reviewedLine(
  { rule, sentence, upTo }: NonNullable<ProposalAnswer['refusals']>[number],
  { currency }: ProposalAnswer,
  digits: Digits,
): string {
  const sums = (['amount', 'count'] as const).filter((sum) => upTo[sum] !== undefined);
  const reached = sums.map((sum) => sumText(sum, upTo[sum], currency, digits)).join(', ');
  return `${rule}: ${sentence}. Approved, the sum may reach ${reached}`;
}

/** A maximum decides nothing as long as its subject is frozen. */
function frozenLines({ operation, subject, terms }: ProposalAnswer): readonly string[] {
  const isOfFreeze = operation === 'freeze' || operation === 'unfreeze';
  if (isOfFreeze || terms?.freeze?.inForce !== true) return [];
  const end = terms.freeze.until === null ? '' : ` until ${terms.freeze.until}`;
  return [`${subjectsText(subject ?? {})} is frozen${end}: every new payment is refused.`];
}

/** The instants of an effect are those of an approval at this moment. */
function delayLines({ asked }: ProposalAnswer): readonly string[] {
  const { effectiveAfter } = asked as { readonly effectiveAfter?: string | null };
  return typeof effectiveAfter === 'string'
    ? [`It begins ${effectiveAfter} after the approval. If somebody approved it now:`]
    : [];
}
