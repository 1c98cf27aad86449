/** A value that is stored or compared: a driver writes bigint as a 64-bit integer. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | readonly Value[]
  | { readonly [field: string]: Value };

/** Conditions on a document, by field or operator. */
export type Filter = Readonly<Record<string, unknown>>;

/** The fields that come back, with the expressions of those that are worked out. */
export type Projection = Readonly<Record<string, unknown>>;

/**
 * A conditional update of one document. It is carried out where its filter matches, and changes nothing
 * otherwise. Field names are in it, and no value is ever read as an expression.
 */
export type Update = {
  readonly filter: Filter;
  readonly update: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly returnDocument: 'before' | 'after';
  readonly projection: Projection;
  /** Whether a document is made where there is none; with no condition on the server's clock. */
  readonly upsert?: boolean;
};

/** The server's instant, one for the whole statement. */
export const SERVER_NOW = '$$NOW';

/** A whole number as it is written, whatever the driver read it as. */
export function wholeOf(whole: number | bigint | { readonly toString: () => string }): bigint {
  return BigInt(whole.toString());
}

/** What an update adds to numbers, by path; what adds nothing is left out. */
export class Increments {
  readonly #sums: Record<string, bigint> = {};

  add(path: string, by: bigint): void {
    this.#sums[path] = (this.#sums[path] ?? 0n) + by;
  }

  /** As `$inc` has it; nothing where nothing is added. */
  update(): { readonly $inc?: Readonly<Record<string, bigint>> } {
    const $inc: Record<string, bigint> = {};
    let isAny = false;
    for (const path of Object.keys(this.#sums)) {
      const by = this.#sums[path] ?? 0n;
      if (by === 0n) continue;
      $inc[path] = by;
      isAny = true;
    }
    return isAny ? { $inc } : {};
  }
}

/** What an update pushes to a list; `keeps` is how many of the newest stay. */
type Pushed = { readonly items: readonly unknown[]; readonly keeps?: number | undefined };

/** Lists that an update pushes to, by name. */
export function pushing(lists: Readonly<Record<string, Pushed>>): {
  readonly $push?: Readonly<Record<string, unknown>>;
} {
  const $push: Record<string, unknown> = {};
  let isAny = false;
  for (const name of Object.keys(lists)) {
    const { items = [], keeps } = lists[name] ?? {};
    if (items.length === 0) continue;
    isAny = true;
    const [only] = items;
    if (keeps !== undefined) $push[name] = { $each: items.slice(-keeps), $slice: -keeps };
    else $push[name] = items.length === 1 ? only : { $each: items };
  }
  return isAny ? { $push } : {};
}
