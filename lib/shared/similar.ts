/** The most letters that a mistyped word differs in, of those that it has: two, of words with six or more. */
function slipsIn(word: string): number {
  return word.length < 3 ? 0 : word.length < 6 ? 1 : 2;
}

/** Longer ones are no words. */
const WORD_LENGTH_MAX = 64;

/** The word that another one is most likely to be, mistyped: `merchant` for `mercahnt` or `Merchant`. */
export function mostLike(word: string, known: Iterable<string>): string | undefined {
  if (word.length > WORD_LENGTH_MAX) return undefined;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  let best: { readonly word: string; readonly slips: number } | undefined;
  for (const each of known) {
    if (each === word) continue;
    const slips = slipsBetween(plain(word), plain(each));
    if (slips <= slipsIn(each) && slips < (best?.slips ?? Infinity)) best = { word: each, slips };
  }
  return best?.word;
}

/** Letters to put in, to take out, to replace, or to swap with the next one. */
function slipsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Infinity;
  let [before, last]: [number[], number[]] = [[], [...Array(other.length + 1).keys()]];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next.push(
        Math.min(
          (last[at] ?? Infinity) + 1,
          (next[at - 1] ?? Infinity) + 1,
          (last[at - 1] ?? Infinity) + (same ? 0 : 1),
          isSwapped ? (before[at - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? Infinity;
}
