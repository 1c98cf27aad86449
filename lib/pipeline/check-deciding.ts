import { BUCKETS_MAX, NEVER } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import {
  above,
  all,
  atMost,
  bound,
  carried,
  differ,
  each,
  either,
  equal,
  firstOf,
  isIn,
  isTrueOfAny,
  joined,
  laidOver,
  millisecondsText,
  minus,
  not,
  orEmpty,
  plus,
  size,
  smallestIn,
  stepStart,
  sumOf,
  textOf,
  those,
  when,
} from './expression.ts';

/**
 * Which orders of a check are taken: expressions over the stored document and the request, each using
 * what the stages before it in `check-pipeline.ts` worked out.
 */

/** Room where nothing limits it; more than all orders of a call can ask together. */
const UNLIMITED = 4_611_686_018_427_387_904n; // 2^62

const ofTheseOrders = (list: string, ...conditions: Expression[]): Expression =>
  those(orEmpty(list), 'entry', all(isIn('$$entry.id', '$work.request.ids'), ...conditions));

/** What home knows of any of these orders; shares of orders with another home are none of them. */
export const entries = when(
  '$work.request.beside',
  [],
  joined(
    ofTheseOrders('$holds', equal(firstOf('$$entry.home', null), null)),
    ofTheseOrders('$settled'),
  ),
);

const stepped = bound(stepStart('$work.now', '$$counter.stepMs'), 'start', {
  name: textOf(
    '$$counter.counter',
    ' ',
    millisecondsText('$$start'),
    ' ',
    millisecondsText(plus('$$start', '$$counter.keepMs')),
  ),
  until: plus('$$start', '$$counter.keepMs'),
});

/** Each counter of the plan with the bucket in which the instant lies, and its room. */
export const targets = each(
  orEmpty('$work.plan.counters'),
  'counter',
  bound(
    {
      mine: those('$work.live', 'bucket', equal('$$bucket.counter', '$$counter.counter')),
      in: when('$$counter.name', { name: '$$counter.name', until: '$$counter.until' }, stepped),
    },
    'found',
    {
      name: '$$found.in.name',
      until: '$$found.in.until',
      counter: '$$counter.counter',
      sumsAmounts: '$$counter.sumsAmounts',
      shadow: '$$counter.shadow',
      amount: when(
        '$$counter.sumsAmounts',
        minus('$$counter.maxAmount', sumOf(each('$$found.mine', 'one', '$$one.v'), 'amount')),
        UNLIMITED,
      ),
      count: minus('$$counter.maxCount', sumOf(each('$$found.mine', 'one', '$$one.v'), 'count')),
    },
  ),
);

const enforced = those('$work.targets', 'target', not('$$target.shadow'));

const roomOf = (field: 'amount' | 'count'): Expression =>
  firstOf(smallestIn(each(enforced, 'target', `$$target.${field}`)), UNLIMITED);

/** What the tightest rules in force still allow. */
export const room = { amount: roomOf('amount'), count: roomOf('count') };

/** What is left of the counters that shadow rules alone use; they never refuse. */
export const shadows = each(those('$work.targets', 'target', '$$target.shadow'), 'target', {
  counter: '$$target.counter',
  amount: '$$target.amount',
  count: '$$target.count',
});

const liveNames = each('$work.live', 'bucket', '$$bucket.k');

/**
 * There is a plan, the subject's terms are those that it was made under, home has forgotten nothing
 * since it was read, and there is room for buckets.
 */
export const mayTake = all(
  '$work.plan.open',
  equal(firstOf('$terms.version', null), '$work.request.terms'),
  atMost(firstOf('$remembered', 0n), firstOf('$work.request.rememberedMax', UNLIMITED)),
  atMost(
    plus(
      size('$work.live'),
      size(those('$work.targets', 'target', not(isIn('$$target.name', liveNames)))),
    ),
    BUCKETS_MAX,
  ),
);

/** The ordinary case: all orders are new and fit together, so each does after the ones before it. */
export const allFit = all(
  equal('$work.entries', []),
  equal('$work.shadows', []),
  '$work.request.noneBarred',
  '$work.mayTake',
  above(firstOf('$work.request.endsFirst', NEVER), '$work.now'),
  atMost('$work.request.amount', '$work.room.amount'),
  atMost('$work.request.count', '$work.room.count'),
  atMost(plus(size('$work.open'), '$work.request.opens'), '$work.request.openHoldsMax'),
);

/** An entry stands in the way unless it is this very order's hold, expired: that is decided anew. */
const known = isTrueOfAny(
  '$work.entries',
  'entry',
  all(
    equal('$$entry.id', '$$this.own.id'),
    either(
      differ(firstOf('$$entry.digest', ''), '$$this.own.digest'),
      all(not('$$entry.expired'), above('$$entry.until', '$work.now')),
    ),
  ),
);

/** An order is taken if it is new, no rule says no, and there is room after those before it. */
const fits = all(
  '$work.mayTake',
  not('$$this.barred'),
  above(firstOf('$$this.until', NEVER), '$work.now'),
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
    {
      amount: 0n,
      count: 0n,
      open: size('$work.open'),
      shadows: '$work.shadows',
      taken: [],
    },
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
