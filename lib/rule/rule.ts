import type { AttributeValue, Described } from '../shared/request.ts';
import type { Times } from './times.ts';
import type { CountedState } from '../shared/states.ts';
import type { Override, Quantity, Validity } from './own-terms.ts';
import { joinParts, kindTogether } from '../shared/subject.ts';
import type { Window } from './windows/windows.ts';
import { sinceOf } from './windows/windows.ts';

/** Which transactions: of each name in `is` one of its values, and of no name in `not` any. */
export type Scope = { readonly is: Matched; readonly not: Matched };
/** `type`, a subject kind or an attribute, to values. */
export type Matched = Readonly<Record<string, readonly AttributeValue[]>>;

/** A maximum that depends on `type`, a subject or an attribute. `max` is for all other values, and for none. */
export type ByAttribute = {
  readonly by: string;
  readonly values: Readonly<Record<string, number>>;
};

/** Kept to be looked at (`draft`), on trial (`shadow`), in force (`enforce`), kept for its history (`retired`). */
export const RULE_MODES = ['draft', 'shadow', 'enforce', 'retired'] as const;

/** How many others one subject of the first kind may meet: so many as its document has room for, or any number. */
export const COUNTERPARTS = ['few', 'many'] as const;
/** One of them. */
export type Counterparts = (typeof COUNTERPARTS)[number];

/**
 * The kind of the documents that have the counters of a rule. `few`: those of its first kind, in whose keys the others
 * are. `many`: all its subjects have one together.
 */
export function documentKind({ per, counterparts }: Pick<Rule, 'per' | 'counterparts'>): string {
  return counterparts === 'many' ? kindTogether(per) : per[0];
}

/** Says whether a rule has counters of several subjects in the document of its first one. */
export function sharesDocument({ per, counterparts }: Pick<Rule, 'per' | 'counterparts'>): boolean {
  return per.length > 1 && counterparts === 'few';
}

/** What overrides call a rule: the same as long as it counts the same, whatever its id is. */
export function overrideName({ id, namedAs = id }: Pick<Rule, 'id' | 'namedAs'>): string {
  return namedAs;
}

/** The uppermost override in force, until the maximum changes, and the maximum that the rule has of its own. */
export type OverrideInForce = Override & { readonly own: Quantity };

/** What the maximum of a rule is from an instant on. */
export type LaterMaximum = Pick<Rule, 'max' | 'maxBy'> & { readonly from: Date };

/** The fate of an order above a maximum: it passes, and its answer says so; or only an approval, or a proof, lets it pass. */
type OnExceed = 'notify' | 'review' | { readonly challenge: string };

/** One configured limit. */
export type Rule = {
  /** Lower-case letters, digits, hyphens; unique in the deployment. */
  readonly id: string;
  readonly title: Readonly<Record<string, string>>;
  /** Subject kinds; the first has the terms: maxima of its own, and freezes. */
  readonly per: readonly [string, ...string[]];
  /** Which document has the counter: see `documentKind`. Part of the counter. */
  readonly counterparts: Counterparts;
  /** Always present with a maximum amount. */
  readonly currency?: string;
  /** After the point, of a currency for which ISO 4217 has none. They say how amounts are told, not what is allowed. */
  readonly digits?: number;
  /** The transactions that enter the sum. Part of the counter. */
  readonly counts: Scope;
  /** Those of them for which the maximum is asked. Not part of the counter. */
  readonly appliesTo: Scope;
  /** The orders that lower its sum once they are confirmed. Part of the counter. */
  readonly minus?: Scope;
  /** What must become of an order for it to count. Part of the counter. Absent: it must be confirmed. */
  readonly outcomes?: readonly CountedState[];
  /** Of those that are rolled back, only these count. Part of the counter. */
  readonly reasonCodes?: readonly string[];
  readonly window: Window;
  /** The times at which it is in effect, between `from` and `to`. Part of the counter. */
  readonly when?: Times;
  /** With `window: transaction` only. */
  readonly min: Quantity;
  readonly max: Quantity;
  /** In place of `max`, by the transaction. Not part of the counter. */
  readonly maxBy?: { readonly amountMinor?: ByAttribute; readonly count?: ByAttribute };
  /** `type`, a subject kind or an attribute: the count is of its different values, not of orders. Part of the counter. */
  readonly distinct?: string;
  readonly mode: (typeof RULE_MODES)[number];
  /** Absent: an order above the maximum is refused. Not part of the counter. */
  readonly onExceed?: OnExceed;
  /** Names that an order must have: see require.ts. Not part of the counter. */
  readonly require?: readonly string[];
  /** Whether a refund gives back its amount, and the count once the whole amount is refunded. */
  readonly refunds: { readonly amount: boolean; readonly count: boolean };
  readonly from?: Date;
  /** The first instant at which it no longer applies. */
  readonly to?: Date;
  /** The revision of the set that made it so, if it is stored. */
  readonly version?: number;
  /** The revision of the stored set to which it belongs. */
  readonly asOf?: number;
  /** The revision in which its counter began, so that it takes up no earlier sum. Absent: with the first set. */
  readonly generation?: number;
  /** What subjects' own terms call it: its id if absent. `lib/changes/override-names.ts` gives it. */
  readonly namedAs?: string;
  /** A subject's own terms, from which `max` comes; never of a rule as it is configured. */
  readonly override?: OverrideInForce;
  /** The order lowers the sum: the rule stands for the counter of what lowers; never of a rule as it is configured. */
  readonly lowers?: true;
  /** The order has the proof that the rule asks for above its maximum; never of a rule as it is configured. */
  readonly isProven?: true;
  /** The sum that a second person approved for the order; never of a rule as it is configured. */
  readonly passesTo?: Quantity;
  /** The maximum without that approval, in place of which `max` is; never of a rule as it is configured. */
  readonly raisedFrom?: Quantity;
  /** What these terms make of `max` later, in the order of time; absent if it stays. */
  readonly later?: readonly LaterMaximum[];
};

