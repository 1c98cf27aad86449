import { COUNTER_SUM_MAX, KEPT_BEYOND_MS, MEMORY_MS } from '../shared/bounds.ts';
import type { SettledState } from '../shared/states.ts';
import { isSettled } from '../shared/states.ts';
import { countsOutcome, marksIn, sumsAmounts } from '../rule/counter-key.ts';
import type { ShareEnd } from '../counter/effect.ts';
import { effectOf, isOver } from '../counter/effect.ts';
import { bucketFields, cellPath } from '../counter/name.ts';
import { notAbove } from '../counter/plain.ts';
import type { BucketReference } from '../counter/sums.ts';
import { allOf, areHeld, hasNotSeen, clockIsBefore, notSeenFrom } from './conditions.ts';
import type { Hold, Outcome } from './document.ts';
import { deletableFrom } from './document.ts';
import type { placesFor } from './remembered.ts';
import type { StoredDocument } from './stored.ts';
import type { Fields, Filter, Projection, Update, Value } from './update.ts';
import { addTo, incrementing, ownPaths, pushing, wholeOf, writesAt } from './update.ts';
import { countHeld, heldAt, keptShare, storedHold, storedOutcome } from './written.ts';

/** One entry that a settlement takes. */
export type Move = {
  readonly hold: Hold;
  readonly end: ShareEnd<SettledState | 'dropped' | 'withdrawn'>;
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
  /** What is needed of the document as it was before. Absent: how many writes it has seen by then. */
  readonly projection?: Projection | undefined;
};

/**
 * The update that settles entries. When a document matches, it is proven that each entry was there
 * to the letter, and that those that are settled in time had not expired. A share is there once, so it
 * is settled once: a repeat finds none and does nothing.
 */
export function take(taking: Taking, serverNow: Date | string): Update {
  const { documentId, moves, now, places, projection } = taking;
  const open: Hold[] = [];
  const outcomes: Value[] = [];
  const kept: Value[] = [];
  const conditions: Filter[] = [];
  /** The first instant at which one that is settled in time is over. */
  let ends: Date | undefined;
  let isDated = places !== undefined;
  for (const move of moves) {
    const { hold, end } = move;
    const wasOpen = isOpen(move);
    if (wasOpen) open.push(hold);
    else conditions.push(isRemembered(move));
    const isInTime = wasOpen && !isOver(hold, now);
    if (isInTime && (ends === undefined || hold.until < ends)) ends = hold.until;
    // Of sums that grow it must be known when: a reader of a secondary compares what it reads by that.
    const countsMore = finalOf(move) > hold.amount;
    isDated ||= !isInTime || countsMore;
    if (end.to === 'dropped') kept.push(keptShare(hold));
    else if (hold.home === undefined) outcomes.push(storedOutcome(outcomeOf(move, now)));
  }
  if (places !== undefined) conditions.push(...places.conditions);
  const { sums, room } = allSumsMoved(moves, now);
  const [hold, another] = open;
  countHeld(sums, open, -1n);
  addTo(sums, 'q', 1n);
  if (outcomes.length > 0) addTo(sums, 'remembered', BigInt(outcomes.length));
  const filter = ownPaths<unknown>();
  filter._id = documentId;
  for (const [path, most] of room) filter[path] = notAbove(most);
  // By the document's time no hold is over that is settled in time.
  if (ends !== undefined) Object.assign(filter, hasNotSeen(notSeenFrom(taking.seen, now, ends)));
  const expressions: unknown[] = ends === undefined ? [] : [...clockIsBefore(serverNow, ends)];
  if (another !== undefined) expressions.push(areHeld(open));
  Object.assign(filter, allOf(expressions));
  // Each may ask for something of the same list.
  if (conditions.length === 1) Object.assign(filter, conditions[0]);
  else if (conditions.length > 1) filter.$and = conditions;
  if (hold !== undefined && another === undefined) filter[heldAt(hold)] = storedHold(hold);
  const update: Record<string, Fields> = {};
  if (open.length > 0) update.$unset = goneFields(open);
  if (open.length < moves.length) update.$pull = pulled(moves);
  Object.assign(update, incrementing(sums));
  const lists = { settled: { items: outcomes }, kept: { items: kept, keeps: places?.keeps } };
  if (outcomes.length + kept.length > 0) Object.assign(update, pushing(lists));
  if (isDated) update.$max = latestTaken(taking);
  return {
    filter,
    update,
    returns:
      projection === undefined
        ? { document: 'after', projection: writesAt(serverNow) }
        : { document: 'before', projection },
  };
}

/** Whether sums that were read would leave what is kept exactly. */
export function overflows(moves: readonly Move[], now: Date, { b = {} }: StoredDocument): boolean {
  return allSumsMoved(moves, now).room.some(([path, most]) => {
    const [, name = '', field, cell] = path.split('.');
    const { a = 0, n = 0, d = {} } = b[name] ?? {};
    const sum = cell === undefined ? (field === 'a' ? a : n) : (d[cell] ?? 0);
    return wholeOf(sum) > most;
  });
}

/** How entries change the sums of a document, and, by path, how large each that grows may be before. */
type SumsMoved = {
  readonly sums: Record<string, bigint>;
  readonly room: readonly (readonly [path: string, most: bigint])[];
};

/**
 * Adds up how entries change the sums of the buckets that they entered. Used and held together are the largest: they
 * stay exact, and so do all.
 */
