import { MEMORY_MS } from '../domain/bounds.ts';
import { carried } from './check-many-reading.ts';
import type { Expression, PipelineStage } from './expression.ts';
import type { SettleManyData } from './settle-many-data.ts';
import { documentTime, outcomeOf, remembering } from './document-reading.ts';
import {
  when,
  all,
  either,
  not,
  equal,
  differ,
  above,
  atMost,
  firstOf,
  orEmpty,
  plus,
  minus,
  largest,
  each,
  bound,
  those,
  first,
  joined,
  isIn,
  sumOf,
  laidOver,
  updating,
  writing,
} from './expression.ts';

const isMeant = (hold: string): Expression =>
  all(
    either(
      isIn(`${hold}.id`, '$work.request.anyCall'),
      isIn({ id: `${hold}.id`, nonce: `${hold}.nonce` }, '$work.request.oneCall'),
      all(`${hold}.takenOver`, isIn(`${hold}.id`, '$work.request.takenOver')),
    ),
    either(`${hold}.pending`, not(isIn(`${hold}.id`, '$work.request.onlyPending'))),
    not(all('$work.request.remembers', `${hold}.home`)),
  );

/** Open holds of any of the orders, meant or not: an open one stands before one that expired. */
const open = those(orEmpty('$holds'), 'hold', isIn('$$hold.id', '$work.request.ids'));

/**
 * Expired ones that are still remembered, of orders that have no open hold and are not withdrawn; of
 * each order the last.
 */
const expired = carried(
  those(
    orEmpty('$settled'),
    'hold',
    all(
      equal('$$hold.state', 'expired'),
      isIn('$$hold.id', '$work.request.ids'),
      not(isIn('$$hold.id', '$work.request.withdrawn')),
      not(isIn('$$hold.id', each('$work.open', 'one', '$$one.id'))),
    ),
  ),
  [],
  joined(those('$$value', 'other', differ('$$other.id', '$$this.id')), ['$$this']),
);

const finalOf = when(
  equal('$work.request.finals', []),
  '$$hold.amount',
  firstOf(
    first(
      each(
        those('$work.request.finals', 'final', equal('$$final.id', '$$hold.id')),
        'final',
        '$$final.amount',
      ),
    ),
    '$$hold.amount',
  ),
);

/** What each hold that is found moves: nothing leaves held where the hold was released before. */
const moved = (holds: string, isOpen: boolean): Expression =>
  each(
    those(holds, 'hold', isMeant('$$hold')),
    'hold',
    bound(
      { final: finalOf, confirms: isIn('$$hold.id', '$work.request.confirmed') },
      'outcome',
      laidOver('$$hold', {
        final: '$$outcome.final',
        confirms: '$$outcome.confirms',
        usedAmount: when('$$outcome.confirms', '$$outcome.final', 0n),
        usedCount: when('$$outcome.confirms', '$$hold.count', 0n),
        heldAmount: isOpen ? '$$hold.amount' : 0n,
        heldCount: isOpen ? '$$hold.count' : 0n,
      }),
    ),
  );

/** Holds of one moment are in the same buckets; each such list of buckets is summed once. */
const lists = carried(
  '$work.moves',
  [],
  when(isIn('$$this.buckets', '$$value'), '$$value', joined('$$value', ['$$this.buckets'])),
);

const sums = each(
  '$work.lists',
  'list',
  bound({ mine: those('$work.moves', 'hold', equal('$$hold.buckets', '$$list')) }, 'its', {
    names: '$$list',
    usedAmount: sumOf('$$its.mine', 'usedAmount'),
    usedCount: sumOf('$$its.mine', 'usedCount'),
    heldAmount: sumOf('$$its.mine', 'heldAmount'),
    heldCount: sumOf('$$its.mine', 'heldCount'),
  }),
);

