/**
 * The filter of changes of one document's terms; those before an instant alone where one is said, and
 * with a version those of that very instant that come after it in a list of the newest first.
 */
export function changesFilter(
  document: string,
  before: { readonly at: Date; readonly id?: string } | undefined,
): Readonly<Record<string, unknown>> {
  if (before === undefined) return { document };
  const { at, id } = before;
  if (id === undefined) return { document, at: { $lt: at } };
  return { document, $or: [{ at: { $lt: at } }, { at, _id: { $lt: id } }] };
}
