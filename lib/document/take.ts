import { COUNTER_SUM_MAX, KEPT_BEYOND_MS, MEMORY_MS } from '../shared/bounds.ts';
import { sumsAmounts } from '../rule/counter.ts';
import type { Hold, Outcome, SettledState } from './document.ts';
import { bucketFields, deletableFrom, namesDigest, readBucketName } from './document.ts';
import { effectOf, isOver } from './effect.ts';
import { countHeld, heldAt } from './held.ts';
import { allOf, hasNotSeen, isBefore, notAbove, notSeenFrom } from './conditions.ts';
import { keptShare, storedHold, storedOutcome } from './written.ts';
import type { placesFor } from './remembered.ts';
import type { Filter, Projection, Update, Value } from './update.ts';
import type { StoredDocument } from './stored.ts';
import { Increments, pushing, wholeOf } from './update.ts';

/** One entry that a settlement takes. */
export type Move = {
  readonly hold: Hold;
  readonly to: SettledState | 'dropped';
  /** Minor units that a confirm counts. */
  readonly finalMinor: number;
};

/** Entries of one document that one update settles, all or none. */
type Taking = {
  readonly documentId: string;
  /** No id twice. */
  readonly moves: readonly Move[];
  readonly now: Date;
  /** Whether reservations alone tell of the entries. */
  readonly isUnread?: true;
  /** The latest instant that the document had seen, where it was read. */
  readonly seen?: Date | undefined;
  /** Where shares are dropped. */
  readonly places?: ReturnType<typeof placesFor> | undefined;
  /** What is needed of the document as it was before, if anything. */
  readonly projection?: Projection | undefined;
};

/**
 * The update that settles entries. When a document matches, it is proven that each entry was there
 * to the letter, and that those that are settled in time had not expired. A share is there once, so it
 * is settled once: a repeat finds none and does nothing.
 */
export function take(taking: Taking, serverNow: Date | string): Update {
  const { documentId, moves, now, isUnread, places, projection } = taking;
  const outcomes: unknown[] = [];
  const kept: Value[] = [];
  let first: Date | undefined;
  let isDated = places !== undefined;
  for (const move of moves) {
    const { hold, to, finalMinor } = move;
    const isInTime = isOpen(move) && !isOver(hold, now);
    if (isInTime && (first === undefined || hold.until < first)) first = hold.until;
    // Of sums that grow it must be known when: a reader of a secondary compares what it reads by that.
    const countsMore = to === 'confirmed' && finalMinor > hold.amount;
    isDated ||= !isInTime || countsMore;
    if (to === 'dropped') kept.push(keptShare(hold));
    else if (hold.home === undefined) outcomes.push(storedOutcome(outcomeOf(move, now)));
  }
  const sums = sumsMoved(moves, now);
  const open = moves.filter(isOpen).map(({ hold }) => hold);
  countHeld(sums, open, -1n);
  if (outcomes.length > 0) sums.add('remembered', BigInt(outcomes.length));
  const conditions = [
    ...(isUnread && open.length > 1 ? [areHeld(open)] : open.map(isHeld)),
    ...moves.filter((move) => !isOpen(move)).map(isRemembered),
    ...(places?.conditions ?? []),
  ];
  return {
    filter: {
      _id: documentId,
      ...(conditions.length === 1 ? conditions[0] : { $and: conditions }),
      ...staysExact(sums),
      // By the document's time no hold is over that is settled in time.
      ...(first === undefined ? {} : hasNotSeen(notSeenFrom(taking.seen, now, first))),
      ...(first === undefined ? {} : allOf(isBefore(serverNow, first))),
    },
    update: {
      ...(open.length === 0
        ? {}
        : { $unset: Object.fromEntries(open.map((hold) => [heldAt(hold), true])) }),
      ...pulled(moves),
      ...sums.update(),
      ...pushing({
        settled: { items: outcomes },
        kept: { items: kept, keeps: places?.keeps },
      }),
      ...(isDated ? { $max: latest(taking) } : {}),
    },
    ...(projection === undefined ? {} : { returns: { document: 'before', projection } }),
  };
}

/** By path, how large each sum that grows may be before: used and held together, `a` and `n`, are the largest. */
function roomIn(sums: Increments): readonly (readonly [path: string, most: bigint])[] {
  const room: [path: string, most: bigint][] = [];
  for (const [path, by] of Object.entries(sums.sums))
    if (by > 0n && /^b\..*\.[an]$/.test(path)) room.push([path, BigInt(COUNTER_SUM_MAX) - by]);
  return room;
}

/** No sum that grows leaves what is kept exactly. */
function staysExact(sums: Increments): Filter {
  const filter: Record<string, unknown> = {};
  for (const [path, most] of roomIn(sums)) filter[path] = notAbove(most);
  return filter;
}

