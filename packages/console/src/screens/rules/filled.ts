/** Fields of JSON, by their names. */
export type Fields = Readonly<Record<string, unknown>>;

/** Without what is undefined; undefined where nothing is left. */
export function filled(fields: Fields): Fields | undefined {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return there.length === 0 ? undefined : Object.fromEntries(there);
}

/** A number of a form, where it is there: NaN stands in an empty field. */
export function numberIn(value: number, write: (value: number) => number): number | undefined {
  return Number.isNaN(value) ? undefined : write(value);
}
