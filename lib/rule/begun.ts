import { INSTANT_EXPECTED, readInstant } from '../schema/instant.ts';
import type { Mistake } from '../shared/errors.ts';
import type { Described } from '../shared/request.ts';
import type { Window } from './windows/windows.ts';
import { sinceOf, windowEnd } from './windows/windows.ts';

/*
 * Windows that begin with an instant which each order says in an attribute. For an order such a rule becomes one with
 * a window of its own, whose counter has the instant in its key. All else takes that for a rule like any other.
 */

type Begins = { readonly window: Window };
type Said = Pick<Described, 'attributes'>;

/** Says whether a rule's window is begun: an order that does not say the instant is not one of the rule's. */
export function isBegun(rule: Begins, said: Said): boolean {
  return sinceOf(rule.window) === undefined || instantIn(rule, said) !== undefined;
}

function instantIn({ window }: Begins, { attributes }: Said): Date | undefined {
  const since = sinceOf(window);
  return since && readInstant(attributes[since.attribute]);
}

/** A rule with the window that it has for an order. It is in effect until that is over, if it comes once. */
export function begunFor<One extends Begins & { readonly to?: Date }>(rule: One, said: Said): One {
  const at = instantIn(rule, said);
  return at === undefined ? rule : begunAt(rule, at);
}

/** A rule with the window that begins with an instant. */
export function begunAt<One extends Begins & { readonly to?: Date }>(rule: One, at: Date): One {
  const since = sinceOf(rule.window);
  if (since === undefined) return rule;
  const window = { ...rule.window, since: { ...since, at } };
  const end = windowEnd(window);
  const isShorter = end !== undefined && (rule.to === undefined || end < rule.to);
  return { ...rule, window, ...(isShorter ? { to: end } : {}) };
}

/** What an order has in place of the instant with which a rule's window begins, if that is wrong. */
export function mistakenInstant({ window }: Begins, { attributes }: Said): Mistake | undefined {
  const since = sinceOf(window);
  if (since === undefined || !Object.hasOwn(attributes, since.attribute)) return undefined;
  const value = attributes[since.attribute];
  if (readInstant(value) !== undefined) return undefined;
  return {
    path: `attributes.${since.attribute}`,
    value: JSON.stringify(value),
    expected: INSTANT_EXPECTED,
  };
}
