import { ATTEMPTS_MAX, SLACK_MS } from '../../shared/bounds.ts';
import type { Bucket, DocumentView } from './document.ts';
import { blankView, holdsAny } from './document.ts';
import { UndecidedError } from '../../shared/errors.ts';
import type { HoldAsk, Holding } from '../counter-store.ts';
import type { DocumentPlan } from '../plan.ts';
import type { Addition } from './addition.ts';
import type { StoredDocument } from './stored.ts';
import { add } from './add.ts';
import { decidedAddition, idsIn, plainAddition, rememberedMax } from './ask-additions.ts';
import { decideHold } from './decide.ts';
import type { FirstRead } from './reading.ts';
import { closeAndRead, makeOrRead, readOrMake } from './reading.ts';
import type { HoldCall } from './statements.ts';
import { readBuckets, readHolds, readSums, readView } from './stored.ts';
import { tidyAfter, tidyIfNeeded } from './tidy.ts';

/**
 * Holds in one document what fits of the orders of an ask.
 *
 * ```
 * add ──match──▶ held
 *  └─ none ──▶ read, decide ──▶ known, refused, full: nothing is written
 *                           ──▶ something lapsed or is over: tidy, then read again
 *                           ──▶ somebody was faster: add again, a few times, then UNDECIDED
 * ```
 *
 * Of orders over several documents one add is sent: a request that comes late must find no second share
 * under the nonce that home tells. Where it missed by chance, the attempt begins again with another nonce.
 */
export async function addingTo(call: HoldCall): Promise<Holding> {
  const { lanes, documentId, ask } = call;
  const mayAsk = ask.isNew !== true && ask.readsFirst !== true;
  const asksFirst = mayAsk && lanes.takesPlain(documentId, 'hold');
  const plain = asksFirst ? plainAddition(call) : undefined;
  if (plain !== undefined) {
    const found = await call.statements.update(add(call, plain));
    if (found !== undefined) {
      lanes.note('plain');
      await tidyAfter(call, found, plain);
      return holdingOf(plain, ask, found);
    }
  }
  lanes.note('general');
  const holding = await addAsRead(call, plain !== undefined);
  // Where other terms are in force than were known, nothing is known of its room.
  if (holding.view.terms?.version === ask.terms?.version)
    lanes.learn(documentId, holding.refuses !== true);
  return holding;
}

/** Reads, decides and adds, until what was read is what is written. */
async function addAsRead(call: HoldCall, wasAsked: boolean): Promise<Holding> {
  const { statements, ask } = call;
  const isOverSeveral =
    ask.rememberedBefore !== undefined || ask.orders.some(({ home }) => home !== undefined);
  const isOnce = isOverSeveral && !call.isOneCommit;
  const ids = idsIn(ask);
  const most = rememberedMax(call);
  let adds = wasAsked ? 1 : 0;
  const readAgain = (): Promise<FirstRead> =>
    isOnce && adds > 0 && ask.closingsBefore !== undefined
      ? closeAndRead(call)
      : readOrMake(call, adds, adds === 0 || !isOnce);
  const mayMake = adds === 0 || !isOnce;
  // A new subject is the likely cause of an add that matched nothing.
  const makesFirst = mayMake && (ask.isNew === true || wasAsked);
  let read = makesFirst ? await makeOrRead(call, adds, true) : await readAgain();
  let isTidied = false;
  for (let tries = 1; ; tries++) {
    if (read.made !== undefined) return holdingOf(read.made, ask, read.stored);
    if (read.wasMade) adds += 1;
    const view = readView(read.stored, ids, call.estimate);
    const late = adds > 0 ? heldLate(view, ask) : NONE;
    if (late.size > 0) return { view, held: late };
    const decided = decideHold(view, ask, most);
    if (decided.taken.length === 0) return { view, held: NONE, refuses: decided.refuses };
    if (tries > ADDS_MAX)
      throw new UndecidedError('other calls of the same subject kept coming first');
    // What lapsed since it was tidied stops no add: on a busy document there would be no end to it.
    isTidied = !isTidied && (await tidyIfNeeded(call, read.stored, view));
    if (isOnce && adds > 0) return { view, held: NONE };
    if (!isTidied) {
      const addition = decidedAddition(call, view, decided, adds, read.stored);
      const found = await statements.update(add(call, addition));
      adds += 1;
      if (found !== undefined) {
        await tidyAfter(call, found, addition);
        return holdingOf(addition, ask, found, view);
      }
      await statements.pause(tries);
    }
    read = await readAgain();
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
const ADDS_MAX = 2 * ATTEMPTS_MAX;

/** Orders that a copy of an add has brought after the answer that it matched nothing. */
function heldLate({ entries, shares }: DocumentView, { orders }: HoldAsk) {
  const nonces = new Set([...entries, ...shares].map(({ nonce }) => nonce));
  return new Map(
    orders.filter(({ nonce }) => nonces.has(nonce)).map(({ id, nonce }) => [id, nonce]),
  );
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
  const all = plan.fixed === undefined ? readBuckets(stored) : fixedBuckets(stored, plan);
  const buckets = all.filter((bucket) => bucket.until > at && holdsAny(bucket));
  const lapsed = readHolds(
    stored.holds?.filter(({ until }) => until <= at),
    'open',
  );
  return { ...blankView(at), buckets, lapsed };
}

function fixedBuckets({ b = {} }: StoredDocument, { counters }: DocumentPlan): Bucket[] {
  const read: Bucket[] = [];
  for (const { key: counter, bucket, sumsAmounts } of counters) {
    const sums = bucket.kind === 'fixed' ? b[bucket.fields.name] : undefined;
    if (bucket.kind !== 'fixed' || sums === undefined) continue;
    read.push(readSums({ counter, until: bucket.until }, sums, sumsAmounts));
  }
  return read;
}
