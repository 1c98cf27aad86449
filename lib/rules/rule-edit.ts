import type { RuleChange } from './rule-change.ts';
import type { Loss } from './rule-errors.ts';
import type { StoredRule } from './rule-set.ts';

/** For which state of a rule, or of the set, a change was made. */
export type Condition =
  /** One of these versions. */
  | { readonly kind: 'versions'; readonly versions: readonly number[] }
  /** Whatever it is, but there must be one. */
  | { readonly kind: 'any' }
  /** There is none yet. */
  | { readonly kind: 'absent' }
  /** Nothing is said: good where there is none yet, and nowhere else. */
  | { readonly kind: 'unsaid' };

/** What a change of the rules may take away, because its author says that it is meant. */
export type Consent = { readonly beginAnew?: boolean; readonly drop?: boolean };

/** What is to be done to the rules. */
export type RuleEdit = { readonly condition: Condition } & (
  | (Pick<Consent, 'beginAnew'> & { readonly kind: 'put'; readonly rule: StoredRule })
  | { readonly kind: 'delete'; readonly id: string }
  /** The whole set: what is not among these rules is deleted. */
  | (Consent & { readonly kind: 'replace'; readonly rules: readonly StoredRule[] })
);

/** The rule that an edit is about; undefined of a whole set. */
export function ruleIdOf(edit: RuleEdit): string | undefined {
  if (edit.kind === 'replace') return undefined;
  return edit.kind === 'put' ? edit.rule.id : edit.id;
}

/** Names what changes take away without a word of their author. */
export function lossesOf(
  changes: readonly RuleChange[],
  { beginAnew = false, drop = false }: Consent,
): readonly Loss[] {
  const loss = (kind: Loss['kind'], isLost: (change: RuleChange) => boolean): Loss => ({
    kind,
    ids: changes.filter(isLost).map(({ id }) => id),
  });
  const losses = [
    loss('dropped', ({ kind }) => kind === 'deleted' && !drop),
    loss('reset', ({ counter }) => counter === 'anew' && !beginAnew),
    loss('moved', (each) => each.counter === 'joins' && each.because.length > 0 && !beginAnew),
  ];
  return losses.filter(({ ids }) => ids.length > 0);
}
