import type { CompiledRules } from '../plan/compile.ts';
import { countingBuckets } from '../document/decision.ts';
import type { DocumentView } from '../document/document.ts';
import type { Rule } from '../rule/rule.ts';
import { begunAt } from '../rule/rule-for-order.ts';
import { documentKind, isSameForAll, overrideName, sharesDocument } from '../rule/rule.ts';
import { isDated } from '../rule/in-effect.ts';
import { isCounted, stepsOf } from '../rule/windows/windows.ts';
import { documentOf, kindsIn, readDocument } from '../shared/subject.ts';
import { underTerms } from '../rule/terms.ts';
import { isOver } from '../counter/effect.ts';
import type { NearPercent, NearRow } from '../limits/near-row.ts';
import { nearRow, percentsCrossed, takenOf, toldMax } from '../limits/near-row.ts';

/** A row as the counters have it; `percent` is 0 below half. */
export type ScannedNear = NearRow & { readonly percent: NearPercent | 0 };

/** The document of the subject that has the terms of a row's rule. */
export function termsDocument({ kind, subjects }: Pick<NearRow, 'kind' | 'subjects'>): string {
  return documentOf(kind, subjects);
}

/** The document of the subject that has the terms of what counts in a document. */
export function termsDocumentOf(document: string): string {
  const { kind, subjects } = readDocument(document);
  const [first = kind] = kindsIn(kind);
  return documentOf(first, subjects);
}

/** A document with the terms that another one has. */
export function withTermsOf(view: DocumentView, owner: DocumentView | undefined): DocumentView {
  return owner === view ? view : { ...view, terms: owner?.terms };
}

/**
 * The rows of a whole document. Only calls write those of rules with several subjects in one document, of which the
 * counters name one, and of maxima that depend on the transaction.
 *
 * @param view with the terms of its first subject
 */
export function nearRowsIn(document: string, view: DocumentView, rules: CompiledRules) {
  const { kind, subjects } = readDocument(document);
  return rules.live.flatMap((rule) => {
    const isAbout = documentKind(rule) === kind && !sharesDocument(rule) && isSameForAll(rule);
    if (!isAbout || !isScanned(rule, view.now)) return [];
    const inForce = underTerms(rule, view.terms, view.now);
    const scanned = scannedRow(rules, inForce, subjects, view);
    return scanned === undefined || scanned.percent === 0 ? [] : [scanned];
  });
}

/** A row as the counters have it now; undefined where its rule is gone, or counts elsewhere by now. */
export function nearRowAgain(
  row: NearRow,
  view: DocumentView,
  rules: CompiledRules,
): ScannedNear | undefined {
  const rule = ruleAgain(row, view, rules);
  if (rule === undefined) return undefined;
  const scanned = scannedRow(rules, rule, row.subjects, view);
  // It is over, or empty.
  if (scanned?.id !== row.id) return { ...row, at: view.now, percent: 0 };
  return rule.maxBy === undefined ? scanned : { ...scanned, isOverride: row.isOverride };
}

/**
 * The rule of a row as it is in force for its subjects now; undefined where it is gone, or counts elsewhere by
 * now. A maximum that depends on the transaction is the one that the row was written with.
 */
export function ruleAgain(
  row: NearRow,
  view: Pick<DocumentView, 'now' | 'terms'>,
  rules: CompiledRules,
): Rule | undefined {
  const live = rules.live.find((one) => overrideName(one) === row.rule);
  const rule = live && (row.since === undefined ? live : begunAt(live, row.since));
  if (rule === undefined || !isScanned(rule, view.now)) return undefined;
  const isTheirs = rule.per.every((kind) => Object.hasOwn(row.subjects, kind));
  if (!isTheirs || documentOf(documentKind(rule), row.subjects) !== row.document) return undefined;
  if (rules.counterOf(rule, row.subjects) !== row.counter) return undefined;
  const inForce = underTerms(rule, view.terms, view.now);
  return inForce.maxBy === undefined ? inForce : { ...inForce, max: row.max };
}

/** Says whether a row tells what the counters do. Its sums are those of its instant. */
export function tellsTheSame(listed: ScannedNear, scanned: ScannedNear): boolean {
  return (
    listed.percent === scanned.percent &&
    listed.mode === scanned.mode &&
    listed.isOverride === scanned.isOverride &&
    listed.max.amountMinor === scanned.max.amountMinor &&
    listed.max.count === scanned.max.count
  );
}

function isScanned(rule: Rule, now: Date): boolean {
  return isCounted(rule.window) && isDated(rule, now); // outside its times its window may be open still
}

function scannedRow(
  rules: CompiledRules,
  rule: Rule,
  subjects: NearRow['subjects'],
  view: DocumentView,
): ScannedNear | undefined {
  const counter = rules.counterOf(rule, subjects);
  const { window } = rule;
  const live = countingBuckets(view).filter(
    (bucket) => bucket.counter === counter && !isOver(bucket, view.now),
  );
  const last = live.toSorted((one, other) => one.until.getTime() - other.until.getTime()).at(-1);
  if (last === undefined || !isCounted(window)) return undefined;
  const period = stepsOf(window) === undefined ? rules.periodOf(window, view.now) : last;
  const taken = takenOf(view, rule, counter);
  const percent = percentsCrossed(toldMax(rule), taken, taken).at(-1) ?? 0;
  return { ...nearRow(rule, subjects, { counter, ...period }, taken, view.now), percent };
}
