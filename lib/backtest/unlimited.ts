import { excessIn } from '../document/decide.ts';
import { countingBuckets } from '../document/decision.ts';
import { planFor } from '../document/document-plan.ts';
import type { Shown } from '../limits/attempt.ts';
import { countersAt } from '../limits/attempt.ts';
import { sharesInTheWay, withoutShares } from '../limits/look.ts';
import { leastIn } from '../plan/plan.ts';
import type { Rule } from '../rule/rule.ts';
import { documentKind } from '../rule/rule.ts';
import type { InForce, SettingsFrom } from './history.ts';

/** A rule as it is, in force and without its maximum. It refuses what it refuses whatever that is. */
export function unlimited({ maxBy: _maxBy, onExceed, ...rule }: Rule): Rule {
  const isLifted = onExceed !== undefined && onExceed !== 'notify';
  return { ...rule, ...(isLifted && { onExceed }), max: {}, mode: 'enforce' };
}

/** The past as it would have been for a rule alone: neither another rule nor a bound of holds says no. */
export function ofOneRule({ settings: [first, ...others], ...past }: InForce): InForce {
  const alone = { needsRule: 'none', openHoldsMax: Infinity, openSharesMax: Infinity } as const;
  const of = (one: SettingsFrom): SettingsFrom => ({ ...one, by: { ...one.by, ...alone } });
  return { ...past, settings: [of(first), ...others.map(of)] };
}

/** The least maxima under which an order passes: what is used and held, and what it asks. */
type SumNeeded = { readonly amountMinor: number; readonly count: number };

/** What an order says of the maximum of a rule. */
export type MaximumAsked =
  /** The maximum decides about it. */
  | { readonly kind: 'needs'; readonly need: SumNeeded; readonly subject: string }
  /** The subject has a maximum of its own. */
  | { readonly kind: 'own'; readonly subject: string }
  /** It has no part in the sum, is refused whatever the maximum is, or passes above it. */
  | { readonly kind: 'notAsked' };

const NOT_ASKED: MaximumAsked = { kind: 'notAsked' };

/** Finds what an order needs under a rule that has no maximum, where that is the only one. */
export function askedOf({ attempt, views, kind }: Shown): MaximumAsked {
  const { plan: planned, request, estimate, values } = attempt;
  const found = planFor(planned.plans, views.get(planned.documents[0])?.now ?? estimate);
  const [applied] = found?.rules ?? [];
  if (found === undefined || applied === undefined) return NOT_ASKED;
  const { rule } = applied;
  const subject = rule.per.map((kind) => `${kind}:${request.subjects[kind] ?? ''}`).join(' ');
  if (rule.override !== undefined) return { kind: 'own', subject };
  const passesAbove = rule.isProven === true || rule.passesTo !== undefined;
  if (kind !== 'wouldHold' || passesAbove) return NOT_ASKED;
  const asks = { amountMinor: leastIn(found, request), count: request.count, values };
  if (applied.kind === 'single') return { kind: 'needs', need: asks, subject };
  const document = planned.documents[planned.kinds.indexOf(documentKind(rule))] ?? '';
  const view = views.get(document);
  const counter =
    view && countersAt(attempt, document, view.now).find(({ key }) => key === applied.counter);
  if (view === undefined || counter === undefined) return NOT_ASKED;
  const buckets = countingBuckets(withoutShares(view, sharesInTheWay(view, attempt)));
  // By so much it exceeds a maximum of nothing.
  const none = { ...counter, maxAmountMinor: 0, maxCount: 0 };
  const { amount, count } = excessIn(none, buckets, asks);
  const amountMinor = asks.amountMinor === 0 ? 0 : amount;
  return { kind: 'needs', need: { amountMinor, count }, subject };
}
