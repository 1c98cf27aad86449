import type { CheckRequest, Passing } from '../shared/request.ts';

/*
 * Orders that a second person approved. For such an order the maximum of each rule that it exceeded is the sum that
 * was approved. All else takes that for a maximum like any other.
 */

type Sums = Passing['upTo'];
type Reviewing = { readonly id: string; readonly version?: number; readonly onExceed?: unknown };
type Raised = { readonly max: Sums; readonly passesTo?: Sums; readonly raisedFrom?: Sums };

/** The sum up to which an order may pass under a rule; undefined unless the rule is as it was approved. */
export function passingOf(
  { id, version, onExceed }: Reviewing,
  { passings }: Pick<CheckRequest, 'passings'>,
): Sums | undefined {
  if (passings === undefined || onExceed !== 'review') return undefined;
  return passings.find((one) => one.rule === id && one.version === version)?.upTo;
}

/** A rule with the maximum that it has for an order under an approval, if that is more than its own. */
export function raisedFor<One extends Raised>(rule: One): One {
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
