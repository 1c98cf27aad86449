import { EMPTY_DOCUMENT_MS, KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../domain/bounds.ts';
import type { CheckKind } from './check-data.ts';
import { ID, enteredIn, looksCloser } from './check-reading.ts';
import { NOTHING_LAPSED, due, expired, remembering } from './document-reading.ts';
import type { Expression, Fields } from './expression.ts';
import {
  all,
  differ,
  each,
  either,
  equal,
  firstOf,
  isIn,
  joined,
  laidOver,
  largest,
  largestIn,
  not,
  orEmpty,
  plus,
  smallest,
  those,
  when,
  writing,
} from './expression.ts';

/** What a check writes once it is decided: the fields that an admitted order changes. */

/** The buckets with the order's share, held or used at once, and those that it is the first to enter. */
function buckets(kind: CheckKind): Expression {
  const [amount, count] = kind.captures
    ? (['usedAmount', 'usedCount'] as const)
    : (['heldAmount', 'heldCount'] as const);
  return joined(
    each(
      '$work.buckets',
      'bucket',
      when(
        isIn('$$bucket.name', `${enteredIn(kind)}.name`),
        laidOver('$$bucket', {
          [amount]: plus(`$$bucket.${amount}`, '$work.request.own.amount'),
          [count]: plus(`$$bucket.${count}`, '$work.request.own.count'),
        }),
        '$$bucket',
      ),
    ),
    each(
      '$work.missing',
      'counter',
      laidOver({ name: '$$counter.name' }, firstOf('$$counter.share', '$work.request.share')),
    ),
  );
}

/** Counters that the order does not enter, where there are any. */
function leftOut({ shadowed }: CheckKind): Fields {
  return shadowed ? { leftOut: '$work.crowded.name.counter' } : {};
}

function hold(kind: CheckKind): Expression {
  return laidOver('$work.request.own', {
    ...leftOut(kind),
    at: '$work.now',
    until: '$work.until',
    ...(kind.pending ? { pending: true } : {}),
    buckets: `${enteredIn(kind)}.name`,
  });
}

function outcome(kind: CheckKind): Expression {
  const ended = { ...leftOut(kind), at: '$work.now', state: 'confirmed', late: false };
  return laidOver('$work.request.own', ended);
}

/**
 * What there is to remember. An expired hold of this very order is forgotten, since the order has a new
 * one; but not while that is pending, for it may yet be withdrawn.
 */
export function outcomes(kind: CheckKind): Expression {
  const staying = (list: Expression): Expression =>
    looksCloser(kind) && !kind.pending ? those(list, 'entry', differ('$$entry.id', ID)) : list;
  const memory = joined(
    staying(orEmpty('$settled')),
    expired(staying('$work.lapsed')),
    ...(kind.captures ? [[outcome(kind)]] : []),
  );
  return kind.captures || looksCloser(kind) ? memory : when(NOTHING_LAPSED, [], memory);
}

function memoryChanges(kind: CheckKind): Expression {
  if (kind.captures) return '$work.fits';
  const lapsed = not(NOTHING_LAPSED);
  return all('$work.fits', looksCloser(kind) ? either(lapsed, '$work.met') : lapsed);
}

/** All that changes when a pending hold is taken over: whose it is, that it was, and where else they are. */
const takenOver = each(
  '$holds',
  'hold',
  when(
    equal('$$hold.id', ID),
    laidOver('$$hold', {
      nonce: '$work.request.own.nonce',
      takenOver: true,
      others: '$work.request.own.others',
      home: '$work.request.own.home',
    }),
    '$$hold',
  ),
);

function holds(kind: CheckKind): Expression {
  return when(
    '$work.fits',
    kind.captures ? '$work.open' : joined('$work.open', [hold(kind)]),
    kind.takesOver ? when('$work.takesOver', takenOver, '$holds') : '$holds',
  );
}

/** The fields that an admitted order changes; of a new document, when it may go. */
export function written(kind: CheckKind): Fields {
  return {
    ...writing('$work.fits', { buckets: buckets(kind) }),
    holds: holds(kind),
    ...remembering(memoryChanges(kind), '$work.outcomes'),
    ...writing('$work.fits', {
      due: kind.captures ? firstOf(due, NEVER) : smallest(due, '$work.until'),
      seen: '$work.now',
    }),
    expireAt: when(
      '$work.fits',
      largest(
        '$expireAt',
        plus('$work.until', MEMORY_MS),
        plus(largestIn(`${enteredIn(kind)}.name.until`), KEPT_BEYOND_MS),
      ),
      firstOf('$expireAt', plus('$work.now', EMPTY_DOCUMENT_MS)),
    ),
  };
}
