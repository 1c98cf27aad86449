import { INSTANT_EXPECTED, readInstant } from '../schema/instant.ts';
import type { Mistake } from '../shared/errors.ts';
import type { CheckRequest, Described } from '../shared/request.ts';
import type { Quantity } from './own-terms.ts';
import type { ByAttribute, Rule } from './rule.ts';
import { challengeOf, valueOf } from './rule.ts';
import type { Window } from './windows/windows.ts';
import { sinceOf, windowEnd } from './windows/windows.ts';

/* What a rule is for one order. All else takes that for a rule like any other. */

type Passage = Pick<CheckRequest, 'proofs' | 'passings'>;

/** A rule with the window and the maximum that it has for one transaction, and whether that has what is asked for above it. */
export function ruleFor(configured: Rule, request: Described & Passage): Rule {
  const rule = begunFor(configured, request);
  const asked = rule.maxBy === undefined ? rule : { ...rule, max: maxFor(rule, request) };
  if (hasProof(rule, request)) return { ...asked, isProven: true };
  const passesTo = passingOf(rule, request);
  return passesTo === undefined ? asked : { ...asked, passesTo };
}

// --- a window that begins with an instant, which each order says in an attribute: its counter's key has the instant

type Begins = { readonly window: Window };
type SaidByOrder = Pick<Described, 'attributes'>;

/** Says whether a rule's window is begun: an order that does not say the instant is not one of the rule's. */
export function isBegun(rule: Begins, said: SaidByOrder): boolean {
  return sinceOf(rule.window) === undefined || instantIn(rule, said) !== undefined;
}

function instantIn({ window }: Begins, { attributes }: SaidByOrder): Date | undefined {
  const since = sinceOf(window);
  return since && readInstant(attributes[since.attribute]);
}

/** A rule with the window that it has for an order. It is in effect until that is over, if it comes once. */
export function begunFor<One extends Begins & { readonly to?: Date }>(
  rule: One,
  said: SaidByOrder,
): One {
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
export function mistakenInstant(
  { window }: Begins,
  { attributes }: SaidByOrder,
): Mistake | undefined {
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

// --- a maximum that depends on what an order says

/** The maximum that is in force for one transaction. */
export function maxFor({ max, maxBy }: Rule, request: Described): Quantity {
  const chosen = (
    by: ByAttribute | undefined,
    otherwise: number | undefined,
  ): number | undefined => {
    const value = by && valueBy(by, request);
    return value === undefined ? otherwise : by?.values[value];
  };
  const amountMinor = chosen(maxBy?.amountMinor, max.amountMinor);
  const count = chosen(maxBy?.count, max.count);
  return {
    ...(amountMinor === undefined ? {} : { amountMinor }),
    ...(count === undefined ? {} : { count }),
  };
}

/** Which value a transaction has of those that have a maximum of their own; undefined where it has none of them. */
export function valueBy({ by, values }: ByAttribute, request: Described): string | undefined {
  const value = valueOf(request, by);
  return value !== undefined && Object.hasOwn(values, String(value)) ? String(value) : undefined;
}

// --- an order that may pass above the maximum: it has the proof, or a second person approved it

/** Says whether an order has the proof that a rule asks for above its maximum. */
export function hasProof(rule: Rule, { proofs = [] }: Passage): boolean {
  const challenge = challengeOf(rule);
  return challenge !== undefined && proofs.includes(challenge);
}

/** The sum up to which an order may pass under a rule; undefined unless the rule is as it was approved. */
export function passingOf(
  { id, version, onExceed }: Rule,
  { passings }: Passage,
): Quantity | undefined {
  if (passings === undefined || onExceed !== 'review') return undefined;
  return passings.find((one) => one.rule === id && one.version === version)?.upTo;
}

/** A rule with the maximum that it has for an order under an approval, if that is more than its own. */
export function raisedFor(rule: Rule): Rule {
  const { passesTo, max: own } = rule;
  if (passesTo === undefined) return rule;
  const { amountMinor, count } = own;
  const max = {
    ...(amountMinor === undefined
      ? {}
      : { amountMinor: Math.max(amountMinor, passesTo.amountMinor ?? 0) }),
    ...(count === undefined ? {} : { count: Math.max(count, passesTo.count ?? 0) }),
  };
  return { ...rule, max, raisedFrom: own };
}
