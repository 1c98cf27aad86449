import type { ConfirmAnswer, SettlementAnswer } from './answer.ts';
import type { CompiledRules } from '../plan/compile.ts';
import { MEMORY_MS } from '../shared/bounds.ts';
import {
  AlreadyConfirmedError,
  AlreadyRolledBackError,
  ForgottenError,
  NotHomeError,
  NotFoundError,
  ReservationReplacedError,
} from '../shared/errors.ts';
import type { Mistake } from '../shared/errors.ts';
import type { SettlementRequest, Subjects } from '../shared/request.ts';
import type { Rule } from '../rule/rule.ts';
import type { Quantity } from '../rule/own-terms.ts';
import { countsEnding } from '../rule/counting.ts';
import { documentKind, isIn, isSameForAll, valueOf } from '../rule/rule.ts';
import { isBegun, ruleFor } from '../rule/rule-for-order.ts';
import { marksIn } from '../rule/counter-key.ts';
import { sinceOf } from '../rule/windows/windows.ts';
import { inEffect } from '../rule/in-effect.ts';
import type { SettlementAsk } from '../document/counter-store.ts';
import type { Settlement } from '../document/settlement.ts';
import type { DocumentView, Entry } from '../document/document.ts';
import type { BucketReference } from '../counter/sums.ts';
import type { Followed } from './shares.ts';
import { uncountedIn } from './shares.ts';
import { afterSettlement, pendingIn } from '../document/settlement.ts';
import { documentOf, readDocument } from '../shared/subject.ts';
import { underTerms } from '../rule/terms.ts';
import type { CheckSaid, Context, Judge } from './context.ts';
import type { Place } from './reservation.ts';
import { isOver } from '../counter/effect.ts';
import type { Excess } from './standing.ts';
import { ruleExcess } from './standing.ts';
import type { CountedRule } from './crossings.ts';
import { countedBuckets } from '../document/take.ts';

type Settled = Extract<Settlement, { readonly kind: 'settled' }>;

/** One settlement, and how far it came. */
export type Settling = {
  readonly request: SettlementRequest;
  readonly id: string;
  readonly place: Place;
  readonly ask: SettlementAsk;
  view?: DocumentView | undefined;
  settled?: Settled | undefined;
  /** Of a settlement that is refused because home has counted the order: what home counted. */
  counted?: Entry;
  /** What other documents said; absent where home gave no answer. */
  followed?: readonly Followed[] | undefined;
  error?: unknown;
};

/** @param now home's instant, or the best idea of it */
export function settleError(
  settlement: Exclude<Settlement, Settled>,
  { request: { orderId }, place }: Settling,
  now: Date,
): Error {
  switch (settlement.kind) {
    case 'alreadyConfirmed':
      return new AlreadyConfirmedError(orderId, settlement.amountMinor);
    case 'alreadyRolledBack':
      return new AlreadyRolledBackError(orderId);
    case 'elsewhere':
      return new NotHomeError([notHome(place, settlement.home)]);
    case 'replaced':
      return new ReservationReplacedError(orderId);
    case 'unknown':
      return notKnown(settlement.memory, orderId, place, now);
  }
}

/**
 * What is said of an order that home does not know. A reservation says that the order was held, but
 * not by whose word: where home must remember it, it names another document than its check did.
 */
function notKnown(
  memory: Extract<Settlement, { readonly kind: 'unknown' }>['memory'],
  orderId: string,
  { documents: [home], nonce, held }: Place,
  now: Date,
): NotFoundError | ForgottenError {
  if (memory === 'partial') return new ForgottenError(orderId);
  if (nonce === undefined) return new NotFoundError(orderId);
  const there = `in the document ${JSON.stringify(home)}, which the reservation names`;
  const isRemembered =
    held === undefined ? memory === 'whole' : now.getTime() < held.until.getTime() + MEMORY_MS;
  return isRemembered ? new NotFoundError(orderId, there) : new ForgottenError(orderId, there);
}

