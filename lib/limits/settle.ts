import type { OrderTrace } from '../audit/audit.ts';
import type { DocumentView } from './document/document.ts';
import { viewOfOrder } from './document/document.ts';
import { UndecidedError } from '../shared/errors.ts';
import { groupedBy } from './many.ts';
import type { SettlementRequest } from '../shared/request.ts';
import { afterSettlement, decideSettlement, pendingIn } from './settlement.ts';
import { holdId } from '../shared/subject.ts';
import type { HomeSettleAsk } from './counter-store.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Context, ToldSettlement } from './context.ts';
import { settlementCrossings } from '../near/crossings.ts';
import type { Heard, Item, Settled } from './settle-answer.ts';
import { placeOf } from './reservation.ts';
import { isAboveHeld, rulesIfReadable, settledOrThrow, settlementAnswer } from './settle-answer.ts';
import type { DecidedShare, Followed } from './shares.ts';
import { settleShares, shareUntil } from './shares.ts';

/** What went wrong, by order. */
type Errors = Map<string, unknown>;

/**
 * Confirms and rolls back transactions, each with its own answer, and each document with one update.
 *
 * Home comes first: its update decides, and its memory of the order names the shares in the other
 * documents, which are settled as home decided. A crash in between leaves those open: the repeat of the
 * same call finds home settled and settles them.
 */
export async function settle(
  context: Context,
  requests: readonly SettlementRequest[],
): Promise<readonly ToldSettlement[]> {
  const errors: Errors = new Map();
  const items = requests.flatMap((request) => {
    try {
      return [itemOf(context, request)];
    } catch (error) {
      errors.set(holdId(request), error);
      return [];
    }
  });
  const isSeveral = items.some(({ place }) => place.documents.length > 1);
  const { heard, errors: failed } =
    context.inOneCommit && isSeveral && !context.counters.isOneCommit
      ? await context.counters.together((counters) =>
          settleItems({ ...context, counters }, items, true),
        )
      : await settleItems(context, items, false);
  for (const [id, error] of failed) errors.set(id, error);
  const told: ToldSettlement[] = [];
  for (const request of requests) {
    const id = holdId(request);
    told.push(await tell(context, request, heard.get(id), errors.get(id)));
  }
  return told;
}

function itemOf(context: Context, request: SettlementRequest): Item {
  const { to, amountMinor } = request;
  const place = placeOf(request, context.homeKinds);
  const ask =
    to === 'confirmed'
      ? { to, ...(amountMinor === undefined ? {} : { amountMinor }) }
      : { to, ...(place.nonce === undefined ? {} : { nonce: place.nonce }) };
  return { request, id: holdId(request), place, ask };
}

/** Home's answer, if it settled; otherwise the error, and the document as home showed it. */
type AtHome = {
  readonly item: Item;
  readonly view: DocumentView | undefined;
  readonly settled?: Settled;
};

/**
 * Settles once. A commit that begins again asks every document again: errors of the earlier try no longer
 * matter.
 *
 * @param isAll whether one document that does not answer ends everything: within a commit
 */
async function settleItems(
  context: Context,
  items: readonly Item[],
  isAll: boolean,
): Promise<{
  readonly heard: ReadonlyMap<string, Heard | AtHome>;
  readonly errors: ReadonlyMap<string, unknown>;
}> {
  const errors: Errors = new Map();
  const atHome = await settleHomes(context, items, errors, isAll);
  const decided = items.flatMap((item) => {
    const home = atHome.get(item.id);
    return home?.settled === undefined ? [] : sharesOf(item, home.settled);
  });
  const { followed, errors: later } = await settleShares(context, decided);
  for (const [id, error] of later) {
    if (isAll) throw error;
    errors.set(id, error);
  }
  const heard = new Map<string, Heard | AtHome>();
  for (const [id, { item, view, settled }] of atHome)
    heard.set(
      id,
      settled === undefined
        ? { item, view }
        : { item, view, settled, followed: followed.get(id) ?? [] },
    );
  return { heard, errors };
}

