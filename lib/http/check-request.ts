import * as z from 'zod/mini';
import { differentOnes } from '../schema/different-ones.ts';
import {
  AMOUNT_MINOR_MAX,
  BODY_BYTES_MAX,
  COUNT_MAX,
  HOLD_SECONDS_DEFAULT,
  HOLD_SECONDS_MAX,
  HOLD_SECONDS_MIN,
  PROOFS_MAX,
} from '../shared/bounds.ts';
import { PROOF_EXPECTED, PROOF_PATTERN } from '../shared/names.ts';
import { present } from '../shared/present.ts';
import type { Mistake } from '../shared/errors.ts';
import type { CheckRequest, Payment } from '../shared/request.ts';
import {
  amount,
  attributes,
  choice,
  currencyCode,
  durationFrom,
  flag,
  patternText,
  subjects,
  text,
  typeName,
  wholeNumber,
} from '../schema/fields.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { WITH_ACTOR, requestSchema } from './requests.ts';
import { component, said } from '../schema/said.ts';

const REPORTS = ['none', 'violations', 'all'] as const;
/** The rules in an answer. */
export type ReportScope = (typeof REPORTS)[number];

/** The fields of a payment. */
export const paymentShape = {
  orderId: text('Your id of the order. Never use it for another order.'),
  type: z.optional(typeName('The type of the order. Rules may match it.')),
  subjects: subjects(
    'The subjects that limits count for. Headroom stores ids as they are: name a card by a token of yours, never by its number.',
  ),
  amount: amount(`Minor units, 0 to ${AMOUNT_MINOR_MAX}: 3000000 fen are 30,000.00 yuan.`),
  currency: currencyCode('ISO 4217, or a private code.'),
  count: z.optional(
    wholeNumber(
      1,
      COUNT_MAX,
      `The number that the order adds to every count, 1 to ${COUNT_MAX}. Default: 1.`,
    ),
  ),
  attributes: z.optional(
    attributes('Attributes that rules may match. No name may be a subject kind, too.'),
  ),
};

type PaymentBody = z.infer<z.ZodMiniObject<typeof paymentShape>>;

/** The fields of an order. */
export const orderShape = {
  ...paymentShape,
  proofs: z.optional(
    differentOnes(
      patternText(PROOF_PATTERN, PROOF_EXPECTED),
      [0, PROOFS_MAX],
      `a list of 0 to ${PROOFS_MAX} different proofs`,
      'The proofs that the payer has just given, such as `sca`. A rule may let an order above its maximum pass that has one. A repeat may have others.',
    ),
  ),
  hold: z.optional(
    durationFrom(
      'Hold',
      [HOLD_SECONDS_MIN * 1000, HOLD_SECONDS_MAX * 1000],
      `an ISO 8601 duration from PT${HOLD_SECONDS_MIN}S to P${HOLD_SECONDS_MAX / 86_400}D, such as PT15M`,
      'How long to hold the amount: an ISO 8601 duration from PT1S to P7D. Default: PT15M. Unusual spellings such as `PT1H90M` work, too.',
    ),
  ),
  partial: z.optional(
    said(
      requestSchema({
        min: wholeNumber(
          1,
          AMOUNT_MINOR_MAX,
          'The least amount that is of use, in minor units: 1 to `amount`.',
        ),
      }),
      'Takes what fits if the whole amount does not. The answer says how much.',
    ),
  ),
  capture: z.optional(flag('Counts the payment at once. Nothing is left to confirm.')),
  dryRun: z.optional(
    flag(
      'Answers what a check would answer, and holds nothing. An application needs `check` or `usage:read` for it.',
    ),
  ),
};

/** The field `report`. */
export const reportScope = (otherwise: string) =>
  z.optional(
    choice(
      REPORTS,
      `The rules in the answer. \`none\`: no rule. \`violations\`: rules that refused or would have refused. \`all\`: every rule that applies. ${otherwise}`,
    ),
  );

/** The request of `check`. */
export const checkSchema = component(
  'CheckRequest',
  said(
    requestSchema({ ...orderShape, report: reportScope('Default: `all`.') }, WITH_ACTOR),
    `At most ${BODY_BYTES_MAX} bytes.`,
  ),
);

/** Makes a request of a body. */
export function checkRequestOf(body: z.infer<typeof checkSchema>, appId: string): CheckRequest {
  return {
    holdMs: body.hold ?? HOLD_SECONDS_DEFAULT * 1000,
    capture: body.capture ?? false,
    dryRun: body.dryRun ?? false,
    ...present({ proofs: body.proofs, leastMinor: body.partial?.min }),
    ...paymentOf(body, appId),
  };
}

/** Makes a payment of a body. */
export function paymentOf(body: PaymentBody, appId: string): Payment {
  return {
    appId,
    orderId: body.orderId,
    type: body.type,
    subjects: body.subjects,
    amountMinor: body.amount,
    currency: body.currency,
    count: body.count ?? 1,
    attributes: body.attributes ?? {},
  };
}

/** Finds mistakes between the fields of one check. */
export function checkMistakes(order: unknown, at: Path = []): readonly Mistake[] {
  const min = ownField(ownField(order, 'partial'), 'min');
  const whole = ownField(order, 'amount');
  const isMore = typeof min === 'number' && typeof whole === 'number' && min > whole;
  const expected = `at most the amount, which is ${String(whole)}`;
  return [
    ...namesUsedTwice(order, at),
    ...(isMore ? [mistakeAt([...at, 'partial', 'min'], min, expected)] : []),
  ];
}

/** Finds names of both an attribute and a subject kind: a rule's `match` names either. */
export function namesUsedTwice(body: unknown, at: Path = []): readonly Mistake[] {
  const given = ownField(body, 'attributes');
  const kinds = ownField(body, 'subjects');
  if (typeof given !== 'object' || given === null) return [];
  return Object.keys(given)
    .filter((name) => ownField(kinds, name) !== undefined)
    .map((name) =>
      mistakeAt(
        [...at, 'attributes', name],
        ownField(given, name),
        'a name that no subject kind has',
      ),
    );
}
