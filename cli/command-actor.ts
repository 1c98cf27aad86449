import { userInfo } from 'node:os';
import type { Actor } from '../lib/shared/actor.ts';
import { isReason, REASON_EXPECTED } from '../lib/shared/names.ts';
import { showText } from '../lib/schema/mistakes.ts';
import { UsageError } from './command-error.ts';

/**
 * Who acts at a command line: the machine's user, and the person who is named.
 *
 * @throws UsageError where that is no text that is kept
 */
export function commandActor(person?: string): Actor {
  refuseUnkept('--by', person);
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

/** Refuses a text that callers over HTTP could not store with a change. @throws UsageError */
export function refuseUnkept(option: string, text: string | undefined): void {
  if (text === undefined || isReason(text)) return;
  throw new UsageError(`${option} is ${showText(text)}, expected ${REASON_EXPECTED}.`);
}
