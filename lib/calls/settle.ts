import type { ConfirmAnswer, Excess, RollbackAnswer } from '../domain/answer.ts';
import { counterKey } from '../domain/counter.ts';
import { digestOf } from '../domain/digest.ts';
import type { DocumentView } from '../domain/document.ts';
import {
  AlreadyConfirmedError,
  AlreadyRolledBackError,
  ForgottenError,
  InvalidRequestError,
  NotFoundError,
  ReservationReplacedError,
} from '../domain/errors.ts';
import type { Mistake } from '../domain/errors.ts';
import type {
  ConfirmRequest,
  OrderName,
  RollbackRequest,
  Subjects,
  Whereabouts,
} from '../domain/request.ts';
import { readReservation } from '../domain/reservation.ts';
import type { Rule } from '../domain/rule.ts';
import { inEffect } from '../domain/rule.ts';
import type { Settlement, SettlementAsk } from '../domain/settlement.ts';
import { decideSettlement, excessOf } from '../domain/settlement.ts';
import { documentId, holdId, homeKind, visitOrder } from '../domain/subject.ts';
import type { Context } from './context.ts';

/** A settlement that settled. */
export type Settled = Extract<Settlement, { readonly kind: 'settled' }>;

/** Where an order's holds are, found out. */
export type Place = {
  readonly documents: readonly [string, ...string[]];
  readonly subjects: Subjects;
  /** The call that made the hold, where a reservation says so. */
  readonly nonce?: string;
};

/** Counts a payment that happened, in the windows of its check. */
export async function confirm(context: Context, request: ConfirmRequest): Promise<ConfirmAnswer> {
  const place = placeOf(request, context.homeKinds);
  const { amountMinor } = request;
  const ask = { to: 'confirmed', ...(amountMinor === undefined ? {} : { amountMinor }) } as const;
  const { settled, views } = await settleAll(context, request, place, ask);
  const { repeated, late } = settled;
  const answer = { repeated, late, amountMinor: settled.amountMinor };
  if (repeated || (!late && settled.amountMinor <= settled.entry.amount))
    return { ...answer, exceeded: [] };
  const rules = await rulesIfReadable(context);
  return rules === undefined
    ? answer
    : { ...answer, exceeded: excesses(rules, place, views, settled) };
}

/** The payment is counted already: that the rules cannot be read must not make it an error. */
export async function rulesIfReadable(context: Context): Promise<readonly Rule[] | undefined> {
  try {
    return await context.rules();
  } catch {
    return undefined;
  }
}

/** Gives back what a payment that did not happen held. */
export async function rollback(
  context: Context,
  request: RollbackRequest,
): Promise<RollbackAnswer> {
  const place = placeOf(request, context.homeKinds);
  const nonce = place.nonce === undefined ? {} : { nonce: place.nonce };
  const { settled } = await settleAll(context, request, place, { to: 'rolledBack', ...nonce });
  return { repeated: settled.repeated };
}

/**
 * Finds out where an order's holds are.
 *
 * @throws InvalidRequestError where the reservation is not this order's
 */
export function placeOf(
  { whereabouts, ...order }: OrderName & { readonly whereabouts: Whereabouts },
  homeKinds: readonly string[],
): Place {
  if (whereabouts.kind === 'subjects') {
    const { subjects } = whereabouts;
    const kinds = visitOrder(subjects, Object.keys(subjects), homeKind(subjects, homeKinds));
    return { documents: documentsOf(kinds, subjects), subjects };
  }
  if (whereabouts.kind === 'recorded')
    throw new TypeError('where an order is recorded is looked up before it is settled');
  const reservation = readReservation(whereabouts.token);
  if (reservation?.order !== digestOf(holdId(order)))
    throw new InvalidRequestError([
      {
        path: 'reservation',
        value: JSON.stringify(whereabouts.token.slice(0, 40)),
        expected: 'the text that the check of this very order answered as reservation, unchanged',
      },
    ]);
  const { kinds, subjects, nonce } = reservation;
  return { documents: documentsOf(kinds, subjects), subjects, nonce };
}

