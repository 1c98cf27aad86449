import type { Described, Payment } from '../shared/request.ts';
import type { Mistake } from '../shared/errors.ts';
import { HeadroomError, InvalidRequestError } from '../shared/errors.ts';
import { begunFor, mistakenInstant } from './rule-for-order.ts';
import type { Rule, Scope } from './rule.ts';
import { measureOf } from './measures/measures.ts';
import { isIn, valueOf } from './rule.ts';
import { isCounted, sinceOf } from './windows/windows.ts';

/** An order, as far as a rule may require something of it. */
type AskedOfRules = Described & Pick<Payment, 'currency'>;

/** A rule, and the names that it requires and an order does not have; or what is wrong in the order. */
export type Lacking = {
  readonly rule: Rule;
  readonly names: readonly string[];
  readonly mistake?: Mistake;
};

/**
 * Finds the rules in force that require a name which an order does not have: of a subject kind, an attribute or
 * `type`. A rule requires it of what it counts, or would count if the order had the name. What counts nothing,
 * a rule for single transactions, requires it of what it limits.
 */
export function lackingIn(requiring: readonly Rule[], request: AskedOfRules): readonly Lacking[] {
  return requiring.flatMap((one) => {
    const rule = begunFor(one, request);
    const names = requiredNames(rule).filter((name) => valueOf(request, name) === undefined);
    const mistake = mistakeIn(rule, request);
    if (mistake !== undefined)
      return concerns(rule, names, request) ? [{ rule, names, mistake }] : [];
    const since = sinceOf(rule.window);
    // An order without the instant is none of the rule's, unless it must say that.
    const isNone = since && since.at === undefined && !names.includes(since.attribute);
    return names.length > 0 && !isNone && mayCount(rule, names, request) ? [{ rule, names }] : [];
  });
}

/** What an order has in place of what a rule begins with or counts, if that is wrong. */
export function mistakeIn(rule: Rule, order: Described): Mistake | undefined {
  return mistakenInstant(rule, order) ?? measureOf(rule).mistake?.(rule, order);
}

/** Says whether a rule requires anything: on trial none does, because it refuses nothing. */
export function isRequiring(rule: Rule): boolean {
  if (rule.mode !== 'enforce') return false;
  return requiredNames(rule).length > 0 || sinceOf(rule.window) !== undefined;
}

/** The names that several rules require, each once. */
export function missingNames(lacking: readonly Lacking[]): readonly string[] {
  return [...new Set(lacking.flatMap(({ names }) => names))];
}

/** Why an order is not decided. A mistake comes first: what is named is there, and wrong. */
export function lackingError(lacking: readonly Lacking[]): Error {
  const mistakes = lacking.flatMap(({ mistake }) => mistake ?? []);
  return mistakesError(mistakes) ?? new IncompleteOrderError(lacking);
}

/** What several rules say of one attribute is said once. */
export function mistakesError(mistakes: readonly Mistake[]): InvalidRequestError | undefined {
  const [first, ...others] = new Map(mistakes.map((one) => [one.path, one])).values();
  return first && new InvalidRequestError([first, ...others]);
}

/** Rules require names of subject kinds, attributes or `type` that the order does not have. */
export class IncompleteOrderError extends HeadroomError {
  override readonly name = 'IncompleteOrderError';
  readonly code = 'INCOMPLETE_ORDER';
  override readonly fields: { readonly missing: readonly string[] };
  constructor(lacking: readonly Lacking[]) {
    const missing = missingNames(lacking);
    const rules = lacking.map(({ rule }) => rule.id);
    super(
      `the order lacks ${missing.join(', ')}, required by ${rules.join(', ')}; nothing is held: send each as a subject, an attribute or the type`,
    );
    this.fields = { missing };
  }
}

/** What a rule counts the values of, it requires. */
function requiredNames(rule: Rule): readonly string[] {
  const { require = [] } = rule;
  const needed = measureOf(rule).needs?.(rule) ?? [];
  return needed.length === 0 ? require : [...new Set([...require, ...needed])];
}

/** Whether a rule counts an order, or is lowered by it, whatever the missing names may be. */
function concerns(rule: Rule, missing: readonly string[], request: AskedOfRules): boolean {
  const beside = measureOf(rule).beside?.(rule);
  const mayLower = beside !== undefined && mayCount({ ...rule, counts: beside }, missing, request);
  return mayLower || mayCount(rule, missing, request);
}

function mayCount(rule: Rule, missing: readonly string[], request: AskedOfRules): boolean {
  const { currency, per, counts, appliesTo, window } = rule;
  if (currency !== undefined && currency !== request.currency) return false;
  const hasKind = (kind: string): boolean =>
    Object.hasOwn(request.subjects, kind) || missing.includes(kind);
  const mayBeIn = (scope: Scope): boolean => isIn(without(scope, missing), request);
  return per.every(hasKind) && mayBeIn(counts) && (isCounted(window) || mayBeIn(appliesTo));
}

/** Nobody knows which value a missing name would have. It is in no `not`. */
function without({ is, not }: Scope, missing: readonly string[]): Scope {
  const asked = Object.entries(is).filter(([name]) => !missing.includes(name));
  return { is: Object.fromEntries(asked), not };
}
