import type { CompiledRules } from '../plan/compile.ts';
import { countingBuckets } from '../document/decision.ts';
import type { DocumentView } from '../document/document.ts';
import type { AppliedRule } from '../plan/plan.ts';
import type { EnteredRule } from '../plan/record-plan.ts';
import type { RuleReport } from './report.ts';
import { ruleReports } from './report.ts';
import type { CheckRequest, Subjects } from '../shared/request.ts';
import type { Rule } from '../rule/rule.ts';
import type { BucketReference } from '../counter/sums.ts';
import type { Quantity } from '../rule/own-terms.ts';
import { present } from '../shared/present.ts';
import { inEffect } from '../rule/in-effect.ts';
import { appliedRule } from '../plan/rule-part.ts';
import { counterKey } from '../rule/counter.ts';
import { documentKind } from '../rule/rule.ts';
import { documentOf } from '../shared/subject.ts';
import { underTerms } from '../rule/terms.ts';
import type { Views } from './attempt.ts';
import { isOver } from '../counter/effect.ts';
import type { Crossing } from './near-row.ts';
import { nearRow, percentsCrossed, takenIn, takenOf, toldMax } from './near-row.ts';
import type { RecordedShare } from './order-trace.ts';

/**
 * Finds crossings from the reports and documents as they are after an order: mostly none, in few comparisons.
 *
 * @param entered its buckets; it crossed nothing of a rule whose counter is not among them
 */
export function crossingsIn(
  reports: readonly RuleReport[],
  entered: readonly RecordedShare[],
  by: Quantity,
  views: ReadonlyMap<string, Pick<DocumentView, 'now'>>,
): readonly Crossing[] {
  return reports.flatMap(({ rule, subjects, used = {}, held = {}, added: count = by.count }) => {
    const after = takenIn(rule, used, held);
    const percents = percentsCrossed(toldMax(rule), after, { ...by, ...present({ count }) });
    if (percents.length === 0) return [];
    const document = documentOf(documentKind(rule), subjects);
    const counter = counterKey(rule, subjects);
    const at = views.get(document)?.now;
    const bucket = entered
      .find((share) => share.document === document)
      ?.buckets.find((one) => one.counter === counter && at !== undefined && !isOver(one, at));
    if (at === undefined || bucket === undefined) return [];
    return [{ ...nearRow(rule, subjects, bucket, after, at), ruleId: rule.id, percents }];
  });
}

/** Finds the maxima in force now that a recorded payment crossed. */
export function recordCrossings(
  rules: CompiledRules,
  entered: readonly EnteredRule[],
  request: CheckRequest,
  views: Views,
  shares: readonly RecordedShare[],
  now: Date,
): readonly Crossing[] {
  const applied = entered
    .filter(({ rule, isAsked }) => isAsked && inEffect(rule, now))
    .map(({ rule, termsOf }): AppliedRule => {
      const inForce = underTerms(rule, views.get(termsOf)?.terms, now);
      return appliedRule(inForce, request.subjects, rules, now);
    });
  const buckets = new Map(
    entered.flatMap(({ rule, documentId: id }) => {
      const view = views.get(id);
      return view === undefined ? [] : [[documentKind(rule), countingBuckets(view)] as const];
    }),
  );
  const asked = { ...request, values: rules.valuesOf(request) };
  const reports = ruleReports(applied, { buckets, request: asked, now, leftOut: [] });
  return crossingsIn(reports, shares, request, views);
}

/** A rule in which a settlement counts what was not taken, and its document before and after. */
export type CountedRule = {
  readonly rule: Rule;
  readonly counter: string;
  readonly bucket: BucketReference;
  readonly subjects: Subjects;
  readonly before: DocumentView;
  readonly after: DocumentView;
};

/** Finds what a settlement crossed that counts what was not taken. */
export function settlementCrossings(counted: readonly CountedRule[]): readonly Crossing[] {
  return counted.flatMap(({ rule, counter, bucket, subjects, before, after: view }) => {
    const after = takenOf(view, rule, counter);
    const taken = takenOf(before, rule, counter);
    const by = {
      amountMinor: (after.amountMinor ?? 0) - (taken.amountMinor ?? 0),
      count: (after.count ?? 0) - (taken.count ?? 0),
    };
    const named = Object.fromEntries(rule.per.map((kind) => [kind, subjects[kind] ?? '']));
    const percents = percentsCrossed(toldMax(rule), after, by);
    if (percents.length === 0) return [];
    return [{ ...nearRow(rule, named, bucket, after, before.now), ruleId: rule.id, percents }];
  });
}
