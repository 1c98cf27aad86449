import { listed } from './document-reading.ts';
import type { Expression } from './expression.ts';
import {
  above,
  all,
  bound,
  carried,
  differ,
  each,
  either,
  equal,
  first,
  firstOf,
  instantOf,
  isIn,
  itemAt,
  joined,
  laidOver,
  minus,
  not,
  orEmpty,
  partsOf,
  plus,
  sumOf,
  those,
  when,
} from './expression.ts';

/** What settlements find in a document, and where their shares move. */

const isBeside = (hold: string): Expression => differ(firstOf(`${hold}.home`, null), null);

const isMeant = (hold: string): Expression =>
  either(
    isIn(`${hold}.id`, '$work.request.anyCall'),
    isIn(`${hold}.nonce`, '$work.request.nonces'),
  );

/** Open holds of the orders, meant or not: an open one stands before one that expired. */
export const standing = those(
  orEmpty('$holds'),
  'hold',
  all(isIn('$$hold.id', '$work.request.ids'), equal(isBeside('$$hold'), '$work.request.beside')),
);

/** What a late confirm finds: of each order at home its last expired hold, beside home what is kept. */
export const past = when(
  '$work.request.beside',
  orEmpty('$kept'),
  carried(
    those(
      orEmpty('$settled'),
      'hold',
      all(
        '$$hold.expired',
        isIn('$$hold.id', '$work.request.ids'),
        not(isIn('$$hold.id', each('$work.standing', 'one', '$$one.id'))),
      ),
    ),
    [],
    joined(those('$$value', 'other', differ('$$other.id', '$$this.id')), ['$$this']),
  ),
);

const finalOf = firstOf(
  first(
    each(
      those('$work.request.finals', 'final', equal('$$final.id', '$$hold.id')),
      'final',
      '$$final.amount',
    ),
  ),
  '$$hold.amount',
);

/** What each hold that is found moves: nothing leaves held where the hold was released before. */
export const moved = (holds: string, isOpen: boolean): Expression =>
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
export const lists = carried(
  '$work.moves',
  [],
  when(isIn('$$this.buckets', '$$value'), '$$value', joined('$$value', ['$$this.buckets'])),
);

/** What each such list of buckets is given and loses. */
export const sums = each(
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

/** A sum of used and held after what is used came and what was held went. */
const after = (sum: 'Amount' | 'Count'): Expression =>
  minus(
    plus(`$$bucket.v.${sum.toLowerCase()}`, sumOf('$$its.mine', `used${sum}`)),
    sumOf('$$its.mine', `held${sum}`),
  );

/** The buckets after that. */
export const movedBuckets = each(
  listed,
  'bucket',
  bound(
    { mine: those('$work.sums', 'sum', isIn('$$bucket.k', '$$sum.names')) },
    'its',
    when(equal('$$its.mine', []), '$$bucket', {
      k: '$$bucket.k',
      v: {
        amount: after('Amount'),
        count: after('Count'),
        heldAmount: minus('$$bucket.v.heldAmount', sumOf('$$its.mine', 'heldAmount')),
        heldCount: minus('$$bucket.v.heldCount', sumOf('$$its.mine', 'heldCount')),
      },
    }),
  ),
);

/** When the window of a bucket is over, as its name says. */
export const endOf = (name: string): Expression => instantOf(itemAt(partsOf(name, ' '), 2));

/** Names, in confirmed holds, of buckets that were swept, empty, since the holds expired. */
export const lost = carried(
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
          above(endOf('$$name'), '$work.now'),
          not(isIn('$$name', each(listed, 'bucket', '$$bucket.k'))),
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
export const revivedBuckets = each(
  '$work.lost',
  'name',
  bound({ mine: those('$work.late', 'hold', isIn('$$name', '$$hold.buckets')) }, 'its', {
    k: '$$name',
    v: {
      amount: sumOf('$$its.mine', 'usedAmount'),
      count: sumOf('$$its.mine', 'usedCount'),
      heldAmount: 0n,
      heldCount: 0n,
    },
  }),
);
