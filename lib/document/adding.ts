import { ATTEMPTS_MAX, SLACK_MS } from '../shared/bounds.ts';
import { LostAnswerError, UndecidedError } from '../shared/errors.ts';
import { add, make } from './add.ts';
import type { Addition } from './addition.ts';
import {
  decidedAddition,
  freshAddition,
  isChosen,
  plainAddition,
  rememberedMax,
} from './addition.ts';
import type { Ask, Holding } from './counter-store.ts';
import { isOverSeveral } from './counter-store.ts';
import { decideHold, knownIn } from './decide.ts';
import type { DocumentView, Entry, Hold } from './document.ts';
import type { DocumentPlan } from './document-plan.ts';
import { isFixed, planFor } from './document-plan.ts';
import type { Bucket } from '../counter/sums.ts';
import { holdsAny } from '../counter/sums.ts';
import { isOver } from '../counter/effect.ts';
import { effectOfExpired } from './decision.ts';
import { askProjection } from './projection.ts';
import type { Adding } from './statements.ts';
import { answered } from './statements.ts';
import type { StoredDocument } from './stored.ts';
import { readBucket, readBuckets, readHolds, readView } from './stored.ts';
import { tidyAfter, tidyIfNeeded } from './tidy.ts';
import type { Update } from './update.ts';

/**
 * Holds in one document what fits of the orders of an ask.
 *
 * ```
 * add ──match──▶ held
 *  ├─ none ──▶ read, decide ──▶ known, refused, full: nothing is written
 *  │                        ──▶ something lapsed or is over: tidy, then read again
 *  │                        ──▶ somebody was faster: add again, a few times, then UNDECIDED
 *  └─ lost ──▶ read: what the document shows of it (`afterLoss`)
 * ```
 */
export async function addingTo(store: Adding, ask: Ask): Promise<Holding> {
  const { lanes } = store;
  const mayAsk = ask.isNew !== true && ask.readsFirst !== true;
  const asksFirst = mayAsk && lanes.takesPlain(ask.document, 'hold');
  const plain = asksFirst ? plainAddition(ask) : undefined;
  const update = plain && add(store, ask, plain);
  const tries: Tries = { adds: 0, lost: [], endsAtMs: undefined };
  if (plain !== undefined && update !== undefined) {
    const sent = await send(store, ask, plain, update);
    if (sent !== undefined && !(sent instanceof LostAnswerError)) {
      lanes.note('plain');
      return sent;
    }
    tries.adds += 1;
    if (sent !== undefined) noteLost(tries, plain, sent);
  }
  lanes.note('general');
  const holding = await addAsRead(store, ask, tries);
  // Where other terms are in force than were known, nothing is known of its room.
  if (holding.view.terms?.version === ask.terms?.version)
    lanes.learn(ask.document, holding.refuses !== true);
  return holding;
}

/** The adds of an ask so far. */
type Tries = {
  adds: number;
  /** Those whose answers were lost. */
  readonly lost: Addition[];
  /** When the time of the first of them is over, by the clock of the process. */
  endsAtMs: number | undefined;
};

/** Remembers that the answer to an add was lost. @throws any other error */
function noteLost(tries: Tries, addition: Addition, error: unknown): void {
  if (!(error instanceof LostAnswerError)) throw error;
  tries.endsAtMs = error.endsAtMs;
  if (addition.taken.length > 0) tries.lost.push(addition);
}

/** Sends an add, and gives what it wrote: nothing if it matched nothing, and the error if the answer was lost. */
async function send(
  store: Adding,
  ask: Ask,
  addition: Addition,
  update: Update,
  endsAtMs?: number,
  before?: DocumentView,
): Promise<Holding | LostAnswerError | undefined> {
  const found = await answered(store.statements.update(update, endsAtMs));
  if (found === undefined || found instanceof LostAnswerError) return found;
  if (isChosen(addition.taken)) await tidyAfter(store, ask, found, addition);
  return holdingOf(addition, ask, found, before);
}

