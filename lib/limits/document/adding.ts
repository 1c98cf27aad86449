import { ATTEMPTS_MAX } from '../../shared/bounds.ts';
import type { DocumentView } from './document.ts';
import { UndecidedError } from '../../shared/errors.ts';
import type { HoldAsk, Holding } from '../counter-store.ts';
import { add } from './add.ts';
import { askedIn, decidedAddition, plainAddition, rememberedMax } from './ask-additions.ts';
import { decideHold } from './decide.ts';
import { holdingOf } from './holding.ts';
import type { FirstRead } from './reading.ts';
import { askProjection, closeAndRead, makeOrRead, readOrMake } from './reading.ts';
import type { HoldCall } from './statements.ts';
import { readView } from './stored.ts';
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
 * Of orders over several documents one add is sent, and no other: its nonce is what home tells of the
 * share, and a request that comes late must find no second one under it. Where it missed by chance, the
 * attempt begins again with another nonce.
 */
export async function addingTo(call: HoldCall): Promise<Holding> {
  const { lanes, documentId, ask } = call;
  const mayAsk = ask.isNew !== true && ask.readsFirst !== true;
  const asksFirst = mayAsk && lanes.takesPlain(documentId, 'hold');
  const plain = asksFirst ? plainAddition(call) : undefined;
  if (plain !== undefined) {
    const found = await call.statements.update(add(plain, call.serverNow));
    if (found !== undefined) {
      lanes.note('plain');
      await tidyAfter(call, found, plain);
      return holdingOf(plain, ask, found);
    }
  }
  lanes.note('general');
  const holding = await addAsRead(call, plain !== undefined);
  const isOther = holding.view.terms?.version !== ask.terms?.version;
  // Where other terms are in force than were known, nothing is known of its room.
  if (!isOther) lanes.learn(documentId, holding.refuses !== true);
  return holding;
}

/** Reads, decides and adds, until what was read is what is written. */
async function addAsRead(call: HoldCall, wasAsked: boolean): Promise<Holding> {
  const { statements, ask } = call;
  const isOverSeveral =
    ask.rememberedBefore !== undefined || ask.orders.some(({ home }) => home !== undefined);
  const isOnce = isOverSeveral && !call.isOneCommit;
  const ids = askedIn(ask);
  const most = rememberedMax(call);
  let adds = wasAsked ? 1 : 0;
  const readAgain = (): Promise<FirstRead> =>
    isOnce && adds > 0 && ask.closingsBefore !== undefined
      ? closeAndRead(call)
      : readOrMake(call, { adds, mayMake: adds === 0 || !isOnce });
  const mayMake = adds === 0 || !isOnce;
  // A new subject is the likely cause of an add that matched nothing.
  const makesFirst = mayMake && (ask.isNew === true || wasAsked);
  let read = makesFirst ? await makeOrRead(call, { adds, mayMake }) : await readAgain();
  let isTidied = false;
  for (let tries = 1; ; tries++) {
    if (read.made !== undefined) return holdingOf(read.made, ask, read.stored);
    if (read.wasMade) adds += 1;
    const view = readView(read.stored, ids, call.estimate);
    const late = adds > 0 ? heldLate(view, ask) : NONE;
    if (late.size > 0) return { view, held: late, isOvertaken: false };
    const decided = decideHold(view, ask, most);
    if (decided.taken.length === 0)
      return { view, held: NONE, isOvertaken: false, refuses: decided.refuses };
    if (tries > ADDS_MAX)
      throw new UndecidedError('other calls of the same subject kept coming first');
    // What lapsed since it was tidied stops no add: on a busy document there would be no end to it.
    isTidied = !isTidied && (await tidyIfNeeded(call, read.stored, view, new Set(ids)));
    if (isOnce && adds > 0) return { view, held: NONE, isOvertaken: true };
    if (!isTidied) {
      const addition = decidedAddition(call, { view, decided, tries: adds, stored: read.stored });
      const found = await statements.update({
        ...add(addition, call.serverNow),
        projection: askProjection(call),
      });
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

/** Orders that a copy of an add has brought meanwhile of which the answer was that it matched nothing. */
function heldLate(
  { entries, shares }: DocumentView,
  { orders }: HoldAsk,
): ReadonlyMap<string, string> {
  const nonces = new Set([...entries, ...shares].map(({ nonce }) => nonce));
  return new Map(
    orders.filter(({ nonce }) => nonces.has(nonce)).map(({ id, nonce }) => [id, nonce]),
  );
}
