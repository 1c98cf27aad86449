import { outcomesText, sumsAmounts } from '../rule/counter-key.ts';
import type { SettledState } from '../shared/states.ts';
import { COUNT_FIELDS, SUM_FIELDS, sumPath } from '../counter/name.ts';
import { cellPath } from '../counter/name.ts';
import type { Hold } from './document.ts';
import type { BucketReference } from '../counter/sums.ts';
import { effectOf, isOver } from '../counter/effect.ts';
import { Increments } from './update.ts';

/** One entry that a settlement takes. */
export type Move = {
  readonly hold: Hold;
  readonly to: SettledState | 'dropped' | 'withdrawn';
  /** Minor units that a confirm counts. */
  readonly finalMinor: number;
  /** Of a rollback. */
  readonly reasonCode?: string | undefined;
};

/** Adds up how entries change the sums of the buckets that they entered. */
export function sumsMoved(moves: readonly Move[], now: Date): Increments {
  const sums = new Increments();
  for (const { buckets, names, moves: same } of byNames(moves)) {
    const alike = new Map<string, SumsMoved>();
    for (const [place, bucket] of buckets.entries()) {
      // Buckets that are alike in both get the same from these moves.
      const ends = outcomesText(bucket.counter) ?? '';
      const kind = isOver(bucket, now) ? `over ${ends}` : ends;
      const moved = alike.get(kind) ?? sumOfMoves(same, bucket, now);
      alike.set(kind, moved);
      const name = names[place] ?? '';
      const isAmount = sumsAmounts(bucket.counter);
      for (const field of isAmount ? SUM_FIELDS : COUNT_FIELDS)
        if (moved[field] !== 0n) sums.add(sumPath(name, field), moved[field]);
      for (const move of same) moveCells(sums, name, bucket, move, now);
    }
  }
  return sums;
}

/** The further sums of a bucket, where its kind has any, move with each entry. */
function moveCells(
  sums: Increments,
  name: string,
  bucket: BucketReference,
  { hold, to, finalMinor, reasonCode }: Move,
  now: Date,
): void {
  if (hold.values === undefined) return;
  const { amount, count, values } = hold;
  const before = isOpen({ hold }) ? 'open' : 'over';
  const { cells = {} } = effectOf(
    bucket,
    before,
    to,
    { amount, count, values, finalMinor, reasonCode },
    now,
  );
  for (const [cell, { used, held }] of Object.entries(cells)) {
    sums.add(cellPath(name, 'd', cell), BigInt(used + held));
    sums.add(cellPath(name, 'ud', cell), BigInt(used));
  }
}

type SumsMoved = Readonly<Record<(typeof SUM_FIELDS)[number], bigint>>;

/** As the fields of a bucket have it: what is used and held together, and what is used. */
function sumOfMoves(moves: readonly Move[], bucket: BucketReference, now: Date): SumsMoved {
  let [a, n, ua, un] = [0n, 0n, 0n, 0n];
  for (const { hold, to, finalMinor, reasonCode } of moves) {
    const { amount, count } = hold;
    const before = isOpen({ hold }) ? 'open' : 'over';
    const effect = effectOf(bucket, before, to, { amount, count, finalMinor, reasonCode }, now);
    a += BigInt(effect.usedAmount + effect.heldAmount);
    n += BigInt(effect.usedCount + effect.heldCount);
    ua += BigInt(effect.usedAmount);
    un += BigInt(effect.usedCount);
  }
  return { a, n, ua, un };
}

/** Entries that entered the same buckets: of a call of many orders most did. */
function byNames(moves: readonly Move[]) {
  const groups: (Pick<Hold, 'names' | 'buckets'> & { readonly moves: Move[] })[] = [];
  for (const move of moves) {
    const { names, buckets } = move.hold;
    const group = groups.find((one) => isSame(one.names, names));
    if (group === undefined) groups.push({ names, buckets, moves: [move] });
    else group.moves.push(move);
  }
  return groups;
}

/** Whether two lists name the same buckets in the same order. */
export function isSame(names: readonly string[], others: readonly string[]): boolean {
  if (names === others) return true;
  return names.length === others.length && names.every((name, place) => name === others[place]);
}

/** Whether an entry is a hold that is open. */
export function isOpen({ hold }: Pick<Move, 'hold'>): boolean {
  return hold.state === 'open';
}
