import type { Actor } from '../shared/actor.ts';
import { ID_LENGTH_MAX } from '../shared/bounds.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { Envelope } from './envelope.ts';
import { readHeader } from './envelope.ts';
import { mistakeAt, ownField } from './mistakes.ts';

/** Finds who acts, after `CallerSource` found that they may. @throws InvalidRequestError for a name that cannot be stored */
export type ActorSource = (envelope: Envelope, appId: string) => Actor;

const PERSON = new RegExp(`^[!-~]([ -~]{0,${ID_LENGTH_MAX - 2}}[!-~])?$`);
const PERSON_EXPECTED = `who acts, in 1 to ${ID_LENGTH_MAX} printable ASCII characters, such as an address of mail`;

/** Whether a text may name a person, in `X-Actor` or in a field. */
export function isPerson(text: string): boolean {
  return PERSON.test(text);
}

/** With signatures: the application, and the person that it names in `X-Actor`. */
export const signedActor: ActorSource = (envelope, appId) =>
  envelope.kind === 'direct' ? invoker(envelope.event) : named('application', appId, envelope);

/** Without signatures: API Gateway's principal, if it authenticates. */
export const unsignedActor: ActorSource = (envelope) => {
  if (envelope.kind === 'direct') return invoker(envelope.event);
  return envelope.principal === undefined
    ? named('local', 'local', envelope)
    : named('principal', envelope.principal, envelope);
};

function named(
  kind: Actor['kind'],
  id: string,
  { headers }: Extract<Envelope, { kind: 'http' }>,
): Actor {
  return { kind, id, ...personOf(readHeader(headers, 'X-Actor'), 'X-Actor') };
}

/** Lambda does not tell a function whom IAM let through; the field `actor` may. */
function invoker(event: unknown): Actor {
  return { kind: 'invocation', id: 'invocation', ...personOf(ownField(event, 'actor'), 'actor') };
}

function personOf(person: unknown, path: string): { readonly person?: string } {
  if (person === undefined) return {};
  if (typeof person === 'string' && isPerson(person)) return { person };
  throw new InvalidRequestError([mistakeAt([path], person, PERSON_EXPECTED)]);
}
