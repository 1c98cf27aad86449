import { describe, expect, it } from 'vitest';
import { lookAlikesIn } from '../../lib/four-eyes/look-alike.ts';
import type { Actor } from '../../lib/shared/actor.ts';

const named = (person: string): Actor => ({ kind: 'application', id: 'desk', person });

describe('two names that look the same', () => {
  // prettier-ignore
  it.each([
    { one: 'jane@example.com', other: 'j\u0430ne@example.com', found: ['\u0430 is a'],       why: 'a Cyrillic a' },
    { one: 'j\u0430ne', other: 'jan\u0435',                 found: ['\u0430 is a', '\u0435 is e'], why: 'each has one of another alphabet' },
    { one: 'Jane Doe', other: '\u0408ane \u2060Doe',        found: ['\u0408 is J'],           why: 'beside what nobody sees' },
    { one: 'jOe', other: 'j\u039fe',                        found: ['O', '\u039f is O'],      why: 'a Greek capital' },
    { one: 'joel', other: 'joeI',                           found: ['I is l'],               why: 'a capital i for an l' },
    { one: 'user-10', other: 'user-lO',                     found: ['1 is l', '0 is O'],     why: 'digits for letters' },
    { one: 'tom', other: 'torn',                            found: ['m is rn'],              why: 'two letters for one' },
    { one: 'jane p\u0430ul', other: 'j\u0430ne paul',         found: ['\u0430 is a', '\u0430 is a'], why: 'both have a Cyrillic a, in another place' },
    { one: 'TOMAS', other: 'tom\u0430s',                     found: ['\u0430 is a'],           why: 'capitals that do not look the same' },
    { one: 'jane', other: 'JANE',                           found: [],                       why: 'one name' },
    { one: 'jane', other: 'joe',                            found: [],                       why: 'different names' },
    { one: '\u738b\u5c0f\u660e', other: '\u738b\u660e',       found: [],                       why: 'different names' },
  ])('$one and $other: $why', ({ one, other, found }) => {
    const expected = found.filter((each) => each.includes(' is ')).sort();
    for (const pair of [[one, other], [other, one]] as const) {
      const told = lookAlikesIn(named(pair[0]), named(pair[1]));
      expect(told.map(({ letter, looksLike }) => `${letter} is ${looksLike}`).sort()).toEqual(expected);
      for (const { person, letter } of told) expect(person.normalize('NFKC')).toContain(letter);
    }
  });

  it('are none where one is not named', () => {
    expect(lookAlikesIn({ kind: 'local', id: 'local' }, named('jane'))).toEqual([]);
    expect(lookAlikesIn(named('jane'), undefined)).toEqual([]);
  });
});
