import { ATTEMPTS_MAX, SLACK_MS } from '../shared/bounds.ts';
import type { Bucket, DocumentView } from './document.ts';
import { blankView, holdsAny } from './document.ts';
import { LostAnswerError, UndecidedError } from '../shared/errors.ts';
import type { HoldAsk, Holding } from './counter-store.ts';
import { isOverSeveral } from './counter-store.ts';
import type { Addition } from './addition.ts';
import type { StoredDocument } from './stored.ts';
import { add } from './add.ts';
import {
  decidedAddition,
  freshAddition,
  idsIn,
  plainAddition,
  rememberedMax,
} from './ask-additions.ts';
import { afterLoss } from './after-loss.ts';
import { decideHold } from './decide.ts';
import { make } from './make.ts';
import { askProjection } from './projection.ts';
import type { HoldCall } from './statements.ts';
import { answered } from './statements.ts';
import { readHolds, readView } from './stored.ts';
import { readBuckets, readSums } from './stored-sums.ts';
import { tidyAfter, tidyIfNeeded } from './tidy.ts';
import { effectOfExpired, isOver } from './effect.ts';
import { numberOf } from './update.ts';
import type { DocumentPlan } from './document-plan.ts';
import { isFixed } from './document-plan.ts';

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
export async function addingTo(call: HoldCall): Promise<Holding> {
  const { lanes, documentId, ask } = call;
  const mayAsk = ask.isNew !== true && ask.readsFirst !== true;
  const asksFirst = mayAsk && lanes.takesPlain(documentId, 'hold');
  const plain = asksFirst ? plainAddition(call) : undefined;
  const tries: Tries = { adds: 0, lost: [], endsAtMs: undefined };
  if (plain !== undefined) {
    const found = await send(call, tries, plain);
    if (found !== undefined) {
      lanes.note('plain');
      await tidyAfter(call, found, plain);
      return holdingOf(plain, ask, found);
    }
  }
  lanes.note('general');
  const holding = await addAsRead(call, tries);
  // Where other terms are in force than were known, nothing is known of its room.
  if (holding.view.terms?.version === ask.terms?.version)
    lanes.learn(documentId, holding.refuses !== true);
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

/** Sends an add; undefined if it matched nothing, or if its answer was lost. */
async function send(call: HoldCall, tries: Tries, addition: Addition) {
  tries.adds += 1;
  return heard(tries, addition, call.statements.update(add(call, addition), tries.endsAtMs));
}

async function heard<T>(tries: Tries, addition: Addition, answer: Promise<T>) {
  const found = await answered(answer);
  if (!(found instanceof LostAnswerError)) return found;
  tries.endsAtMs = found.endsAtMs;
  if (addition.taken.length > 0) tries.lost.push(addition);
  return undefined;
}

/** Reads, decides and adds, until what was read is what is written. */
async function addAsRead(call: HoldCall, tries: Tries): Promise<Holding> {
  const { statements, ask } = call;
  const ids = idsIn(ask);
  const most = rememberedMax(call);
  // A new subject is the likely cause of an add that matched nothing, where the document was not read before.
  const isUnread = ask.unread !== undefined || !isOverSeveral(ask);
  const isMissed = isUnread && tries.adds > tries.lost.length;
  let isNew = ask.isNew === true || isMissed;
  let isTidied = false;
  for (let turn = 1; turn <= ADDS_MAX + 1; turn++) {
    const found = isNew ? undefined : await findIn(call, tries);
    isNew = false;
    if (tries.lost.length > 0) {
      const shown = afterLoss(ask, readView(found ?? {}, ids, call.estimate), tries.lost);
      if (shown !== undefined) return shown;
    }
    const read = found ?? (await makeOrRead(call, tries));
    if (read === undefined) continue;
    if ('made' in read) return read.made;
    const view = readView(read, ids, call.estimate);
    const decided = decideHold(view, ask, most);
    if (decided.taken.length === 0) return { view, held: NONE, refuses: decided.refuses };
    if (turn > ADDS_MAX) break;
    // What lapsed since it was tidied stops no add: on a busy document there would be no end to it.
    isTidied = !isTidied && (await tidyOrLose(call, tries, read, view));
    if (isTidied) continue;
    const addition = decidedAddition(call, view, decided, tries.adds, read);
    const after = await send(call, tries, addition);
    if (after !== undefined) {
      await tidyAfter(call, after, addition);
      return holdingOf(addition, ask, after, view);
    }
    await statements.pause(turn);
  }
  throw new UndecidedError('other calls of the same subject kept coming first');
}

const NONE: ReadonlyMap<string, string> = new Map();
const ADDS_MAX = 2 * ATTEMPTS_MAX;

async function findIn(call: HoldCall, { endsAtMs }: Tries): Promise<StoredDocument | undefined> {
  const { statements, documentId } = call;
  const [found] = await statements.find([documentId], askProjection(call), endsAtMs);
  return found;
}

/** Makes a document that holds the orders, or reads the one that is there; undefined if the answer was lost. */
async function makeOrRead(
  call: HoldCall,
  tries: Tries,
): Promise<StoredDocument | { readonly made: Holding } | undefined> {
  const { statements, documentId, ask, estimate, serverNow } = call;
  const addition = freshAddition(call, tries.adds);
  if (addition.taken.length > 0) tries.adds += 1;
  const pipeline = make(addition, serverNow);
  const made = statements.make(documentId, pipeline, askProjection(call), tries.endsAtMs);
  const stored = await heard(tries, addition, made);
  if (stored === undefined) return undefined;
  const own = new Set(addition.taken.map(({ nonce }) => nonce));
  const { entries, shares } = readView(stored, idsIn(ask), estimate);
  const isMade = [...entries, ...shares].some(({ nonce }) => own.has(nonce));
  return isMade ? { made: holdingOf(addition, ask, stored) } : stored;
}

/** Tidies if it must. Whether it did so after all is for the next read to say, if the answer was lost. */
async function tidyOrLose(
  call: HoldCall,
  tries: Tries,
  stored: StoredDocument,
  view: DocumentView,
) {
  const isTidied = await answered(tidyIfNeeded(call, stored, view, tries.endsAtMs));
  if (!(isTidied instanceof LostAnswerError)) return isTidied;
  tries.endsAtMs = isTidied.endsAtMs;
  return true;
}

/** What an add that matched wrote, with the document as it is then. */
function holdingOf(
  addition: Addition,
  ask: HoldAsk,
  found: StoredDocument,
  before?: DocumentView,
): Holding {
  const { taken, holds, outcomes, plan, now, asRead } = addition;
  // Decided for the instant of the add, whenever it was carried out.
  const { now: databaseNow, seen = now, ...stored } = found;
  // Others may have seen a little more meanwhile; what a clock that was set back leaves ahead stays there.
  const at = seen > now && seen.getTime() - now.getTime() <= SLACK_MS ? seen : now;
  const held = new Map(taken.map(({ order, nonce }) => [order.id, nonce]));
  const entries = [...outcomes, ...holds.filter(({ home }) => home === undefined)];
  const shares = holds.filter(({ home }) => home !== undefined);
  // An add that asked whether all orders are unknown leaves nothing to be read of them.
  const isKnown = asRead === undefined && shares.length === 0;
  const ids = ask.orders.map(({ id }) => id);
  const read = isKnown ? sumsView(stored, plan, at) : readView(stored, ids, at);
  const atHome = new Set(entries.map(({ id }) => id));
  const nonces = new Set(held.values());
  return {
    view: {
      ...read,
      databaseNow,
      terms: ask.terms ?? read.terms,
      // The outcomes of other orders come from the read, because this add may have dropped them.
      entries: [...(before ?? read).entries.filter(({ id }) => !atHome.has(id)), ...entries],
      shares: [...read.shares.filter(({ nonce }) => !nonces.has(nonce)), ...shares],
    },
    held,
  };
}

function sumsView(stored: StoredDocument, plan: DocumentPlan, at: Date): DocumentView {
  const all = isFixed(plan) ? fixedBuckets(stored, plan) : readBuckets(stored);
  const buckets = all.filter((bucket) => !isOver(bucket, at) && holdsAny(bucket));
  const lapsed = readHolds(stored).filter((hold) => isOver(hold, at));
  const writes = numberOf(stored.q ?? 0);
  return { ...blankView(at), writes, buckets, lapsed, released: effectOfExpired(lapsed) };
}

function fixedBuckets({ b = {} }: StoredDocument, { counters }: DocumentPlan): Bucket[] {
  const read: Bucket[] = [];
  const put = (counter: string, until: Date, name: string, sumsAmounts: boolean): void => {
    const sums = b[name];
    if (sums !== undefined) read.push(readSums({ counter, until }, sums, sumsAmounts));
  };
  for (const { key, bucket, sumsAmounts } of counters) {
    if (bucket.kind !== 'fixed') continue;
    const { reference, fields, lowering } = bucket;
    put(key, reference.until, fields.name, sumsAmounts);
    if (lowering !== undefined)
      put(lowering.counter, reference.until, lowering.fields.name, sumsAmounts);
  }
  return read;
}
