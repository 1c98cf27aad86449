import type { SettlementAnswer } from '../domain/answer.ts';
import type { DocumentView } from '../domain/document.ts';
import type { ManyResult } from '../domain/many.ts';
import { groupedBy, refuseRepeatedOrders } from '../domain/many.ts';
import type { SettlementRequest } from '../domain/request.ts';
import { afterSettlement, viewOfOrder } from '../domain/settled-view.ts';
import type { SettlementAsk } from '../domain/settlement.ts';
import { decideSettlement } from '../domain/settlement.ts';
import { holdId } from '../domain/subject.ts';
import { atOnce } from './at-once.ts';
import type { Context } from './context.ts';
import type { Place, Settled } from './settle.ts';
import {
  countsOnce,
  excesses,
  othersOf,
  placeOf,
  rulesIfReadable,
  settledOrThrow,
} from './settle.ts';

/** One settlement while the call runs. */
type Item = {
  readonly request: SettlementRequest;
  readonly id: string;
  readonly place: Place;
  readonly ask: SettlementAsk;
  /** Documents before this settlement, as far as they were visited. */
  readonly views: Map<string, DocumentView>;
};

/**
 * Confirms and rolls back many transactions, each with its own answer, and each document with one
 * update: home documents first, whose answers are the truth about the orders, then the others.
 *
 * @throws InvalidRequestError for an order that stands twice
 */
export async function settleMany(
  context: Context,
  requests: readonly SettlementRequest[],
): Promise<readonly ManyResult<SettlementAnswer>[]> {
  refuseRepeatedOrders('settlements', requests);
  const errors = new Map<string, unknown>();
  const items = requests.flatMap((request) => {
    try {
      return [itemOf(context, request)];
    } catch (error) {
      errors.set(holdId(request), error);
      return [];
    }
  });
  const settled = await settleHomes(context, items, errors);
  await settleOthers(context, items, settled, errors);
  const results = new Map<string, ManyResult<SettlementAnswer>>();
  for (const item of items) {
    const outcome = settled.get(item.id);
    if (outcome === undefined || errors.has(item.id)) continue;
    const answer = await answerOf(context, item, outcome);
    results.set(item.id, { kind: 'answered', answer });
  }
  return requests.map((request) => {
    const id = holdId(request);
    return results.get(id) ?? { kind: 'failed', error: errors.get(id) };
  });
}

function itemOf(context: Context, request: SettlementRequest): Item {
  const { to, amountMinor } = request;
  const place = placeOf(request, context.homeKinds);
  const ask =
    to === 'confirmed'
      ? { to, ...(amountMinor === undefined ? {} : { amountMinor }) }
      : { to, ...(place.nonce === undefined ? {} : { nonce: place.nonce }) };
  return { request, id: holdId(request), place, ask, views: new Map() };
}

async function settleHomes(
  context: Context,
  items: readonly Item[],
  errors: Map<string, unknown>,
): Promise<ReadonlyMap<string, Settled>> {
  const settled = new Map<string, Settled>();
  const byHome = groupedBy(items, ({ place }) => place.documents[0]);
  await atOnce(byHome, async ([home, ofHome]) => {
    let view = await told(context, home, ofHome, true, errors);
    if (view === 'failed') return;
    for (const { id, place, ask, request, views } of ofHome) {
      const mine = view && viewOfOrder(view, id);
      if (mine !== undefined) views.set(home, mine);
      try {
        const outcome = settledOrThrow(decideSettlement(mine, ask), request, place);
        settled.set(id, outcome);
        view &&= afterSettlement(view, id, ask.to, outcome.amountMinor);
      } catch (error) {
        errors.set(id, error);
      }
    }
  });
  return settled;
}

async function settleOthers(
  context: Context,
  items: readonly Item[],
  settled: ReadonlyMap<string, Settled>,
  errors: Map<string, unknown>,
): Promise<void> {
  const visits = items.flatMap((item) => {
    const outcome = settled.get(item.id);
    if (outcome === undefined) return [];
    const { to } = item.ask;
    const { repeated, amountMinor, entry } = outcome;
    const isOther = to === 'confirmed' && (repeated || amountMinor !== entry.amount);
    const ask = {
      to,
      ...(isOther ? { amountMinor } : {}),
      ...(countsOnce(item.ask, outcome) ? { nonce: entry.nonce } : {}),
    };
    return othersOf(item.place, outcome).map((document) => ({
      ...item,
      ask,
      document,
      amountMinor,
    }));
  });
  await atOnce(
    groupedBy(visits, ({ document }) => document),
    async ([document, ofDocument]) => {
      let view = await told(context, document, ofDocument, false, errors);
      if (view === 'failed' || view === undefined) return;
      for (const { id, ask, views, amountMinor } of ofDocument) {
        views.set(document, viewOfOrder(view, id));
        view = afterSettlement(view, id, ask.to, amountMinor);
      }
    },
  );
}

/** Tells one document of its settlements; of the document before them, or that it did not answer. */
async function told(
  context: Context,
  document: string,
  items: readonly Pick<Item, 'id' | 'ask'>[],
  remembers: boolean,
  errors: Map<string, unknown>,
): Promise<DocumentView | undefined | 'failed'> {
  try {
    const asks = items.map(({ id, ask }) => ({ ...ask, id }));
    return await context.counters.settleMany(document, asks, remembers, context.at);
  } catch (error) {
    for (const { id } of items) errors.set(id, error);
    return 'failed';
  }
}

async function answerOf(
  context: Context,
  { ask, place, views }: Item,
  { repeated, late, amountMinor, entry }: Settled,
): Promise<SettlementAnswer> {
  if (ask.to === 'rolledBack') return { kind: 'rolledBack', repeated };
  const answer = { kind: 'confirmed', repeated, late, amountMinor } as const;
  if (repeated || (!late && amountMinor <= entry.amount)) return { ...answer, exceeded: [] };
  const rules = await rulesIfReadable(context);
  if (rules === undefined) return answer;
  const outcome = { kind: 'settled', repeated, late, amountMinor, entry } as const;
  return { ...answer, exceeded: excesses(rules, place, views, outcome) };
}
