import { describe, expect, it } from 'vitest';
import type { Actor } from '../../lib/shared/actor.ts';
import { actorText, mayBeSame } from '../../lib/shared/actor.ts';
import { signedActor, unsignedActor } from '../../lib/http/actor.ts';
import { readEnvelope } from '../../lib/http/envelope.ts';

const ARN = 'arn:aws:sts::123456789012:assumed-role/desk/jane';
const http = (context: object = {}, headers: object = {}) =>
  readEnvelope({ requestContext: { http: { method: 'PUT' }, ...context }, headers });

describe('who acts', () => {
  const unsigned = (context: object, headers: object = {}) =>
    unsignedActor(http(context, headers), 'default');
  const byIam = { authorizer: { iam: { userArn: ARN } } };
  const byToken = { authorizer: { jwt: { claims: { sub: 'jane' } } } };
  const JANE = { 'x-actor': 'jane@example.com' };

  // prettier-ignore
  it.each<{ why: string; actor: Actor; is: Actor }>([
    { why: 'who signed, where calls are signed',                actor: signedActor(http(byIam), 'desk'),                               is: { kind: 'application', id: 'desk' } },
    { why: 'for whom it was signed',                            actor: signedActor(http({}, JANE), 'desk'),                            is: { kind: 'application', id: 'desk', person: 'jane@example.com' } },
    { why: 'IAM’s principal, payload 2.0',                      actor: unsigned(byIam),                                                is: { kind: 'principal', id: ARN } },
    { why: 'IAM’s principal, payload 1.0, and for whom',        actor: unsigned({ identity: { userArn: ARN } }, { 'X-ACTOR': 'J.' }),  is: { kind: 'principal', id: ARN, person: 'J.' } },
    { why: 'a token’s subject',                                 actor: unsigned(byToken),                                              is: { kind: 'principal', id: 'jane' } },
    { why: 'a token’s subject, payload 1.0',                    actor: unsigned({ authorizer: { claims: { sub: 'jane' } } }),          is: { kind: 'principal', id: 'jane' } },
    { why: 'whom a Lambda authorizer names, payload 1.0',       actor: unsigned({ authorizer: { principalId: 'jane' } }),              is: { kind: 'principal', id: 'jane' } },
    { why: 'somebody at this machine, where nobody asked',      actor: unsigned({ authorizer: { jwt: {} } }),                          is: { kind: 'local', id: 'local' } },
    { why: 'whom IAM let invoke the function, and whom it names', actor: signedActor(readEnvelope({ actor: 'jane' }), 'default'),       is: { kind: 'invocation', id: 'invocation', person: 'jane' } },
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
  const named = (person: string, more: Partial<Actor> = {}): Actor => ({
    ...desk,
    person,
    ...more,
  });
  const principal = (person: string) => named(person, { kind: 'principal', id: 'arn' });
  const command = (person: string) => named(person, { kind: 'command' });

  // prettier-ignore
  it.each<{ one: Actor; other: Actor; same: boolean; why: string }>([
    { one: desk,                              other: { ...desk, id: 'shop' },              same: false, why: 'two applications' },
    { one: desk,                              other: { ...desk, kind: 'command' },         same: false, why: 'two kinds' },
    { one: named('a'),                        other: named('b'),                           same: false, why: 'two' },
    { one: named('a'),                        other: named('a'),                           same: true,  why: 'one' },
    { one: named('a'),                        other: named('a', { id: 'shop' }),           same: true,  why: 'one, by two applications' },
    { one: principal('a'),                    other: principal('b'),                       same: true,  why: 'a principal is one, whomever it names' },
    { one: named('jane@example.com'),         other: named('Jane@Example.COM'),            same: true,  why: 'one, in other letters' },
    { one: named('Jane Doe'),                 other: named(' jane  doe '),                 same: true,  why: 'one, with other spaces' },
    { one: command('Jan\u00e9 \u{ff2f}'),     other: command('Jane\u0301 o\u200b'),        same: true,  why: 'one, in other characters of Unicode that look the same' },
    { one: named('jane'),                     other: named('jane@example.com'),            same: false, why: 'two: a short name is another one' },
    { one: named('Jane'),                     other: named('Jan\u00e9'),                   same: false, why: 'two: an accent counts' },
    { one: named('jane'),                     other: named('j\u0430ne'),                   same: false, why: 'two: a letter of another alphabet that looks the same' },
    { one: named('a'),                        other: desk,                                 same: true,  why: 'nobody knows who the other is' },
  ])('may be one person: $same, $why', ({ one, other, same }) => {
    expect(mayBeSame(one, other)).toBe(same);
    expect(mayBeSame(other, one)).toBe(same);
  });

  it('are named in a sentence', () => {
    expect(actorText({ ...desk, person: 'jane' })).toBe('application desk for jane');
    expect(actorText({ kind: 'local', id: 'local' })).toBe('local');
  });
});
