import {
  AMOUNT_MINOR_MAX,
  BODY_BYTES_MAX,
  COUNT_MAX,
  MANY_BODY_BYTES_MAX,
} from '../../lib/shared/bounds.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { checkOfManySchema, checkSchema } from '../../lib/http/check-request.ts';
import * as fields from '../../lib/http/fields.ts';
import {
  checksSchema,
  REPORT_DEFAULT,
  settlementSchema,
  settlementsSchema,
} from '../../lib/http/many-request.ts';
import { recordOrderSchema, recordSchema } from '../../lib/record/record-request.ts';
import { refundSchema } from '../../lib/audit/refunds/refund-request.ts';
import { confirmSchema, rollbackSchema } from '../../lib/http/settle-request.ts';
import { only, referenceTo } from './json-schema.ts';
import './request-fields.ts';
import { component, propertiesOf, withFields, without } from './schemas.ts';

component('Text', 'An id or other text, stored as it is.', fields.text);
component('Reason', 'Why somebody changes something. Not of spaces alone.', fields.reasonText);
component('Hold', 'How long a share is held.', fields.holdDuration);
component('Subjects', 'Whom limits count for: kinds to ids.', fields.subjects);
component('Attributes', 'What rules may match, beside type and subjects.', fields.attributes);
const BODY = `At most ${BODY_BYTES_MAX} bytes.`;
const MANY_BODY = `At most ${MANY_BODY_BYTES_MAX} bytes.`;
component('CheckRequest', BODY, checkSchema);
component('ConfirmRequest', BODY, confirmSchema);
component('RollbackRequest', BODY, rollbackSchema);
component('RefundRequest', BODY, refundSchema);
component('CheckOfMany', 'A check, without a dry run.', checkOfManySchema);
component('ChecksRequest', MANY_BODY, checksSchema);
component('Settlement', 'A confirm or a rollback.', settlementSchema);
component('SettlementsRequest', `Each \`orderId\` stands once. ${MANY_BODY}`, settlementsSchema);
component('Payment', 'A payment that happened.', recordOrderSchema);
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
const CHECK_OF_MANY_FIELDS = {
  ...PAYMENT_FIELDS,
  hold: 'An ISO 8601 duration from PT1S to P7D; PT15M where nothing is said. Other ways to write such a length, `PT1H90M`, are taken, too.',
  capture: 'Counts at once, with nothing to confirm.',
  dryRun: 'Only says what would happen.',
};
const REPORT =
  'What is told of rules: nothing; of those that refused, or would have; or of all that apply.';
const CHECK_FIELDS = {
  ...CHECK_OF_MANY_FIELDS,
  report: `${REPORT} \`all\` where nothing is said.`,
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
  const ofMany = withFields(all.CheckOfMany, CHECK_OF_MANY_FIELDS);
  const refund = { ...SETTLE_FIELDS, ...REFUND_FIELDS };
  const many = all.Settlement;
  return {
    CheckRequest: withFields(all.CheckRequest, CHECK_FIELDS),
    ConfirmRequest: withFields(all.ConfirmRequest, SETTLE_FIELDS, ONE_PLACE),
    RollbackRequest: withFields(all.RollbackRequest, SETTLE_FIELDS, ONE_PLACE),
    RefundRequest: withFields(all.RefundRequest, refund, ONE_PLACE),
    CheckOfMany: checkOfMany(ofMany),
    ChecksRequest: withFields(
      all.ChecksRequest,
      {
        orders: 'Each `orderId` stands once.',
        atomic:
          'All are held, or nothing new is. `capture` cannot be given back, so there is none.',
        report: `${REPORT} \`${REPORT_DEFAULT}\` where nothing is said. A call with \`all\` whose answer might be too long is 400.`,
      },
      NO_CAPTURE_IF_ATOMIC,
    ),
    Settlement: {
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
    Payment: withFields(all.Payment, {
      ...PAYMENT_FIELDS,
      at: 'When it happened: RFC 3339 with a zone, to the millisecond at most; not after now.',
    }),
    RecordRequest: withFields(all.RecordRequest, { orders: 'Each `orderId` stands once.' }),
    SettlementsRequest: withFields(all.SettlementsRequest, {
      settlements: 'Each `orderId` stands once.',
    }),
  };
}
