import * as z from 'zod/mini';
import '../../contract/answers.ts';
import type { JsonObject } from './json.ts';
import { endOfPayment } from '../../lib/http/many-request.ts';
import { SAID } from '../../lib/schema/said.ts';
import {
  confirmShape,
  failureCode,
  forTheRecords,
  settlementRequest,
} from '../../lib/http/settle-request.ts';
import { GIVEN } from './given.ts';

const { orderId, reservation, subjects, amount } = confirmShape;
// The two that one of `settlements` may be. A function reads both by one schema.
settlementRequest(
  'ConfirmOfMany',
  { orderId, reservation, subjects, status: endOfPayment('SUCCESS'), amount },
  'It happened.',
);
settlementRequest(
  'RollbackOfMany',
  {
    orderId,
    reservation,
    subjects,
    status: endOfPayment('FAIL'),
    reason: forTheRecords,
    reasonCode: failureCode,
  },
  'The payment failed.',
);

/**
 * All components: what zod writes of the schemas of requests and answers, in JSON Schema 2020-12, the
 * dialect of OpenAPI 3.1, and what it cannot look into.
 *
 * Answers are open: fields may be added to them. Requests are what their schemas say, and refuse fields
 * that nobody knows.
 *
 * @throws Error where a schema means something that nobody said
 */
export function components(): Readonly<Record<string, JsonObject>> {
  const { schemas } = z.toJSONSchema(SAID, {
    target: 'draft-2020-12',
    io: 'input',
    metadata: SAID,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
  });
  const written = Object.entries(schemas).map(([id, schema]) => [id, plain(schema)] as const);
  return { ...GIVEN, ...Object.fromEntries(written) };
}

/** A copy that is nothing but JSON, in the shortest form that means the same. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value), shortest) as JsonObject; // JSON gives an object for an object
}

/**
 * Shortens what zod writes at length: dialects, no fields, names that may be any text, values of
 * any kind, types or null; and what stands behind a reference that is made by hand.
 */
function shortest(name: string, value: unknown): unknown {
  if (name === '$schema' || name === '$id') return undefined;
  const text = JSON.stringify(value);
  if (name === 'properties' && text === '{}') return undefined;
  if (name === 'properties') for (const field of Object.entries(value as object)) assertSaid(field);
  if (name === 'additionalProperties' && text === '{}') return true;
  if (name === 'propertyNames' && text === '{"type":"string"}') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, description, ...others } = value as Readonly<Record<string, unknown>>; // so JSON has it
  if ($ref !== undefined)
    return { $ref, ...(description === undefined ? {} : { description }), ...kept(others) };
  const { anyOf, ...rest } = value as { readonly anyOf?: readonly { readonly type?: unknown }[] };
  const [one, other, ...more] = anyOf ?? [];
  const isNullable = more.length === 0 && other?.type === 'null' && typeof one?.type === 'string';
  return isNullable ? { ...one, ...rest, type: [one.type, 'null'] } : value;
}

/** @throws Error where nothing says what a field is: a function of ours decides */
function assertSaid([name, field]: readonly [string, object]): void {
  const says = Object.keys(field).filter((keyword) => keyword !== 'description');
  if (says.length === 0 && name !== 'operation') throw new Error(`nothing says what ${name} is`);
}

/** Says that each item of a list has its id. */
function kept({ required }: Readonly<Record<string, unknown>>): object {
  return required === undefined ? {} : { required };
}
