/** Yields so many at a time, and at last what is left. */
export async function* batchesOf<Item>(
  size: number,
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
