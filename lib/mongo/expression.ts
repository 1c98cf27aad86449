import type { Value } from '../limits/document/update.ts';

/**
 * The few expressions that pipelines are written in, by name: histories and chains. Raw `$`
 * operators live here and in `lib/limits`; all of these are documented for MongoDB 5.0 and later.
 */
export type Expression = Value;

/** Values by the name of the field that holds them. */
export type Fields = Readonly<Record<string, Expression>>;

/** A value as it is: a text that begins with `$` stays a text. */
export const literal = (value: Expression): Expression => ({ $literal: value });

export const when = (condition: Expression, yes: Expression, no: Expression): Expression => ({
  $cond: [condition, yes, no],
});
export const all = (...conditions: Expression[]): Expression => ({ $and: conditions });
export const either = (...conditions: Expression[]): Expression => ({ $or: conditions });
export const not = (condition: Expression): Expression => ({ $not: [condition] });
export const equal = (a: Expression, b: Expression): Expression => ({ $eq: [a, b] });
export const differ = (a: Expression, b: Expression): Expression => ({ $ne: [a, b] });
/** Greater than; of instants, after. */
export const above = (a: Expression, b: Expression): Expression => ({ $gt: [a, b] });
/** At most; of instants, not after. */
export const atMost = (a: Expression, b: Expression): Expression => ({ $lte: [a, b] });
/** The first of the values that is neither missing nor null. */
export const firstOf = (...values: Expression[]): Expression => ({ $ifNull: values });

export const smallest = (...values: Expression[]): Expression => ({ $min: values });
export const size = (list: Expression): Expression => ({ $size: list });

/** Every item of a list, turned into something else; `as` names the item. */
export const each = (input: Expression, as: string, turned: Expression): Expression => ({
  $map: { input, as, in: turned },
});
/** The items of a list for which a condition holds. */
export const those = (input: Expression, as: string, cond: Expression): Expression => ({
  $filter: { input, as, cond },
});
export const first = (list: Expression): Expression => ({ $first: list });
export const joined = (...lists: Expression[]): Expression => ({ $concatArrays: lists });
/** Goes through a list with a value that each item, `$$this`, may change. */
export const carried = (input: Expression, initialValue: Expression, next: Expression) =>
  ({ $reduce: { input, initialValue, in: next } }) as const;
export const isIn = (item: Expression, list: Expression): Expression => ({ $in: [item, list] });

/** One stage of a pipeline. */
export type PipelineStage = Readonly<Record<string, Expression>>;
