/** Keeps a value by its name, as the newest; the oldest goes where there are too many. */
export function keepNewest<Value>(
  values: Map<string, Value>,
  name: string,
  value: Value,
  most: number,
): void {
  values.delete(name); // a name that is there would keep its place
  values.set(name, value);
  const [oldest] = values.keys();
  if (values.size > most && oldest !== undefined) values.delete(oldest);
}
