import { errorOf } from '../shared/errors.ts';

/** What can be wrong with a change of the rules, one class per cause. Nothing was changed. */

/** There is no rule of this id. */
export class NoSuchRuleError extends errorOf(
  'NO_SUCH_RULE',
  (id: string) =>
    `there is no rule ${JSON.stringify(id)}: it never existed, or was deleted; GET /v1/rules lists all rules`,
) {}

/** What is to be changed is not what the change was made for: somebody else was first. */
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

/**
 * Rules from which a change takes something. `dropped`: they are no longer there. `reset`: they had a sum,
 * and begin at zero. `moved`: they had a sum of their own, and count in the counter of another.
 */
export type Loss = {
  readonly kind: 'dropped' | 'reset' | 'moved';
  readonly ids: readonly string[];
};

/** The change deletes rules, or resets sums, and does not say that this is meant. */
export class ConsentRequiredError extends errorOf('CONSENT_REQUIRED', (losses: readonly Loss[]) => {
  const says = losses.map(({ kind, ids }) => {
    if (kind === 'dropped') return `deletes ${named(ids)}`;
    return `lets ${named(ids)} begin ${kind === 'reset' ? 'at zero' : 'in another counter'}`;
  });
  const needed = losses.map(({ kind }) => (kind === 'dropped' ? '"drop"' : '"beginAnew"'));
  const needs = [...new Set(needed)].map((name) => `${name}: true`).join(', ');
  return `this change ${says.join(', and ')}; nothing was changed: if you want that, send ${needs}`;
}) {}

/** Most rules that an error names. */
const NAMED_MAX = 20;

function named(ids: readonly string[]): string {
  const more = ids.length - NAMED_MAX;
  const texts = ids.slice(0, NAMED_MAX).map((id) => JSON.stringify(id));
  return more > 0 ? `${texts.join(', ')} and ${more} more` : texts.join(', ');
}
