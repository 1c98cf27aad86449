import {
  AMOUNT_MINOR_MAX,
  ATTRIBUTES_MAX,
  BODY_BYTES_MAX,
  COUNT_MAX,
  ID_LENGTH_MAX,
  MANY_BODY_BYTES_MAX,
  ORDERS_PER_CALL_MAX,
  SUBJECTS_MAX,
} from '../../lib/domain/bounds.ts';
import {
  ATTRIBUTE_PATTERN,
  isAttributeName,
  isKind,
  KIND_PATTERN,
} from '../../lib/domain/names.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import { checkSchema } from '../../lib/edge/check-request.ts';
import * as fields from '../../lib/edge/fields.ts';
import {
  checksSchema,
  REPORT_DEFAULT,
  settlementSchema,
  settlementsSchema,
} from '../../lib/edge/many-request.ts';
import { recordFields, recordOrderSchema, recordSchema } from '../../lib/edge/record-request.ts';
import { refundSchema } from '../../lib/edge/refund-request.ts';
import { confirmSchema, rollbackSchema } from '../../lib/edge/settle-request.ts';
import { HOLD_PATTERN } from './duration-patterns.ts';
import { INSTANT_PATTERN } from './given-patterns.ts';
import { only, referenceTo } from './json-schema.ts';
import { component, means, propertiesOf, withFields, without } from './schemas.ts';

/** An id or other text. Half surrogate pairs are no text in JSON Schema, and need not be named. */
const TEXT: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: ID_LENGTH_MAX,
  pattern: '^[^\\u0000\\uFFFD]*$',
};

/** Names that a pattern admits and Headroom does not: every object has them, or every request. */
function namesTaken(pattern: RegExp, isName: (name: string) => boolean): readonly string[] {
  const known = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'type', 'currency'];
  return known.filter((name) => pattern.test(name) && !isName(name)).sort();
}

/** What a name is written with, and which are none. */
export function nameOf(pattern: RegExp, isName: (name: string) => boolean): JsonObject {
  return { pattern: pattern.source, not: { enum: namesTaken(pattern, isName) } };
}

