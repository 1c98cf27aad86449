import type { StoredDocument } from './stored.ts';

/** How much a document remembers, and what has to go. */

/** A list that is cut is logged whole, so it is cut seldom: once it has half as many again, or 50 more. */
function isLong(length: number, outcomesMax: number): boolean {
  return length > outcomesMax + Math.min(outcomesMax / 2, MORE_MAX);
}

const MORE_MAX = 50;

/** How many of a list stay, some that are new among them; undefined if all do. */
export function cutTo(length = 0, outcomesMax: number, more: number): number | undefined {
  const keeps = outcomesMax + more;
  return isLong(length, outcomesMax) && length > keeps ? keeps : undefined;
}

/**
 * Makes places for more shares that are kept: the oldest have to go, and nobody can confirm them late any
 * more. The conditions prove that those are the oldest still, and that no more are kept than were read.
 */
export function placesFor(
  { kept }: StoredDocument,
  more: readonly { readonly nonce: string; readonly until: Date }[],
  outcomesMax: number,
) {
  const length = kept?.length ?? 0;
  const all = [...(kept ?? []), ...more];
  const going = isLong(all.length, outcomesMax) ? all.slice(0, all.length - outcomesMax) : [];
  const ends = going.map(({ until }) => until.getTime());
  return {
    keeps: going.length === 0 ? undefined : outcomesMax,
    forgot: ends.length === 0 ? {} : { forgotUntil: new Date(Math.max(...ends)) },
    conditions: [
      { [`kept.${length}`]: { $exists: false } },
      ...going.slice(0, length).map(({ nonce }, place) => ({ [`kept.${place}.nonce`]: nonce })),
    ],
  };
}
