import { MEMORY_MS } from '../domain/bounds.ts';
import { elsewhere } from './check-writing.ts';
import { documentTime, keeping, keptOf, surelyOver } from './document-reading.ts';
import type { Expression, Fields, PipelineStage } from './expression.ts';
import {
  all,
  atMost,
  differ,
  each,
  either,
  firstOf,
  isIn,
  joined,
  laidOver,
  largest,
  largestIn,
  mapOf,
  newest,
  not,
  orEmpty,
  plus,
  size,
  textOf,
  those,
  updating,
  when,
  writing,
} from './expression.ts';
import type { SettleData } from './settle-data.ts';
import {
  standing,
  past,
  moved,
  lists,
  sums,
  movedBuckets,
  endOf,
  lost,
  revivedBuckets,
} from './settle-moving.ts';

const isLate = all('$$hold.confirms', atMost('$$hold.until', '$work.now'));

/** How home remembers a hold that was settled. */
const outcome = laidOver(
  {
    id: '$$hold.id',
    is: textOf(
      when(isLate, 'l', when('$$hold.confirms', 'c', 'r')),
      '$$hold.nonce',
      '$$hold.digest',
    ),
    amount: '$$hold.final',
    count: '$$hold.count',
  },
  elsewhere('$$hold', '$$hold.others'),
);

/** The memory with these outcomes in place of what was remembered of the orders. */
const outcomes = joined(
  those(orEmpty('$settled'), 'other', not(isIn('$$other.id', '$work.movedIds'))),
  each('$work.moves', 'hold', outcome),
);

const isAnyMoved = differ('$work.moves', []);
const decides = all(isAnyMoved, not('$work.request.beside'));

/** What is kept for late confirms, without what was found there, with what is dropped now. */
const kept = joined(
  those(orEmpty('$kept'), 'share', not(isIn('$$share.nonce', '$work.request.nonces'))),
  when('$work.request.drops', each('$work.moves', 'share', keptOf('$$share')), []),
);

const keptChanges = all(
  isAnyMoved,
  '$work.request.beside',
  either('$work.request.drops', differ('$work.late', [])),
);

/** When the last window that counts again is over, and no clock can say that it is not. */
const lastEnd = largestIn(each('$work.lost', 'name', surelyOver(endOf('$$name'))));

const written: Fields = {
  ...writing(isAnyMoved, {
    buckets: mapOf(joined(movedBuckets, revivedBuckets)),
    holds: those(orEmpty('$holds'), 'other', not(isIn('$$other.nonce', '$work.movedNonces'))),
  }),
  ...writing(decides, {
    settled: newest('$work.outcomes', '$work.request.outcomesMax'),
    remembered: plus(firstOf('$remembered', 0n), size('$work.moves')),
  }),
  ...keeping(keptChanges, '$work.kept', '$work.request.outcomesMax'),
  ...writing(isAnyMoved, {
    expireAt: largest('$expireAt', plus('$work.now', MEMORY_MS), lastEnd),
    seen: '$work.now',
  }),
};

const GROUPS = [
  { standing },
  { past },
  { late: moved('$work.past', false) },
  { moves: joined(moved('$work.standing', true), '$work.late') },
  {
    lists,
    lost,
    movedIds: each('$work.moves', 'hold', '$$hold.id'),
    movedNonces: each('$work.moves', 'hold', '$$hold.nonce'),
    kept,
  },
  { sums, outcomes },
];

const update = updating(GROUPS, written);

/**
 * The update of confirms and rollbacks in the general lane, of one order or of many of one document.
 * A constant: the request arrives as data.
 *
 * 1. Lay down the request and the document's time.
 * 2. Find the holds: open ones first, then those that expired and are still remembered or kept.
 * 3. Keep those that are meant, with what each moves.
 * 4. Only where there are any, move their shares, in the windows of their checks; home remembers the
 *    outcomes. Otherwise leave every byte as it is.
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function settlePipeline(request: SettleData, now: Expression): readonly PipelineStage[] {
  return update(request, documentTime(now));
}
