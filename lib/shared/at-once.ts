import { DOCUMENTS_AT_ONCE } from './bounds.ts';

/** Does work on many items, DOCUMENTS_AT_ONCE at a time; the first error ends it. */
export async function atOnce<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, queue.length) }, worker));
}
