import type { Authorship } from '../shared/actor.ts';

/** Writes who changed something, when, and why. */
export function authorJson<Author extends Authorship>({ at, by, reason, approvedBy }: Author) {
  return { at, by, reason: reason as Author['reason'], approvedBy }; // its own
}
