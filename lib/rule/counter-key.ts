import { digestOf } from '../shared/digest.ts';
import type { CountedState } from '../shared/states.ts';

/*
 * A counter's key says what an outcome makes of it, whatever became of the rule since the check:
 *
 *     digest [ @origin ] [ ~marks [ ~outcomes [ ~codes [ ~name ] ] ] ]
 *
 * - origin: of a counter of several subjects, what its rules have in common, and the generation in which it began;
 * - marks: what refunds leave (`a` amounts, `c` counts), `n` if no amounts are summed, and `s` if something lowers the
 *   sum: that has a counter of its own, which is called the same but for `t`;
 * - outcomes: those that count (`c` confirmed, `r` rolled back, `x` expired); if absent, `c`;
 * - codes: digests of the reason codes that count, of one length;
 * - name: the digest of the name whose different values are counted; then the outcomes always stand before it.
 *
 * An ordinary counter is its digest alone.
 */

/** Between the parts of a counter's key; no digest has it. */
export const PART = '~';

/** Before the origin in a counter's key. */
const ORIGIN = '@';

/** Each mark in counters' keys, once: a kind of counter that has one has it from here. */
export const MARKS = {
  /** Refunds leave amounts, and counts. */
  keepsAmounts: 'a',
  keepsCounts: 'c',
  /** No amounts are summed. */
  countsAlone: 'n',
  /** Something lowers the sum; and the counter of what does. */
  lowered: 's',
  lowers: 't',
} as const;

/**
 * Characters of digests. Rules alone choose a counter of one subject: of 300 rules two look alike with a chance of one in
 * six billion. Callers choose the further names of a counter of several, so it has 96 bits, of which nobody finds two.
 */
const [COUNTER_LENGTH, PAIR_LENGTH, CODE_LENGTH, NAME_LENGTH, VALUE_LENGTH] = [8, 16, 6, 6, 16];
/** Of an origin: two that look alike keep buckets longer, and drop none. */
const ORIGIN_LENGTH = 6;

/** The form of a digest of so many characters. */
function formOf(length: number): string {
  return `[A-Za-z0-9_-]{${length}}`;
}

/** In a counter's key. */
export const OUTCOME_LETTERS: Readonly<Record<CountedState, string>> = {
  confirmed: 'c',
  rolledBack: 'r',
  expired: 'x',
};

const [CODES, NAME] = [`(?:${formOf(CODE_LENGTH)})`, formOf(NAME_LENGTH)];
const FROM = `${ORIGIN}${formOf(ORIGIN_LENGTH)}[0-9a-z]+`;
/** Those that count in a counter of failures, and perhaps with them what is confirmed. */
const FAILURES = 'c?(?:rx?|x)';

/** The form of a counter's key. */
export const COUNTER_KEY = `(?:${formOf(COUNTER_LENGTH)}|${formOf(PAIR_LENGTH)}${FROM})(?:~[${Object.values(MARKS).join('')}]{1,3}(?:~${FAILURES}(?:~${CODES}+)?|~(?:c|${FAILURES})~${CODES}*~${NAME})?)?`;

/** How what sets a counter apart stands in its key. */
export function counterDigest(text: string): string {
  return digestOf(text).slice(0, COUNTER_LENGTH);
}

/** How what sets a counter of several subjects apart stands in its key. */
export function pairDigest(text: string): string {
  return digestOf(text).slice(0, PAIR_LENGTH);
}

/** How a reason code stands in a counter's key: a counter has a few, and others must not look like them. */
export function codeDigest(code: string): string {
  return digestOf(code).slice(0, CODE_LENGTH);
}

/** The origin of counters. @param scope what all of them have in common */
export function originText(scope: string, generation = 1): string {
  return `${ORIGIN}${digestOf(scope).slice(0, ORIGIN_LENGTH)}${generation.toString(36)}`;
}

/** The origin in a counter's key: of a counter of one subject, none. */
function originIn(counter: string) {
  const at = counter.indexOf(ORIGIN);
  if (at < 0) return undefined; // as of most
  const [key = ''] = counter.split(PART);
  const origin = key.slice(at);
  return { origin, generation: Number.parseInt(origin.slice(1 + ORIGIN_LENGTH), 36) };
}

/** Which counters of several subjects the rules of a stored set read, by their origins, and the revision of the set. */
export type StillRead = { readonly asOf: number; readonly origins: ReadonlySet<string> };

/**
 * Whether no rule reads a counter of several subjects, now and later. It began no later than the set, and the set has no
 * rule of it. A rule that comes back has another generation, so another counter.
 *
 * A counter of what expired stays: a late settlement takes from it what the expiry added.
 */
export function hasNoRule(counter: string, stillRead: StillRead | undefined): boolean {
  if (stillRead === undefined) return false;
  const from = originIn(counter);
  if (from === undefined || from.generation > stillRead.asOf) return false;
  return !stillRead.origins.has(from.origin) && !countsOutcome(counter, 'expired');
}

/** What stands behind the digest in a counter's key: rules that count alike have the same. */
export function marksIn(counter: string): string {
  const at = counter.indexOf(PART);
  return at < 0 ? '' : counter.slice(at); // of most, nothing
}

/** The name at the end of a counter's key, under which shares keep what it counts: of most, none. */
export function nameIn(counter: string): string | undefined {
  const [, , , , name] = counter.split(PART);
  return name;
}

/** What refunds give back in a counter. Its key says it, whatever became of the rule since the check. */
export function refundsOf(counter: string): { readonly amount: boolean; readonly count: boolean } {
  const [, kept = ''] = counter.split(PART);
  return {
    amount: !kept.includes(MARKS.keepsAmounts),
    count: !kept.includes(MARKS.keepsCounts),
  };
}

/** Whether a counter has a currency: without one a sum of amounts means nothing. */
export function sumsAmounts(counter: string): boolean {
  const [, marks = ''] = counter.split(PART);
  return !marks.includes(MARKS.countsAlone);
}

/** The outcomes that count in a counter, as its key says them: undefined where a confirm alone does. */
export function outcomesText(counter: string): string | undefined {
  if (!counter.includes(PART)) return undefined;
  const [, , letters, codes = ''] = counter.split(PART);
  return letters === undefined ? undefined : `${letters}${PART}${codes}`;
}

/** Whether orders of which this became count in a counter. @param reasonCode of a rollback, where it had one */
export function countsOutcome(counter: string, state: CountedState, reasonCode?: string): boolean {
  if (!counter.includes(PART)) return state === 'confirmed'; // as most are
  const [, , letters = OUTCOME_LETTERS.confirmed, codes = ''] = counter.split(PART);
  if (!letters.includes(OUTCOME_LETTERS[state])) return false;
  if (state !== 'rolledBack' || codes === '') return true;
  if (reasonCode === undefined) return false;
  const digest = codeDigest(reasonCode);
  for (let at = 0; at < codes.length; at += CODE_LENGTH)
    if (codes.startsWith(digest, at)) return true;
  return false;
}

/** What counters keep of an order beside amount and number, by name. Both are digests. */
export type Values = Readonly<Record<string, string>>;

/** How the name of what is kept stands in a counter's key, and among `Values`. */
export function nameDigest(name: string): string {
  return digestOf(name).slice(0, NAME_LENGTH);
}

/** How it is kept: in 96 bits, for callers choose it. */
export function valueDigest(value: string): string {
  return digestOf(value).slice(0, VALUE_LENGTH);
}

/** The forms of both. */
export const VALUE_FORMS = {
  name: new RegExp(`^${NAME}$`),
  value: new RegExp(`^${formOf(VALUE_LENGTH)}$`),
} as const;
