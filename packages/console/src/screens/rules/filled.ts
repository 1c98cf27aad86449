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

/** Names between commas. */
export function namesIn(text: string): readonly string[] {
  return text.split(/[\s,，]+/).filter(Boolean);
}

/** One alone stands by itself, unless it is stored as a list. */
export function someIn(text: string, stored: unknown): string | readonly string[] | undefined {
  const all = namesIn(text);
  const isList = all.length > 1 || (all.length === 1 && Array.isArray(stored));
  return isList ? all : all[0];
}

/** A list as a form has it. */
export function listText(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' ? given : (given?.join(', ') ?? '');
}
