import { BUCKETS_MAX, MEMORY_MS, RULES_PER_CHECK_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { Addition } from './addition.ts';
import type { DocumentView } from './document.ts';
import { deletableFrom, documentTime, namesInText } from './document.ts';
import { bucketFields, cellPath, readBucketName, sumPath } from '../counter/name.ts';
import type { Sums } from '../counter/sums.ts';
import { NO_SUMS } from '../counter/sums.ts';
import { allOf, isEnteredBy } from './conditions.ts';
import { notAbove } from '../counter/plain.ts';
import { isOver } from '../counter/effect.ts';
import type { StillRead } from '../rule/counter-key.ts';
import { hasNoRule } from '../rule/counter-key.ts';
import { effectOfExpired } from './decision.ts';
import { viewProjection } from './projection.ts';
import type { Ask } from './counter-store.ts';
import type { Adding } from './statements.ts';
import { cutTo, placesFor } from './remembered.ts';
import type { StoredDocument } from './stored.ts';
import { readHolds, cellsSpent } from './stored.ts';
import { countHeld, entrantsAt, expiredHold, heldAt, keptShare } from './written.ts';
import type { Filter, Update } from './update.ts';
import { addTo, incrementing, pushing, wholeOf } from './update.ts';
import { groupedBy } from '../shared/grouped.ts';

/** With fewer buckets that are over or empty, or values that no order has, tidying is not worth a statement. */
const WORTH_BUCKETS = 8;

/** With fewer lists of names that no hold has. Each comes back with every add, and a minute makes one. */
const WORTH_LISTS = 2;

/** A document as it was read, and by whose rules it is tidied. */
type Read = {
  readonly stored: StoredDocument;
  readonly databaseNow: Date;
  readonly stillRead?: StillRead | undefined;
};

/** Tidies what a chosen add has shown, if it is worth it. A failure changes no answer: the next one tidies. */
export async function tidyAfter(
  store: Adding,
  ask: Ask,
  stored: StoredDocument,
  { now }: Addition,
) {
  const read = { stored, databaseNow: now, stillRead: stillReadOf(ask) };
  const over = overIn(read);
  const { lapsed, buckets, emptied, left, spent } = over;
  const isNothing = lapsed.length === 0 && emptied.size === 0 && spent.length === 0;
  const isShort = isNothing && buckets.length < WORTH_BUCKETS && left.length < WORTH_LISTS;
  const keeps = cutTo(stored.settledCount, store.outcomesMax, ordersInCall(ask));
  if (isShort && keeps === undefined) return;
  try {
    await tidyNow(store, ask, read, over);
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
  }
}

/** Tidies a document that was read, where what is over is in the way; whether it had to. */
export async function tidyIfNeeded(
  store: Adding,
  ask: Ask,
  stored: StoredDocument,
  { now }: DocumentView,
  endsAtMs?: number,
): Promise<boolean> {
  const read = { stored, databaseNow: stored.now ?? now, stillRead: stillReadOf(ask) };
  const over = overIn(read);
  const { lapsed, buckets, emptied } = over;
  const mayDrop = mayBeFull(stored) && buckets.length + emptied.size > 0;
  if (lapsed.length === 0 && !mayDrop) return false;
  await tidyNow(store, ask, read, over, endsAtMs);
  return true;
}

/** All plans of an ask are of one set of rules. */
function stillReadOf({ plans: [plan] }: Ask): StillRead | undefined {
  return plan?.stillRead;
}

/** Orders of the call whose home the document is. */
function ordersInCall({ orders, asked = orders.length }: Ask): number {
  return asked;
}

/**
 * Tidies by what was read. What lapsed beside home is kept for a late confirm, so all that is kept is read first.
 * Callers may have entered an empty bucket or list since. Then it drops only what nobody enters any more.
 */
async function tidyNow(
  store: Adding,
  ask: Ask,
  read: Read,
  { lapsed: found }: ReturnType<typeof overIn>,
  endsAtMs?: number,
): Promise<void> {
  const { statements, outcomesMax } = store;
  const { document: documentId, at } = ask;
  const asked = ordersInCall(ask);
  const tidies = async (one: Read, extent: Extent): Promise<boolean> => {
    const statement = tidy(documentId, one, outcomesMax, asked, extent);
    return (await statements.update(statement, endsAtMs)) !== undefined;
  };
  const needsKept = found.some(({ home }) => home !== undefined);
  if (!needsKept && (await tidies(read, 'all'))) return;
  const projection = viewProjection([], 'all', at);
  const [stored] = await statements.find([documentId], projection, endsAtMs);
  const databaseNow = at ?? stored?.now;
  if (stored === undefined || databaseNow === undefined) return;
  const again = { ...read, stored, databaseNow };
  if (needsKept && (await tidies(again, 'all'))) return;
  const { lapsed, buckets, emptied } = overIn(again, 'due');
  const isOverdue = lapsed.length + buckets.length + emptied.size > 0;
  if (isOverdue || cutTo(stored.settledCount, outcomesMax, asked) !== undefined)
    await tidies(again, 'due');
}

/** A tidy drops all that is empty (`all`), or only what is over or must make room (`due`). */
type Extent = 'all' | 'due';

/**
 * Nothing entered a bucket since it was read. A payment that was counted and refunded may leave its amount and no
 * count, where its rule keeps amounts.
 */
function isStillEmpty(name: string, amount: bigint, count: bigint): Filter {
  const { amount: a, count: n, usedAmount, usedCount } = bucketFields(name);
  return {
    [a]: amount === 0n ? notAbove(0n) : amount,
    [n]: count === 0n ? notAbove(0n) : count,
    [usedAmount]: notAbove(0n),
    [usedCount]: notAbove(0n),
  };
}

/** Whether buckets that nothing is in any more must make room. */
function mayBeFull({ b = {} }: StoredDocument): boolean {
  return Object.keys(b).length + RULES_PER_CHECK_MAX > BUCKETS_MAX;
}

/**
 * Holds that lapsed, which must all have been read; buckets whose windows are over, or that no rule reads, and that
 * no other hold entered; and, where they are many, others that a rollback left empty, with what must be true of them. In a document
 * that may be full, those are emptied as well that are empty without what lapsed. `spent` are values that no order
 * has any more, where they are many.
 *
 * `left` are lists of names that no hold has any more, by digest, with how many lapsed holds have them: those
 * that name such a bucket, or all where they are many. A rolling window makes one at each of its steps.
 */
function overIn({ stored, databaseNow, stillRead }: Read, extent: Extent = 'all') {
  const now = documentTime(databaseNow, stored.seen);
  const { b: all = {}, p = {} } = stored;
  const lapsed = readHolds(stored).filter((hold) => isOver(hold, now));
  const lapsedBy = groupedBy(lapsed, ({ places }) => places.list);
  const named = new Set<string>();
  const unnamed: {
    readonly digest: string;
    readonly holds: number;
    readonly b: readonly string[];
  }[] = [];
  for (const [digest, { b: text, n }] of Object.entries(p)) {
    const b = namesInText(text);
    const holds = lapsedBy.get(digest)?.length ?? 0;
    if (wholeOf(n) === BigInt(holds)) unnamed.push({ digest, holds, b });
    else for (const name of b) named.add(name);
  }
  const looked = new Map<string, boolean>();
  const isUnread = (name: string): boolean => {
    const known = looked.get(name);
    if (known !== undefined) return known;
    const bucket = readBucketName(name);
    const isNone = isOver(bucket, now) || hasNoRule(bucket.counter, stillRead);
    looked.set(name, isNone);
    return isNone;
  };
  const buckets = Object.keys(all).filter((name) => isUnread(name) && !named.has(name));
  const released = effectOfExpired(lapsed);
  const isFull = mayBeFull(stored);
  const emptied = new Map<string, Filter>();
  for (const [name, { a = 0, n = 0, ua = 0, un = 0 }] of Object.entries(all)) {
    const effect = isFull ? released.get(name) : undefined;
    const { amount, count } = togetherOf(effect);
    const isUnused = wholeOf(un) === 0n && wholeOf(ua) === 0n;
    const isEmpty = isUnused && wholeOf(n) === -count && wholeOf(a) <= -amount;
    if (isEmpty && !isUnread(name)) emptied.set(name, isStillEmpty(name, wholeOf(a), -count));
  }
  if (!isFull && (extent === 'due' || emptied.size < WORTH_BUCKETS)) emptied.clear();
  const goesWith = ({ b }: { readonly b: readonly string[] }): boolean =>
    b.some((name) => isUnread(name) || emptied.has(name));
  const isWorth = extent === 'all' && unnamed.length >= WORTH_LISTS;
  const left = isWorth ? unnamed : unnamed.filter(goesWith);
  const staying = Object.entries(all).filter(([name]) => !isUnread(name) && !emptied.has(name));
  const without = extent === 'due' ? [] : cellsSpent(staying, released);
  const spent = without.length < WORTH_BUCKETS ? [] : without;
  return { now, lapsed, released, buckets, emptied, left, spent };
}

/**
 * The update that takes the holds that lapsed, and drops the buckets that are over. When a document
 * matches, it is proven that each of those holds was there, and that no other hold entered one of those
 * buckets. The time that was read becomes the document's: a clock that is set back must not open again
 * what is over. What lapsed at home is remembered as expired; beside home it is kept for a late confirm.
 * It cuts the lists of outcomes and of expired holds once they are much longer than they must be.
 *
 * @param asked orders of the call: what was remembered before it stays beside them, for it may be repeated
 */
export function tidy(
  documentId: string,
  read: Read,
  outcomesMax: number,
  asked: number,
  extent: Extent = 'all',
): Update {
  const { stored } = read;
  const { now, lapsed, released, buckets: over, emptied, left, spent } = overIn(read, extent);
  const buckets = [...over, ...emptied.keys()];
  const here = lapsed.filter(({ home }) => home === undefined);
  const beside = lapsed.filter(({ home }) => home !== undefined);
  const places = beside.length === 0 ? undefined : placesFor(stored, beside, outcomesMax);
  const sums: Record<string, bigint> = {};
  const going = new Set([...buckets, ...spent.map(({ all }) => all)]);
  addReleased(sums, stored, released, (one) => going.has(one));
  addTo(sums, 'remembered', BigInt(here.length));
  countHeld(sums, lapsed, -1n);
  for (const { digest, holds } of left) addTo(sums, entrantsAt(digest), BigInt(holds)); // it goes as a whole
  const entered = lapsed.filter(({ places }) => places.names.some((name) => going.has(name)));
  const conditions = [
    ...lapsed.map((hold) => ({ [`${heldAt(hold)}.nonce`]: hold.nonce })),
    ...left.map(({ digest, holds }) => ({ [entrantsAt(digest)]: BigInt(holds) })),
    ...(buckets.length === 0 ? [] : [allOf([isEnteredBy(entered.length, buckets)])]),
    ...(places?.conditions ?? []),
    ...emptied.values(),
    ...spent.map(({ all, sum }) => ({ [all]: sum === 0n ? notAbove(0n) : sum })),
  ];
  const unset = [
    ...lapsed.map(heldAt),
    ...buckets.map((name) => `b.${name}`),
    ...left.map(({ digest }) => `p.${digest}`),
    ...spent.flatMap(({ all, used }) => [all, used]),
  ];
  return {
    filter: { _id: documentId, ...(conditions.length === 0 ? {} : { $and: conditions }) },
    update: {
      ...incrementing(sums),
      ...pushing({
        settled: { items: [], keeps: cutTo(stored.settledCount, outcomesMax, asked) },
        expired: {
          items: here.map(expiredHold),
          keeps: cutTo(stored.expiredCount, outcomesMax, here.length),
        },
        kept: { items: beside.map(keptShare), keeps: places?.keeps },
      }),
      ...(unset.length === 0
        ? {}
        : { $unset: Object.fromEntries(unset.map((path) => [path, true])) }),
      $max: { seen: now, expireAt: deletableFrom(now.getTime() + MEMORY_MS), ...places?.forgot },
    },
  };
}

/** What is used and held together, as a document has it. */
function togetherOf({ usedAmount, usedCount, heldAmount, heldCount }: Sums = NO_SUMS) {
  return { amount: BigInt(usedAmount + heldAmount), count: BigInt(usedCount + heldCount) };
}

/** Adds it to the buckets that stay. @param isGone whether a bucket, or the count of a value, goes as a whole */
function addReleased(
  sums: Record<string, bigint>,
  { b = {} }: StoredDocument,
  released: ReadonlyMap<string, Sums>,
  isGone: (nameOrPath: string) => boolean,
): void {
  for (const [name, effect] of released) {
    if (isGone(name)) continue;
    const { amount, count } = togetherOf(effect);
    const { usedAmount, usedCount, cells = {} } = effect;
    if (b[name]?.a !== undefined) {
      addTo(sums, sumPath(name, 'a'), amount);
      addTo(sums, sumPath(name, 'ua'), BigInt(usedAmount));
    }
    addTo(sums, sumPath(name, 'n'), count);
    addTo(sums, sumPath(name, 'un'), BigInt(usedCount));
    for (const [cell, { used, held }] of Object.entries(cells)) {
      const path = cellPath(name, 'd', cell);
      if (isGone(path)) continue;
      addTo(sums, path, BigInt(used + held));
      addTo(sums, cellPath(name, 'ud', cell), BigInt(used));
    }
  }
}
