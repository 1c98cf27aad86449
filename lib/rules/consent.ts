import { errorOf } from '../shared/errors.ts';
import type { RuleChange } from './rule-change.ts';

/** What a change of the rules may take away, because its author says that it is meant. */
export type Consent = { readonly beginAnew?: boolean; readonly drop?: boolean };

/** The rules, by their ids, from which a change takes something that its author did not mean to take. */
type Losses = {
  /** They are no longer there. */
  readonly dropped: readonly string[];
  /** They begin at zero, and had a sum. */
  readonly reset: readonly string[];
  /** They count in the counter of another, and had a sum of their own. */
  readonly moved: readonly string[];
};

/** Names what a change takes away without a word of its author; undefined where that is nothing. */
export function lossesOf(
  changes: readonly RuleChange[],
  { beginAnew = false, drop = false }: Consent,
): Losses | undefined {
  const idsOf = (isLost: (change: RuleChange) => boolean): readonly string[] =>
    changes.filter(isLost).map(({ id }) => id);
  const dropped = drop ? [] : idsOf(({ kind }) => kind === 'deleted');
  const reset = beginAnew ? [] : idsOf(({ counter }) => counter === 'anew');
  const moved = beginAnew
    ? []
    : idsOf(({ counter, because }) => counter === 'joins' && because.length > 0);
  return dropped.length + reset.length + moved.length === 0 ? undefined : { dropped, reset, moved };
}

/** The change deletes rules, or resets sums, and does not say that this is meant. Nothing was changed. */
export class ConsentRequiredError extends errorOf(
  'CONSENT_REQUIRED',
  ({ dropped, reset, moved }: Losses) => {
    const losses = [
      ...(dropped.length === 0 ? [] : [`deletes ${named(dropped)}`]),
      ...(reset.length === 0 ? [] : [`lets ${named(reset)} begin at zero`]),
      ...(moved.length === 0 ? [] : [`lets ${named(moved)} begin in another counter`]),
    ];
    const needed = [
      ...(dropped.length === 0 ? [] : ['"drop": true']),
      ...(reset.length + moved.length === 0 ? [] : ['"beginAnew": true']),
    ];
    return `this change ${losses.join(', and ')}; nothing was changed: if you want that, send ${needed.join(', ')}`;
  },
) {}

/** Most rules that an error names. */
const NAMED_MAX = 20;

function named(ids: readonly string[]): string {
  const more = ids.length - NAMED_MAX;
  const texts = ids.slice(0, NAMED_MAX).map((id) => JSON.stringify(id));
  return more > 0 ? `${texts.join(', ')} and ${more} more` : texts.join(', ');
}
