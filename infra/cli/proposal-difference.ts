import type { StoredRule } from '../../lib/rules/rule-set.ts';
import type { ProposalAnswer } from '../../packages/client/src/index.ts';
import { fieldChanges, toldLines } from '../rules-difference.ts';

/** The fields of `asked` and `changes` in a proposal of rules, as the service answers it. */
type Asked = { readonly rule?: StoredRule; readonly rules?: readonly StoredRule[] };
type Change = {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'deleted';
  readonly says: string;
  /** Absent where it would be too much to tell. */
  readonly before?: StoredRule | null;
};

/** Says what an open proposal would change now, a line for each field, as `rules import` does. */
export function differenceLines(proposal: ProposalAnswer): readonly string[] {
  if (proposal.terms !== null) return termsLines(proposal, proposal.terms);
  const { rule, rules = rule === undefined ? [] : [rule] } = proposal.asked as Asked; // so it is answered
  const changes = (proposal.changes ?? []) as readonly Change[]; // likewise
  return changes.flatMap(({ id, change, before, says }) => {
    const after = change === 'deleted' ? undefined : rules.find((one) => one.id === id);
    if (before === undefined) return [`${id}: ${change}`, `  ${says}`];
    return toldLines({
      ...{ id, kind: change, says },
      ...(before === null ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
  });
}

/** A subject's terms now, and after the change; a maximum that is its own, in minor units. */
function termsLines(
  { operation, rule, asked }: ProposalAnswer,
  { freeze, overrides }: NonNullable<ProposalAnswer['terms']>,
): readonly string[] {
  const isFreeze = operation === 'freeze' || operation === 'unfreeze';
  const found = isFreeze ? freeze : overrides.find((one) => one.rule === rule);
  const was = found === null || found === undefined ? {} : { ...found };
  const { max, until } = { max: undefined, until: undefined, ...was };
  const before = said(isFreeze ? { frozen: freeze !== null, until } : { max, until });
  const isEnd = operation === 'unfreeze' || operation === 'endOverride';
  const after = said({ ...(isFreeze ? { frozen: !isEnd } : {}), ...(isEnd ? {} : asked) });
  const nothing = isFreeze ? 'nothing' : "the rule's";
  const text = (path: string, value: unknown): string => {
    if (value === undefined) return path.startsWith('max') ? nothing : 'not said';
    if (value === null) return 'none';
    const told = typeof value === 'string' ? value : JSON.stringify(value);
    return path === 'max.amount' ? `${told} minor units` : told;
  };
  return fieldChanges({ max: {}, ...before }, { max: {}, ...after }).map(
    ({ path, before: had, after: has }) => `${path}: ${text(path, had)} → ${text(path, has)}`,
  );
}

/** Without what is not said; `null` inside a maximum is none. */
function said(fields: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given);
}
