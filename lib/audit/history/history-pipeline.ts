import type { AuditRow } from '../audit.ts';
import type { CheckedRow } from '../checked.ts';
import { BEGINNINGS, isLater } from '../checked.ts';
import { ofOrders } from '../mongo-audit-store.ts';
import type { RowsQuery } from './history.ts';
import type { CountedEnds } from './counted-pipeline.ts';
import {
  counted,
  countsFor,
  expiredFor,
  IS_CONFIRMED,
  OF_PAYMENTS,
  rowsFor,
  when,
} from './counted-pipeline.ts';
import { present } from '../../shared/present.ts';
import { documentId } from '../../shared/subject.ts';
import type { Value } from '../../document/update.ts';

/** A filter of rows, or a stage of an aggregation. */
export type Statement = Readonly<Record<string, Value>>;

/** Rows of one instant are in the order of their ids. */
export const NEWEST_ROWS_FIRST = { at: -1, _id: -1 } as const;

/** Rows that concern all these subjects. The first one is found by the index, the others in its rows. */
function aboutSubjects(subjects: RowsQuery['subjects']): Statement {
  return aboutAll(Object.entries(subjects).map(([kind, id]) => documentId(kind, id)));
}

/** Rows that concern all these documents. */
function aboutAll(ids: readonly string[]): Statement {
  if (ids.length === 0) return {};
  const [only = '', ...others] = ids;
  return { subjectIds: others.length === 0 ? only : { $all: ids } };
}

/** The filter of a page of rows: the next page goes on by instant and id, as the index has them. */
export function rowsFilter(query: RowsQuery): Statement {
  const { subjects, decision, rule, reason, since, until, before } = query;
  const isRefused = decision === 'refused' || rule !== undefined || reason !== undefined;
  const at = present({ $gte: since, $lt: until, $lte: before?.at });
  return {
    ...aboutSubjects(subjects),
    ...(Object.keys(at).length === 0 ? {} : { at }),
    ...(before && { $or: [{ at: { $lt: before.at } }, { _id: { $lt: before.id } }] }),
    ...(isRefused ? { outcome: 'refused' } : {}),
    ...(rule === undefined ? {} : { violations: rule }),
    ...(reason === undefined ? {} : { reason }),
    ...(decision === 'allowed' && !isRefused
      ? { operation: 'check', outcome: { $in: ['held', 'confirmed'] } }
      : {}),
  };
}

/** The filter of the checks of what is settled or refunded in some rows; undefined where nothing is. */
export function checksFilter(rows: readonly AuditRow[]): Statement | undefined {
  const later = rows.filter(isLater).flatMap(({ appId, orderId, documents: [home] }) =>
    // One that no document knew was never checked.
    home === undefined ? [] : [{ appId, orderId, home }],
  );
  if (later.length === 0) return undefined;
  return { ...ofOrders(later), operation: { $in: BEGINNINGS }, effective: true };
}

/** As much of a check as a later row of its order needs. */
export const CHECKED_FIELDS: Readonly<Record<keyof CheckedRow, 1>> = {
  appId: 1,
  orderId: 1,
  nonce: 1,
  documents: 1,
  at: 1,
  subjects: 1,
  currency: 1,
};

const ORDER = { app: '$appId', order: '$orderId', nonce: '$nonce' };
/** Rows that say when a payment was asked about, and in which currency. */
const IS_BEGINNING = { $in: ['$operation', BEGINNINGS] };

/** Keys of all counters whose buckets a row's shares entered. */
const countersOfRow = {
  $reduce: {
    input: { $ifNull: ['$shares.buckets', []] },
    initialValue: [],
    in: { $concatArrays: ['$$value', '$$this.counter'] },
  },
};

/** A row of a confirm that came late, whose shares are those that could still be counted. */
const isLate = { $and: [{ $eq: ['$late', true] }, { $ne: ['$repeated', true] }] };

/**
 * Sums up payments by the place of their window (from 1) and currency.
 *
 * A payment belongs where it was checked, or happened; a refund takes from there, as it does in the
 * counters. Left out is what a document could not count any more of a payment that was confirmed late.
 *
 * @param documents of the subjects; of a rule, the one that has its counter
 * @param starts of the windows, oldest first
 * @param counter a key of letters, digits, `-`, `_` and `~`: no expression. Undefined for every payment
 * @param rule whose counter it is
 * @param now holds that ended by then have expired
 */
