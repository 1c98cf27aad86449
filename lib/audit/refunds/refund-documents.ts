import type { CountedOrder, KeptRefund, GiveBack } from './refund.ts';
import type { Update, Whole } from '../../document/update.ts';
import { addTo, incrementing, writesAt } from '../../document/update.ts';
import { bucketFields, bucketName, cellPath } from '../../counter/name.ts';
import type { StoredDocument } from '../../document/stored.ts';
import { effectOf } from '../../counter/effect.ts';

const REFUNDED = { to: 'refunded' } as const;

/** A ledger stays a day longer than the rows of what was counted, so none is gone while a refund could be asked. */
const BEYOND_MS = 86_400_000;

/** The update that reads the ledger of an order's refunds, and makes it before the first one. */
export function openLedger(
  { id, amountMinor, keepUntil }: Pick<CountedOrder, 'id' | 'amountMinor' | 'keepUntil'>,
  serverNow: Date | string,
): Update {
  return {
    filter: { _id: id },
    update: {
      $setOnInsert: { amount: BigInt(amountMinor), refunds: [] },
      $max: { expireAt: new Date(keepUntil.getTime() + BEYOND_MS) },
    },
    returns: { document: 'after', projection: { now: serverNow, amount: 1, refunds: 1, seen: 1 } },
    upsert: true,
  };
}

/** It asks nothing: its commit has read the ledger. */
export function addRefund(ledgerId: string, refund: KeptRefund): Update {
  return {
    filter: { _id: ledgerId },
    update: {
      $push: { refunds: { ...refund, amount: BigInt(refund.amount) } },
      $max: { seen: refund.at },
    },
  };
}

/**
 * The update that takes a refund off a document's sums as they were read; undefined where no bucket is
 * left. When the document comes back, it is proven that so much was used: it never falls below zero.
 */
export function giveBackUpdate(
  { document, buckets, amountMinor, count, values }: GiveBack,
  stored: StoredDocument,
  now: Date,
): Update | undefined {
  const sums: Record<string, bigint> = {};
  const filter: Record<string, unknown> = {};
  const takeOff = (all: string, used: string, sum: Whole, asked: number): void => {
    const less = BigInt(Math.min(Number(sum), asked));
    if (less === 0n) return;
    addTo(sums, all, -less);
    addTo(sums, used, -less);
    filter[used] = { $gte: less };
  };
  for (const bucket of buckets) {
    const share = { amount: amountMinor, count, values };
    const effect = effectOf(bucket, 'counted', REFUNDED, share, now);
    const { usedAmount, usedCount } = effect;
    const fields = bucketFields(bucketName(bucket));
    const { ua = 0, un = 0, ud = {} } = stored.b?.[fields.name] ?? {};
    takeOff(fields.amount, fields.usedAmount, ua, -usedAmount);
    takeOff(fields.count, fields.usedCount, un, -usedCount);
    for (const [value, { used }] of Object.entries(effect.cells ?? {})) {
      const paths = [
        cellPath(fields.name, 'd', value),
        cellPath(fields.name, 'ud', value),
      ] as const;
      takeOff(...paths, ud[value] ?? 0, -used);
    }
  }
  if (Object.keys(sums).length === 0) return undefined;
  addTo(sums, 'q', 1n);
  return {
    filter: { _id: document, ...filter },
    update: { ...incrementing(sums), $max: { seen: now } },
    returns: { document: 'after', projection: writesAt(now) },
  };
}