/** Reads, decides and adds, until what was read is what is written. */
async function addAsRead(store: Adding, ask: Ask, tries: Tries): Promise<Holding> {
  const { statements } = store;
  const ids = ask.orders.map(({ id }) => id);
  const most = rememberedMax(store, ask);
  // A new subject is the likely cause of an add that matched nothing, where the document was not read before.
  const isUnread = ask.unreadUntil !== undefined || !isOverSeveral(ask);
  const isMissed = isUnread && tries.adds > tries.lost.length;
  let isNew = ask.isNew === true || isMissed;
  let isTidied = false;
  for (let turn = 1; turn <= ADDS_MAX + 1; turn++) {
    const found = isNew ? undefined : await findIn(store, ask, tries);
    isNew = false;
    if (tries.lost.length > 0) {
      const shown = afterLoss(ask, readView(found ?? {}, ids, ask.estimate), tries.lost);
      if (shown !== undefined) return shown;
    }
    const read = found ?? (await makeOrRead(store, ask, tries));
    if (read === undefined) continue;
    if ('made' in read) return read.made;
    const view = readView(read, ids, ask.estimate);
    const decided = decideHold(view, ask, most);
    if (decided.taken.length === 0) return { view, held: NONE, refuses: decided.refuses };
    if (turn > ADDS_MAX) break;
    // What lapsed since it was tidied stops no add: on a busy document there would be no end to it.
    isTidied = !isTidied && (await tidyOrLose(store, ask, tries, read, view));
    if (isTidied) continue;
    const addition = decidedAddition(store, ask, view, decided, tries.adds, read);
    const update = add(store, ask, addition);
    if (update !== undefined) {
      const sent = await send(store, ask, addition, update, tries.endsAtMs, view);
      tries.adds += 1;
      if (sent instanceof LostAnswerError) noteLost(tries, addition, sent);
      else if (sent !== undefined) return sent;
    }
    await statements.pause(turn);
  }
  throw new UndecidedError('other calls of the same subject kept coming first');
}

const NONE: ReadonlyMap<string, string> = new Map();
const ADDS_MAX = 2 * ATTEMPTS_MAX;

async function findIn(
  { statements }: Adding,
  ask: Ask,
  { endsAtMs }: Tries,
): Promise<StoredDocument | undefined> {
  const [found] = await statements.find([ask.document], askProjection(ask), endsAtMs);
  return found;
}

/** Makes a document that holds the orders, or reads the one that is there; undefined if the answer was lost. */
async function makeOrRead(
  store: Adding,
  ask: Ask,
  tries: Tries,
): Promise<StoredDocument | { readonly made: Holding } | undefined> {
  const addition = freshAddition(store, ask, tries.adds);
  if (addition.taken.length > 0) tries.adds += 1;
  const pipeline = make(ask, addition);
  const projection = askProjection(ask);
  let stored: StoredDocument;
  try {
    stored = await store.statements.make(ask.document, pipeline, projection, tries.endsAtMs);
  } catch (error) {
    noteLost(tries, addition, error);
    return undefined;
  }
  const own = new Set(addition.taken.map(({ nonce }) => nonce));
  const { entries, shares } = readView(
    stored,
    ask.orders.map(({ id }) => id),
    ask.estimate,
  );
  const isMade = [...entries, ...shares].some(({ nonce }) => own.has(nonce));
  return isMade ? { made: holdingOf(addition, ask, stored) } : stored;
}

/** Tidies if it must. Whether it did so after all is for the next read to say, if the answer was lost. */
async function tidyOrLose(
  store: Adding,
  ask: Ask,
  tries: Tries,
  stored: StoredDocument,
  view: DocumentView,
) {
  const isTidied = await answered(tidyIfNeeded(store, ask, stored, view, tries.endsAtMs));
  if (!(isTidied instanceof LostAnswerError)) return isTidied;
  tries.endsAtMs = isTidied.endsAtMs;
  return true;
}

