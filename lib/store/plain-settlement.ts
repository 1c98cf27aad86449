import { sumsAmounts } from '../domain/counter.ts';
import type { Entry, Hold, Share } from '../domain/document.ts';
import { emptyView, readBucketName } from '../domain/document.ts';
import { SERVER_NOW } from '../pipeline/expression.ts';
import type { PlainSettled } from '../pipeline/plain-settle.ts';
import type { Value } from '../pipeline/plain-update.ts';
import { plainSettle } from '../pipeline/plain-settle.ts';
import type { HomeSettleAsk, ReservedShare, ShareSettleAsk } from './counter-store.ts';
import { memoryFor, sharesElsewhere } from './statements.ts';
import type { PlainStatement } from './plain-statement.ts';

/**
 * The plain update of settlements; undefined where the plain lane has none: no reservation that says
 * what is held, more than was held, or held no longer.
 */
export function plainSettlement(
  documentId: string,
  asks: readonly (HomeSettleAsk | ShareSettleAsk)[],
  outcomesMax: number,
  estimate: Date,
  at?: Date,
): PlainStatement | undefined {
  const settled = asks.map(plainSettled);
  if (!settled.every((one) => one !== undefined)) return undefined;
  const now = at ?? estimate;
  if (settled.some(({ hold }) => hold.until <= now)) return undefined;
  return {
    names: [],
    update: plainSettle(documentId, settled, memoryFor(asks, outcomesMax), at ?? SERVER_NOW),
    read: () => ({
      ...emptyView(now),
      entries: settled.flatMap(({ hold }): readonly Entry[] =>
        hold.home === undefined ? [{ ...readHold(hold), state: 'open' }] : [],
      ),
      shares: settled.flatMap(({ hold }): readonly Share[] =>
        hold.home === undefined ? [] : [{ ...readHold(hold), state: 'open' }],
      ),
    }),
  };
}

function plainSettled(ask: HomeSettleAsk | ShareSettleAsk): PlainSettled | undefined {
  const { id, to, amountMinor, reserved } = ask;
  if (reserved === undefined || to === 'dropped') return undefined;
  const nonce = 'nonce' in reserved ? reserved.nonce : ask.nonce;
  const final = amountMinor ?? reserved.amountMinor;
  if (nonce === undefined || final > reserved.amountMinor) return undefined;
  const isHome = !('home' in reserved);
  const hold = {
    ...{ id, nonce, digest: reserved.digest },
    ...{ amount: BigInt(reserved.amountMinor), count: BigInt(reserved.count) },
    ...sharesElsewhere(reserved),
    ...{ until: reserved.until, buckets: reserved.buckets },
  };
  return {
    hold,
    summing: new Set(reserved.buckets.filter((name) => sumsAmounts(counterOf(name)))),
    confirms: to === 'confirmed',
    final: BigInt(final),
    outcome: isHome ? settledOutcome(hold, to, BigInt(final)) : undefined,
  };
}

function counterOf(name: string): ReservedShare['buckets'][number] {
  return readBucketName(name).counter;
}

function settledOutcome(
  { id, nonce, digest, amount, count, until, others }: PlainSettled['hold'],
  to: 'confirmed' | 'rolledBack',
  final: bigint,
): Value {
  return {
    ...{ id, is: `${to === 'confirmed' ? 'c' : 'r'}${nonce}${digest}` },
    amount: to === 'confirmed' ? final : amount,
    ...(count === 1n ? {} : { count }),
    ...(others === undefined ? {} : { until, others }),
  };
}

function readHold({ amount, count, buckets, ...hold }: PlainSettled['hold']): Hold {
  return {
    ...hold,
    amount: Number(amount),
    count: Number(count),
    leftOut: [],
    buckets: buckets.map(readBucketName),
  };
}
