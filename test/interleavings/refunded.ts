/** What was given back: sums without it tell which orders were counted. */
import type { AuditRow } from '../../lib/audit/audit.ts';
import { holdId } from '../../lib/shared/subject.ts';
import { rowsIn } from './memory-audit.ts';
import type { Scene } from './scene.ts';
import { homeOf, idOf } from './scene.ts';
import { expiryCounters, failureCounters } from './scene-rules.ts';
import type { StoredBucket } from './stored.ts';
import { bucketsOf, untilOf } from './stored.ts';
import type { Stage } from './stage.ts';

/** A document's buckets as they would be if nothing had been given back, as far as rows of refunds say it. */
export function grossBuckets(stage: Stage, name: string): readonly StoredBucket[] {
  const buckets = bucketsOf(stage.documents.get(name));
  if (stage.scene.audit === undefined) return buckets;
  const rows = rowsIn(stage.documents).filter(({ outcome }) => outcome === 'refunded');
  if (rows.length === 0) return buckets;
  const { emptied = false } = stage.scene;
  const failures = failureCounters(stage.ruleSets);
  const expiries = expiryCounters(stage.ruleSets);
  return buckets.map((bucket) => {
    // Refunds give back nothing of failures.
    if (failures.has(bucket.counter) || expiries.has(bucket.counter)) return bucket;
    let { usedAmount, usedCount } = bucket;
    for (const row of rows.filter((one) => isIn(one, name, bucket.name))) {
      if (!emptied) usedAmount += row.amountMinor ?? 0;
      usedCount += row.count ?? 0;
    }
    return { ...bucket, usedAmount, usedCount };
  });
}

/** What was given back of orders in a bucket, as far as rows of refunds say it. */
export function refundedIn(
  stage: Stage,
  name: string,
  bucket: string,
): readonly { readonly order: number; readonly amount: number; readonly count: number }[] {
  const { audit, emptied = false } = stage.scene;
  if (audit === undefined) return [];
  const rows = rowsIn(stage.documents).filter(
    (row) => row.outcome === 'refunded' && isIn(row, name, bucket),
  );
  return rows.map((row) => ({
    order: orderOfRow(stage.scene, row),
    amount: emptied ? 0 : (row.amountMinor ?? 0),
    count: row.count ?? 0,
  }));
}

/** The order that a row tells of. */
export function orderOfRow(
  { orders }: Scene,
  { appId, orderId, documents: [home] }: AuditRow,
): number {
  return orders.findIndex(
    (one) => idOf(one) === holdId({ appId, orderId }) && homeOf(one) === home,
  );
}

export function isIn({ shares }: AuditRow, name: string, bucket: string): boolean {
  return shares.some(
    ({ document, buckets }) =>
      document === name &&
      buckets.some(({ counter, until }) => {
        const [key = '', ...end] = bucket.split(' ');
        return key === counter && untilOf([key, ...end]) === until.getTime();
      }),
  );
}
