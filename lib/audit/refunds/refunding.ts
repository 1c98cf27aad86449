import type { RefundAnswer } from '../../limits/answer.ts';
import type { AuditRow } from '../audit.ts';
import { errorRow } from '../audit-rows.ts';
import { currentEntry } from '../../limits/document/document.ts';
import { AlreadyRolledBackError, InternalError, NotFoundError } from '../../shared/errors.ts';
import { refuseSeveralHomes, rowsOfHome } from '../../limits/homes.ts';
import { decisiveRow } from '../order-status.ts';
import { NotConfirmedError, NotRecordedError } from './refund-errors.ts';
import type { CountedOrder, Refunded } from './refund.ts';
import { countedOrder, decideRefund, giveBacks } from './refund.ts';
import type { RefundRequest } from '../../shared/request.ts';
import { holdId, joinParts } from '../../shared/subject.ts';
import type { OrderRows } from '../audit.ts';
import type { Audit } from '../recorded.ts';
import { writeRows } from '../recorded.ts';
import type { Context } from '../../limits/context.ts';
import { placeOf } from '../../limits/place.ts';
import type { DecidedShare } from '../../limits/shares.ts';
import { followHome, shareUntil } from '../../limits/shares.ts';

/**
 * Gives back of a payment that was counted, in the windows of its check.
 *
 * The audit says what was counted and where. The order's ledger, the documents that give back and the
 * row of the refund are one commit, whatever the audit's mode: nothing is given back twice, or more
 * than was counted, and no crash leaves a part of it.
 */
export async function refund(
  context: Context,
  audit: Audit,
  request: RefundRequest,
): Promise<RefundAnswer> {
  const { rows, now } = await rowsAbout(context, audit, request);
  try {
    const order = await counted(context, rows, request);
    const done = await refunded(context, audit, request, order);
    const { repeated, refund: made, refundedMinor, remainingMinor } = done;
    // Documents may have forgotten since that they counted it.
    const isMade = ({ refundId, at }: AuditRow): boolean =>
      refundId === made.id && at.getTime() === made.at.getTime();
    const shares = (repeated ? rows.find(isMade)?.shares : undefined) ?? order.shares;
    const ends = shares.flatMap(({ buckets }) => buckets.map(({ until }) => until));
    const open = ends.filter((until) => until > made.at).length;
    const windows = { open, over: ends.length - open };
    return { repeated, amountMinor: made.amount, refundedMinor, remainingMinor, windows };
  } catch (error) {
    const { refundId, amountMinor, reason } = request;
    const { subjects = {}, documents = [] } = decisiveRow(rows) ?? {};
    const trace = { now: context.at ?? now, documents, changed: false, shares: [] };
    const asked = { refundId, amountMinor, reason, subjects };
    const row = errorRow(context, request, 'refund', error, asked, trace);
    if (row !== undefined) await writeRows(audit, [row]);
    throw error;
  }
}

/**
 * What changed something for the order; only at the home that the request names, if it names one.
 *
 * @throws OrderAmbiguousError where it names none, and orders of several homes have the id
 */
async function rowsAbout(
  { homeKinds }: Context,
  { store }: Audit,
  request: RefundRequest,
): Promise<OrderRows> {
  const home =
    request.whereabouts.kind === 'recorded' ? undefined : placeOf(request, homeKinds).documents[0];
  const found = await store.effectsOf(request);
  if (home !== undefined) return { ...found, rows: rowsOfHome(found.rows, home) };
  refuseSeveralHomes(request.orderId, found.rows);
  return found;
}

