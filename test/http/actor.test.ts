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
    { why: 'a person of any letters, as UTF-8 in percents',     actor: signedActor(http({}, { 'x-actor': '%E7%8E%8B%E5%B0%8F%e6%98%8e' }), 'desk'), is: { kind: 'application', id: 'desk', person: '王小明' } },
    { why: 'a person with a comma and a space',                 actor: signedActor(http({}, { 'x-actor': 'Doe%2C Jane%20A.' }), 'desk'), is: { kind: 'application', id: 'desk', person: 'Doe, Jane A.' } },
    { why: 'a percent that encodes nothing, as it is',          actor: signedActor(http({}, { 'x-actor': '100% J%' }), 'desk'),        is: { kind: 'application', id: 'desk', person: '100% J%' } },
    { why: 'what was encoded, once',                            actor: signedActor(http({}, { 'x-actor': 'J%2541' }), 'desk'),         is: { kind: 'application', id: 'desk', person: 'J%41' } },
    { why: 'as many letters as are kept',                       actor: signedActor(http({}, { 'x-actor': '%E7%8E%8B'.repeat(256) }), 'desk'), is: { kind: 'application', id: 'desk', person: '王'.repeat(256) } },
    { why: 'whom a direct invocation names in any letters',     actor: signedActor(readEnvelope({ actor: '王小明, 100%25' }), 'default'), is: { kind: 'invocation', id: 'invocation', person: '王小明, 100%25' } },
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
    { header: '%E7%8E%8B'.repeat(257), why: 'too long once it is decoded' },
    { header: 'jane,joe', why: 'two headers, which API Gateway joins' },
    { header: '%E7%8E', why: 'half a letter' },
    { header: '%C0%AFjane', why: 'no UTF-8: longer than it need be' },
    { header: '%ED%A0%80', why: 'half a pair of UTF-16' },
    { header: 'jane%0Ajoe', why: 'an end of line' },
    { header: 'jane%C2%85', why: 'a control character beyond ASCII' },
    { header: 'jane%E2%80%AEeoj', why: 'letters that run backwards' },
    { header: 'jane%E3%80%80', why: 'a space after it' },
    { header: 7, why: 'no text' },
  ])('is not $header: $why', ({ header }) => {
    expect(() => signedActor(http({}, { 'x-actor': header }), 'desk')).toThrow(
      /^X-Actor is .*, expected one person in 1 to 256 characters/,
    );
  });

  it.each([
    { person: '\u200b\u2800', why: 'nothing that anybody sees' },
    { person: 'j\n', why: 'an end of line' },
    { person: 'j\ud800', why: 'half a pair of UTF-16' },
    { person: '王'.repeat(257), why: 'too long' },
  ])('is not $person of a direct invocation: $why', ({ person }) => {
    expect(() => signedActor(readEnvelope({ actor: person }), 'desk')).toThrow(
      /^actor is .*, expected one person in 1 to 256 characters/,
    );
  });

  it('is not one of two headers that payload 1.0 has apart', () => {
    const twice = {
      ...{ requestContext: {}, headers: { 'X-Actor': 'joe' } },
      multiValueHeaders: { 'X-Actor': ['jane', 'joe'] },
    };
    expect(() => signedActor(readEnvelope(twice), 'desk')).toThrow(/^X-Actor is "jane,joe"/);
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
    { one: named('Jane Doe'),                 other: named('janedoe'),                     same: true,  why: 'one, without the space' },
    { one: named('Jane Doe'),                 other: named('Jane\u00a0\u3000Doe'),         same: true,  why: 'one, with spaces that are wide or do not break' },
    { one: named('jane'),                     other: named('ja\u034f\u2060\ufeffne'),       same: true,  why: 'one, with joiners that nobody sees' },
    { one: named('jane'),                     other: named('\u3164jane\u115f'),            same: true,  why: 'one, with fillers of Hangul' },
    { one: named('jane'),                     other: named('jane\ufe0f\u{e0101}'),         same: true,  why: 'one, with variation selectors' },
    { one: named('jane'),                     other: named('ja\u2800ne'),                  same: true,  why: 'one, with a Braille pattern without dots' },
    { one: named('jane'),                     other: named('ja\u{e006e}ne\u180e'),         same: true,  why: 'one, with a tag and a vowel separator' },
    { one: named('stra\u00dfe'),              other: named('STRASSE'),                     same: true,  why: 'one, in capitals' },
    { one: named('Wei\u00df'),                 other: named('WEI\u1e9e'),                   same: true,  why: 'one, with the capital of \u00df' },
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
