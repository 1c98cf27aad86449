/**
 * The few expressions that pipelines are written in, by name: near rows, histories and chains. Raw `$`
 * operators live here and in `lib/limits`; all of these are documented for MongoDB 5.0 and later.
 */
export type Expression =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | readonly Expression[]
  | { readonly [field: string]: Expression };

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
export const orEmpty = (list: Expression): Expression => firstOf(list, []);

export const largest = (...values: Expression[]): Expression => ({ $max: values });
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
/** The sum of a field over a list; null counts as nothing. */
/** The parts of a text between separators. */
/** One part of a list, counted from 0. */
/** Texts one after the other. */
/** An instant as a text of its milliseconds since 1970. */
/** The instant that such a text names. */
/** The entries of a map as a list of `k` and `v`, and such a list as a map. */
/** The items of a list but the newest ones; of a list that is longer. */
/** Documents laid over one another; the later wins, and fields keep their places. */
/** The instant of the step in which an instant lies, steps being counted from the epoch. */
/** The server's instant, one for the whole update. */
export const SERVER_NOW = '$$NOW';

/** One stage of an update pipeline. */
export type PipelineStage = Readonly<Record<string, Expression>>;

/**
 * An update in stages: lay the request and the instant down under `work`; work out one group of
 * values after another, each from the groups before it; write; take `work` away. All but the first
 * stage is the same for every request.
 *
 * What does not change is set to itself, so the document stays byte for byte what it was and the
 * server sees that there is nothing to write. (A stage that replaces the whole document would do on
 * MongoDB, but not every engine compares it with what is stored.) Values are kept in fields and not
 * in variables of `$let`, because not every engine evaluates those once. Every operator is read anew
 * with every call, whether it is evaluated or not: what a request cannot need, it does not send.
 *
 * @param writes the stored fields that may change, by name
 */
export const updating = (
  groups: readonly Fields[],
  writes: Fields,
): ((request: Expression, now: Expression) => readonly PipelineStage[]) => {
  const stages = [
    ...groups.map((group) => ({
      $set: Object.fromEntries(
        Object.entries(group).map(([name, value]) => [`work.${name}`, value]),
      ),
    })),
    { $set: writes },
    { $unset: 'work' },
  ];
  return (request, now) => [{ $set: { work: { request: literal(request), now } } }, ...stages];
};

/** Writes fields where a condition holds, and leaves each as it is where it does not. */
export const writing = (condition: Expression, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, when(condition, value, `$${name}`)]),
  );
