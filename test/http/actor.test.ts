import { describe, expect, it } from 'vitest';
import type { Actor } from '../../lib/shared/actor.ts';
import { actorText, mayBeSame } from '../../lib/shared/actor.ts';
import { signedActor, unsignedActor } from '../../lib/http/actor.ts';
import { readEnvelope } from '../../lib/http/envelope.ts';

const ARN = 'arn:aws:sts::123456789012:assumed-role/desk/jane';
const http = (context: object = {}, headers: object = {}) =>
  readEnvelope({ requestContext: { http: { method: 'PUT' }, ...context }, headers });
const direct = (event: object = {}) => readEnvelope(event);

describe('who acts', () => {
  it.each<{ why: string; actor: Actor; is: Actor }>([
    {
      why: 'who signed, where calls are signed',
      actor: signedActor(http({ authorizer: { iam: { userArn: ARN } } }), 'desk'),
      is: { kind: 'application', id: 'desk' },
    },
    {
      why: 'for whom it was signed',
      actor: signedActor(http({}, { 'x-actor': 'jane@example.com' }), 'desk'),
      is: { kind: 'application', id: 'desk', person: 'jane@example.com' },
    },
    {
      why: 'IAM’s principal, payload 2.0',
      actor: unsignedActor(http({ authorizer: { iam: { userArn: ARN } } }), 'default'),
      is: { kind: 'principal', id: ARN },
    },
    {
      why: 'IAM’s principal, payload 1.0, and for whom',
      actor: unsignedActor(http({ identity: { userArn: ARN } }, { 'X-ACTOR': 'J.' }), 'default'),
      is: { kind: 'principal', id: ARN, person: 'J.' },
    },
    {
      why: 'a token’s subject',
      actor: unsignedActor(http({ authorizer: { jwt: { claims: { sub: 'jane' } } } }), 'default'),
      is: { kind: 'principal', id: 'jane' },
    },
    {
      why: 'a token’s subject, payload 1.0',
      actor: unsignedActor(http({ authorizer: { claims: { sub: 'jane' } } }), 'default'),
      is: { kind: 'principal', id: 'jane' },
    },
    {
      why: 'whom a Lambda authorizer names, payload 1.0',
      actor: unsignedActor(http({ authorizer: { principalId: 'jane' } }), 'default'),
      is: { kind: 'principal', id: 'jane' },
    },
    {
      why: 'somebody at this machine, where nobody asked',
      actor: unsignedActor(http({ authorizer: { jwt: {} } }), 'default'),
      is: { kind: 'local', id: 'local' },
    },
    {
      why: 'whom IAM let invoke the function, and whom it names',
      actor: signedActor(direct({ actor: 'jane' }), 'default'),
      is: { kind: 'invocation', id: 'invocation', person: 'jane' },
    },
  ])('is $why', ({ actor, is }) => {
    expect(actor).toEqual(is);
  });

  it.each([
    { header: '', why: 'nobody' },
    { header: ' jane', why: 'a space before it' },
    { header: 'jane\n', why: 'an end of line' },
    { header: 'Jané', why: 'no header holds it' },
    { header: 'j'.repeat(257), why: 'too long' },
    { header: 7, why: 'no text' },
  ])('is not $header: $why', ({ header }) => {
    expect(() => signedActor(http({}, { 'x-actor': header }), 'desk')).toThrow(
      /^X-Actor is .*, expected who acts, in 1 to 256 printable ASCII characters/,
    );
  });
});

describe('two actors', () => {
  const desk: Actor = { kind: 'application', id: 'desk' };
  it.each([
    { one: desk, other: { ...desk, id: 'shop' }, same: false, why: 'two applications' },
    { one: desk, other: { ...desk, kind: 'command' as const }, same: false, why: 'two kinds' },
    { one: { ...desk, person: 'a' }, other: { ...desk, person: 'b' }, same: false, why: 'two' },
    { one: { ...desk, person: 'a' }, other: { ...desk, person: 'a' }, same: true, why: 'one' },
    {
      one: { ...desk, person: 'a' },
      other: { kind: 'application' as const, id: 'shop', person: 'a' },
      same: true,
      why: 'one, by two applications',
    },
    {
      one: { kind: 'principal' as const, id: 'arn', person: 'a' },
      other: { kind: 'principal' as const, id: 'arn', person: 'b' },
      same: true,
      why: 'a principal is one, whomever it names',
    },
    {
      one: { ...desk, person: 'jane@example.com' },
      other: { ...desk, person: 'Jane@Example.COM' },
      same: true,
      why: 'one, in other letters',
    },
    {
      one: { ...desk, person: 'Jane Doe' },
      other: { ...desk, person: ' jane  doe ' },
      same: true,
      why: 'one, with other spaces',
    },
    {
      one: { ...desk, kind: 'command' as const, person: 'Jan\u00e9 \u{ff2f}' },
      other: { ...desk, kind: 'command' as const, person: 'Jane\u0301 o\u200b' },
      same: true,
      why: 'one, in other characters of Unicode that look the same',
    },
    {
      one: { ...desk, person: 'a' },
      other: desk,
      same: true,
      why: 'nobody knows who the other is',
    },
  ])('may be one person: $same, $why', ({ one, other, same }) => {
    expect(mayBeSame(one, other)).toBe(same);
    expect(mayBeSame(other, one)).toBe(same);
  });

  it('are named in a sentence', () => {
    expect(actorText({ ...desk, person: 'jane' })).toBe('application desk for jane');
    expect(actorText({ kind: 'local', id: 'local' })).toBe('local');
  });
});
