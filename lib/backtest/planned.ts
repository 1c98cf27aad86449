import type { Attempt, OpenMaxima } from '../limits/attempt.ts';
import { planCheck } from '../plan/check-plan.ts';
import type { CompiledRules } from '../plan/compile.ts';
import type { CheckPlan, PlanSettings } from '../plan/plan.ts';
import { planRecord } from '../plan/record-plan.ts';
import type { Terms } from '../rule/own-terms.ts';
import { holdId } from '../shared/subject.ts';
import type { PastRow } from './past-row.ts';
import { checkOf, recordOf } from './past-row.ts';

/** The settings by which orders were decided. */
export type DecidedBy = PlanSettings & OpenMaxima;

/** Gives the terms of a subject at the instant of the row. */
export type TermsOf = (document: string) => Terms | undefined;

/** A row of a check or a record under some rules: several replays may ask it, each its own documents. */
export type Planned = { readonly row: PastRow; readonly attempt: Attempt };

/** Plans a row of a check or a record under some rules. */
export function plannedRow(
  row: PastRow,
  rules: CompiledRules,
  by: DecidedBy,
  termsOf: TermsOf,
): Planned {
  const isRecord = row.operation === 'record';
  const check = checkOf(row, rules.live);
  const record = isRecord ? recordOf(row) : undefined;
  const request = record === undefined ? check : { ...check, ...record, capture: true };
  const planAt = (at: Date): CheckPlan =>
    record === undefined
      ? planCheck(rules, request, by, at, termsOf)
      : planRecord(rules, { ...request, ...record }, by.homeKinds, at, termsOf);
  const attempt: Attempt = {
    request,
    id: holdId(row),
    digestOfId: '', // nothing is stored by it
    nonce: row.nonce ?? row.id,
    digest: '', // an order that is known is no decision
    plan: planAt(row.at),
    estimate: row.at,
    planAt,
    isAgain: false,
    values: rules.valuesOf(request),
    maxima: by,
  };
  return { row, attempt };
}
