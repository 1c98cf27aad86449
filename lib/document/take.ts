import { COUNTER_SUM_MAX, KEPT_BEYOND_MS, MEMORY_MS } from '../shared/bounds.ts';
import { countsOutcome, outcomesText, sumsAmounts } from '../rule/counter.ts';
import type { BucketReference, Hold, Outcome } from './document.ts';
import type { SettledState } from '../shared/states.ts';
import { isSettled } from '../shared/states.ts';
import { deletableFrom } from './document.ts';
import { COUNT_FIELDS, SUM_FIELDS, isWholeSum, sumPath } from './bucket-name.ts';
import { effectOf, isOver } from './effect.ts';
import { countHeld, heldAt } from './held.ts';
import {
  allOf,
  areHeld,
  hasNotSeen,
  isBefore,
  withPath,
  notAbove,
  notSeenFrom,
} from './conditions.ts';
import { keptShare, storedHold, storedOutcome } from './written.ts';
import type { placesFor } from './remembered.ts';
import type { Filter, Projection, Update, Value } from './update.ts';
import type { StoredDocument } from './stored.ts';
import { Increments, pushing, wholeOf } from './update.ts';

/** One entry that a settlement takes. */
export type Move = {
  readonly hold: Hold;
  readonly to: SettledState | 'dropped' | 'withdrawn';
  /** Minor units that a confirm counts. */
  readonly finalMinor: number;
  /** Of a rollback. */
  readonly reasonCode?: string | undefined;
};

/** Entries of one document that one update settles, all or none. */
type Taking = {
  readonly documentId: string;
  /** No id twice. */
  readonly moves: readonly Move[];
  readonly now: Date;
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
  const { documentId, moves, now, places, projection } = taking;
  const outcomes: unknown[] = [];
  const kept: Value[] = [];
  /** The first instant at which one that is settled in time is over. */
  let ends: Date | undefined;
  let isDated = places !== undefined;
  for (const move of moves) {
    const { hold, to, finalMinor } = move;
    const isInTime = isOpen(move) && !isOver(hold, now);
    if (isInTime && (ends === undefined || hold.until < ends)) ends = hold.until;
    // Of sums that grow it must be known when: a reader of a secondary compares what it reads by that.
    const countsMore = to === 'confirmed' && finalMinor > hold.amount;
    isDated ||= !isInTime || countsMore;
    if (to === 'dropped') kept.push(keptShare(hold));
    else if (hold.home === undefined) outcomes.push(storedOutcome(outcomeOf(move, now)));
  }
  const sums = sumsMoved(moves, now);
  const open = moves.filter(isOpen).map(({ hold }) => hold);
  const [hold, another] = open;
  countHeld(sums, open, -1n);
  if (outcomes.length > 0) sums.add('remembered', BigInt(outcomes.length));
  const conditions = [
    ...moves.filter((move) => !isOpen(move)).map(isRemembered),
    ...(places?.conditions ?? []),
  ];
  const filter = {
    _id: documentId,
    ...staysExact(sums),
    // By the document's time no hold is over that is settled in time.
    ...(ends === undefined ? {} : hasNotSeen(notSeenFrom(taking.seen, now, ends))),
    ...allOf([
      ...(ends === undefined ? [] : isBefore(serverNow, ends)),
      ...(another === undefined ? [] : [areHeld(open)]),
    ]),
    ...allIn(conditions),
  };
  const isOne = hold !== undefined && another === undefined;
  return {
    filter: isOne ? withPath(filter, heldAt(hold), storedHold(hold)) : filter,
    update: {
      ...(open.length === 0 ? {} : { $unset: goneFields(open) }),
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
  for (const [path, by] of sums.growing())
    if (isWholeSum(path)) room.push([path, BigInt(COUNTER_SUM_MAX) - by]);
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
    }
  }
  return sums;
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

function isOpen({ hold }: Pick<Move, 'hold'>): boolean {
  return hold.state === 'open';
}

function goneFields(holds: readonly Hold[]): Filter {
  const fields: Record<string, true> = {};
  for (const hold of holds) fields[heldAt(hold)] = true;
  return fields;
}

/** Each may ask for something of the same list. */
function allIn(conditions: readonly Filter[]): Filter {
  const [only = {}, another] = conditions;
  return another === undefined ? only : { $and: conditions };
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

function outcomeOf({ hold, to, finalMinor, reasonCode }: Move, now: Date): Outcome {
  const { id, nonce, digest, count, until, others } = hold;
  const state = isSettled(to) ? to : 'rolledBack';
  const amount = to === 'confirmed' ? finalMinor : hold.amount;
  const late = isOver(hold, now);
  return { id, nonce, digest, amount, count, state, reasonCode, late, until, others };
}

/** The buckets in which the outcome of an entry counts, unless their windows are over. */
export function countedBuckets({ hold, to, reasonCode }: Omit<Move, 'finalMinor'>) {
  if (!isSettled(to)) return [];
  return hold.buckets.filter(({ counter }) => countsOutcome(counter, to, reasonCode));
}

/** Takes the document to the time that was read, and keeps it for as long as what is decided counts. */
function latest({ moves, now, places }: Taking): Readonly<Record<string, unknown>> {
  const ends = moves.flatMap((move) =>
    isOpen(move) ? [] : countedBuckets(move).map(({ until }) => until.getTime() + KEPT_BEYOND_MS),
  );
  const last = Math.max(now.getTime() + MEMORY_MS, ...ends);
  return { seen: now, expireAt: deletableFrom(last), ...places?.forgot };
}
