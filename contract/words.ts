import * as z from 'zod/mini';
import { COUNTER_SUM_MAX } from '../lib/shared/bounds.ts';
import { component, SAID, said } from '../lib/schema/said.ts';

/*
 * Words that the schemas of answers are made of. The functions that write answers take their types from
 * the schemas, docs/openapi.json and the client their content. No function loads them at run time.
 */

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type Maybe<Fields extends Shape> = [Fields] extends [never]
  ? unknown
  : { [Name in keyof Fields]: z.ZodMiniOptional<Fields[Name]> };

/** A schema's type, for the functions that write it: members that are undefined are left out. */
export type Told<T extends z.ZodMiniType> = Unchanging<z.output<T>>;

type Unchanging<T> = T extends Date
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Unchanging<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Unchanging<T[Name]> }
      : T;

/** An object that has the fields of `always`, and may have those of `maybe`; others may be added. */
export function object<Always extends Shape, Fields extends Shape = never>(
  description: string,
  always: Always,
  maybe?: Fields,
) {
  const fields = { ...always, ...z.partial(z.object(maybe ?? {})).shape };
  return said(z.object(fields as Always & Maybe<Fields>), description); // which it was made of
}

/** Such an object with a name, to which others refer. */
export function named<Always extends Shape, Fields extends Shape = never>(
  id: string,
  description: string,
  always: Always,
  maybe?: Fields,
) {
  return component(id, object(description, always, maybe));
}

/** Any text. */
export const text = (description: string) => said(z.string(), description);

/** One of some texts. */
export const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  said(z.enum(values), description);

/** One value only. */
export const only = <const Value extends string | boolean>(value: Value) => z.literal(value);

/** True or false. */
export const flag = (description: string) => said(z.boolean(), description);

/** A whole number between two bounds. */
export const whole = (description: string, least: number, most: number) =>
  said(z.int().check(z.minimum(least), z.maximum(most)), description);

/** A whole number, as large as sums may grow. */
export const sum = (description: string) => whole(description, 0, COUNTER_SUM_MAX);

/** A whole number that may be more than a number keeps exactly. */
export const large = (description: string, least = 0) =>
  said(z.number().check(z.minimum(least)), description, { type: 'integer' });

/** A part of a whole. */
export const fraction = (description: string) =>
  said(z.number().check(z.minimum(0), z.maximum(1)), description);

/** RFC 3339, in UTC, with milliseconds, as `JSON.stringify` writes a `Date`: answers have those. */
export const instant = (description: string) =>
  said(z.string() as z.ZodMiniType as z.ZodMiniType<Date>, description, { format: 'date-time' });

/** An instant in an answer that is kept as it was written: its text. */
export const writtenInstant = (description: string) =>
  said(z.string(), description, { format: 'date-time' });

/**
 * An ISO 8601 duration: hours at most, and thousandths of a second at least. JSON Schema's format
 * `duration` has no fractions, and the steps of a rolling minute are `PT1.25S`.
 */
export const SPAN_PATTERN = /^PT([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]{1,3})?S)?$/;

/** How long something is. */
export const span = (description: string) =>
  said(z.string().check(z.regex(SPAN_PATTERN)), description);

/** An object with fields of any kind. */
export const anything = (description: string) => said(z.looseObject({}), description);

/** A list. */
export const list = <Item extends z.ZodMiniType>(items: Item, description: string, most?: number) =>
  said(z.array(items).check(...(most === undefined ? [] : [z.maxLength(most)])), description);

/** Names to values. */
export const record = <Value extends z.ZodMiniType>(values: Value, description: string) =>
  said(z.record(z.string(), values), description);

/** A value of which something is said, or null. */
export function nullable<T extends z.ZodMiniType>(schema: T): z.ZodMiniNullable<T> {
  const { description = '', ...more } = SAID.get(schema) ?? {};
  SAID.add(schema, more);
  return orNull(schema, description);
}

/** A component, or null. */
export const orNull = <T extends z.ZodMiniType>(schema: T, description: string) =>
  said(z.nullable(schema), description);

/** One of several components, and no other of them. */
export const either = <const Options extends readonly z.ZodMiniType[]>(
  id: string,
  description: string,
  options: Options,
) => component(id, said(z.xor(options), description));

/** One of several components, which their `kind` tells apart. */
export function byKind<const Options extends Readonly<Record<string, z.ZodMiniType>>>(
  id: string,
  description: string,
  options: Options,
) {
  const each = Object.values(options) as Options[keyof Options][]; // as its type says
  const mapping = Object.entries(options).map(([kind, schema]) => [
    kind,
    `#/components/schemas/${String(SAID.get(schema)?.id)}`,
  ]);
  const discriminator = { propertyName: 'kind', mapping: Object.fromEntries(mapping) as unknown };
  return component(id, said(z.xor(each), description, { discriminator }));
}

/** One of some texts, each with its meaning. */
export function oneOfThese<const Value extends string>(meanings: Readonly<Record<Value, string>>) {
  const each = Object.entries(meanings).map(
    ([value, meaning]) => `\`${value}\`: ${String(meaning)}`,
  );
  return oneOf(Object.keys(meanings) as Value[], `${each.join('; ')}.`); // its keys are the values
}