/** The fields of a rule that say what its count is of: of payments, none. */
export type CountOf = Pick<Rule, 'distinct'>;

/** Says whether a rule takes part in decisions and is counted, in force or on trial. */
export function isLive({ mode }: Pick<Rule, 'mode'>): boolean {
  return mode === 'enforce' || mode === 'shadow';
}

/** Says whether a rule refuses orders that do not fit: not on trial, nor if it only notifies. */
export function mayRefuse({ mode, onExceed }: Pick<Rule, 'mode' | 'onExceed'>): boolean {
  return mode === 'enforce' && onExceed !== 'notify';
}

/** Says whether a rule refuses this order if it does not fit: it does not where that is proven. */
export function isStrict(rule: Rule): boolean {
  return mayRefuse(rule) && rule.isProven !== true;
}

/** The proof with which a rule lets orders above its maximum pass, if there is one. */
export function challengeOf({ onExceed }: Pick<Rule, 'onExceed'>): string | undefined {
  return typeof onExceed === 'object' ? onExceed.challenge : undefined;
}

/** Says whether an order may have what lets it pass above a rule's maximum. */
export function isLifted({ onExceed }: Pick<Rule, 'onExceed'>): boolean {
  return onExceed !== undefined && onExceed !== 'notify';
}

/** Says whether a rule limits amounts, by a maximum of its own or one that its subject has instead. */
export function limitsAmount({
  max,
  override,
  onExceed,
  outcomes,
}: Pick<Rule, 'max' | 'onExceed' | 'outcomes'> & {
  readonly override?: Pick<OverrideInForce, 'own'>;
}): boolean {
  // A confirmed payment frees the place that it held under this rule.
  if (outcomes !== undefined) return false;
  // A subject's own maximum that is none was given by somebody who looked at the amount.
  return onExceed !== 'notify' && (override?.own.amountMinor ?? max.amountMinor) !== undefined;
}

/** Says whether an instant lies in a stretch. */
export function isWithin({ from, until }: Validity, at: Date): boolean {
  return (from === undefined || from <= at) && (until === undefined || at < until);
}

/** Says whether a stretch has ended by an instant. */
export function hasEnded({ until }: Pick<Validity, 'until'>, at: Date): boolean {
  return until !== undefined && until <= at;
}

/** What a payment says of `type`, a subject kind or an attribute. */
export function valueOf(request: Described, key: string): AttributeValue | undefined {
  if (key === 'type') return request.type;
  if (Object.hasOwn(request.subjects, key)) return request.subjects[key];
  return Object.hasOwn(request.attributes, key) ? request.attributes[key] : undefined;
}

/** Says whether a transaction is in a scope. */
export function isIn({ is, not }: Scope, request: Described): boolean {
  for (const key of Object.keys(is)) if (!matches(is, key, request)) return false;
  for (const key of Object.keys(not)) if (matches(not, key, request)) return false;
  return true;
}

/** Names values by a text that the order of names and values does not change. */
export function matchText(given: Matched): string {
  const pairs = Object.keys(given)
    .sort()
    .map((key) => {
      const values = (given[key] ?? []).map((value) => joinParts([typeof value, String(value)]));
      return joinParts([key, ...new Set(values.sort())]);
    });
  return joinParts(pairs);
}

function matches(matched: Matched, key: string, request: Described): boolean {
  if (key === 'proof') return request.proofs?.some((one) => matched[key]?.includes(one)) === true;
  const value = valueOf(request, key);
  return value !== undefined && matched[key]?.includes(value) === true;
}

/** Says whether the maximum and the window are the same for everything that a rule counts. */
export function isSameForAll({ appliesTo, maxBy, window }: Rule): boolean {
  return maxBy === undefined && isForAll(appliesTo) && sinceOf(window) === undefined;
}

/** Says whether every transaction is in a scope. */
export function isForAll({ is, not }: Scope): boolean {
  return Object.keys(is).length === 0 && Object.keys(not).length === 0;
}

/** Says whether a quantity is above a maximum of a rule for single transactions. */
export function aboveSingle({ max }: Rule, { amountMinor = 0, count = 0 }: Quantity): boolean {
  return amountMinor > (max.amountMinor ?? Infinity) || count > (max.count ?? Infinity);
}

/** Says whether a quantity is outside a rule for single transactions. */
export function outsideSingle(rule: Rule, asks: Quantity): boolean {
  const { amountMinor = 0, count = 0 } = asks;
  const isBelow = amountMinor < (rule.min.amountMinor ?? 0) || count < (rule.min.count ?? 0);
  return isBelow || aboveSingle(rule, asks);
}