/** What an add that matched wrote, with the document as it is then. */
function holdingOf(
  addition: Addition,
  ask: Ask,
  found: StoredDocument,
  before?: DocumentView,
): Holding {
  const { taken, holds, outcomes, plan, now, asRead } = addition;
  // Decided for the instant of the add, whenever it was carried out.
  const { now: databaseNow, seen = now } = found;
  // Others may have seen a little more meanwhile; what a clock that was set back leaves ahead stays there.
  const aheadMs = seen.getTime() - now.getTime();
  const at = aheadMs > 0 && aheadMs <= SLACK_MS ? seen : now;
  const held = new Map<string, string>();
  for (const { id, nonce } of taken) held.set(id, nonce);
  const entries: Entry[] = [...outcomes];
  const shares: Hold[] = [];
  for (const hold of holds) (hold.home === undefined ? entries : shares).push(hold);
  // An add that asked whether all orders are unknown leaves nothing to be read of them.
  if (asRead === undefined && shares.length === 0) {
    const lapsed = readHolds(found).filter((hold) => isOver(hold, at));
    const view: DocumentView = {
      now: at,
      writes: Number(found.q ?? 0),
      databaseNow,
      entries,
      shares,
      buckets: liveBuckets(found, plan, at, isChosen(taken)),
      lapsed,
      released: effectOfExpired(lapsed),
      openHolds: 0,
      openShares: 0,
      openHoldsOfApp: 0,
      openSharesOfApp: 0,
      remembered: Number(found.remembered ?? 0),
      terms: ask.terms,
    };
    return { held, view };
  }
  const ids = ask.orders.map(({ id }) => id);
  const { now: _now, seen: _seen, ...stored } = found;
  const read = readView(stored, ids, at);
  const atHome = new Set(entries.map(({ id }) => id));
  const nonces = new Set(held.values());
  // The outcomes of other orders come from the read, because this add may have dropped them.
  const others = (before ?? read).entries.filter(({ id }) => !atHome.has(id));
  const left = read.shares.filter(({ nonce }) => !nonces.has(nonce));
  return {
    held,
    view: {
      ...read,
      databaseNow,
      terms: ask.terms ?? read.terms,
      entries: [...others, ...entries],
      shares: [...left, ...shares],
    },
  };
}

/**
 * Reads the buckets that hold something at an instant: of a fixed plan its own, as it names them.
 *
 * @param isWhole whether all of the document are there: those of several subjects, of which there may be many, are
 * counted then
 */
function liveBuckets(
  stored: StoredDocument,
  plan: DocumentPlan,
  at: Date,
  isWhole: boolean,
): readonly Bucket[] {
  const buckets: Bucket[] = [];
  const countsAll = isWhole && plan.pairs !== undefined;
  const read = isFixed(plan) && !countsAll ? fixedBuckets(stored, plan) : readBuckets(stored);
  for (const bucket of read) if (!isOver(bucket, at) && holdsAny(bucket)) buckets.push(bucket);
  return buckets;
}

function fixedBuckets(stored: StoredDocument, { counters }: DocumentPlan): Bucket[] {
  const read: Bucket[] = [];
  for (const { bucket, sumsAmounts } of counters) {
    if (bucket.kind !== 'fixed') continue;
    const { reference, fields, beside } = bucket;
    const own = readBucket(stored, fields.name, reference, sumsAmounts);
    if (own !== undefined) read.push(own);
    if (beside === undefined) continue;
    const { counter } = beside;
    const other = readBucket(
      stored,
      beside.fields.name,
      { counter, until: reference.until },
      sumsAmounts,
    );
    if (other !== undefined) read.push(other);
  }
  return read;
}

/**
 * Decides by what a document shows of adds whose answers were lost. Each of them may be done, or be done at any
 * moment of the next seconds, or never. docs/internals/design.md has the table.
 *
 * @returns undefined where the orders may be added once more, under other nonces
 * @throws UndecidedError where neither that nor a refusal is safe: a copy that arrives later would count beside it
 */
function afterLoss(ask: Ask, view: DocumentView, lost: readonly Addition[]): Holding | undefined {
  const own = new Map(
    lost.flatMap(({ taken }) => taken.map((order) => [order.nonce, order] as const)),
  );
  const held = new Map<string, string>();
  let isDone = false;
  for (const entry of [...view.entries, ...view.shares]) {
    const order = own.get(entry.nonce);
    if (order === undefined) continue;
    isDone = true;
    // A repeat hears of an order that was settled since, or expired. So does this call.
    const isAsAdded = order.capture || (entry.state === 'open' && !isOver(entry, view.now));
    if (isAsAdded) held.set(entry.id, entry.nonce);
  }
  const hasPlan = planFor(ask.plans, view.now) !== undefined;
  // A share that is not there begins again, with all others: nobody settles it if it comes later.
  if (ask.place === 'beside') return { view, held: hasPlan ? held : new Map() };
  const open = [...own.values()].filter(
    (order) => !held.has(order.id) && knownIn(view, order) === undefined,
  );
  if (isOverSeveral(ask)) {
    if (open.length > 0 || (held.size > 0 && !hasPlan)) throw undecided();
    return { view, held, lost: new Set([...own.values()].map(({ id }) => id)) };
  }
  // The add may be done though home shows only some of its orders: it may have forgotten the first of them.
  if (open.some(({ capture }) => capture)) throw undecided();
  return isDone ? { view, held: hasPlan ? held : new Map() } : undefined;
}

const undecided = () => new UndecidedError('an answer was lost, and the document does not show it');
