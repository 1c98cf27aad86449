import { COUNTER_SUM_MAX, KEPT_BEYOND_MS, MEMORY_MS } from '../shared/bounds.ts';
import { countsOutcome } from '../rule/counter-key.ts';
import type { Hold, Outcome } from './document.ts';
import { isSettled } from '../shared/states.ts';
import { deletableFrom } from './document.ts';
import { isWholeSum } from '../counter/name.ts';
import { isOver } from '../counter/effect.ts';
import { countHeld, heldAt } from './held.ts';
import { allOf, areHeld, hasNotSeen, isBefore, notSeenFrom } from './conditions.ts';
import { notAbove } from '../counter/plain.ts';
import { keptShare, storedHold, storedOutcome } from './written.ts';
import type { placesFor } from './remembered.ts';
import type { Filter, Projection, Update, Value } from './update.ts';
import type { StoredDocument } from './stored.ts';
import type { Increments } from './update.ts';
import { ownPaths, pushing, wholeOf, writesAt } from './update.ts';
import type { Move } from './moves.ts';
import { isOpen, sumsMoved } from './moves.ts';

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
  sums.add('q', 1n);
  if (outcomes.length > 0) sums.add('remembered', BigInt(outcomes.length));
  const conditions = [
    ...moves.filter((move) => !isOpen(move)).map(isRemembered),
    ...(places?.conditions ?? []),
  ];
  const filter = ownPaths<unknown>();
  filter._id = documentId;
  for (const [path, most] of roomIn(sums)) filter[path] = notAbove(most);
  // By the document's time no hold is over that is settled in time.
  if (ends !== undefined) Object.assign(filter, hasNotSeen(notSeenFrom(taking.seen, now, ends)));
  const expressions: unknown[] = ends === undefined ? [] : [...isBefore(serverNow, ends)];
  if (another !== undefined) expressions.push(areHeld(open));
  Object.assign(filter, allOf(expressions), allIn(conditions));
  if (hold !== undefined && another === undefined) filter[heldAt(hold)] = storedHold(hold);
  return {
    filter,
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
    returns:
      projection === undefined
        ? { document: 'after', projection: writesAt(serverNow) }
        : { document: 'before', projection },
  };
}

/** By path, how large each sum that grows may be before, so that it stays exact: used and held together, `a` and `n`, are the largest. */
function roomIn(sums: Increments): readonly (readonly [path: string, most: bigint])[] {
  const room: [path: string, most: bigint][] = [];
  for (const [path, by] of sums.growing())
    if (isWholeSum(path)) room.push([path, BigInt(COUNTER_SUM_MAX) - by]);
  return room;
}

/** Whether sums that were read would leave what is kept exactly. */
export function overflows(moves: readonly Move[], now: Date, { b = {} }: StoredDocument): boolean {
  return roomIn(sumsMoved(moves, now)).some(([path, most]) => {
    const [, name = '', field] = path.split('.');
    return wholeOf(b[name]?.[field === 'a' ? 'a' : 'n'] ?? 0) > most;
  });
}

function goneFields(holds: readonly Hold[]): Filter {
  const fields = ownPaths<true>();
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
