import type { Subjects } from '../shared/request.ts';
import type { StillRead } from './counter-key.ts';
import {
  MARKS,
  OUTCOME_LETTERS,
  PART,
  codeDigest,
  counterDigest,
  originText,
  pairDigest,
} from './counter-key.ts';
import { measureOf } from './measures/measures.ts';
import type { Rule } from './rule.ts';
import { isLive, matchText, sharesDocument } from './rule.ts';
import { joinParts } from '../shared/subject.ts';
import { timesText } from './times.ts';
import { asWritten, isCounted, windowKey } from './windows/windows.ts';

/* Which counter a rule counts in. counter-key.ts says how its key is read. */

function marksText(rule: Rule): string {
  const { refunds, currency, outcomes = [], reasonCodes = [] } = rule;
  const kept = `${refunds.amount ? '' : MARKS.keepsAmounts}${refunds.count ? '' : MARKS.keepsCounts}`;
  const { mark, name } = measureOf(rule);
  const letters = outcomes.map((state) => OUTCOME_LETTERS[state]).join('');
  const codes = reasonCodes.map(codeDigest).sort().join('');
  const sums = `${kept}${currency === undefined ? MARKS.countsAlone : ''}${mark?.(rule) ?? ''}`;
  if (name !== undefined)
    return ['', sums, letters || OUTCOME_LETTERS.confirmed, codes, name(rule)].join(PART);
  const marks = [sums, letters, codes];
  return marks.map((part) => (part === '' ? '' : `${PART}${part}`)).join('');
}

/** What a rule's counters have in common, digested. */
export function scopeOf(rule: Rule): string {
  const parts = [
    joinParts(rule.per),
    rule.currency ?? '',
    matchText(rule.counts.is),
    windowKey(rule.window),
    ...(Object.keys(rule.counts.not).length === 0 ? [] : [matchText(rule.counts.not)]),
    ...measureOf(rule).scope(rule),
    ...(rule.when === undefined ? [] : ['when', timesText(rule.when)]),
    ...(rule.counterparts === 'few' ? [] : ['counterparts', rule.counterparts]),
    ...(rule.generation === undefined ? [] : ['generation', String(rule.generation)]),
  ];
  return counterDigest(joinParts(parts));
}

/** What all counters of a rule have in common, their marks included: two rules that share one have the same. */
export function counterScope(rule: Rule): string {
  return `${scopeOf(rule)}${marksText(rule)}`;
}

/**
 * The key of a rule's counter within its document. A document of several subjects names them itself. It never comes from the rule's id,
 * mode, dates or maximum: raising a maximum keeps what was used, and rules that count the same share a bucket.
 */
export function counterKey(
  rule: Rule,
  subjects: Subjects,
  scope = scopeOf(rule),
  origin = originOf(rule),
): string {
  if (origin === undefined) return `${scope}${marksText(rule)}`;
  const others = rule.per.slice(1).map((kind) => subjects[kind] ?? '');
  return `${pairDigest(joinParts([scope, ...others]))}${origin}${marksText(rule)}`;
}

/** The origin of a rule's counters, whatever an order makes of the rule; undefined where they name no further subjects. */
export function originOf(rule: Rule): string | undefined {
  if (!sharesDocument(rule)) return undefined;
  const { lowers: _ofOrder, ...written } = { ...rule, window: asWritten(rule.window) };
  return originText(counterScope(written), rule.generation);
}

/** Which counters a set reads; undefined if it is not stored: then nobody knows what ended. */
export function stillReadUnder(
  rules: readonly Rule[],
  asOf = rules[0]?.asOf,
): StillRead | undefined {
  if (asOf === undefined) return undefined;
  const counting = rules.filter((rule) => isLive(rule) && isCounted(rule.window));
  return { asOf, origins: new Set(counting.flatMap((rule) => originOf(rule) ?? [])) };
}
