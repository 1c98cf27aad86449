import { userInfo } from 'node:os';
import type { Actor } from '../lib/domain/actor.ts';

/** Who acts at a command line: the machine's user, and the person who is named. */
export function commandActor(person?: string): Actor {
  return { kind: 'command', id: userName(), ...(person === undefined ? {} : { person }) };
}

/** A container may run as a user that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'command';
  }
}
