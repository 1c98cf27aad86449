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

/** What an update adds to numbers, by path; what adds nothing is left out. */
export class Increments {
  readonly #sums = new Map<string, bigint>();

  add(path: string, by: bigint): void {
    this.#sums.set(path, (this.#sums.get(path) ?? 0n) + by);
  }

  /** As `$inc` has it; nothing where nothing is added. */
  update(): { readonly $inc?: Readonly<Record<string, bigint>> } {
    const sums = [...this.#sums].filter(([, by]) => by !== 0n);
    return sums.length === 0 ? {} : { $inc: Object.fromEntries(sums) };
  }
}

/** Lists that an update pushes to, each with what is pushed; `keeps` is how many of the newest stay. */
export function pushing(
  lists: Readonly<
    Record<string, { readonly items: readonly unknown[]; readonly keeps?: number | undefined }>
  >,
): { readonly $push?: Readonly<Record<string, unknown>> } {
  const pushed = Object.entries(lists).flatMap(([name, { items, keeps }]) => {
    if (items.length === 0) return [];
    if (keeps === undefined) return [[name, { $each: items }] as const];
    return [[name, { $each: items.slice(-keeps), $slice: -keeps }] as const];
  });
  return pushed.length === 0 ? {} : { $push: Object.fromEntries(pushed) };
}
