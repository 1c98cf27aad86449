import { NEVER } from '../domain/bounds.ts';
import { carried } from './check-many-reading.ts';
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
  plus,
  minus,
  size,
  each,
  those,
  joined,
  isTrueOfAny,
  laidOver,
} from './expression.ts';

/** Which of many orders are taken: expressions over what `check-many-reading.ts` found. */

/** The ordinary case: all orders are new and fit together, so each does after the ones before it. */
export const allFit = all(
  equal('$work.entries', []),
  equal('$work.shadows', []),
  '$work.request.noneBarred',
  '$work.plan.open',
  '$work.bucketsFit',
  atMost('$work.request.amount', '$work.room.amount'),
  atMost('$work.request.count', '$work.room.count'),
  atMost(plus(size('$work.open'), '$work.request.opens'), '$work.request.openHoldsMax'),
);

/** An entry stands in the way unless it is this very order's hold, expired: that is decided anew. */
const known = isTrueOfAny(
  '$work.entries',
  'entry',
  all(
    equal('$$entry.id', '$$this.id'),
    either(
      differ('$$entry.digest', '$$this.digest'),
      all(differ('$$entry.state', 'expired'), above(firstOf('$$entry.until', NEVER), '$work.now')),
    ),
  ),
);

/** An order is taken if it is new, no rule says no, and there is room after those before it. */
const fits = all(
  '$work.plan.open',
  not('$$this.barred'),
  '$work.bucketsFit',
  atMost(plus('$$value.amount', '$$this.amount'), '$work.room.amount'),
  atMost(plus('$$value.count', '$$this.count'), '$work.room.count'),
  either('$$this.capture', above('$work.request.openHoldsMax', '$$value.open')),
  not(known),
);

const shadowFits = all(
  atMost('$$this.amount', '$$shadow.amount'),
  atMost('$$this.count', '$$shadow.count'),
);

/** The orders that are taken, one after the other, each with the counters that it does not enter. */
export const decided = when(
  '$work.allFit',
  { taken: '$work.request.orders' },
  carried(
    '$work.request.orders',
    { amount: 0n, count: 0n, open: size('$work.open'), shadows: '$work.shadows', taken: [] },
    when(
      fits,
      {
        amount: plus('$$value.amount', '$$this.amount'),
        count: plus('$$value.count', '$$this.count'),
        open: plus('$$value.open', when('$$this.capture', 0, 1)),
        shadows: each(
          '$$value.shadows',
          'shadow',
          when(
            shadowFits,
            laidOver('$$shadow', {
              amount: minus('$$shadow.amount', '$$this.amount'),
              count: minus('$$shadow.count', '$$this.count'),
            }),
            '$$shadow',
          ),
        ),
        taken: joined('$$value.taken', [
          laidOver('$$this', {
            leftOut: each(
              those('$$value.shadows', 'shadow', not(shadowFits)),
              'shadow',
              '$$shadow.counter',
            ),
          }),
        ]),
      },
      '$$value',
    ),
  ),
);

/** The orders that are taken. */
export const taken = '$work.decided.taken';