/** What an attribute may be. */
export const ATTRIBUTE_VALUE: JsonObject = {
  anyOf: [
    referenceTo('Text'),
    { type: 'boolean' },
    { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  ],
};

const listOf = (id: string): JsonObject => ({
  type: 'array',
  minItems: 1,
  maxItems: ORDERS_PER_CALL_MAX,
  items: referenceTo(id),
});

means(fields.text, TEXT);
means(fields.holdDuration, { type: 'string', pattern: HOLD_PATTERN });
means(recordFields.at, {
  type: 'string',
  pattern: INSTANT_PATTERN,
  examples: ['2026-03-02T09:30:00+08:00'],
});
means(fields.subjects, {
  type: 'object',
  minProperties: 1,
  maxProperties: SUBJECTS_MAX,
  propertyNames: nameOf(KIND_PATTERN, isKind),
  additionalProperties: referenceTo('Text'),
  examples: [{ user: 'u-1', card: 'c-9' }],
});
means(fields.attributes, {
  type: 'object',
  maxProperties: ATTRIBUTES_MAX,
  propertyNames: nameOf(ATTRIBUTE_PATTERN, isAttributeName),
  additionalProperties: ATTRIBUTE_VALUE,
  examples: [{ channel: 'app', level: 3, vip: true }],
});
means(checksSchema._zod.def.shape.orders, listOf('CheckOfMany'));
means(settlementsSchema._zod.def.shape.settlements, listOf('SettlementOfMany'));
means(recordSchema._zod.def.shape.orders, listOf('RecordOfMany'));

component('Text', 'An id or other text, stored as it is.', fields.text);
component('Hold', 'How long a share is held.', fields.holdDuration);
component('Subjects', 'Whom limits count for: kinds to ids.', fields.subjects);
component('Attributes', 'What rules may match, beside type and subjects.', fields.attributes);
const BODY = `At most ${BODY_BYTES_MAX} bytes.`;
const MANY_BODY = `At most ${MANY_BODY_BYTES_MAX} bytes.`;
component('CheckRequest', BODY, checkSchema);
component('ConfirmRequest', BODY, confirmSchema);
component('RollbackRequest', BODY, rollbackSchema);
component('RefundRequest', BODY, refundSchema);
component('ChecksRequest', MANY_BODY, checksSchema);
component('SettlementOfMany', 'A confirm or a rollback.', settlementSchema);
component('SettlementsRequest', `Each \`orderId\` stands once. ${MANY_BODY}`, settlementsSchema);
component('RecordOfMany', 'A payment that happened.', recordOrderSchema);
component('RecordRequest', `Each \`orderId\` stands once. ${MANY_BODY}`, recordSchema);

const AMOUNT = `Minor units, 0 to ${AMOUNT_MINOR_MAX}: 3000000 fen are 30,000.00 yuan.`;
const PAYMENT_FIELDS = {
  orderId: 'Yours; names the order for ever.',
  type: 'What rules may match.',
  subjects:
    'Whom limits count for. Ids are stored as they are: name a card by a token of yours, never by its number.',
  amount: AMOUNT,
  currency: 'ISO 4217, or a private code.',
  count: `How much it adds to every count, 1 to ${COUNT_MAX}; 1 where nothing is said.`,
  attributes: 'For rules to match. No name that is a subject kind, too.',
};
const CHECK_FIELDS = {
  ...PAYMENT_FIELDS,
  hold: 'An ISO 8601 duration from PT1S to P7D; PT15M where nothing is said. Other ways to write such a length, `PT1H90M`, are taken, too.',
  capture: 'Counts at once, with nothing to confirm.',
  dryRun: 'Only says what would happen.',
};

const SETTLE_FIELDS = {
  orderId: 'The order.',
  reservation:
    'What the check answered, unchanged; saves round trips. One that was altered or made up is 400.',
  subjects:
    'In place of `reservation`: the subjects of the check; home alone (the `user`) is enough. Where both are left out, the audit says where the order is; where it is off, that is 400.',
  amount: 'The final amount, smaller or larger than what was held; left out, it is what was held.',
  reason: 'For the records.',
};
const REFUND_FIELDS = {
  refundId: 'Yours; names the refund within the order for ever.',
  amount: '1 to what is left, in minor units; left out, all that is left.',
};

/** `reservation` or `subjects`, at most one of the two. */
const ONE_PLACE: JsonObject = { not: { required: ['reservation', 'subjects'] } };

/** An order of many is no dry run. */
function checkOfMany(check: JsonObject | undefined): JsonObject {
  const { dryRun, ...others } = propertiesOf(check);
  return {
    ...check,
    description: 'A check, without a dry run.',
    properties: { ...others, dryRun: { ...dryRun, const: false, description: 'No dry run.' } },
  };
}

/** What is counted cannot be given back, so an atomic call has no capture. */
const NO_CAPTURE_IF_ATOMIC: JsonObject = {
  if: { properties: { atomic: { const: true } }, required: ['atomic'] },
  then: {
    properties: { orders: { items: { properties: { capture: { const: false } } } } },
  },
};

/** One end of a settlement: a rollback gives back all, and a confirm needs no reason. */
function endOf(
  settlement: JsonObject | undefined,
  {
    status,
    misplaced,
    description,
  }: Readonly<Record<'status' | 'misplaced' | 'description', string>>,
): JsonObject {
  const properties = without(propertiesOf(settlement), [misplaced]);
  return withFields(
    { ...settlement, description, properties: { ...properties, status: only(status) } },
    { ...SETTLE_FIELDS, status: 'How it ended.' },
    ONE_PLACE,
  );
}

/** What calls take, as the document says it: the schemas that validate, and what is wrong between fields. */
export function requestComponents(
  all: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const check = withFields(all.CheckRequest, CHECK_FIELDS);
  const refund = { ...SETTLE_FIELDS, ...REFUND_FIELDS };
  const many = all.SettlementOfMany;
  return {
    CheckRequest: check,
    ConfirmRequest: withFields(all.ConfirmRequest, SETTLE_FIELDS, ONE_PLACE),
    RollbackRequest: withFields(all.RollbackRequest, SETTLE_FIELDS, ONE_PLACE),
    RefundRequest: withFields(all.RefundRequest, refund, ONE_PLACE),
    CheckOfMany: checkOfMany(check),
    ChecksRequest: withFields(
      all.ChecksRequest,
      {
        orders: 'Each `orderId` stands once.',
        atomic:
          'All are held, or nothing new is. `capture` cannot be given back, so there is none.',
        report: `What is told of rules: nothing; of those that refused it, or would have; or of all that apply. \`${REPORT_DEFAULT}\` where nothing is said. A call with \`all\` whose answer might be too long is 400.`,
      },
      NO_CAPTURE_IF_ATOMIC,
    ),
    SettlementOfMany: {
      description: 'A confirm or a rollback.',
      oneOf: [referenceTo('ConfirmOfMany'), referenceTo('RollbackOfMany')],
      discriminator: {
        propertyName: 'status',
        mapping: {
          SUCCESS: '#/components/schemas/ConfirmOfMany',
          FAIL: '#/components/schemas/RollbackOfMany',
        },
      },
    },
    ConfirmOfMany: endOf(many, {
      status: 'SUCCESS',
      misplaced: 'reason',
      description: 'It happened.',
    }),
    RollbackOfMany: endOf(many, {
      status: 'FAIL',
      misplaced: 'amount',
      description: 'It did not happen.',
    }),
    RecordOfMany: withFields(all.RecordOfMany, {
      ...PAYMENT_FIELDS,
      at: 'When it happened: RFC 3339 with a zone, to the millisecond at most; not after now.',
    }),
    RecordRequest: withFields(all.RecordRequest, { orders: 'Each `orderId` stands once.' }),
    SettlementsRequest: withFields(all.SettlementsRequest, {
      settlements: 'Each `orderId` stands once.',
    }),
  };
}
