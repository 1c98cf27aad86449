import type { Excess, SettlementAnswer } from './answer.ts';
import type { CompiledRules } from '../rules/compile.ts';
import { MEMORY_MS } from '../shared/bounds.ts';
import {
  AlreadyConfirmedError,
  AlreadyRolledBackError,
  ForgottenError,
  InvalidRequestError,
  NotFoundError,
  ReservationReplacedError,
} from '../shared/errors.ts';
import type { Mistake } from '../shared/errors.ts';
import type { SettlementRequest } from '../shared/request.ts';
import { inEffect, isSameForAll } from '../rules/rule.ts';
import type { Settlement, SettlementAsk } from './settlement.ts';
import type { DocumentView } from './document/document.ts';
import type { Followed } from './shares.ts';
import { excessOf } from './settlement.ts';
import { documentId } from '../shared/subject.ts';
import { underTerms } from '../rules/terms/terms.ts';
import type { Context } from './context.ts';
import type { Place } from './reservation.ts';

type Settled = Extract<Settlement, { readonly kind: 'settled' }>;

/** One settlement while the call runs. */
export type Item = {
  readonly request: SettlementRequest;
  readonly id: string;
  readonly place: Place;
  readonly ask: SettlementAsk;
};

/** One settlement, and how far it came. */
export type Settling = Item & {
  view?: DocumentView | undefined;
  settled?: Settled;
  /** What other documents said; undefined where home gave no answer. */
  followed: readonly Followed[] | undefined;
  error?: unknown;
};

/** A settlement that settled, and what all its documents said. */
export type Heard = Settling & {
  readonly settled: Settled;
  readonly followed: readonly Followed[];
};

/** @param now home's instant, or the best idea of it */
export function errorOf(
  settlement: Exclude<Settlement, Settled>,
  { request: { orderId }, place }: Item,
  now: Date,
): Error {
  switch (settlement.kind) {
    case 'alreadyConfirmed':
      return new AlreadyConfirmedError(orderId, settlement.amountMinor);
    case 'alreadyRolledBack':
      return new AlreadyRolledBackError(orderId);
    case 'elsewhere':
      return new InvalidRequestError([notHome(place, settlement.home)]);
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

/** Writes the answer to a settlement that settled. */
export async function settlementAnswer(context: Context, heard: Heard): Promise<SettlementAnswer> {
  const { ask, settled, followed } = heard;
  const { repeated, late, amountMinor } = settled;
  if (ask.to === 'rolledBack') return { kind: 'rolledBack', repeated };
  const missing = followed.filter(({ uncounted }) => uncounted).map(({ document }) => document);
  const answer = {
    kind: 'confirmed' as const,
    repeated,
    late,
    amountMinor,
    ...(missing.length === 0 ? {} : { uncounted: missing }),
  };
  if (!isAboveHeld(settled)) return { exceeded: [], ...answer };
  const rules = await rulesIfReadable(context);
  return rules === undefined ? answer : { exceeded: excesses(rules, heard), ...answer };
}

/** Whether a confirm counts what was not held any more, or more than was held. */
export function isAboveHeld({ repeated, late, amountMinor, entry }: Settled): boolean {
  return !repeated && (late || amountMinor > entry.amount);
}

/** The payment is counted already: that the rules cannot be read must not make it an error. */
export async function rulesIfReadable(context: Context): Promise<CompiledRules | undefined> {
  try {
    return await context.rules();
  } catch {
    return undefined;
  }
}

function excesses(rules: CompiledRules, heard: Heard): readonly Excess[] {
  const { subjects } = heard.place;
  const { entry, amountMinor } = heard.settled;
  return rulesCounting(rules, heard).flatMap(({ rule, view }) => {
    if (rule.mode !== 'enforce') return [];
    return excessOf(rule, rules.counterOf(rule, subjects), view, entry.nonce, amountMinor);
  });
}

/** Finds rules in effect whose maximum is the same for all orders: an order's check alone could tell of others. */
export function rulesCounting({ live }: CompiledRules, { place, view, followed }: Heard) {
  const { documents, subjects } = place;
  const views = new Map([
    [documents[0], view],
    ...followed.map((one) => [one.document, one.view] as const),
  ]);
  return live.flatMap((rule) => {
    const [owner] = rule.per;
    const found = views.get(documentId(owner, subjects[owner] ?? ''));
    const isTheirs = rule.per.every((kind) => Object.hasOwn(subjects, kind));
    if (found === undefined || !isTheirs || !isSameForAll(rule) || !inEffect(rule, found.now))
      return [];
    return [{ rule: underTerms(rule, found.terms, found.now), view: found }];
  });
}