function documentsOf(
  [home, ...others]: readonly [string, ...string[]],
  subjects: Subjects,
): readonly [string, ...string[]] {
  const idOf = (kind: string): string => documentId(kind, subjects[kind] ?? '');
  return [idOf(home), ...others.map(idOf)];
}

/**
 * Settles home first, whose answer is the truth about the order, then the other documents.
 *
 * So of a confirm and a rollback at once exactly one wins everywhere. A crash in between leaves the
 * others open: the repeat of the same call finds home settled and completes them.
 */
async function settleAll(
  context: Context,
  request: OrderName,
  place: Place,
  ask: SettlementAsk,
): Promise<{ settled: Settled; views: ReadonlyMap<string, DocumentView> }> {
  const id = holdId(request);
  const [home] = place.documents;
  const view = await context.counters.settle(home, { ...ask, id, remembers: true }, context.at);
  const settled = settledOrThrow(decideSettlement(view, ask), request, place);
  const views = new Map(view === undefined ? [] : [[home, view]]);
  const same = ask.to === 'confirmed' ? { amountMinor: settled.amountMinor } : {};
  const nonce = countsOnce(ask, settled) ? { nonce: settled.entry.nonce } : {};
  for (const document of othersOf(place, settled)) {
    const told = { to: ask.to, ...same, ...nonce, id, remembers: false };
    const other = await context.counters.settle(document, told, context.at);
    if (other !== undefined) views.set(document, other);
  }
  return { settled, views };
}

/** Documents beside home that are told: those that the caller named, and those that home knows of. */
export function othersOf({ documents }: Place, { entry }: Settled): readonly string[] {
  const [home, ...named] = documents;
  return [...new Set([...named, ...(entry.others ?? [])])].filter((other) => other !== home);
}

/**
 * Whether only the shares of the call that completed the check may be counted: a share that arrived
 * after the order was settled must not be, and of a check that nobody completed every share must.
 * A rollback gives back whatever there is.
 */
export function countsOnce(ask: SettlementAsk, { entry }: Settled): boolean {
  return ask.to === 'confirmed' && !(entry.state === 'open' && entry.pending);
}

/**
 * Throws what a settlement that did not settle is answered with.
 *
 * @throws NotFoundError, ForgottenError, AlreadyConfirmedError, AlreadyRolledBackError,
 *   ReservationReplacedError, InvalidRequestError (subjects without the one that is home)
 */
export function settledOrThrow(
  settlement: Settlement,
  { orderId }: OrderName,
  place: Place,
): Settled {
  switch (settlement.kind) {
    case 'settled':
      return settlement;
    case 'alreadyConfirmed':
      throw new AlreadyConfirmedError(orderId, settlement.amountMinor);
    case 'alreadyRolledBack':
      throw new AlreadyRolledBackError(orderId);
    case 'elsewhere':
      throw new InvalidRequestError([notHome(place, settlement.home)]);
    case 'replaced':
      throw new ReservationReplacedError(orderId);
    case 'unknown': // a reservation proves that the order was held once
      throw settlement.forgot || place.nonce !== undefined
        ? new ForgottenError(orderId)
        : new NotFoundError(orderId);
  }
}

function notHome({ subjects }: Place, home: string): Mistake {
  const [kind] = home.split(':');
  return {
    path: 'subjects',
    value: JSON.stringify(Object.keys(subjects)),
    expected: `the subjects of the check, of which the ${kind} is home to the order, or its reservation`,
  };
}

/** Which maxima are exceeded now that a payment is counted, and by how much. */
export function excesses(
  rules: readonly Rule[],
  place: Place,
  views: ReadonlyMap<string, DocumentView>,
  settled: Settled,
): readonly Excess[] {
  return rules.flatMap((rule) => {
    const [owner] = rule.per;
    const view = views.get(documentId(owner, place.subjects[owner] ?? ''));
    const known = rule.per.every((kind) => Object.hasOwn(place.subjects, kind));
    if (view === undefined || !known || rule.mode !== 'enforce' || !inEffect(rule, view.now))
      return [];
    return excessOf(rule, counterKey(rule, place.subjects), view, settled.amountMinor);
  });
}
