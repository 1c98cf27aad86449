import type { Actor, Authorship } from '../domain/actor.ts';
import type { JsonObject } from './answers.ts';

/** Writes who changed something, when, and why. */
export function authorJson({ at, by, reason, approvedBy }: Authorship): JsonObject {
  return {
    at: at.toISOString(),
    by: actorJson(by),
    ...(reason === undefined ? {} : { reason }),
    ...(approvedBy === undefined ? {} : { approvedBy: actorJson(approvedBy) }),
  };
}

/** Writes who did something. */
export function actorJson({ kind, id, person }: Actor): JsonObject {
  return { kind, id, ...(person === undefined ? {} : { person }) };
}
