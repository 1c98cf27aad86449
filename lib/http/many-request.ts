import * as z from 'zod/mini';
import { MANY_BODY_BYTES_MAX, ORDERS_PER_CALL_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import { repeatedOrders } from '../limits/many.ts';
import { isText } from '../shared/names.ts';
import type { SettlementRequest } from '../shared/request.ts';
import type { ReportScope } from './check-request.ts';
import { checkMistakes, orderShape, reportScope } from './check-request.ts';
import { flag } from '../schema/fields.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { WITH_ACTOR, requestSchema } from './requests.ts';
import { component, referenceTo, said } from '../schema/said.ts';
import {
  confirmShape,
  failureCode,
  forTheRecords,
  notOnePlace,
  settlementOf,
  settlementShape,
} from './settle-request.ts';

/** With it, the answer for 100 orders over 50 rules always fits into RESPONSE_BYTES_MAX. */
export const REPORT_DEFAULT: ReportScope = 'violations';

const ONCE = 'Send each `orderId` once.';

/** A list of orders. Its bound is checked before any order is. */
export function manyOrders<Item extends z.ZodMiniType>(item: Item, id: string) {
  const error = `a list of 1 to ${ORDERS_PER_CALL_MAX} orders`;
  const bounded = z
    .array(z.custom<z.input<Item>>(), { error })
    .check(z.minLength(1, { error }), z.maxLength(ORDERS_PER_CALL_MAX, { error }));
  return said(z.pipe(bounded, z.array(item)), ONCE, { items: referenceTo(id) });
}

/** The request of a call of many orders. */
export function manySchema<
  Shape extends z.core.$ZodLooseShape,
  Direct extends z.core.$ZodLooseShape = Shape,
>(id: string, shape: Shape, direct?: Direct) {
  const description = `${ONCE} At most ${MANY_BODY_BYTES_MAX} bytes.`;
  return component(id, said(requestSchema(shape, direct), description));
}

const checkOfManySchema = component(
  'CheckOfMany',
  said(
    requestSchema({
      ...orderShape,
      dryRun: said(
        z.optional(z.literal(false, { error: 'no dry run among many orders' })),
        'A call of many orders has no dry run.',
      ),
    }),
    'A check. A dry run is not possible here.',
  ),
);

/** The request of `checks`. */
export const checksSchema = said(
  manySchema(
    'ChecksRequest',
    {
      orders: manyOrders(checkOfManySchema, 'CheckOfMany'),
      atomic: z.optional(
        flag(
          'Headroom holds all orders or none. No order may have `capture`, because a captured order cannot be given back, or `partial`.',
        ),
      ),
      report: reportScope(
        `Default: \`${REPORT_DEFAULT}\`. An answer that would be too long has less: \`violations\` instead of \`all\`, or \`none\`.`,
      ),
    },
    WITH_ACTOR,
  ),
  undefined,
  {
    if: { properties: { atomic: { const: true } }, required: ['atomic'] },
    then: {
      properties: {
        orders: { items: { properties: { capture: { const: false }, partial: { not: {} } } } },
      },
    },
  },
);

/** Finds mistakes of many checks between fields, and between orders. */
export function checksMistakes(body: unknown): readonly Mistake[] {
  const atomic = ownField(body, 'atomic') === true;
  return betweenOrders(body, 'orders', (order, at) => [
    ...checkMistakes(order, at),
    ...(atomic && ownField(order, 'capture') === true
      ? [mistakeAt([...at, 'capture'], true, NO_CAPTURE)]
      : []),
    ...(atomic && ownField(order, 'partial') !== undefined
      ? [mistakeAt([...at, 'partial'], ownField(order, 'partial'), NO_PARTIAL)]
      : []),
  ]);
}

const NO_PARTIAL = 'no partial in an atomic call, which holds all orders whole, or none';
const NO_CAPTURE = 'no capture in an atomic call, because a captured order cannot be given back';

/** How a payment may end, in the words of payment systems. */
export const STATUSES = { SUCCESS: 'confirmed', FAIL: 'rolledBack' } as const;
type Status = keyof typeof STATUSES;

/** How a payment ended. */
export const endOfPayment = <const Value extends Status>(...values: readonly Value[]) =>
  said(z.literal(values, { error: 'SUCCESS or FAIL' }), 'The end of the payment.');

/** The fields of one of `settlements`. */
export const settlementFields = {
  ...settlementShape,
  status: endOfPayment('SUCCESS', 'FAIL'),
  amount: confirmShape.amount,
  reason: forTheRecords,
  reasonCode: failureCode,
};

const settlementSchema = requestSchema(settlementFields);
/** The request of `settlements`. */
export const settlementsSchema = manySchema('SettlementsRequest', {
  settlements: manyOrders(settlementSchema, 'Settlement'),
});

/** Makes a settlement of one of many. */
export function oneOfMany(
  body: z.infer<typeof settlementSchema>,
  appId: string,
): SettlementRequest {
  return { to: STATUSES[body.status], ...settlementOf(body, appId) };
}

/** A rollback gives back all, and a confirm needs no reason. */
const ONLY_WITH: Readonly<Record<string, Status>> = {
  amount: 'SUCCESS',
  reason: 'FAIL',
  reasonCode: 'FAIL',
};

/** Finds mistakes between the fields of one settlement. */
export function settlementMistakes(settlement: unknown, at: Path = []): readonly Mistake[] {
  const status = ownField(settlement, 'status');
  const misplaced = Object.entries(ONLY_WITH).flatMap(([field, with_]) => {
    const value = ownField(settlement, field);
    const isOther = (status === 'SUCCESS' || status === 'FAIL') && status !== with_;
    return value === undefined || !isOther
      ? []
      : [mistakeAt([...at, field], value, `no ${field} but with status ${with_}`)];
  });
  return [...notOnePlace(settlement, at), ...misplaced];
}

/** Finds mistakes between the fields of each order, and between the orders. */
export function betweenOrders(
  body: unknown,
  field: string,
  mistakesIn: (order: unknown, at: Path) => readonly Mistake[],
): readonly Mistake[] {
  const list = ownField(body, field);
  if (!Array.isArray(list) || list.length > ORDERS_PER_CALL_MAX) return [];
  const orders: readonly unknown[] = list;
  const names = orders.map((order) => {
    const orderId = ownField(order, 'orderId');
    return isText(orderId) ? { appId: '', orderId } : undefined;
  });
  return [
    ...orders.flatMap((order, index) => mistakesIn(order, [field, index])),
    ...repeatedOrders(field, names),
  ];
}
