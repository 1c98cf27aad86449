import type { RuleOutcome, RuleReport } from '../limits/report.ts';
import { present } from '../shared/present.ts';
import { countOf } from '../rule/measures/measures.ts';
import type { Quantity } from '../rule/own-terms.ts';
import type { CountOf } from '../rule/rule.ts';
import type { CountedState } from '../shared/states.ts';
import type { Window } from '../rule/windows/windows.ts';

/** How a rule stood when it refused a check, as the audit keeps it: the rule may have changed since. */
export type Refusal = CountOf & {
  readonly rule: string;
  /** The rule's; rows of earlier versions lack it. */
  readonly version?: number;
  readonly outcome: Extract<RuleOutcome, 'exceeded' | 'below-minimum'>;
  readonly currency?: string;
  /** The rule's, if it says them. */
  readonly digits?: number;
  readonly window: Window;
  /** The stretch of that window that counted; absent for single transactions. */
  readonly period?: { readonly start: Date; readonly end: Date };
  /** Where the order was below it. */
  readonly min?: Quantity;
  /** The one that was in force for the transaction. */
  readonly max: Quantity;
  /** The ends that counted; absent where a confirm alone did. */
  readonly outcomes?: readonly CountedState[];
  /** By how much the order would have raised the count, where that is not its own. */
  readonly added?: number;
  /** Without the order itself; absent for single transactions. */
  readonly used?: Quantity;
  readonly held?: Quantity;
  /** Where the maximum was the subject's own; `own` is the rule's. */
  readonly override?: { readonly reason: string; readonly until?: Date; readonly own: Quantity };
};

/** A subject that was frozen when a check was refused, as the audit keeps it. */
export type FrozenThen = {
  readonly kind: string;
  readonly id: string;
  readonly reason: string;
  readonly until?: Date;
};

/** How the rules stood that refused, of the reports of a check. */
export function refusalsIn(reports: readonly RuleReport[]): readonly Refusal[] {
  return reports.flatMap((report): readonly Refusal[] => {
    const { rule, outcome, window: period, used, held, added } = report;
    if (outcome !== 'exceeded' && outcome !== 'below-minimum') return [];
    const { id, version, currency, digits, outcomes, window, max, override } = rule;
    const min = outcome === 'exceeded' ? undefined : rule.min;
    const then =
      override && present({ reason: override.reason, own: override.own, until: override.until });
    const stood = present({ outcomes, added, period, min, used, held, override: then });
    return [
      {
        rule: id,
        outcome,
        window,
        max,
        ...present({ version, currency, digits }),
        ...countOf(rule),
        ...stood,
      },
    ];
  });
}
