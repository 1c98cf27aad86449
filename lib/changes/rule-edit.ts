import { errorOf } from '../shared/errors.ts';
import { numbered } from '../shared/numbered.ts';
import type { Owners } from './override-names.ts';
import type { RuleChange } from './rule-change.ts';
import type { StoredRule } from '../rule-file/rule-set.ts';

/** For which state of a rule, or of the set, a change was made. `any`: there must be one. */
export type Condition =
  | { readonly kind: 'versions'; readonly versions: readonly number[] }
  | { readonly kind: 'any' }
  | { readonly kind: 'absent' }
  /** Good where there is none yet, and nowhere else. */
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
  const loss = (kind: Loss['kind'], isLost: (change: RuleChange) => boolean): Loss => {
    const lost = changes.filter(isLost);
    return {
      kind,
      ids: lost.map(({ id }) => id),
      owners: lost.flatMap(({ overrides, owners }) =>
        overrides.kind === 'end' && owners !== undefined ? [owners] : [],
      ),
    };
  };
  const losses = [
    loss('dropped', ({ kind }) => kind === 'deleted' && !drop),
    loss('reset', ({ counter }) => counter === 'anew' && !beginAnew),
    loss('moved', (each) => each.counter === 'joins' && each.because.length > 0 && !beginAnew),
  ];
  return losses.filter(({ ids }) => ids.length > 0);
}

/**
 * Rules from which a change takes something. `reset`: they had a sum, and begin at zero. `moved`: they had
 * a sum of their own, and count in the counter of another.
 */
type Loss = {
  readonly kind: 'dropped' | 'reset' | 'moved';
  readonly ids: readonly string[];
  /** Of the overrides that no longer apply. */
  readonly owners: readonly Owners[];
};

/** There is no rule of this id. */
export class NoSuchRuleError extends errorOf(
  'NO_SUCH_RULE',
  (id: string) =>
    `there is no rule ${JSON.stringify(id)}: it never existed, or was deleted; GET /v1/rules lists all rules`,
) {}

/** The change is for another state than there is: somebody else was first. */
export class RuleChangedError extends errorOf(
  'RULE_CHANGED',
  (found: string, wanted: string) =>
    `${found}, and the change is for ${wanted}; nothing was changed: read it again first`,
) {}

/** The change does not say for which version it was made, so it might undo somebody else's. */
export class VersionRequiredError extends errorOf(
  'VERSION_REQUIRED',
  (found: string, version: number) =>
    `${found}; nothing was changed: read it, then send If-Match: "${version}" with the change`,
) {}

/** The change deletes rules, or resets sums, and does not say that this is meant. */
export class ConsentRequiredError extends errorOf('CONSENT_REQUIRED', (losses: readonly Loss[]) => {
  const says = losses.map(({ kind, ids, owners }) => {
    if (kind === 'dropped') return `deletes ${quoted(ids)}${withOwn(owners)}`;
    return `lets ${quoted(ids)} begin ${kind === 'reset' ? 'at zero' : 'in another counter'}`;
  });
  const needed = losses.map(({ kind }) => (kind === 'dropped' ? '"drop"' : '"beginAnew"'));
  const needs = [...new Set(needed)].map((name) => `${name}: true`).join(', ');
  return `this change ${says.join(', and ')}; nothing was changed: if you want that, send ${needs}`;
}) {}

function withOwn(owners: readonly Owners[]): string {
  if (owners.length === 0) return '';
  const documents = [...new Set(owners.flatMap((each) => each.documents))];
  const isAll = owners.every((each) => each.isAll);
  return ` with own maxima of ${ownersText({ documents, isAll })}`;
}

/** Says how many subjects have overrides: `3 subjects`, `at least 10000 subjects`. */
export function ownersText({ documents, isAll }: Owners): string {
  return `${isAll ? '' : 'at least '}${numbered(documents.length, 'subject')}`;
}

const NAMED_MAX = 20;

function quoted(ids: readonly string[]): string {
  const more = ids.length - NAMED_MAX;
  const texts = ids.slice(0, NAMED_MAX).map((id) => JSON.stringify(id));
  return more > 0 ? `${texts.join(', ')} and ${more} more` : texts.join(', ');
}
