import type { Frozen } from '../limits/plan.ts';
import type { RuleOutcome, RuleReport } from '../limits/report.ts';
import type { Quantity, Window } from '../rules/rule.ts';

/** How a rule stood when it refused a check, as the audit keeps it: the rule may have changed since. */
export type Refusal = {
  readonly rule: string;
  /** The rule's; rows of earlier versions lack it. */
  readonly version?: number;
  readonly outcome: Extract<RuleOutcome, 'exceeded' | 'below-minimum'>;
  readonly currency?: string;
  readonly window: Window;
  /** The stretch of that window that counted; absent for single transactions. */
  readonly period?: { readonly start: Date; readonly end: Date };
  /** Where the order was below it. */
  readonly min?: Quantity;
  /** The one that was in force for the transaction. */
  readonly max: Quantity;
  /** Without the order itself; absent for single transactions. */
  readonly used?: Quantity;
  readonly held?: Quantity;
  /** Where the maximum was the subject's own. */
  readonly override?: {
    readonly reason: string;
    readonly until?: Date;
    /** The rule's. */
    readonly own: Quantity;
  };
};

/** A subject that was frozen when a check was refused, as the audit keeps it. */
export type FrozenThen = {
  readonly kind: string;
  readonly id: string;
  readonly reason: string;
  readonly until?: Date;
};

/** How the rules stood that refused a check. */
export function refusalsIn(reports: readonly RuleReport[]): readonly Refusal[] {
  return reports.flatMap((report): readonly Refusal[] => {
    const { outcome } = report;
    if (outcome !== 'exceeded' && outcome !== 'below-minimum') return [];
    const { rule, window: period, used, held } = report;
    const { id, version, currency, window, min, max, override } = rule;
    return [
      {
        ...{ rule: id, outcome, window, max },
        ...(version === undefined ? {} : { version }),
        ...(currency === undefined ? {} : { currency }),
        ...(period === undefined ? {} : { period }),
        ...(outcome === 'exceeded' ? {} : { min }),
        ...(used === undefined ? {} : { used }),
        ...(held === undefined ? {} : { held }),
        ...(override === undefined ? {} : { override: overrideThen(override) }),
      },
    ];
  });
}

function overrideThen({
  reason,
  until,
  own,
}: NonNullable<RuleReport['rule']['override']>): NonNullable<Refusal['override']> {
  return { reason, own, ...(until === undefined ? {} : { until }) };
}

/** The subjects of a check that are frozen, without who froze them. */
export function frozenThen(frozen: readonly Frozen[]): readonly FrozenThen[] {
  return frozen.map(({ kind, id, freeze: { reason, until } }) => {
    return { kind, id, reason, ...(until === undefined ? {} : { until }) };
  });
}