function notHome({ subjects, nonce }: Place, home: string): Mistake {
  const [kind] = home.split(':');
  if (nonce !== undefined)
    return {
      path: 'reservation',
      value: `one that has the ${Object.keys(subjects).join(', ')} of the order`,
      expected: `the reservation from the check, unchanged: the ${kind} is home to the order`,
    };
  return {
    path: 'subjects',
    value: JSON.stringify(Object.keys(subjects)),
    expected: `the subjects of the check, among them the ${kind}, which is home to the order; or the reservation`,
  };
}

/** Writes the answer to a settlement that settled. @param counted as `rulesCounting` found them */
export function settlementAnswer(
  to: SettlementAsk['to'],
  { repeated, late, end: { amountMinor } }: Settled,
  followed: readonly Followed[],
  counted: Counted | undefined,
): SettlementAnswer {
  if (to === 'rolledBack') return { state: 'rolledBack', repeated };
  return {
    state: 'confirmed',
    repeated,
    late,
    amount: amountMinor,
    uncounted: uncountedIn(followed),
    exceeded: excessesIn(counted, amountMinor),
  };
}

/** Whether a rollback leaves something in counters of failures, as far as its documents say where its shares were. */
export function isFailure({ entry, end }: Settled, followed: readonly Followed[]): boolean {
  return [entry, ...followed.map(({ share }) => share)].some(
    (hold) => hold && 'places' in hold && countedBuckets({ hold, end }).length > 0,
  );
}

/** Rules in effect in which a settlement counts. */
export type Counted = {
  readonly rules: readonly CountedRule[];
  /** Those of which nobody has told the maximum or the window: here they have the least that it may be. */
  readonly untold: readonly CountedRule[];
};

const NONE: Counted = { rules: [], untold: [] };

/** Maxima that are exceeded, if any are; null where nobody knows, and they may be. */
function excessesIn(counted: Counted | undefined, amountMinor: number): ConfirmAnswer['exceeded'] {
  if (counted === undefined) return null;
  const known = counted.rules.flatMap((one) => excessOf(one, amountMinor));
  if (known.length > 0) return known;
  return mayExceed(counted, amountMinor) ? null : undefined;
}

function excessOf({ rule, counter, after }: CountedRule, amountMinor: number): readonly Excess[] {
  return rule.mode === 'enforce' ? ruleExcess(rule, counter, after, { amountMinor }) : [];
}

function mayExceed({ untold }: Counted, amountMinor: number): boolean {
  return untold.some((one) => excessOf(one, amountMinor).length > 0);
}

/** Finds rules by what the check said; without it, they are untold where their maximum or window depends on that. */
type Counting = (said?: CheckSaid) => Counted;

/** Gives what judges a settlement that may exceed what only its check could tell. */
export function judgeOf(
  counting: Counting | undefined,
  counted: Counted | undefined,
  { end: { amountMinor } }: Settled,
): Judge | undefined {
  if (counting === undefined || counted === undefined) return undefined;
  if (!mayExceed(counted, amountMinor)) return undefined;
  return (said) => excessesIn(counting(said), amountMinor);
}

/**
 * Finds the rules in which a confirm counts what was not held any more, or more than was held; and where crossings are
 * told, those in which a rollback counts.
 *
 * @returns undefined where the rules cannot be read: the payment is counted already, so it is no error
 */
export async function rulesCounting(
  context: Context,
  settling: Settling,
  settled: Settled,
  followed: readonly Followed[],
): Promise<Counting | undefined> {
  const { repeated, late, end, entry } = settled;
  const isAboveHeld = late || end.amountMinor > entry.amount;
  const isNear = context.tellsNear && isFailure(settled, followed);
  if (repeated || !(settling.ask.to === 'confirmed' ? isAboveHeld : isNear)) return () => NONE;
  try {
    const rules = await context.rules();
    return (said) => countedBy(rules, settling, settled, followed, said);
  } catch {
    return undefined;
  }
}

