import { namesInText } from '../document/document.ts';
import type { DocumentView } from '../document/document.ts';
import { viewsByOrder } from '../document/document.ts';
import { SubjectFullError, UndecidedError } from '../shared/errors.ts';
import { inOrderAsked } from './many.ts';
import { countsOutcome } from '../rule/counter-key.ts';
import { readBucketName } from '../counter/name.ts';
import type { SettlementRequest } from '../shared/request.ts';
import { CONFIRMED } from '../shared/states.ts';
import type {
  HomeSettleAsk,
  ReservedHold,
  ReservedShare,
  SettlementAsk,
} from '../document/counter-store.ts';
import { afterSettlement, decideSettlement, pendingIn } from '../document/settlement.ts';
import { holdId } from '../shared/subject.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Context, ToldSettlement } from './context.ts';
import { settlementCrossings } from './crossings.ts';
import type { Settling } from './settle-answer.ts';
import { placeOf } from './reservation.ts';
import {
  settleError,
  isFailure,
  judgeOf,
  rulesCounting,
  settlementAnswer,
} from './settle-answer.ts';
import type { DecidedShare, Followed } from './shares.ts';
import { settleShares, sharesBeside } from './shares.ts';
import { groupedBy } from '../shared/grouped.ts';
import type { OrderTrace } from './order-trace.ts';
import { recordedShare } from './order-trace.ts';

/**
 * Makes one update a document. Home's decides, and names the shares in other documents, settled after it.
 * A crash in between leaves those open: the repeat of the call finds home settled and settles them.
 */
export async function settle(
  context: Context,
  requests: readonly SettlementRequest[],
): Promise<readonly ToldSettlement[]> {
  const told = new Map<SettlementRequest, ToldSettlement>();
  const items: Settling[] = [];
  for (const request of requests)
    try {
      items.push(itemOf(context, request));
    } catch (error) {
      const { whereabouts } = request;
      told.set(request, { result: { kind: 'failed', error }, whereabouts });
    }
  const isSeveral = items.some(({ place }) => place.documents.length > 1);
  const isOneCommit = context.inOneCommit && isSeveral && !context.counters.isOneCommit;
  const settled = isOneCommit
    ? await context.counters.together((counters) =>
        settleAll({ ...context, counters }, items, true),
      )
    : await settleAll(context, items, false);
  for (const one of settled) told.set(one.request, await tellSettlement(context, one));
  return inOrderAsked(requests, told);
}

function itemOf({ homeKinds }: Context, request: SettlementRequest): Settling {
  const { to, amountMinor, reasonCode } = request;
  const place = placeOf(request, homeKinds);
  const ask = to === 'confirmed' ? { to, amountMinor } : { to, nonce: place.nonce, reasonCode };
  return { request, id: holdId(request), place, ask };
}

/** A settlement of which nothing is known yet: an attempt of a commit begins with one. */
function begun({ request, id, place, ask }: Settling): Settling {
  return { request, id, place, ask, view: undefined, settled: undefined, followed: undefined };
}

/** @param isAll whether a document that does not answer ends everything: within a commit, which begins again */
async function settleAll(context: Context, items: readonly Settling[], isAll: boolean) {
  const all = items.map(begun);
  const [only] = all;
  if (only !== undefined && all.length === 1)
    await settleHome(context, only.place.documents[0], all, isAll);
  else
    await atOnce(
      groupedBy(all, ({ place }) => place.documents[0]),
      ([home, ofHome]) => settleHome(context, home, ofHome, isAll),
    );
  const decided = all.flatMap((one) => sharesOf(one, context.tellsNear));
  if (decided.length === 0) return all;
  const { followed, errors } = await settleShares(context, decided);
  for (const one of all) {
    if (one.followed !== undefined) one.followed = followed.get(one.id) ?? [];
    if (!errors.has(one.id)) continue;
    if (isAll) throw errors.get(one.id);
    one.error = errors.get(one.id);
  }
  return all;
}

async function settleHome(
  context: Context,
  home: string,
  ofHome: readonly Settling[],
  isAll: boolean,
): Promise<void> {
  const { counters, clock, at } = context;
  let view: DocumentView | undefined;
  try {
    view = await counters.settle(
      home,
      ofHome.map((one) => settleAskOf(one, context.tellsNear)),
      clock.estimate(),
      at,
    );
  } catch (error) {
    const isFull = error instanceof SubjectFullError;
    if (!isFull && (isAll || !(error instanceof UndecidedError))) throw error;
    // Nothing was written: each order gets the answer that it gets alone.
    if (isFull && ofHome.length > 1)
      for (const one of ofHome) await settleHome(context, home, [one], isAll);
    else for (const one of ofHome) one.error = error;
    return;
  }
  const isAlone = ofHome.length === 1;
  const viewOf = isAlone ? undefined : view && viewsByOrder(view);
  for (const one of ofHome) {
    one.view = isAlone ? view : viewOf?.(one.id, view);
    one.followed = [];
    const { nonce } = one.place;
    const said = decideSettlement(one.view, one.ask, counters.outcomesMax, nonce);
    if (said.kind === 'settled') {
      one.settled = said;
      if (isAlone) return;
      const pending = one.view && pendingIn(one.view, said.entry.nonce);
      view &&= afterSettlement(view, pending, said.end);
    } else {
      one.error = settleError(said, one, one.view?.now ?? at ?? clock.estimate());
      if (said.kind === 'alreadyConfirmed') one.counted = said.entry;
    }
  }
}

