/**
 * Says what is to be done about a change that waits for a second person.
 *
 * @param url of the deployment that was asked; absent where it was the database
 */
export function waitingText(
  { id, until }: { readonly id: string; readonly until: string },
  url?: string,
): string {
  const there = url === undefined ? '' : ` --url ${url}`;
  return `Nothing changed yet: a second person must run this before ${until}\n\n  npx --no-install headroom proposals approve ${id} --reason <text> --by <name>${there}`;
}