/** Whether sums that were read would leave what is kept exactly. */
export function overflows(moves: readonly Move[], now: Date, { b = {} }: StoredDocument): boolean {
  return roomIn(sumsMoved(moves, now)).some(([path, most]) => {
    const [, name = '', field] = path.split('.');
    return wholeOf(b[name]?.[field === 'a' ? 'a' : 'n'] ?? 0) > most;
  });
}

function sumsMoved(moves: readonly Move[], now: Date): Increments {
  const sums = new Increments();
  for (const { names, moves: same } of byNames(moves))
    for (const name of names) {
      const bucket = readBucketName(name);
      const all = { usedAmount: 0n, usedCount: 0n, heldAmount: 0n, heldCount: 0n };
      for (const { hold, to, finalMinor } of same) {
        const { amount, count } = hold;
        const before = isOpen({ hold }) ? 'open' : 'over';
        const effect = effectOf(bucket, before, to, { amount, count, finalMinor }, now);
        all.usedAmount += BigInt(effect.usedAmount);
        all.usedCount += BigInt(effect.usedCount);
        all.heldAmount += BigInt(effect.heldAmount);
        all.heldCount += BigInt(effect.heldCount);
      }
      const fields = bucketFields(name);
      if (sumsAmounts(bucket.counter)) {
        sums.add(fields.amount, all.usedAmount + all.heldAmount);
        sums.add(fields.usedAmount, all.usedAmount);
      }
      sums.add(fields.count, all.usedCount + all.heldCount);
      sums.add(fields.usedCount, all.usedCount);
    }
  return sums;
}

/** Entries that entered the same buckets: of a call of many orders most did. */
function byNames(moves: readonly Move[]) {
  const groups: { readonly names: readonly string[]; readonly moves: Move[] }[] = [];
  for (const move of moves) {
    const { names } = move.hold;
    const group = groups.find((one) => isSame(one.names, names));
    if (group === undefined) groups.push({ names, moves: [move] });
    else group.moves.push(move);
  }
  return groups;
}

/** Whether two lists name the same buckets in the same order. */
export function isSame(names: readonly string[], others: readonly string[]): boolean {
  if (names === others) return true;
  return names.length === others.length && names.every((name, place) => name === others[place]);
}

function isOpen({ hold }: Pick<Move, 'hold'>): boolean {
  return hold.state === 'open';
}

/** Every word of a hold, so that what a forged reservation says of it matches nothing. */
function isHeld(hold: Hold): Filter {
  const { id, nonce, digest, amount, count, until, names, others = null, home = null } = hold;
  const n = count === 1 ? null : BigInt(count);
  const p = names.length === 0 ? null : namesDigest(hold);
  const words = { id, nonce, digest, a: BigInt(amount), n, until, p, others, home };
  const field = heldAt(hold);
  const filter: Record<string, unknown> = {};
  for (const [word, is] of Object.entries(words)) filter[`${field}.${word}`] = is;
  return filter;
}

/**
 * Each of many holds, compared as a whole: that costs a database a quarter of what it costs word by word. A hold
 * with `leftOut`, which no reservation tells, does not match. Then all are taken as they are read.
 */
function areHeld(holds: readonly Hold[]): Filter {
  return Object.fromEntries(holds.map((hold) => [heldAt(hold), storedHold(hold)]));
}

function isRemembered({ hold: { state, id, nonce, until } }: Move): Filter {
  return { [state]: { $elemMatch: { id, nonce, until } } };
}

/** Takes what is over out of its list. */
function pulled(moves: readonly Move[]): { readonly $pull?: Readonly<Record<string, unknown>> } {
  const byList: Record<string, string[]> = {};
  for (const { hold } of moves)
    if (hold.state !== 'open') (byList[hold.state] ??= []).push(hold.nonce);
  const lists = Object.entries(byList).map(([list, nonces]) => [
    list,
    { nonce: nonces.length === 1 ? nonces[0] : { $in: nonces } },
  ]);
  return lists.length === 0 ? {} : { $pull: Object.fromEntries(lists) as Filter };
}

function outcomeOf({ hold, to, finalMinor }: Move, now: Date): Outcome {
  const { id, nonce, digest, count, until, others } = hold;
  const state = to === 'confirmed' ? to : 'rolledBack';
  const amount = to === 'confirmed' ? finalMinor : hold.amount;
  return { id, nonce, digest, amount, count, state, late: isOver(hold, now), until, others };
}

/** Takes the document to the time that was read, and keeps it for as long as what is decided counts. */
function latest({ moves, now, places }: Taking): Readonly<Record<string, unknown>> {
  const ends = moves.flatMap(({ hold: { state, buckets }, to }) =>
    state === 'open' || to !== 'confirmed'
      ? []
      : buckets.map(({ until }) => until.getTime() + KEPT_BEYOND_MS),
  );
  const last = Math.max(now.getTime() + MEMORY_MS, ...ends);
  return { seen: now, expireAt: deletableFrom(last), ...places?.forgot };
}