function settleAskOf({ id, ask, place }: Settling, tellsNear: boolean): HomeSettleAsk {
  const { documents, nonce, digestOfId, held } = place;
  const [, ...others] = documents;
  if (held === undefined || nonce === undefined) return { id, ...ask };
  const share = {
    nonce,
    digestOfId,
    until: held.until,
    others: others.length > 0 ? others : undefined,
  };
  const reserved = reservedIn(held, 0, share);
  if (reserved === undefined || isRead(tellsNear, ask, reserved.text)) return { id, ...ask };
  return { id, reserved, ...ask };
}

/** What a reservation says of one of its documents; undefined if it does not say in which buckets. */
function reservedIn(
  held: ReservedHold,
  place: number,
  share: Pick<ReservedShare, 'nonce' | 'digestOfId' | 'until' | 'others' | 'home'>,
): ReservedShare | undefined {
  const text = held.buckets[place] ?? undefined;
  if (text === undefined) return undefined;
  const { digest, amount, count, values } = held;
  const { nonce, digestOfId, until, others, home } = share;
  const leftOut = held.leftOut?.[place] ?? [];
  return { nonce, digest, digestOfId, amount, count, until, leftOut, text, others, home, values };
}

/** Whether sums must be read: a failure that counts may cross parts of a maximum, and only sums say so. */
function isRead(tellsNear: boolean, { to, reasonCode }: SettlementAsk, text: string) {
  if (!tellsNear || to !== 'rolledBack') return false;
  return namesInText(text).some((name) =>
    countsOutcome(readBucketName(name).counter, to, reasonCode),
  );
}

/** A call that counted an order at home may have ended there. So a rollback counts it in the others, too. */
function sharesOf(
  { ask, place: { nonce, documents, held }, settled, counted }: Settling,
  tellsNear: boolean,
): readonly DecidedShare[] {
  if (counted !== undefined) return sharesBeside(counted, CONFIRMED);
  if (settled?.entry.others === undefined) return [];
  const { entry, end } = settled;
  return sharesBeside(entry, end).map((one) => {
    const { document, until } = one;
    if (held === undefined || nonce !== entry.nonce || until === undefined) return one;
    const share = { nonce, until, home: documents[0] };
    const reserved = reservedIn(held, documents.indexOf(document), share);
    if (reserved === undefined || isRead(tellsNear, ask, reserved.text)) return one;
    return { ask: { reserved, ...one.ask }, document, until };
  });
}

async function tellSettlement(context: Context, one: Settling): Promise<ToldSettlement> {
  const { request, followed, settled, error } = one;
  const { whereabouts } = request;
  const trace = () => followed && settlementTrace(one, followed, context);
  if (error !== undefined || settled === undefined || followed === undefined)
    return { result: { kind: 'failed', error }, whereabouts, trace };
  const counting = await rulesCounting(context, one, settled, followed);
  const counted = counting?.();
  const answer = settlementAnswer(one.ask.to, settled, followed, counted);
  const result = { kind: 'answered', answer } as const;
  const crossings = context.tellsNear && counted ? settlementCrossings(counted.rules) : undefined;
  return { result, whereabouts, trace, crossings, judge: judgeOf(counting, counted, settled) };
}

function settlementTrace(
  { request, place, view, settled, counted }: Settling,
  followed: readonly Followed[],
  { counters }: Context,
): OrderTrace {
  const [home] = place.documents;
  const now = view?.databaseNow ?? view?.now;
  const shares = followed.flatMap(({ document, share }) =>
    share === undefined ? [] : [recordedShare(document, share.places.buckets, share.values)],
  );
  const documents = [home, ...followed.map(({ document }) => document)];
  if (settled === undefined) return { now, documents, changed: false, shares, entry: counted };
  const { entry } = settled;
  // Another call, which found home settled by this one, may be faster to count it in a document beside home.
  // Neither saw all shares then: as of a repeat, the row of the check says where they are.
  const isTold = followed.every(({ share, uncounted }) => share !== undefined || uncounted);
  const leavesNothing = request.to === 'rolledBack' && !isFailure(settled, followed);
  const isWhole = counters.isOneCommit || leavesNothing || isTold;
  const changed = !settled.repeated && isWhole;
  const own =
    'places' in entry && changed ? [recordedShare(home, entry.places.buckets, entry.values)] : [];
  const writes = [view, ...followed.map((one) => one.view)].map((one) => one?.writes ?? 0);
  return { now, entry, documents, writes, changed, shares: [...own, ...shares] };
}
