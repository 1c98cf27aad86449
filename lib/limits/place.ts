import { digestOf } from '../shared/digest.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { OrderName, Subjects, Whereabouts } from '../shared/request.ts';
import type { ReservedHold } from './reservation.ts';
import { readReservation } from './reservation.ts';
import { documentId, holdId, homeKind, visitOrder } from '../shared/subject.ts';

/** Where an order's holds are, found out. */
export type Place = {
  /** Home first. Which others there are is home's to say. */
  readonly documents: readonly [string, ...string[]];
  readonly subjects: Subjects;
  /** The call that made the hold, where a reservation says so. */
  readonly nonce?: string;
  /** What is held, where a reservation says so. */
  readonly held?: ReservedHold;
};

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
        expected: 'the reservation from the check of this order, unchanged',
      },
    ]);
  const { kinds, subjects, nonce, held } = reservation;
  const place = { documents: documentsOf(kinds, subjects), subjects, nonce };
  return held === undefined ? place : { ...place, held };
}

function documentsOf(
  [home, ...others]: readonly [string, ...string[]],
  subjects: Subjects,
): readonly [string, ...string[]] {
  const idOf = (kind: string): string => documentId(kind, subjects[kind] ?? '');
  return [idOf(home), ...others.map(idOf)];
}
