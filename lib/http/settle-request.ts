import * as z from 'zod/mini';
import { BODY_BYTES_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import type { Subjects, Whereabouts } from '../shared/request.ts';
import { amount, patternText, subjects, text } from './fields.ts';
import type { Path } from './mistakes.ts';
import { mistakeAt, ownField } from './mistakes.ts';
import { requestSchema } from './requests.ts';
import { component, said } from './said.ts';

/** Characters of a reservation: ten subjects with the longest ids, escaped, fit. */
export const RESERVATION_LENGTH_MAX = 32_768;

const RESERVATION_EXPECTED = 'the text that check answered as reservation, unchanged';
const reservation = said(
  patternText(/^[A-Za-z0-9_-]+$/, RESERVATION_EXPECTED).check(
    z.maxLength(RESERVATION_LENGTH_MAX, { error: RESERVATION_EXPECTED }),
  ),
  'The `reservation` from the answer of the check, unchanged. It saves round trips. An altered one is answered with 400.',
);

/** What every settlement may name. */
export const settlementShape = {
  orderId: text('The order.'),
  reservation: z.optional(reservation),
  subjects: z.optional(
    subjects(
      'The subjects of the check, if you do not send `reservation`. The home subject (the `user`) is enough. If you leave out both, Headroom looks into the audit. Without an audit the answer is 400.',
    ),
  ),
};
/** What a confirm may say beside. */
export const confirmShape = {
  ...settlementShape,
  amount: z.optional(
    amount('The final amount. It may differ from the amount held. Default: the amount held.'),
  ),
};
/** Why something is rolled back or refunded. */
export const forTheRecords = z.optional(text('Why. Headroom stores it in the audit.'));
const rollbackShape = { ...settlementShape, reason: forTheRecords };

/** What a request is that names an order: `reservation` or `subjects`, at most one of the two. */
export function settlementRequest<Shape extends z.core.$ZodLooseShape>(
  id: string,
  shape: Shape,
  description = `At most ${BODY_BYTES_MAX} bytes.`,
) {
  const onePlace = { not: { required: ['reservation', 'subjects'] } };
  return component(id, said(requestSchema(shape), description, onePlace));
}

/** What `confirm` takes. */
export const confirmSchema = settlementRequest('ConfirmRequest', confirmShape);
/** What `rollback` takes. */
export const rollbackSchema = settlementRequest('RollbackRequest', rollbackShape);

/** What is asked of an order that was checked, of a body that fits its schema. */
export function settlementOf(body: Settling, appId: string) {
  const { orderId, amount: amountMinor, reason } = body;
  return { appId, orderId, whereabouts: whereaboutsIn(body), amountMinor, reason };
}

type Settling = {
  readonly orderId: string;
  readonly reservation?: string | undefined;
  readonly subjects?: Subjects | undefined;
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
};

function whereaboutsIn(body: Settling): Whereabouts {
  if (body.reservation !== undefined) return { kind: 'reservation', token: body.reservation };
  if (body.subjects !== undefined) return { kind: 'subjects', subjects: body.subjects };
  return { kind: 'recorded' };
}

/** A settlement says in one way where its hold is, or leaves it to the audit. */
export function notOnePlace(body: unknown, at: Path = []): readonly Mistake[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const token = ownField(body, 'reservation');
  const kinds = ownField(body, 'subjects');
  return token !== undefined && kinds !== undefined
    ? [mistakeAt([...at, 'subjects'], kinds, 'exactly one of reservation and subjects, not both')]
    : [];
}
