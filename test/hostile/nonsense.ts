import fc from 'fast-check';
import { ANY_CHARACTER } from '../support/any-character.ts';

/** The calls, by the name of their function. */
// prettier-ignore
export const NAMES = ['check', 'confirm', 'rollback', 'refund', 'checks', 'settlements', 'record'] as const;
/** One of the calls. */
export type Name = (typeof NAMES)[number];

type Fields = Readonly<Record<string, unknown>>;

/** A check, a confirm, a rollback and a refund that are right in every field that they may have. */
export const RIGHT = {
  check: {
    orderId: 'o-1',
    type: 'PAYMENT',
    subjects: { user: 'u-1', merchant: 'm-1' },
    amount: 100,
    currency: 'CNY',
    count: 1,
    attributes: { channel: 'app', vip: true, level: 3 },
    hold: 'PT15M',
    capture: false,
    dryRun: false,
  },
  confirm: { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' }, amount: 100 },
  rollback: { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' }, reason: 'no funds' },
  refund: { orderId: 'o-1', refundId: 'r-1', amount: 100, reason: 'sent back' },
} as const;

/** A payment that happened. */
const PAYMENT = {
  orderId: 'o-1',
  at: '2026-01-02T09:30:00+08:00',
  type: 'PAYMENT',
  subjects: { user: 'u-1', merchant: 'm-1' },
  amount: 100,
  currency: 'CNY',
  count: 1,
  attributes: { channel: 'app', vip: true, level: 3 },
};
const END = { ...RIGHT.confirm, status: 'SUCCESS' };
const ANOTHER = { orderId: 'o-2' };
const REQUIRED = ['orderId', 'refundId', 'subjects', 'orders', 'settlements'];

/** A whole request of each call. */
const REQUESTS: Readonly<Record<Name, Fields>> = {
  ...RIGHT,
  checks: { orders: [{ ...RIGHT.check, ...ANOTHER }, RIGHT.check], atomic: false },
  settlements: { settlements: [{ ...END, ...ANOTHER }, END] },
  record: { orders: [{ ...PAYMENT, ...ANOTHER }, PAYMENT] },
};

/**
 * The list of a call of many, what one of its orders is, and what it cannot do without. A settlement without its
 * subjects is looked for in the audit, and fails by itself.
 */
const LISTS: Readonly<Partial<Record<Name, List>>> = {
  checks: { field: 'orders', item: RIGHT.check, needs: REQUIRED },
  settlements: { field: 'settlements', item: END, needs: ['orderId'] },
  record: { field: 'orders', item: PAYMENT, needs: REQUIRED },
};
type List = { readonly field: string; readonly item: Fields; readonly needs: readonly string[] };

/** Keys by which objects have been polluted. */
const TRAPS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
] as const;

/** Texts that a database might take for an instruction. */
export const OPERATORS = [
  { $ne: null },
  { $gt: '' },
  { $regex: '.*' },
  { $where: 'sleep(1000)' },
  { $function: { body: 'return 1', args: [], lang: 'js' } },
  { $literal: 'x' },
  { $expr: true },
  ['$NOW'],
] as const;

/** Values that no field takes. */
const nobodys: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...OPERATORS),
  fc.constantFrom<unknown>(
    null,
    '',
    '\u0000',
    '\ud800',
    '\ufffd',
    -1,
    1.5,
    1e308,
    2 ** 53,
    [],
    [[]],
  ),
  fc.string({ unit: ANY_CHARACTER, minLength: 257, maxLength: 400 }),
  fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
  fc
    .dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 1 }), {
      minKeys: 1,
      maxKeys: 3,
    })
    .map((value) => ({ ...value, $set: 1 })),
);

const written = (fields: readonly (readonly [string, string])[]): string =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const fieldsOf = (right: Fields): [string, string][] =>
  Object.entries(right).map(([field, value]) => [field, JSON.stringify(value)]);

/** A right request with one thing wrong with it, or with one of its orders. */
export function nearlyRight(name: Name): fc.Arbitrary<string> {
  const list = LISTS[name];
  if (list === undefined) return nearly(REQUESTS[name]);
  const { field, item, needs } = list;
  const good = JSON.stringify({ ...item, ...ANOTHER });
  return fc.oneof(
    { weight: 1, arbitrary: nearly(REQUESTS[name]) },
    { weight: 3, arbitrary: nearly(item, needs).map((bad) => `{"${field}":[${good},${bad}]}`) },
  );
}

/** Something right with one thing wrong with it, as text so that any name can stand in it. */
function nearly(right: Fields, needs: readonly string[] = REQUIRED): fc.Arbitrary<string> {
  const fields = fieldsOf(right);
  const required = REQUIRED.filter((name) => name in right);
  const place = fc.nat({ max: fields.length - 1 });
  return fc.oneof(
    // A value that its field does not take.
    fc
      .tuple(place, nobodys)
      .map(([at, value]) =>
        written(
          fields.map(([field, right], index) => [
            field,
            index === at ? JSON.stringify(value) : right,
          ]),
        ),
      ),
    // A field that nobody knows, or a trap.
    fc
      .tuple(
        fc.oneof(fc.constantFrom<string>(...TRAPS, '$set', 'a.b', ''), unknownNames(right)),
        fc.jsonValue(),
      )
      .map(([field, value]) => written([...fields, [field, JSON.stringify(value)]])),
    // A field that stands twice.
    place.map((at) => written([...fields, fields[at] ?? ['orderId', '"o-3"']])),
    // The order's name, or its place, left out.
    fc
      .constantFrom(...needs.filter((name) => name in right))
      .map((missing) => written(fields.filter(([field]) => field !== missing))),
    // A trap, or an operator, one level down.
    fc
      .tuple(
        fc.constantFrom<string>(...TRAPS, '$where', '$ne', 'a.b', ''),
        fc.constantFrom('"x"', '1', '{}'),
      )
      .map(([key, value]) =>
        written(
          fields.map(([field, right]) =>
            required.includes(field) && field !== 'orderId'
              ? [field, `{${JSON.stringify(key)}:${value}}`]
              : [field, right],
          ),
        ),
      ),
    // A text that ends too early.
    fc.nat({ max: 40 }).map((length) => written(fields).slice(0, length)),
  );
}

function unknownNames(right: Fields): fc.Arbitrary<string> {
  return fc
    .string({ minLength: 1, maxLength: 20 })
    .filter((field) => !(field in right) && !['reservation', 'reason'].includes(field));
}

/** Bytes that are hardly JSON, and hardly text: noise, and a right request with bytes changed or cut. */
export function bytesLike(name: Name): fc.Arbitrary<Uint8Array> {
  const right = Buffer.from(written(fieldsOf(REQUESTS[name])));
  return fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.nat({ max: right.length - 2 }).map((length) => Uint8Array.from(right.subarray(0, length))),
    fc
      .tuple(fc.nat({ max: right.length - 1 }), fc.constantFrom(0x00, 0x80, 0xc0, 0xed, 0xf8, 0xff))
      .map(([at, byte]) => Uint8Array.from(right, (value, index) => (index === at ? byte : value))),
  );
}
