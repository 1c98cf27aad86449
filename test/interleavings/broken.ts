/** An invariant that a story broke. */
export class Broken extends Error {
  override readonly name = 'Broken';
  readonly invariant: string;
  constructor(invariant: string, details: string) {
    super(`${invariant}: ${details}`);
    this.invariant = invariant;
  }
}
