import type { RefundAnswer } from '../../limits/answer.ts';
import type { AuditRow } from '../audit.ts';
import { errorRow } from '../audit-rows.ts';
import type { Entry } from '../../document/document.ts';
import { currentEntry } from '../../document/document.ts';
import { AlreadyRolledBackError, InternalError, NotFoundError } from '../../shared/errors.ts';
import { besideIn, decisiveRow, refuseSeveralHomes } from '../order-status.ts';
import { refundsTold } from '../since-first.ts';
import type { CountedOrder, Refunded } from './refund.ts';
import { decideRefund, NotConfirmedError, NotRecordedError } from './refund.ts';
import { countsOutcome } from '../../rule/counter-key.ts';
import type { RefundRequest } from '../../shared/request.ts';
import { CONFIRMED } from '../../shared/states.ts';
import { holdId, joinParts } from '../../shared/subject.ts';
import type { Audit } from '../recorded.ts';
import { writeRows } from '../recorded.ts';
import type { Context } from '../../limits/context.ts';
import { placeOf } from '../../limits/reservation.ts';
import { settleBeside } from '../../limits/shares.ts';
import type { RecordedShare } from '../../limits/order-trace.ts';
import { recordedShare } from '../../limits/order-trace.ts';

/**
 * Gives back of a payment that was counted, in the windows of its check, as the audit tells them.
 *
 * The order's ledger, the documents that give back and the row of the refund are one commit, whatever the
 * audit's mode: nothing is given back twice, and no crash leaves a part of it.
 */
