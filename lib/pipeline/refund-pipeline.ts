import { REFUNDS_PER_ORDER_MAX } from '../domain/bounds.ts';
import { documentTime, listed } from './document-reading.ts';
import type { Expression, PipelineStage } from './expression.ts';
import {
  above,
  all,
  atMost,
  each,
  either,
  equal,
  firstOf,
  isIn,
  isTrueOfAny,
  joined,
  laidOver,
  largest,
  mapOf,
  minus,
  not,
  orEmpty,
  size,
  smallest,
  sumOf,
  updating,
  when,
  writing,
} from './expression.ts';

/** The data of a refund. */
export type RefundData = {
  /** What was counted. */
  readonly counted: bigint;
  readonly id: string;
  readonly nonce: string;
  /** Null for all that is left. */
  readonly amount: bigint | null;
  /** When the ledger may go. */
  readonly keepUntil: Date;
};

/** The data of what one document gives back; buckets by name. */
export type GiveBackData = {
  readonly amount: bigint;
  readonly amountIn: readonly string[];
  readonly count: bigint;
  readonly countIn: readonly string[];
  /** Every bucket that is named. */
  readonly names: readonly string[];
};

/** The refund is new, no more than is left, and not the one that is one too many. */
const fits = all(
  not(isIn('$work.request.id', orEmpty('$refunds.id'))),
  atMost('$work.asked', '$work.left'),
  // An order of nothing is refunded by its first refund.
  either(above('$work.left', 0n), equal(orEmpty('$refunds'), [])),
  above(REFUNDS_PER_ORDER_MAX, size(orEmpty('$refunds'))),
);

const refund = {
  id: '$work.request.id',
  nonce: '$work.request.nonce',
  amount: '$work.asked',
  at: '$work.now',
};

const add = updating(
  [
    { counted: firstOf('$amount', '$work.request.counted') },
    { left: minus('$work.counted', sumOf('$refunds', 'amount')) },
    { asked: firstOf('$work.request.amount', '$work.left') },
    { fits },
  ],
  {
    amount: '$work.counted',
    refunds: when('$work.fits', joined(orEmpty('$refunds'), [refund]), orEmpty('$refunds')),
    ...writing('$work.fits', { seen: '$work.now' }),
    expireAt: largest('$expireAt', '$work.request.keepUntil'),
  },
);

/**
 * The update of an order's ledger of refunds. A constant: the request arrives as data.
 *
 * 1. Lay down the request and the ledger's time.
 * 2. What was counted, as the first refund said it.
 * 3. What is left of it.
 * 4. What is asked: an amount, or all that is left.
 * 5. Decide.
 * 6. Only where it fits, add the refund.
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function refundPipeline(request: RefundData, now: Expression): readonly PipelineStage[] {
  return add(request, documentTime(now));
}

/** A sum without what is given back. What is used never falls below zero; a sum that is not kept stays so. */
const less = (sum: 'amount' | 'count', held: string): Expression =>
  minus(
    `$$bucket.v.${sum}`,
    smallest(
      minus(`$$bucket.v.${sum}`, `$$bucket.v.${held}`),
      when(isIn('$$bucket.k', `$work.request.${sum}In`), `$work.request.${sum}`, 0n),
    ),
  );

const giveBack = updating(
  [
    {
      found: isTrueOfAny(listed, 'bucket', isIn('$$bucket.k', '$work.request.names')),
    },
  ],
  writing('$work.found', {
    buckets: mapOf(
      each(
        listed,
        'bucket',
        when(
          isIn('$$bucket.k', '$work.request.names'),
          {
            k: '$$bucket.k',
            v: laidOver('$$bucket.v', {
              amount: less('amount', 'heldAmount'),
              count: less('count', 'heldCount'),
            }),
          },
          '$$bucket',
        ),
      ),
    ),
    seen: '$work.now',
  }),
);

/**
 * The update that gives back in one document. A constant: the request arrives as data.
 *
 * 1. Lay down the request and the document's time.
 * 2. See whether a bucket that is named is still there.
 * 3. Only then take what is given back off what is used; otherwise leave every byte as it is.
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function giveBackPipeline(request: GiveBackData, now: Expression): readonly PipelineStage[] {
  return giveBack(request, documentTime(now));
}
