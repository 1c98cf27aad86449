/** What was given back: sums without it tell which orders were counted. */
import type { AuditRow } from '../../lib/audit/audit.ts';
import { holdId } from '../../lib/shared/subject.ts';
import { rowsIn } from './memory-audit.ts';
import type { Scene } from './scene.ts';
import { homeOf, idOf } from './scene.ts';
import { isOfPayments } from './scene-rules.ts';
import type { StoredBucket } from './stored.ts';
import { bucketsOf, untilOf } from './stored.ts';
import type { Stage } from './stage.ts';

/** A document's buckets as they would be if nothing had been given back, as far as rows of refunds say it. */
export function grossBuckets(stage: Stage, name: string): readonly StoredBucket[] {
  return bucketsOf(stage.documents.get(name)).map((bucket) => {
    let { usedAmount, usedCount } = bucket;
    for (const { amount, count } of refundedIn(stage, name, bucket.name)) {
      usedAmount += amount;
      usedCount += count;
    }
    return { ...bucket, usedAmount, usedCount };
  });
}

/** What a refund says of a bucket. `isLate`: its order was counted after the end, and entered it only if a hold was there. */
type GivenBack = {
  readonly order: number;
  readonly amount: number;
  readonly count: number;
  readonly isLate: boolean;
};

/** What was given back of orders in a bucket, as far as rows of refunds say it. A refund makes no attempt undone. */
export function refundedIn(
  { scene, documents, rulesByCounter: rules }: Stage,
  name: string,
  bucket: string,
): readonly GivenBack[] {
  const { audit, emptied = false } = scene;
  const [counter = ''] = bucket.split(' ');
  const rule = rules.get(counter);
  if (audit === undefined || rule === undefined || !isOfPayments(rule)) return [];
  const rows = rowsIn(documents);
  const end = untilOf(bucket.split(' '));
  const isLate = ({ nonce }: AuditRow): boolean =>
    rows.some((row) => row.nonce === nonce && isCounting(row) && row.at.getTime() >= end);
  const given = rows.filter((row) => row.outcome === 'refunded' && isIn(row, name, bucket));
  return given.map((row) => ({
    order: orderOfRow(scene, row),
    amount: emptied ? 0 : (row.amountMinor ?? 0),
    count: row.count ?? 0,
    isLate: isLate(row),
  }));
}

function isCounting({ outcome, repeated }: AuditRow): boolean {
  return outcome === 'confirmed' && repeated !== true;
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
