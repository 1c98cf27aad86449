import * as z from 'zod/mini';
import { BODY_BYTES_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import { REASON_CODE_EXPECTED, REASON_CODE_PATTERN } from '../shared/names.ts';
import type { Whereabouts } from '../shared/request.ts';
import { amount, patternText, subjects, text } from '../schema/fields.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { requestSchema } from './requests.ts';
import { component, said } from '../schema/said.ts';

/** Characters of a reservation: ten subjects with the longest ids, escaped, fit. */
export const RESERVATION_LENGTH_MAX = 32_768;

const RESERVATION_EXPECTED = 'the text that check answered as reservation, unchanged';
const reservation = said(
  patternText(/^[A-Za-z0-9_-]+$/, RESERVATION_EXPECTED).check(
    z.maxLength(RESERVATION_LENGTH_MAX, { error: RESERVATION_EXPECTED }),
  ),
  'The `reservation` from the answer of the check, unchanged. It saves round trips. An altered one is answered with 400.',
);

/** The fields of every settlement. */
export const settlementShape = {
  orderId: text('The order.'),
  reservation: z.optional(reservation),
  subjects: z.optional(
    subjects(
      'The subjects of the check, if you do not send `reservation`. The home subject (the `user`) is enough. If you leave out both, Headroom looks into the audit. Without an audit the answer is 400.',
    ),
  ),
};
/** The fields of a confirm. */
export const confirmShape = {
  ...settlementShape,
  amount: z.optional(
    amount('The final amount. It may differ from the amount held. Default: the amount held.'),
  ),
};
/** The reason of a rollback or a refund. */
export const forTheRecords = z.optional(text('Why. Headroom stores it in the audit.'));
/** Why a payment failed, by which rules count failures. */
export const failureCode = z.optional(
  patternText(
    REASON_CODE_PATTERN,
    REASON_CODE_EXPECTED,
    'Why it failed, in a code of yours such as `wrong-pin`. Rules may count failures by it. If the rollback is repeated, the first code stands.',
  ),
);
const rollbackShape = { ...settlementShape, reason: forTheRecords, reasonCode: failureCode };

/** A request that names an order, by at most one of `reservation` and `subjects`. */
export function settlementRequest<Shape extends z.core.$ZodLooseShape>(
  id: string,
  shape: Shape,
  description = `At most ${BODY_BYTES_MAX} bytes.`,
) {
  const onePlace = { not: { required: ['reservation', 'subjects'] } };
  return component(id, said(requestSchema(shape), description, onePlace));
}

/** The request of `confirm`. */
export const confirmSchema = settlementRequest('ConfirmRequest', confirmShape);
/** The request of `rollback`. */
export const rollbackSchema = settlementRequest('RollbackRequest', rollbackShape);

/** Makes a settlement or a refund of a body. */
export function settlementOf(body: SettleBody, appId: string) {
  const { orderId, amount: amountMinor, reason, reasonCode } = body;
  return { appId, orderId, whereabouts: whereaboutsIn(body), amountMinor, reason, reasonCode };
}

type SettleBody = z.infer<z.ZodMiniObject<typeof confirmShape & typeof rollbackShape>>;

function whereaboutsIn(body: SettleBody): Whereabouts {
  if (body.reservation !== undefined) return { kind: 'reservation', token: body.reservation };
  if (body.subjects !== undefined) return { kind: 'subjects', subjects: body.subjects };
  return { kind: 'recorded' };
}

/** Finds a body that says in two ways where its hold is. */
export function notOnePlace(body: unknown, at: Path = []): readonly Mistake[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const token = ownField(body, 'reservation');
  const kinds = ownField(body, 'subjects');
  return token !== undefined && kinds !== undefined
    ? [mistakeAt([...at, 'subjects'], kinds, 'exactly one of reservation and subjects, not both')]
    : [];
}
