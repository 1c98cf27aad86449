/*
 * Parts of a text of JSON, as JSON.stringify writes them. Each check writes two such texts, and most of what stands there
 * has nothing to escape: put together by hand they take half the time.
 */

/** A value. */
export function jsonText(value: string | number | boolean | null): string {
  return typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}

const PLAIN = /^[\w .:-]*$/;

/** The values of a record in the order of some names, as a list of pairs: `[["user","u-1"]]`. */
export function pairsText(
  names: readonly string[],
  record: Readonly<Record<string, string | number | boolean>>,
): string {
  const pairs: string[] = [];
  for (const name of names) pairs.push(`[${jsonText(name)},${jsonText(record[name] ?? null)}]`);
  return `[${pairs.join(',')}]`;
}
