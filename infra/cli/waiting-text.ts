/** Says what is to be done about a change that waits for a second person. */
export function waitingText({
  id,
  until,
}: {
  readonly id: string;
  readonly until: string;
}): string {
  return `Nothing is changed yet: it needs a second person, who says before ${until}\n\n  headroom proposals approve ${id} --reason <text>`;
}