export async function refund(
  context: Context,
  audit: Audit,
  request: RefundRequest,
): Promise<RefundAnswer> {
  const { rows, now } = await rowsAbout(context, audit, request);
  try {
    const order = await findCounted(context, audit, rows, request);
    const done = await makeRefund(context, audit, request, order);
    const { repeated, refund: made, refundedMinor, remainingMinor } = done;
    // Documents may have forgotten since that they counted it.
    const isMade = ({ refundId, at }: AuditRow): boolean =>
      refundId === made.id && at.getTime() === made.at.getTime();
    const shares = (repeated ? rows.find(isMade)?.shares : undefined) ?? order.shares;
    const ends = shares.flatMap(({ buckets }) =>
      buckets.flatMap(({ counter, until }) =>
        countsOutcome(counter, CONFIRMED.to, undefined) ? [until] : [],
      ),
    );
    const open = ends.filter((until) => until > made.at).length;
    const windows = { open, over: ends.length - open };
    const { state, ...sums } = refundsTold(refundedMinor, remainingMinor);
    return { state, repeated, amount: made.amount, ...sums, windows };
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

/** @throws OrderAmbiguousError where the request names no home, and orders of several homes have the id */
async function rowsAbout({ homeKinds }: Context, { store }: Audit, request: RefundRequest) {
  const home =
    request.whereabouts.kind === 'recorded' ? undefined : placeOf(request, homeKinds).documents[0];
  const found = await store.effectsOf(request, home);
  if (home === undefined) refuseSeveralHomes(request.orderId, found.rows);
  return found;
}

async function findCounted(
  context: Context,
  audit: Audit,
  rows: readonly AuditRow[],
  request: RefundRequest,
) {
  const { appId, orderId } = request;
  const row = decisiveRow(rows);
  const [home] = row?.documents ?? [];
  if (row?.nonce === undefined || home === undefined)
    throw await explainUnrecorded(context, audit, request);
  const { nonce, outcome } = row;
  if (outcome === 'rolledBack') throw new AlreadyRolledBackError(orderId);
  const { amountMinor = 0, count = 1 } = row;
  // The row of its confirm may be lost, or not yet written; then home knows better.
  const seen =
    outcome === 'confirmed'
      ? { amount: amountMinor, count }
      : await findConfirmedAt(context, home, request, nonce);
  if (seen === undefined) throw new NotConfirmedError(orderId);
  const own = rows.filter((one) => one.effective && one.nonce === nonce);
  const held = own.find((one) => one.outcome === 'held');
  // The row of the call that counted it says where; where that one got lost, the row of its check.
  const isTold = outcome === 'confirmed' && row.repeated !== true;
  const known = isTold ? [] : (held?.shares ?? []);
  const more = row.shares.filter(({ document }) => !known.some((one) => one.document === document));
  const homeFirst = (one: RecordedShare, other: RecordedShare): number =>
    Number(other.document === home) - Number(one.document === home);
  const order = {
    id: joinParts([appId, orderId, nonce]),
    amountMinor: seen.amount,
    count: seen.count,
    row,
    shares: [...known, ...more].toSorted(homeFirst),
    keepUntil: new Date(Math.max(0, ...own.map(({ expireAt }) => expireAt?.getTime() ?? 0))),
  };
  // A row that a repeat wrote tells of the documents that the first call had not come to.
  if (!order.shares.some(({ document }) => document === home)) throw new NotRecordedError(orderId);
  return isTold ? order : findCountedEverywhere(context, order, besideIn(rows, row));
}

/** Says what home knows of an order of which no row tells. The answer that would have had the row may be lost. */
async function explainUnrecorded(
  context: Context,
  { store }: Audit,
  request: RefundRequest,
): Promise<Error> {
  const { orderId, whereabouts } = request;
  const [home] =
    whereabouts.kind === 'recorded'
      ? ((await store.rowsOf(request)).rows.at(-1)?.documents ?? [])
      : placeOf(request, context.homeKinds).documents;
  const entry = home === undefined ? undefined : await findKnownAt(context, home, request);
  if (entry === undefined) return new NotFoundError(orderId, 'in the audit');
  if (entry.state === 'confirmed') return new NotRecordedError(orderId);
  return entry.state === 'rolledBack'
    ? new AlreadyRolledBackError(orderId)
    : new NotConfirmedError(orderId);
}

async function findConfirmedAt(
  context: Context,
  home: string,
  request: RefundRequest,
  nonce: string,
): Promise<Entry | undefined> {
  const entry = await findKnownAt(context, home, request);
  return entry?.state === 'confirmed' && entry.nonce === nonce ? entry : undefined;
}

async function findKnownAt(
  { counters, clock, at }: Context,
  home: string,
  request: RefundRequest,
): Promise<Entry | undefined> {
  const view = (await counters.read([home], [holdId(request)], clock.estimate(), at)).get(home);
  return view && currentEntry(view);
}

/**
 * Counts in other documents what home has counted. Where the row of the call that counted at home is
 * lost, that call may have ended there, and what is not counted must not be given back.
 *
 * @returns the order without the documents whose share may have gone uncounted
 * @throws NotRecordedError where no row says in which windows one of them counted it
 */
async function findCountedEverywhere(
  context: Context,
  order: CountedOrder,
  beside: ReturnType<typeof besideIn>,
): Promise<CountedOrder> {
  const { amountMinor: amount, row } = order;
  const { nonce = '', orderId } = row;
  const followed = await settleBeside(
    context,
    { id: holdId(row), nonce, amount, ...beside },
    CONFIRMED,
  );
  const shares = new Map(order.shares.map((share) => [share.document, share]));
  for (const { document, share, uncounted } of followed) {
    if (uncounted) shares.delete(document);
    if (uncounted || shares.has(document)) continue;
    if (share === undefined) throw new NotRecordedError(orderId);
    shares.set(document, recordedShare(document, share.places.buckets, share.values));
  }
  return { ...order, shares: [...shares.values()] };
}

async function makeRefund(
  { at, requestId }: Context,
  { refunds }: Audit,
  request: RefundRequest,
  order: CountedOrder,
): Promise<Refunded> {
  return refunds(async (stores) => {
    const ledger = await stores.refunds.open(order, at);
    if (ledger.amount !== order.amountMinor)
      throw new InternalError(`a ledger of ${ledger.amount} for ${order.amountMinor} that counted`);
    const done = decideRefund(ledger, request);
    if (done.repeated) return done;
    await stores.refunds.add(order, done.refund);
    const row = refundRow(request, order, done, requestId);
    const { amountMinor = 0, count = 0, shares } = row;
    const writes = new Map<string, number>();
    for (const share of shares) {
      const giveBack = { ...share, amountMinor, count };
      writes.set(share.document, await stores.refunds.giveBack(giveBack, at));
    }
    const q = row.documents.map((document) => writes.get(document) ?? 0);
    await stores.append([{ ...row, q }]);
    return done;
  });
}

/** Sums follow from its shares; it names every document of the payment, those that gave back nothing too. */
function refundRow(
  { appId, orderId, refundId, reason }: RefundRequest,
  { id, count, shares, row }: CountedOrder,
  { refund, remainingMinor }: Refunded,
  requestId: string | undefined,
): AuditRow {
  const gaveBack = shares.map(({ document }) => document);
  return {
    id: joinParts([id, 'refunded', refundId]),
    appId,
    orderId,
    operation: 'refund',
    outcome: 'refunded',
    effective: true,
    at: refund.at,
    subjects: row.subjects,
    violations: [],
    nonce: row.nonce,
    amountMinor: refund.amount,
    count: remainingMinor > 0 ? 0 : count,
    refundId,
    requestId,
    reason,
    documents: [...new Set([...gaveBack, ...row.documents])],
    shares,
  };
}