function countedBy(
  rules: CompiledRules,
  { ask, place, view }: Settling,
  { end, entry }: Settled,
  followed: readonly Followed[],
  said: CheckSaid | undefined,
): Counted {
  const { documents } = place;
  // A rollback that names home alone has no other answer that tells of the others.
  const others = ask.to === 'confirmed' ? [] : followed.map(({ document }) => document);
  const named = others.flatMap((document) => Object.entries(readDocument(document).subjects));
  const subjects = { ...Object.fromEntries(named), ...place.subjects };
  const views = new Map([[documents[0], view]]);
  for (const one of followed) views.set(one.document, one.view);
  const counted: CountedRule[] = [];
  const untold: CountedRule[] = [];
  for (const rule of rules.live) {
    const before = views.get(documentOf(documentKind(rule), subjects));
    const isTheirs = rule.per.every((kind) => Object.hasOwn(subjects, kind));
    if (before === undefined || !isTheirs || !inEffect(rule, before.now)) continue;
    if (!countsEnding(rule, end)) continue;
    const hold = pendingIn(before, entry.nonce);
    const { terms } = views.get(documentOf(rule.per[0], subjects)) ?? before;
    const judged = judgedBy(underTerms(rule, terms, before.now), said);
    if (hold === undefined || judged === undefined) continue;
    const open = hold.places.buckets.filter((bucket) => !isOver(bucket, before.now));
    const after = afterSettlement(before, hold, end);
    for (const counter of countersIn(rules, judged, subjects, open)) {
      const bucket = open.find((one) => one.counter === counter);
      if (bucket === undefined) continue;
      const { rule: inForce, isTold } = judged;
      (isTold ? counted : untold).push({ rule: inForce, counter, bucket, subjects, before, after });
    }
  }
  return { rules: counted, untold };
}

type JudgedRule = { readonly rule: Rule; readonly isTold: boolean };

/** A rule as it judges an order, or may; undefined if it does not. @param rule under its subject's terms */
function judgedBy(rule: Rule, said: CheckSaid | undefined): JudgedRule | undefined {
  if (isSameForAll(rule)) return { rule, isTold: true };
  if (said === undefined || !tells(said, rule))
    return { rule: { ...rule, max: leastMaximum(rule) }, isTold: false };
  const { payment } = said;
  if (!isBegun(rule, payment) || !isIn(rule.appliesTo, payment)) return undefined;
  return { rule: ruleFor(rule, payment), isTold: true };
}

/** Whether it is known of each name that a rule asks for what the check said, or that it said nothing. */
function tells({ payment, isKept }: CheckSaid, { maxBy, appliesTo, window }: Rule): boolean {
  const names = [
    maxBy?.amountMinor?.by,
    maxBy?.count?.by,
    ...Object.keys(appliesTo.is),
    ...Object.keys(appliesTo.not),
    sinceOf(window)?.attribute,
  ];
  const isTold = (name: string): boolean =>
    name === 'type' || name === 'proof' || valueOf(payment, name) !== undefined || isKept(name);
  return names.every((name) => name === undefined || isTold(name));
}

/** The counter of a rule; where its window begins with an instant that is not told, those that may be it. */
function countersIn(
  rules: CompiledRules,
  { rule, isTold }: JudgedRule,
  subjects: Subjects,
  open: readonly BucketReference[],
): readonly string[] {
  const own = rules.counterOf(rule, subjects);
  if (isTold || sinceOf(rule.window) === undefined) return [own];
  const isTheirs = ({ per }: Rule): boolean => per.every((kind) => Object.hasOwn(subjects, kind));
  const others = rules.live.filter((one) => sinceOf(one.window) === undefined && isTheirs(one));
  const known = new Set(others.map((one) => rules.counterOf(one, subjects)));
  return open
    .map(({ counter }) => counter)
    .filter((counter) => !known.has(counter) && marksIn(counter) === marksIn(own));
}

/** The least that a rule may allow, whatever an order says. */
function leastMaximum({ max, maxBy }: Rule): Quantity {
  const least = (of: keyof Quantity): number =>
    Math.min(max[of] ?? Infinity, ...Object.values(maxBy?.[of]?.values ?? {}));
  return { amountMinor: least('amountMinor'), count: least('count') };
}