async function settleHomes(
  context: Context,
  items: readonly Item[],
  errors: Errors,
  isAll: boolean,
): Promise<ReadonlyMap<string, AtHome>> {
  const atHome = new Map<string, AtHome>();
  const { counters, clock, at } = context;
  await atOnce(
    groupedBy(items, ({ place }) => place.documents[0]),
    async ([home, ofHome]) => {
      let view: DocumentView | undefined;
      try {
        view = await counters.settle(home, ofHome.map(askOf), clock.estimate(), at);
      } catch (error) {
        if (isAll || !(error instanceof UndecidedError)) throw error;
        for (const { id } of ofHome) errors.set(id, error);
        return;
      }
      for (const item of ofHome) {
        const mine = view && viewOfOrder(view, item.id);
        const said = decideSettlement(mine, item.ask, counters.outcomesMax);
        try {
          const now = mine?.now ?? at ?? clock.estimate();
          const settled = settledOrThrow(said, item.request, item.place, now);
          atHome.set(item.id, { item, view: mine, settled });
          if (ofHome.length === 1) return;
          const pending = view && pendingIn(view, settled.entry.nonce);
          view &&= afterSettlement(view, pending, item.ask.to, settled.amountMinor);
        } catch (error) {
          atHome.set(item.id, { item, view: mine });
          errors.set(item.id, error);
        }
      }
    },
  );
  return atHome;
}

function askOf({ id, ask, place }: Item): HomeSettleAsk {
  const { documents, nonce, held } = place;
  const [, ...others] = documents;
  const [buckets] = held?.buckets ?? [];
  if (held === undefined || nonce === undefined || !buckets) return { ...ask, id };
  const { digest, amountMinor, count, until } = held;
  const reserved = { nonce, digest, amountMinor, count, until, buckets };
  return { ...ask, id, reserved: others.length === 0 ? reserved : { ...reserved, others } };
}

/** The shares in other documents, by the nonce that home tells. */
function sharesOf(
  { id, ask, place }: Item,
  { entry, amountMinor }: Settled,
): readonly DecidedShare[] {
  const [home, ...named] = place.documents;
  const { nonce, others = [], until } = entry;
  if (others.length === 0) return [];
  const end = until && shareUntil(until);
  return others.map((document) => {
    const told = { id, nonce, to: ask.to };
    const final = ask.to === 'confirmed' ? { amountMinor } : {};
    const buckets = place.held?.buckets[named.indexOf(document) + 1];
    const isReserved = place.nonce === nonce && place.held !== undefined && end !== undefined;
    if (!isReserved || !buckets) return { ask: { ...told, ...final }, document, until: end };
    const { digest, amountMinor: heldMinor, count } = place.held;
    const reserved = { digest, amountMinor: heldMinor, count, until: end, buckets, home };
    return { ask: { ...told, ...final, reserved }, document, until: end };
  });
}

async function tell(
  context: Context,
  request: SettlementRequest,
  heard: Heard | AtHome | undefined,
  error: unknown,
): Promise<ToldSettlement> {
  const toldOf = (result: ToldSettlement['result']): ToldSettlement => ({
    ...{ result, whereabouts: request.whereabouts },
    get trace() {
      return heard && traceOf(request, heard, context);
    },
  });
  if (error !== undefined || heard === undefined || !('followed' in heard))
    return toldOf({ kind: 'failed', error });
  const told = toldOf({ kind: 'answered', answer: await settlementAnswer(context, heard) });
  if (!context.tellsNear || request.to === 'rolledBack' || !isAboveHeld(heard.settled)) return told;
  const rules = await rulesIfReadable(context);
  return rules === undefined ? told : { ...told, crossings: settlementCrossings(rules, heard) };
}

/** What documents said of an order, for the rows that tell of it. */
function traceOf(
  request: SettlementRequest,
  heard: Heard | AtHome,
  { counters }: Context,
): OrderTrace {
  const { item, view, settled } = heard;
  const [home] = item.place.documents;
  const now = view === undefined ? {} : { now: view.now };
  if (settled === undefined) return { ...now, documents: [home], changed: false, shares: [] };
  const { entry } = settled;
  const followed = 'followed' in heard ? heard.followed : [];
  const isWhole = counters.isOneCommit || request.to === 'rolledBack' || followed.every(isTold);
  const changed = !settled.repeated && isWhole;
  const own = 'buckets' in entry && changed ? [{ document: home, buckets: entry.buckets }] : [];
  const shares = followed.flatMap(({ document, share }) =>
    share === undefined ? [] : [{ document, buckets: share.buckets }],
  );
  const documents = [home, ...followed.map(({ document }) => document)];
  return { ...now, entry, documents, changed, shares: [...own, ...shares] };
}

/**
 * False where another call, which found home settled by this one, was faster to count it in a document
 * beside home. Neither saw all shares then: as of a repeat, the row of the check says where they are.
 */
function isTold({ share, uncounted }: Followed): boolean {
  return share !== undefined || uncounted;
}
