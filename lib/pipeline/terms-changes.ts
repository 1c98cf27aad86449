/** The filter of changes of one document's terms, those before an instant alone where one is said. */
export function changesFilter(
  document: string,
  before: Date | undefined,
): { readonly document: string; readonly at?: { readonly $lt: Date } } {
  return { document, ...(before === undefined ? {} : { at: { $lt: before } }) };
}
