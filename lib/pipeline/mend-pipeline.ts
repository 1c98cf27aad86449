import { MEMORY_MS } from '../domain/bounds.ts';
import { documentTime, listed, surelyOver } from './document-reading.ts';
import type { Expression, PipelineStage } from './expression.ts';
import {
  above,
  all,
  bound,
  each,
  equal,
  first,
  firstOf,
  isIn,
  joined,
  laidOver,
  largest,
  largestIn,
  mapOf,
  not,
  plus,
  those,
  updating,
  when,
  writing,
} from './expression.ts';

/** The data of a mending. */
export type MendData = {
  /** When the document was mended last, as it was read; null for never. */
  readonly mendedAt: Date | null;
  /** What is to be added to which bucket, by name. */
  readonly mends: readonly {
    readonly k: string;
    readonly until: Date;
    readonly v: {
      readonly amount: bigint;
      readonly count: bigint;
      readonly heldAmount: bigint;
      readonly heldCount: bigint;
    };
  }[];
};

const added = (sum: string): Expression => plus(`$$bucket.v.${sum}`, `$$mend.v.${sum}`);

const mended = each(
  listed,
  'bucket',
  bound(
    first(those('$work.request.mends', 'mend', equal('$$mend.k', '$$bucket.k'))),
    'mend',
    when(
      '$$mend.k',
      {
        k: '$$bucket.k',
        v: laidOver('$$bucket.v', {
          amount: added('amount'),
          count: added('count'),
          heldAmount: added('heldAmount'),
          heldCount: added('heldCount'),
        }),
      },
      '$$bucket',
    ),
  ),
);

/** Buckets that are missing, while they count. */
const made = each(
  those(
    '$work.request.mends',
    'mend',
    all(
      above('$$mend.until', '$work.now'),
      not(isIn('$$mend.k', each(listed, 'bucket', '$$bucket.k'))),
    ),
  ),
  'mend',
  { k: '$$mend.k', v: '$$mend.v' },
);

const mend = updating(
  [{ asRead: equal(firstOf('$mendedAt', null), '$work.request.mendedAt') }, { made }],
  writing('$work.asRead', {
    buckets: mapOf(joined(mended, '$work.made')),
    mendedAt: '$work.now',
    seen: '$work.now',
    expireAt: largest(
      '$expireAt',
      plus('$work.now', MEMORY_MS),
      largestIn(each('$work.request.mends', 'mend', surelyOver('$$mend.until'))),
    ),
  }),
);

/**
 * The update that mends a document. A constant: the request arrives as data.
 *
 * It adds what differs to sums as they are now, so what checks do meanwhile stays; and only where
 * nobody mended the document since it was compared.
 *
 * 1. Lay down the request and the document's time.
 * 2. See whether it was mended meanwhile.
 * 3. Find the buckets that are missing.
 * 4. Only where it was not, add; otherwise leave every byte as it is.
 *
 * @param now the server's instant
 */
export function mendPipeline(request: MendData, now: Expression): readonly PipelineStage[] {
  return mend(request, documentTime(now));
}

/** Names every document that rows tell of, in order. */
export const RECORDED_DOCUMENTS: readonly PipelineStage[] = [
  { $match: { effective: true } },
  { $unwind: '$documents' },
  { $group: { _id: '$documents' } },
  { $sort: { _id: 1 } },
];
