import type { actor } from '../../contract/terms.ts';
import type { Told } from '../../contract/words.ts';
import type { Actor, Authorship } from '../shared/actor.ts';

/** Writes who changed something, when, and why. */
export function authorJson<Author extends Authorship>({ at, by, reason, approvedBy }: Author) {
  return {
    at: at.toISOString(),
    by: actorJson(by),
    reason: reason as Author['reason'], // its own
    approvedBy: approvedBy && actorJson(approvedBy),
  };
}

/** Writes who did something. */
function actorJson({ kind, id, person }: Actor): Told<typeof actor> {
  return { kind, id, person };
}