/** @throws NotFoundError, AlreadyRolledBackError, NotConfirmedError, NotRecordedError */
async function counted(
  context: Context,
  rows: readonly AuditRow[],
  request: RefundRequest,
): Promise<CountedOrder> {
  const { orderId } = request;
  const { counters, at } = context;
  const row = decisiveRow(rows);
  const [home] = row?.documents ?? [];
  if (row === undefined || home === undefined) throw new NotFoundError(orderId, 'in the audit');
  if (row.outcome === 'rolledBack') throw new AlreadyRolledBackError(orderId);
  let order = countedOrder(rows);
  if (order === undefined) {
    // The row of its confirm may be lost, or not yet written; then home knows better.
    const id = holdId(request);
    const view = (await counters.read([home], [id], context.clock.estimate(), at)).get(home);
    const entry = view && currentEntry(view);
    if (entry?.state === 'confirmed' && entry.nonce === row.nonce)
      order = countedOrder(rows, entry);
  }
  if (order === undefined) throw new NotConfirmedError(orderId);
  // A row that a repeat wrote tells of the documents that the first call had not come to.
  if (!order.shares.some(({ document }) => document === home)) throw new NotRecordedError(orderId);
  if (row.outcome === 'confirmed' && row.repeated !== true) return order;
  const own = rows.filter(({ effective, nonce }) => effective && nonce === row.nonce);
  const held = own.find(({ outcome }) => outcome === 'held');
  const documents = [...new Set(own.flatMap((one) => one.documents))];
  return countedEverywhere(context, request, order, { documents, until: held?.holdExpiresAt });
}

/**
 * Counts in other documents what home has counted. Where the row of the call that counted at home is
 * lost, that call may have ended there, and what is not counted must not be given back.
 *
 * @param known the documents of the payment, and when its hold expired, as its rows say
 * @returns the order without the documents whose share may have gone uncounted
 * @throws NotRecordedError where no row says in which windows one of them counted it
 */
async function countedEverywhere(
  context: Context,
  request: RefundRequest,
  order: CountedOrder,
  { documents, until }: { readonly documents: readonly string[]; readonly until: Date | undefined },
): Promise<CountedOrder> {
  const { amountMinor, shares, row } = order;
  const { nonce } = row;
  if (nonce === undefined) return order;
  const id = holdId(request);
  const decided = documents.flatMap((document): DecidedShare[] => {
    if (document === row.documents[0]) return [];
    const ask = { id, nonce, to: 'confirmed', amountMinor } as const;
    return [{ ask, document, until: until && shareUntil(until) }];
  });
  const { followed, errors } = await followHome(context, decided);
  if (errors.has(id)) throw errors.get(id);
  const counted = [...shares];
  for (const { document, share, uncounted } of followed.get(id) ?? []) {
    const place = counted.findIndex((one) => one.document === document);
    if (uncounted && place >= 0) counted.splice(place, 1);
    if (uncounted || place >= 0) continue;
    if (share === undefined) throw new NotRecordedError(request.orderId);
    counted.push({ document, buckets: share.buckets });
  }
  return { ...order, shares: counted };
}

async function refunded(
  { at, requestId }: Context,
  { refunds }: Audit,
  request: RefundRequest,
  order: CountedOrder,
): Promise<Refunded> {
  return refunds(async (stores) => {
    const ledger = await stores.refunds.read(order, at);
    if (ledger.amount !== order.amountMinor)
      throw new InternalError(`a ledger of ${ledger.amount} for ${order.amountMinor} that counted`);
    const done = decideRefund(ledger, request);
    await stores.refunds.keep(order, done.repeated ? undefined : done.refund);
    if (done.repeated) return done;
    for (const giveBack of giveBacks(order, done)) await stores.refunds.giveBack(giveBack, at);
    await stores.append([refundRow(request, order, done, requestId)]);
    return done;
  });
}

/**
 * The row of a refund. It tells what it took off the order's shares, so that sums follow from rows; and
 * names every document of the payment, those among them that gave back nothing.
 */
function refundRow(
  { appId, orderId, refundId, reason }: RefundRequest,
  { id, count, shares, row }: CountedOrder,
  { refund, remainingMinor }: Refunded,
  requestId: string | undefined,
): AuditRow {
  const gaveBack = shares.map(({ document }) => document);
  return {
    id: joinParts([id, 'refunded', refundId]),
    ...{ appId, orderId, operation: 'refund', outcome: 'refunded', effective: true },
    ...{ at: refund.at, subjects: row.subjects, violations: [], nonce: row.nonce },
    ...{ amountMinor: refund.amount, count: remainingMinor > 0 ? 0 : count, refundId },
    ...{ requestId, reason, documents: [...new Set([...gaveBack, ...row.documents])], shares },
  };
}
