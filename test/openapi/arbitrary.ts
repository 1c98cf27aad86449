import fc from 'fast-check';
import { ANY_CHARACTER } from '../support/any-character.ts';
import type { Schema } from './contract.ts';
import { DOCUMENT, fits } from './contract.ts';

/** Values that a JSON Schema of the document allows, and values next to them. */

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;
const schemaOf = (value: unknown): Schema => (value ?? {}) as Schema; // so JSON Schema says
const listOf = (value: unknown): readonly Schema[] => (value ?? []) as readonly Schema[];

/** The schema behind a reference of the document. */
function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const id = textOf(schema.$ref).split('/').at(-1) ?? '';
  return schemaOf(DOCUMENT.components.schemas[id]);
}

/** Longer lists and objects find nothing more. */
const ITEMS_MAX = 4;

/**
 * Values of a schema, by the keywords that the document uses. The keywords that only forbid, `not`
 * and `if`, sort values out at the end.
 */
export function allowedBy(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  return valuesOf(schema).filter((value) => fits(given, value));
}

function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...(schema.enum as unknown[]));
  const choices = [...listOf(schema.oneOf), ...listOf(schema.anyOf)];
  if (choices.length > 0) return fc.oneof(...choices.map(allowedBy));
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integersOf(schema);
    case 'string':
      return textsOf(schema);
    case 'array':
      return fc.array(allowedBy(schemaOf(schema.items)), {
        minLength: numberOf(schema.minItems, 0),
        maxLength: Math.min(ITEMS_MAX, numberOf(schema.maxItems, ITEMS_MAX)),
      });
    case 'object':
      return objectsOf(schema);
    default:
      throw new Error(`no values are made of ${JSON.stringify(schema)}`);
  }
}

function integersOf({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  const [least, most] = [numberOf(minimum, 0), numberOf(maximum, Number.MAX_SAFE_INTEGER)];
  return fc.oneof(
    fc.integer({ min: least, max: most }),
    fc.integer({ min: least, max: Math.min(most, least + 1_000) }),
    fc.constantFrom(least, most),
  );
}

function textsOf({ pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const [least, most] = [numberOf(minLength, 0), numberOf(maxLength, 1_000)];
  const longest = ['x', '\u0001', '限', '👍'].map((letter) => letter.repeat(most));
  const matching = fc.stringMatching(new RegExp(textOf(pattern), 'u'));
  return fc.oneof(
    { weight: 4, arbitrary: matching },
    { weight: 2, arbitrary: fc.string({ unit: ANY_CHARACTER, minLength: least, maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constantFrom(...longest, '__proto__', '$ne', 'a:b\\', ' ') },
  );
}

function objectsOf(schema: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(schemaOf(schema.properties));
  if (fields.length > 0)
    return fc.record(
      Object.fromEntries(fields.map(([name, field]) => [name, allowedBy(schemaOf(field))])),
      { requiredKeys: listOf(schema.required) as unknown as string[] }, // names
    );
  const names = { type: 'string', ...schemaOf(schema.propertyNames) };
  return fc.dictionary(
    fc.oneof(
      fc.constantFrom('user', 'merchant', 'card'),
      allowedBy(names) as fc.Arbitrary<string>, // its type is a string
    ),
    allowedBy(schemaOf(schema.additionalProperties)),
    { minKeys: numberOf(schema.minProperties, 0), maxKeys: ITEMS_MAX },
  );
}

type Place = readonly (string | number)[];

/** Every place in a value. */
function placesIn(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Array.isArray(value)
    ? value.flatMap((one, index) => placesIn(one, [...at, index]))
    : Object.entries(value).flatMap(([name, one]) => placesIn(one, [...at, name]));
  return [at, ...inner];
}

/** A copy in which something else stands at a place; nothing where it is undefined. */
function replaced(value: unknown, place: Place, change: (old: unknown) => unknown): unknown {
  const [first, ...rest] = place;
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((one: unknown, index) =>
      index === first ? replaced(one, rest, change) : one,
    );
  return Object.fromEntries(
    Object.entries(schemaOf(value)).flatMap(([name, one]) => {
      const changed = name === first ? replaced(one, rest, change) : one;
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

/** Values that stand in no field, or at the edge of one. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, false, 0, -1, 1, 1.5, 10, 1_000_000, 1_000_001, 10 ** 15, 10 ** 15 + 1],
    ...[2 ** 53, -(2 ** 53), 1e308, '', 'x', 'x'.repeat(257), '👍'.repeat(257), '\0', 'a\uFFFD'],
    ...['cny', 'CNY', 'PT15M', 'PT0S', 'P7DT1S', 'P1M', 'SUCCESS', 'FAIL', 'success', 'all'],
    ...[[], [[]], {}, { user: 'u-1' }, { User: 'u-1' }, { constructor: 'x' }, { type: 'x' }],
    { $ne: null },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

const fieldNames = fc.constantFrom(
  ...['reservation', 'subjects', 'amount', 'reason', 'status', 'dryRun', 'capture', 'refundId'],
  ...['colour', '__proto', 'toString', 'OrderId', 'atomic', 'report', 'count', 'type'],
);

/**
 * A value with one change: another value at a place, a field more, a field less, or a duplicate in a
 * list. The document says whether it is allowed.
 */
export function changed(value: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(value);
  const place = fc.constantFrom(...places);
  return fc.oneof(
    fc.tuple(place, strange).map(([at, other]) => replaced(value, at, () => other)),
    fc
      .tuple(place, fieldNames, strange)
      .map(([at, name, other]) =>
        replaced(value, at, (old) =>
          typeof old === 'object' && old !== null && !Array.isArray(old)
            ? { ...old, [name]: other }
            : other,
        ),
      ),
    place.map((at) => (at.length === 0 ? {} : replaced(value, at, () => undefined))),
    place.map((at) =>
      replaced(value, at, (old) => (Array.isArray(old) ? [...(old as unknown[]), old[0]] : old)),
    ),
  );
}