const movedBuckets = each(
  orEmpty('$buckets'),
  'bucket',
  bound(
    { mine: those('$work.sums', 'sum', isIn('$$bucket.name', '$$sum.names')) },
    'its',
    when(
      equal('$$its.mine', []),
      '$$bucket',
      laidOver('$$bucket', {
        usedAmount: plus('$$bucket.usedAmount', sumOf('$$its.mine', 'usedAmount')),
        usedCount: plus('$$bucket.usedCount', sumOf('$$its.mine', 'usedCount')),
        heldAmount: minus('$$bucket.heldAmount', sumOf('$$its.mine', 'heldAmount')),
        heldCount: minus('$$bucket.heldCount', sumOf('$$its.mine', 'heldCount')),
      }),
    ),
  ),
);

/** Names, in confirmed holds, of buckets that were swept, empty, since the holds expired. */
const lost = carried(
  '$work.late',
  [],
  when(
    '$$this.confirms',
    joined(
      '$$value',
      those(
        '$$this.buckets',
        'name',
        all(
          above('$$name.until', '$work.now'),
          not(isIn('$$name', orEmpty('$buckets.name'))),
          not(isIn('$$name', '$$value')),
        ),
      ),
    ),
    '$$value',
  ),
);

/**
 * Buckets that late confirms count in and that are no longer there. A counter without currency gets
 * amounts here too; nothing reads them.
 */
const revivedBuckets = each(
  '$work.lost',
  'name',
  bound({ mine: those('$work.late', 'hold', isIn('$$name', '$$hold.buckets')) }, 'its', {
    name: '$$name',
    usedAmount: sumOf('$$its.mine', 'usedAmount'),
    usedCount: sumOf('$$its.mine', 'usedCount'),
    heldAmount: 0n,
    heldCount: 0n,
  }),
);

const outcome = outcomeOf('$$hold', {
  state: when('$$hold.confirms', 'confirmed', 'rolledBack'),
  amount: '$$hold.final',
  late: all('$$hold.confirms', atMost('$$hold.until', '$work.now')),
});

/** The memory with these outcomes in place of what was remembered of the orders. */
const outcomes = joined(
  those(orEmpty('$settled'), 'other', not(isIn('$$other.id', '$work.endedIds'))),
  when('$work.request.remembers', each('$work.ended', 'hold', outcome), []),
);

const isAnyMoved = differ('$work.moves', []);

const written = {
  ...writing(isAnyMoved, {
    buckets: joined(movedBuckets, revivedBuckets),
    holds: those(orEmpty('$holds'), 'other', not(isIn('$$other.id', '$work.movedIds'))),
  }),
  ...remembering(isAnyMoved, '$work.outcomes'),
  ...writing(isAnyMoved, {
    expireAt: largest('$expireAt', plus('$work.now', MEMORY_MS)),
    seen: '$work.now',
  }),
};

const GROUPS = [
  { open },
  { expired },
  { late: moved('$work.expired', false) },
  { moves: joined(moved('$work.open', true), '$work.late') },
  { lists, lost, movedIds: each('$work.moves', 'hold', '$$hold.id') },
  {
    sums,
    ended: those('$work.moves', 'hold', not(isIn('$$hold.id', '$work.request.withdrawn'))),
  },
  { endedIds: each('$work.ended', 'hold', '$$hold.id') },
  { outcomes },
];

const pipeline = updating(GROUPS, written);

/**
 * The update of many confirms, rollbacks and withdrawals of one document. A constant: the request
 * arrives as data. One settlement has a pipeline of its own, which does not pay for this.
 *
 * 1. Lay down the request and the server's instant.
 * 2. Find the holds: open ones, and expired ones still remembered.
 * 3. Keep those that are meant, with what each moves.
 * 4. Only where there are any, move their shares, in the windows of their checks, and remember the
 *    outcomes; otherwise leave every byte as it is.
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function settleManyPipeline(
  request: SettleManyData,
  now: Expression,
): readonly PipelineStage[] {
  return pipeline(request, documentTime(now));
}
