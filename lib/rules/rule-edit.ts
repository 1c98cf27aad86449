import type { Consent } from './consent.ts';
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

/** What is to be done to the rules. */
export type RuleEdit =
  | (Pick<Consent, 'beginAnew'> & {
      readonly kind: 'put';
      readonly rule: StoredRule;
      readonly condition: Condition;
    })
  | { readonly kind: 'delete'; readonly id: string; readonly condition: Condition }
  /** The whole set: what is not among these rules is deleted. */
  | (Consent & {
      readonly kind: 'replace';
      readonly rules: readonly StoredRule[];
      readonly condition: Condition;
    });

/** What the author of an edit says is meant; a deletion says it by itself. */
export function consentOf(edit: RuleEdit): Consent {
  return edit.kind === 'delete' ? { drop: true } : edit;
}

/** The rule that an edit is about; undefined of a whole set. */
export function ruleIdOf(edit: RuleEdit): string | undefined {
  if (edit.kind === 'replace') return undefined;
  return edit.kind === 'put' ? edit.rule.id : edit.id;
}

/** Which changes are asked for. */
export type VersionQuery = {
  /** Default: all rules. */
  readonly id?: string;
  /** Those before this version alone. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** The list ends with the first change that brings it to so many bytes of JSON. Default: no bound. */
  readonly bytesMax?: number;
};