export function countedByWindow(
  documents: readonly string[],
  starts: readonly Date[],
  counter: string | undefined,
  rule: CountedEnds,
  now: Date,
): readonly Statement[] {
  const expired = expiredFor(rule, now);
  const isHere = counter === undefined || { $in: [counter, countersOfRow] };
  const begun = { $filter: { input: starts, as: 'start', cond: { $lte: ['$$start', '$at'] } } };
  return [
    {
      $match: {
        ...aboutAll(documents),
        at: { $gte: starts[0] ?? null },
        effective: true,
        outcome: { $in: rowsFor(rule) },
      },
    },
    {
      $group: {
        _id: ORDER,
        // The caller's clock may be ahead: no payment enters a window before it begins.
        at: { $min: when(IS_BEGINNING, { $min: ['$happenedAt', '$at'] }, null) },
        counts: { $max: when(isLate, null, isHere) },
        countsLate: { $max: when(isLate, isHere, null) },
        ...counted(countsFor(rule)),
        ...expired.fields,
      },
    },
    ...expired.stages,
    {
      $match: {
        amount: { $ne: null },
        at: { $ne: null },
        $or: [{ countsLate: true }, { countsLate: null, counts: true }],
      },
    },
    { $group: { _id: { window: { $size: begun }, currency: '$currency' }, ...SUMS } },
    { $match: { '_id.window': { $gt: 0 } } },
  ];
}

const SUMS: Statement = {
  amountMinor: { $sum: '$amount' },
  count: { $sum: when({ $ne: ['$amount', null] }, '$count', 0) },
  refundedMinor: { $sum: '$refundedAmount' },
  refundedCount: { $sum: '$refundedCount' },
};

/**
 * Sums up by currency the confirms and refunds in a stretch of time, of payments that name a kind of
 * subject. Records of other days stand by themselves, for nobody paid them then.
 *
 * Where the check was earlier, its row is looked up: no other says currency and all subjects. (No order is
 * called by an empty text, so that for others nothing is looked up.)
 */
export function countedWithin(
  { start, until }: { readonly start: Date; readonly until: Date },
  kind: string,
  rows: string,
): readonly Statement[] {
  const subject = `$subjects.${kind}`;
  const isKnown = { $ne: [{ $ifNull: ['$currency', null] }, null] };
  const isItsOrder = [{ $eq: ['$appId', '$$app'] }, { $eq: ['$orderId', '$$order'] }];
  const isOutside = { $or: [{ $gt: [start, '$happenedAt'] }, { $lte: [until, '$happenedAt'] }] };
  const ofCheck = [...isItsOrder, { $eq: ['$nonce', '$$nonce'] }, IS_BEGINNING];
  return [
    { $match: { at: { $gte: start, $lt: until }, outcome: { $in: OF_PAYMENTS } } },
    {
      $group: {
        _id: ORDER,
        subject: { $max: subject },
        isOfOtherDay: { $max: { $and: [{ $eq: ['$operation', 'record'] }, isOutside] } },
        ...counted(IS_CONFIRMED),
      },
    },
    { $match: { $or: [{ amount: { $ne: null } }, { refunds: { $gt: 0 } }] } },
    {
      $lookup: {
        from: rows,
        let: { app: '$_id.app', order: when(isKnown, '', '$_id.order'), nonce: '$_id.nonce' },
        pipeline: [
          { $match: { $expr: { $and: ofCheck } } },
          { $limit: 1 },
          { $project: { _id: 0, currency: 1, subject } },
        ],
        as: 'check',
      },
    },
    {
      $set: {
        currency: { $ifNull: ['$currency', { $first: '$check.currency' }] },
        subject: { $ifNull: ['$subject', { $first: '$check.subject' }] },
      },
    },
    { $match: { subject: { $ne: null } } },
    {
      $group: {
        _id: { currency: '$currency' },
        ...SUMS,
        recordedMinor: { $sum: when('$isOfOtherDay', '$amount', 0) },
        recordedCount: {
          $sum: when({ $and: ['$isOfOtherDay', { $ne: ['$amount', null] }] }, '$count', 0),
        },
      },
    },
  ];
}

/** How many checks of a kind of subject were refused, by what, and by the hour. */
export function refusedWithin(
  { start, until }: { readonly start: Date; readonly until: Date },
  kind: string,
): readonly Statement[] {
  const named = `subjects.${kind}`;
  const hour = { $floor: { $divide: [{ $subtract: ['$at', start] }, 3_600_000] } };
  return [
    { $match: { at: { $gte: start, $lt: until }, outcome: 'refused', [named]: { $exists: true } } },
    {
      $group: {
        _id: { violations: '$violations', reason: '$reason', hour },
        checks: { $sum: 1 },
      },
    },
  ];
}
