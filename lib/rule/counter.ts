import { digestOf } from '../shared/digest.ts';
import type { Subjects } from '../shared/request.ts';
import { matchText } from './fields/counted.ts';
import type { Rule } from './rule.ts';
import { joinParts } from '../shared/subject.ts';
import { timesText } from './times.ts';
import { windowKey } from './windows/windows.ts';

/** Between a counter's digest and its marks; no digest has it. */
const KEPT = '~';

/** Marks of a counter: what refunds leave in it, and that no amounts are summed. Ordinary ones have none. */
function keptText({ refunds, currency }: Rule): string {
  const kept = `${refunds.amount ? '' : 'a'}${refunds.count ? '' : 'c'}`;
  const marks = `${kept}${currency === undefined ? 'n' : ''}`;
  return marks === '' ? '' : `${KEPT}${marks}`;
}

/** What refunds give back in a counter. Its key says it, whatever became of the rule since the check. */
export function refundsOf(counter: string): Rule['refunds'] {
  const [, kept = ''] = counter.split(KEPT);
  return { amount: !kept.includes('a'), count: !kept.includes('c') };
}

/** Whether a counter has a currency: without one a sum of amounts means nothing. */
export function sumsAmounts(counter: string): boolean {
  const marks = counter.indexOf(KEPT);
  return marks < 0 || !counter.includes('n', marks);
}

/** Characters of a counter's digest: 60 bits, where one document has some thousand counters at most. */
const DIGEST_LENGTH = 10;

function counterDigest(parts: readonly string[]): string {
  return digestOf(joinParts(parts)).slice(0, DIGEST_LENGTH);
}

/** What a rule's counters have in common, digested. */
export function scopeOf(rule: Rule): string {
  return counterDigest([
    joinParts(rule.per),
    rule.currency ?? '',
    matchText(rule.counts.is),
    windowKey(rule.window),
    ...(Object.keys(rule.counts.not).length === 0 ? [] : [matchText(rule.counts.not)]),
    ...(rule.when === undefined ? [] : ['when', timesText(rule.when)]),
    ...(rule.generation === undefined ? [] : ['generation', String(rule.generation)]),
  ]);
}

/** What all counters of a rule have in common, their marks included: two rules that share one have the same. */
export function counterScope(rule: Rule): string {
  return `${scopeOf(rule)}${keptText(rule)}`;
}

/**
 * The key of a rule's counter within the document of its first subject. It never comes from the rule's id,
 * mode, dates or maximum: raising a maximum keeps what was used, and rules that count the same share a bucket.
 */
export function counterKey(rule: Rule, subjects: Subjects, scope = scopeOf(rule)): string {
  const others = rule.per.slice(1).map((kind) => subjects[kind] ?? '');
  const digest = others.length === 0 ? scope : counterDigest([scope, ...others]);
  return `${digest}${keptText(rule)}`;
}
