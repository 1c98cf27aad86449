import type { Actor } from '../shared/actor.ts';
import { isPerson, PERSON_EXPECTED } from '../shared/actor.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { Envelope } from './envelope.ts';
import { readHeader } from './envelope.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { present } from '../shared/present.ts';

/** Finds who acts, after `CallerSource` found that they may. @throws InvalidRequestError for a name that cannot be stored */
export type ActorSource = (envelope: Envelope, appId: string) => Actor;

/**
 * A header carries printable ASCII. Other characters are percent-encoded UTF-8. So is a comma, for API Gateway
 * joins two headers of one name by it.
 */
const SENT = /^[ -+\--~]*$/;
const SENT_EXPECTED = `${PERSON_EXPECTED}: percent-encode as UTF-8 what is not printable ASCII, and a comma as %2C`;

/** With signatures: the application, and the person that it names in `X-Actor`. */
export const signedActor: ActorSource = (envelope, appId) =>
  envelope.kind === 'direct'
    ? invokerNamed(envelope.event)
    : personOf('application', appId, envelope);

/** Without signatures: API Gateway's principal, if it authenticates. */
export const unsignedActor: ActorSource = (envelope) => {
  if (envelope.kind === 'direct') return invokerNamed(envelope.event);
  return envelope.principal === undefined
    ? personOf('local', 'local', envelope)
    : personOf('principal', envelope.principal, envelope);
};

function personOf(
  kind: Actor['kind'],
  id: string,
  { headers }: Extract<Envelope, { kind: 'http' }>,
): Actor {
  return { kind, id, ...personSent(readHeader(headers, 'X-Actor')) };
}

/** Lambda does not tell a function whom IAM let through; the field `actor` may, as it is. */
function invokerNamed(event: unknown): Actor {
  const person = ownField(event, 'actor');
  if (person !== undefined && !isPerson(person))
    throw new InvalidRequestError([mistakeAt(['actor'], person, PERSON_EXPECTED)]);
  return { kind: 'invocation', id: 'invocation', ...present({ person }) };
}

function personSent(header: unknown): { readonly person?: string } {
  if (header === undefined) return {};
  const person = typeof header === 'string' ? decoded(header) : undefined;
  if (isPerson(person)) return { person };
  throw new InvalidRequestError([mistakeAt(['X-Actor'], header, SENT_EXPECTED)]);
}

/** A percent that no two hexadecimal digits follow stands for itself. Undefined where it is no UTF-8. */
function decoded(header: string): string | undefined {
  if (!SENT.test(header)) return undefined;
  try {
    return decodeURIComponent(header.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25'));
  } catch {
    return undefined;
  }
}
