import fc from 'fast-check';

/** UTF-16 has these for halves of a character: they are none. */
const [FIRST_HALF, HALVES] = [0xd800, 0x800];

/**
 * Any character of Unicode, for `fc.string({ unit })`. The library's own, `binary`, writes a list of all
 * 1,112,064 when a text is first made, which takes half a second and 100 MB in each process.
 */
export const ANY_CHARACTER = fc.nat({ max: 0x10_ffff - HALVES }).map(
  (place) => String.fromCodePoint(place < FIRST_HALF ? place : place + HALVES),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== character)
      throw new Error(`${JSON.stringify(character)} is no character`);
    return code < FIRST_HALF ? code : code - HALVES;
  },
);