function allSumsMoved(moves: readonly Move[], now: Date): SumsMoved {
  const sums: Record<string, bigint> = {};
  const growing = new Set<string>();
  for (const { hold, same } of alikeIn(moves)) {
    const { buckets, names, fields: known } = hold.places;
    const alike = new Map<string, Moved>();
    for (const [place, bucket] of buckets.entries()) {
      // Buckets whose counters have the same marks get the same from these moves, unless a window is over.
      const marks = marksIn(bucket.counter);
      const likeness = isOver(bucket, now) ? `over ${marks}` : marks;
      const moved = alike.get(likeness) ?? movedBy(same, bucket, now);
      alike.set(likeness, moved);
      const fields = known?.[place] ?? bucketFields(names[place] ?? '');
      for (const sum of ALL_SUMS) {
        const by = moved[sum];
        if (by === 0n) continue;
        const path = fields[sum];
        sums[path] = (sums[path] ?? 0n) + by;
        if (by > 0n && (sum === 'amount' || sum === 'count')) growing.add(path);
      }
      for (const move of same)
        if (move.hold.values !== undefined)
          moveCells(sums, growing, fields.name, bucket, move, now);
    }
  }
  const room: [path: string, most: bigint][] = [];
  for (const path of growing) {
    const by = sums[path] ?? 0n;
    if (by > 0n) room.push([path, BigInt(COUNTER_SUM_MAX) - by]);
  }
  return { sums, room };
}

/** The further sums of a bucket, where its kind has any, move with each entry. */
function moveCells(
  sums: Record<string, bigint>,
  growing: Set<string>,
  name: string,
  bucket: BucketReference,
  { hold, end }: Move,
  now: Date,
): void {
  const { cells = {} } = effectOf(bucket, beforeOf(hold), end, hold, now);
  for (const [cell, { used, held }] of Object.entries(cells)) {
    const path = cellPath(name, 'd', cell);
    addTo(sums, path, BigInt(used + held));
    if (used + held > 0) growing.add(path);
    addTo(sums, cellPath(name, 'ud', cell), BigInt(used));
  }
}

/** As the fields of a bucket have it: what is used and held together, and what is used. */
type Moved = {
  readonly amount: bigint;
  readonly count: bigint;
  readonly usedAmount: bigint;
  readonly usedCount: bigint;
};

const ALL_SUMS = ['amount', 'count', 'usedAmount', 'usedCount'] as const;

function movedBy(moves: readonly Move[], bucket: BucketReference, now: Date): Moved {
  let [amount, count, usedAmount, usedCount] = [0n, 0n, 0n, 0n];
  for (const { hold, end } of moves) {
    const effect = effectOf(bucket, beforeOf(hold), end, hold, now);
    amount += BigInt(effect.usedAmount + effect.heldAmount);
    count += BigInt(effect.usedCount + effect.heldCount);
    usedAmount += BigInt(effect.usedAmount);
    usedCount += BigInt(effect.usedCount);
  }
  if (!sumsAmounts(bucket.counter)) [amount, usedAmount] = [0n, 0n];
  return { amount, count, usedAmount, usedCount };
}

function beforeOf({ state }: Hold): 'open' | 'over' {
  return state === 'open' ? 'open' : 'over';
}

/** Entries that entered the same buckets, with the first of them: of a call of many orders most did. */
function alikeIn(moves: readonly Move[]) {
  const groups: { readonly hold: Hold; readonly same: Move[] }[] = [];
  for (const move of moves) {
    const group = groups.find(({ hold }) => hold.places.text === move.hold.places.text);
    if (group === undefined) groups.push({ hold: move.hold, same: [move] });
    else group.same.push(move);
  }
  return groups;
}

function isOpen({ hold }: Move): boolean {
  return hold.state === 'open';
}

function goneFields(holds: readonly Hold[]): ReadonlyMap<string, true> {
  const fields = new Map<string, true>();
  for (const hold of holds) fields.set(heldAt(hold), true);
  return fields;
}

function isRemembered({ hold: { state, id, nonce, until } }: Move): Filter {
  return { [state]: { $elemMatch: { id, nonce, until } } };
}

/** Takes what is over out of its list. */
function pulled(moves: readonly Move[]): Filter {
  const byList: Record<string, string[]> = {};
  for (const { hold } of moves)
    if (hold.state !== 'open') (byList[hold.state] ??= []).push(hold.nonce);
  return Object.fromEntries(
    Object.entries(byList).map(([list, nonces]) => [
      list,
      { nonce: nonces.length === 1 ? nonces[0] : { $in: nonces } },
    ]),
  );
}

/** What counts of an entry: of one that is confirmed, the final amount. */
function finalOf({ hold: { amount }, end: { to, amountMinor = amount } }: Move): number {
  return to === 'confirmed' ? amountMinor : amount;
}

function outcomeOf(move: Move, now: Date): Outcome {
  const { hold, end } = move;
  const { to, reasonCode } = end;
  const { id, nonce, digest, count, until, others } = hold;
  const state = isSettled(to) ? to : 'rolledBack';
  const amount = finalOf(move);
  const late = isOver(hold, now);
  return { id, nonce, digest, amount, count, state, reasonCode, late, until, others };
}

/** The buckets in which the outcome of an entry counts, unless their windows are over. */
export function countedBuckets({ hold, end: { to, reasonCode } }: Move) {
  if (!isSettled(to)) return [];
  return hold.places.buckets.filter(({ counter }) => countsOutcome(counter, to, reasonCode));
}

/** Takes the document to the time that was read, and keeps it for as long as what is decided counts. */
function latestTaken({ moves, now, places }: Taking): Readonly<Record<string, unknown>> {
  const ends = moves.flatMap((move) =>
    isOpen(move) ? [] : countedBuckets(move).map(({ until }) => until.getTime() + KEPT_BEYOND_MS),
  );
  const last = Math.max(now.getTime() + MEMORY_MS, ...ends);
  return { seen: now, expireAt: deletableFrom(last), ...places?.forgot };
}
