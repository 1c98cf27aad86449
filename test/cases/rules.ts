/** Black-box cases about which rules apply and what they say. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const COUNT: ModelRule = {
  id: 'user-count',
  per: ['user'],
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { count: 5 },
  mode: 'enforce',
};

const AMOUNT: ModelRule = { ...USER_DAY, id: 'user-amount', max: { amount: 10 } };

const SINGLE: ModelRule = {
  ...USER_DAY,
  id: 'single',
  window: 'transaction',
  min: { amount: 5 },
  max: { amount: 50 },
};

export const RULE_CASES: readonly LimitCase[] = [
  told({
    id: 'rules-1',
    title: 'One rule that refuses keeps all counters as they were',
    rules: [
      { ...AMOUNT, id: 'a', match: { type: 'TRANSFER' } },
      { ...AMOUNT, id: 'b' },
    ],
    steps: `
      10:00:00 | check X | 9 PAYMENT capture | allowed       | applies b
      10:00:01 | check Y | 5 TRANSFER        | refused, by b | applies a b; a: used 0/0, held 0/0, left 10/-, within; b: used 9/1, held 0/0, left 1/-, exceeded, retry 03-03 00:00:00; room 1 by b, from 03-03 00:00:00 by b
      10:00:02 | check Z | 1 TRANSFER        | allowed, full | a: held 1/1, within; b: reached
    `,
    why: 'all rules or none: a half-taken hold would starve the other limit',
  }),
  told({
    id: 'rules-2',
    title: 'Where no rule applies, and such orders are to pass, one is allowed, held, and told so',
    onNoRule: 'allow',
    rules: [{ ...AMOUNT, match: { type: 'WITHDRAWAL' } }],
    steps: `
      10:00:00 | check X   | 1000 PAYMENT | allowed, anew, as held, not full | applies none; room any, from 10:00:00
      10:00:01 | check X   | 999 PAYMENT  | orderReused
      10:00:02 | confirm X |              | confirmed, 1000
    `,
    why: 'an order is an order, also while nothing limits it',
  }),
  told({
    id: 'rules-2-refused',
    title: 'Where no rule applies the order is refused, and nothing is held',
    rules: [{ ...AMOUNT, match: { type: 'WITHDRAWAL' } }],
    steps: `
      10:00:00 | check X   | 1 PAYMENT              | refused, without rule     | applies none; room 0, from never
      10:00:01 | check X   | 1 WITHDRAWAL RMB       | refused, without rule
      10:00:02 | check X   | 1 WITHDRAWAL wallet:u-1 | refused, without rule
      10:00:03 | check X   | 1 PAYMENT capture      | refused, without rule
      10:00:04 | confirm X |                        | notFound
      10:00:05 | check X   | 10 WITHDRAWAL          | allowed, anew             | user-amount: held 10/-
      10:00:06 | check Y   | 1 WITHDRAWAL           | refused, by user-amount
    `,
    why: 'a name that nobody has limited (RMB for CNY, wallet for user) is most likely a mistake',
  }),
  told({
    id: 'rules-2-shadow',
    title: 'A rule on trial applies, too: it alone lets an order pass',
    rules: [{ ...AMOUNT, mode: 'shadow' }],
    steps: `
      10:00:00 | check X | 11 | allowed | user-amount: exceeded-shadow
    `,
    why: 'a trial must not refuse, and somebody has thought of such orders',
  }),
  told({
    id: 'rules-2-known',
    title: 'An order that is held stays so when its rule goes; once expired it is refused',
    rules: [AMOUNT],
    changes: { gone: [] },
    steps: `
      10:00:00 | check X   | 1    | allowed
      10:00:00 | check Y   | 2    | allowed
      10:00:01 | rules     | gone
      10:00:02 | check X   | 1    | allowed, again        | applies none; room 0, from never
      10:00:03 | confirm X |      | confirmed, in time
      10:15:00 | check Y   | 2    | refused, without rule
      10:15:01 | confirm Y |      | confirmed, late
    `,
    why: 'an order has one outcome, whatever rules there are by now; a new decision is by those of now',
  }),
  told({
    id: 'rules-2-dates',
    title:
      'A rule applies while it is in effect, and no instant at which none does lets an ask pass',
    rules: [
      {
        ...AMOUNT,
        from: new Date('2026-03-02T10:00:00+08:00'),
        to: new Date('2026-03-02T12:00:00+08:00'),
      },
    ],
    steps: `
      09:59:59.999 | check X | 1  | refused, without rule
      10:00:00     | check X | 11 | refused, by user-amount | user-amount: retry 12:00:00; room 10 by user-amount, from never
      11:59:59.999 | check X | 1  | allowed
      12:00:00     | check Z | 1  | refused, without rule
    `,
    why: 'the rule by itself no longer says no then, but nothing says yes',
  }),
  told({
    id: 'rules-3',
    title: 'A maximum count of 0 refuses all, for ever',
    rules: [{ ...COUNT, max: { count: 0 } }],
    steps: `
      10:00:00 | check X | 1 | refused, by user-count | user-count: left -/0, exceeded, retry never; room 0 by user-count, from never by user-count
    `,
    why: 'zero is a value; no window to come will let it pass',
  }),
  told({
    id: 'rules-3-amount',
    title: 'A maximum amount of 0 lets only nothing pass',
    rules: [{ ...AMOUNT, max: { amount: 0 } }],
    steps: `
      10:00:00 | check X | 1 | refused       | room 0, from never
      10:00:01 | check Y | 0 | allowed, not full
    `,
    why: 'nothing takes nothing of 0',
  }),
  told({
    id: 'rules-4',
    title: 'With a maximum of 1 the first check says that the limit is reached',
    rules: [{ ...COUNT, max: { count: 1 } }],
    steps: `
      10:00:00 | check X | 1 | allowed, full by user-count | user-count: held -/1, left -/0, reached; room 0 by user-count, from 03-03 00:00:00 by user-count
      10:00:01 | check Y | 1 | refused, by user-count
    `,
    why: 'the customer can be told before the next payment fails',
  }),
  told({
    id: 'rules-5',
    title: 'A maximum that is lowered or raised keeps what was used',
    rules: [{ ...COUNT, max: { count: 100 } }],
    changes: {
      lowered: [{ ...COUNT, max: { count: 10 } }],
      raised: [{ ...COUNT, max: { count: 200 } }],
      belowUsed: [{ ...COUNT, max: { count: 2 } }],
    },
    steps: `
      10:00:00 | check X | 1 x3 capture | allowed        | user-count: left -/97
      11:00:00 | rules   | lowered
      11:00:01 | check X | 1 x3 capture | allowed, again | user-count: used -/3, left -/7
      12:00:00 | rules   | raised
      12:00:01 | check X | 1 x3 capture | allowed        | user-count: left -/197
      13:00:00 | rules   | belowUsed
      13:00:01 | check Y | 1            | refused        | user-count: used -/3, left -/0
    `,
    why: 'a counter is named by what it counts, not by its maximum',
  }),
  told({
    id: 'rules-5-renamed',
    title: 'A rule that is renamed keeps what was used',
    rules: [COUNT],
    changes: { renamed: [{ ...COUNT, id: 'another-name' }] },
    steps: `
      10:00:00 | check X | 1 capture | allowed
      11:00:00 | rules   | renamed
      11:00:01 | check Y | 1         | allowed | another-name: used -/1, held -/1
    `,
    why: 'a counter is named by what it counts, not by the rule',
  }),
  told({
    id: 'rules-5-deleted',
    title: 'A hold whose rule is deleted can be confirmed and counts once the rule is back',
    rules: [COUNT],
    changes: { none: [], back: [COUNT] },
    steps: `
      10:00:00 | check X    | 1    | allowed
      10:00:00 | check Y    | 1    | allowed
      10:01:00 | rules      | none
      10:02:00 | confirm X  |      | confirmed, anew, 1, in time, over none
      10:02:00 | rollback Y |      | rolledBack
      10:03:00 | rules      | back
      10:04:00 | check Z    | 1    | allowed                                | user-count: used -/1, held -/1
    `,
    why: 'confirm and rollback go by what the hold names and do not look at rules',
  }),
  told({
    id: 'rules-6',
    title: 'A shadow rule over its maximum allows and shows what it would have said',
    rules: [{ ...AMOUNT, id: 'trial', mode: 'shadow' }],
    steps: `
      10:00:00 | check X | 8 capture | allowed, not full | trial: within
      10:00:01 | check Y | 5         | allowed, not full | trial: used 8/1, held 5/1, left 0/-, exceeded-shadow; room any by none, from 10:00:01 by none
    `,
    why: 'a trial limit is measured and never felt: neither headroom nor limitReached know it',
  }),
  told({
    id: 'rules-6-reached',
    title: 'A shadow rule that is just full says reached, and the limit is not reached',
    rules: [{ ...AMOUNT, id: 'trial', mode: 'shadow' }],
    steps: `
      10:00:00 | check X | 10 | allowed, not full | trial: reached
    `,
    why: 'the next will not be refused',
  }),
  told({
    id: 'rules-6-refused',
    title: 'A refusal names the enforced rules only',
    rules: [
      { ...AMOUNT, id: 'trial', mode: 'shadow', max: { amount: 5 } },
      { ...AMOUNT, id: 'real', max: { amount: 10 } },
    ],
    steps: `
      10:00:00 | check X | 11 | refused, by real | trial: exceeded-shadow; real: exceeded; room 10, from never
    `,
    why: 'a trial limit is never the reason',
  }),
  told({
    id: 'rules-6-exact',
    title: 'A shadow rule with an exact window is entered only while it has room',
    rules: [
      {
        id: 'trial',
        per: ['user'],
        window: { rollingMs: 10_000, stepMs: 'exact' },
        max: { count: 1 },
        mode: 'shadow',
      },
    ],
    steps: `
      10:00:00 | check X   | 1 | allowed        | trial: held -/1, reached
      10:00:05 | check Y   | 1 | allowed, anew  | trial: held -/1, exceeded-shadow
      10:00:10 | check Z   | 1 | allowed        | trial: held -/1, reached
      10:00:11 | confirm Y |   | confirmed
      10:00:12 | check Z   | 1 | allowed, again | trial: used -/0, held -/1
    `,
    why: 'every event of an exact window is a bucket of its own, so a trial could fill the document',
  }),
  told({
    id: 'rules-6-again',
    title: 'A repeat tells of a trial that an order did not enter, as far as its home remembers it',
    rules: [
      {
        id: 'trial',
        per: ['user'],
        window: { rollingMs: 60_000, stepMs: 'exact' },
        max: { count: 1 },
        mode: 'shadow',
      },
      {
        id: 'shop',
        per: ['merchant'],
        window: { rollingMs: 60_000, stepMs: 'exact' },
        max: { count: 1 },
        mode: 'shadow',
      },
    ],
    steps: `
      10:00:00 | check X   | 1 user:u-1 merchant:m-1 capture | allowed, anew  | trial: used -/1, reached; shop: used -/1, reached
      10:00:01 | check Y   | 1 user:u-1 merchant:m-1 capture | allowed, anew  | trial: used -/1, exceeded-shadow; shop: used -/1
      10:00:02 | check Y   | 1 user:u-1 merchant:m-1 capture | allowed, again | trial: used -/1, exceeded-shadow; shop: used -/1, reached
      10:00:03 | check Z   | 1 user:u-1 merchant:m-1         | allowed, anew  | trial: used -/1, exceeded-shadow; shop: used -/1, exceeded-shadow
      10:00:04 | check Z   | 1 user:u-1 merchant:m-1         | allowed, again | trial: used -/1, exceeded-shadow; shop: used -/1, exceeded-shadow
      10:00:05 | confirm Z |                                 | confirmed
      10:00:06 | check Z   | 1 user:u-1 merchant:m-1         | allowed, again | trial: used -/1, reached; shop: used -/1, reached
    `,
    why: 'home keeps it of an open hold and of a captured order, not of one that was confirmed',
  }),
  told({
    id: 'rules-7',
    title: 'A refusal takes nothing, and what just fits is allowed',
    rules: [AMOUNT],
    steps: `
      10:00:00 | check X | 5 capture | allowed, not full
      10:00:01 | check Y | 6         | refused           | user-amount: left 5/-; room 5
      10:00:02 | check Z | 5         | allowed, full
    `,
    why: 'the maximum itself is inside',
  }),
  told({
    id: 'rules-8',
    title: 'An amount above the maximum of one transaction is refused by that rule alone',
    rules: [SINGLE, { ...AMOUNT, max: { amount: 100 } }],
    steps: `
      10:00:00 | check X | 51 | refused, by single | single: exceeded, retry never; user-amount: used 0/0, held 0/0, within; room 50 by single, from never by single
      10:00:01 | check Y | 50 | allowed, not full  | single: within; user-amount: held 50/1
    `,
    why: 'one transaction has no counter, so it is never used up',
  }),
  told({
    id: 'rules-8-minimum',
    title: 'An amount below the minimum of one transaction is refused',
    rules: [SINGLE],
    steps: `
      10:00:00 | check X | 4 | refused, by single | single: below-minimum, retry never; room 50, from never
      10:00:01 | check Y | 5 | allowed
    `,
    why: 'the minimum itself is inside; the largest amount that would pass is still 50',
  }),
  told({
    id: 'rules-8-unreachable',
    title: 'Where less remains than the minimum of one transaction, nothing passes',
    rules: [SINGLE, { ...AMOUNT, max: { amount: 12 } }],
    steps: `
      10:00:00 | check X | 8 | allowed, not full | user-amount: left 4/-; room 0 by single user-amount, from 03-03 00:00:00 by user-amount
    `,
    why: 'an amount of 4 fits the day and not the minimum of 5',
  }),
  told({
    id: 'rules-8-count',
    title: 'A minimum and a maximum of the count of one transaction',
    rules: [
      {
        id: 'batch',
        per: ['user'],
        window: 'transaction',
        min: { count: 2 },
        max: { count: 3 },
        mode: 'enforce',
      },
    ],
    steps: `
      10:00:00 | check X | 1    | refused | batch: below-minimum, retry never; room 0 by batch, from never by batch
      10:00:01 | check Y | 1 x4 | refused | batch: exceeded; room 0, from never
      10:00:02 | check Z | 1 x2 | allowed
      10:00:03 | check W | 1 x3 | allowed
    `,
    why: 'no amount at all makes a count pass that does not',
  }),
  told({
    id: 'rules-8-shadow',
    title: 'A shadow rule on one transaction shows and does not refuse',
    rules: [{ ...SINGLE, mode: 'shadow' }],
    steps: `
      10:00:00 | check X | 51 | allowed | single: exceeded-shadow
      10:00:01 | check Y | 4  | allowed | single: below-minimum-shadow
    `,
    why: 'shadow is shadow, with a counter or without',
  }),
  told({
    id: 'rules-8-both',
    title: 'What is above a maximum and below a minimum is exceeded',
    rules: [{ ...SINGLE, max: { count: 1 } }],
    steps: `
      10:00:00 | check X | 4 x2 | refused, by single | single: exceeded
    `,
    why: 'more of the amount would not help',
  }),
  told({
    id: 'rules-8-zero',
    title: 'A maximum of 0 for one transaction lets nothing but zero pass, and is never reached',
    rules: [{ ...SINGLE, min: {}, max: { amount: 0 } }],
    steps: `
      10:00:00 | check X | 0 | allowed, not full  | room 0
      10:00:01 | check Y | 1 | refused, by single | room 0, from never
    `,
    why: 'limitReached speaks of counters, and one transaction has none',
  }),
  told({
    id: 'count-several',
    title: 'One check may stand for several transactions',
    rules: [COUNT],
    steps: `
      10:00:00 | check X    | 1 x3 | allowed       | user-count: held -/3, left -/2
      10:00:01 | check Y    | 1 x3 | refused       | room 0, from 03-03 00:00:00
      10:00:02 | check Y    | 1 x6 | refused       | room 0, from never
      10:00:03 | check Y    | 1 x2 | allowed, full
      10:00:04 | rollback X |      | rolledBack
      10:00:05 | check Z    | 1 x3 | allowed, full
    `,
    why: 'all of the batch or none; its count goes back whole',
  }),
  told({
    id: 'both-maxima',
    title: 'A rule with both maxima refuses by whichever is used up first',
    rules: [{ ...AMOUNT, max: { amount: 10, count: 2 } }],
    steps: `
      10:00:00 | check X | 1 | allowed
      10:00:01 | check Y | 1 | allowed, full | user-amount: left 8/0, reached; room 0, from 03-03 00:00:00
      10:00:02 | check Z | 1 | refused
    `,
    why: '8 remain, and yet nothing may pass',
  }),
  told({
    id: 'currency',
    title: 'A rule with a currency sees its currency only, a rule without one counts all',
    rules: [AMOUNT, { ...COUNT, max: { count: 2 } }],
    steps: `
      10:00:00 | check X | 1000 USD | allowed                | applies user-count; room any
      10:00:01 | check Y | 10       | allowed                | applies user-amount user-count; user-amount: held 10/1; user-count: held 0/2
      10:00:02 | check Z | 1 USD    | refused, by user-count | applies user-count
    `,
    why: 'amounts of two currencies are never added, so without a currency there is no amount',
  }),
  told({
    id: 'match-lists',
    title: 'A match on type and channel wants each key, and of a list any one value',
    onNoRule: 'allow',
    rules: [{ ...COUNT, match: { type: ['PAYMENT', 'TRANSFER'], channel: 'app' } }],
    steps: `
      10:00:00 | check A | 1 PAYMENT channel="app"             | allowed | applies user-count
      10:00:01 | check B | 1 TRANSFER channel="app" extra=true | allowed | user-count: held -/2
      10:00:02 | check C | 1 PAYMENT channel="web"             | allowed | applies none
      10:00:03 | check D | 1 REFUND channel="app"              | allowed | applies none
      10:00:04 | check E | 1 channel="app"                     | allowed | applies none
      10:00:05 | check F | 1 PAYMENT                           | allowed | applies none
    `,
    why: 'a list shares one counter; what the request does not say does not match',
  }),
  told({
    id: 'match-values',
    title: 'A match compares kinds of values as well: true, 1 and "1" are three things',
    rules: [
      { ...COUNT, id: 'number', match: { tier: 1 } },
      { ...COUNT, id: 'string', match: { tier: '1' } },
      { ...COUNT, id: 'boolean', match: { tier: [true] } },
    ],
    steps: `
      10:00:00 | check A | 1 tier=1    | allowed | applies number
      10:00:01 | check B | 1 tier="1"  | allowed | applies string; string: held -/1
      10:00:02 | check C | 1 tier=true | allowed | applies boolean; boolean: held -/1
    `,
    why: 'their counters are three as well',
  }),
  told({
    id: 'match-subject',
    title: 'A match on a subject kind compares with the id of that subject',
    onNoRule: 'allow',
    rules: [{ ...COUNT, match: { merchant: ['m-1', 'm-2'] } }],
    steps: `
      10:00:00 | check A | 1 user:u-1 merchant:m-2 | allowed | applies user-count
      10:00:01 | check B | 1 user:u-1 merchant:m-3 | allowed | applies none
      10:00:02 | check C | 1                       | allowed | applies none
    `,
    why: 'per says who is counted, match says what is',
  }),
  told({
    id: 'match-order',
    title: 'Two ways to write the same match share one counter',
    rules: [
      { ...COUNT, id: 'one', match: { type: ['PAYMENT', 'TRANSFER'], channel: 'app' } },
      { ...COUNT, id: 'two', match: { channel: ['app'], type: ['TRANSFER', 'PAYMENT'] } },
    ],
    changes: {
      sorted: [{ ...COUNT, id: 'three', match: { channel: 'app', type: ['TRANSFER', 'PAYMENT'] } }],
    },
    steps: `
      10:00:00 | check A | 1 PAYMENT channel="app"  | allowed | one: held -/1; two: held -/1
      10:01:00 | rules   | sorted
      10:02:00 | check B | 1 TRANSFER channel="app" | allowed | three: held -/2
    `,
    why: 'an editor that sorts a file must not set limits back to zero',
  }),
  told({
    id: 'shared-counter',
    title: 'Two rules over one counter: the transaction enters once, the smaller maximum refuses',
    rules: [
      { ...AMOUNT, id: 'hard', max: { amount: 20 } },
      { ...AMOUNT, id: 'soft', max: { amount: 10 } },
      { ...AMOUNT, id: 'trial', max: { amount: 4 }, mode: 'shadow' },
    ],
    steps: `
      10:00:00 | check X   | 6 | allowed, not full    | hard: held 6/1, left 14/-, within; soft: held 6/1, left 4/-, within; trial: held 6/1, left 0/-, exceeded-shadow; room 4
      10:00:01 | confirm X |   | confirmed, over none
      10:00:02 | check Y   | 5 | refused, by soft     | hard: used 6/1, within; trial: exceeded-shadow
    `,
    why: 'a bucket that is added to once per rule would count 12 or 18',
  }),
  told({
    id: 'several-refuse',
    title: 'All rules that refuse are named, and the ask passes when the last of them lets it',
    rules: [
      { ...COUNT, id: 'day', max: { count: 1 } },
      {
        ...COUNT,
        id: 'hour',
        window: { unit: 'hour', timeZone: 'Asia/Shanghai' },
        max: { count: 1 },
      },
      { ...COUNT, id: 'lifetime', window: 'lifetime', max: { count: 2 } },
    ],
    steps: `
      10:20:00       | check X | 1 capture | allowed, full
      10:40:00       | check Y | 1         | refused, by day hour | day: retry 03-03 00:00:00; hour: retry 11:00:00; lifetime: used -/1, within; room 0, from 03-03 00:00:00
      03-03 00:00:00 | check Y | 1 capture | allowed              | lifetime: used -/2, reached
      03-04 00:00:00 | check Z | 1         | refused, by lifetime | lifetime: retry never; room 0, from never
    `,
    why: 'a lifetime does not end',
  }),
  told({
    id: 'effective',
    title: 'A rule applies from its first instant until just before its last',
    onNoRule: 'allow',
    rules: [
      {
        ...COUNT,
        max: { count: 1 },
        from: new Date('2026-03-02T10:00:00+08:00'),
        to: new Date('2026-03-02T12:00:00+08:00'),
      },
    ],
    steps: `
      09:59:59.999 | check A | 1 capture | allowed                | applies none
      10:00:00     | check B | 1 capture | allowed                | applies user-count; user-count: used -/1
      11:59:59.999 | check C | 1         | refused, by user-count
      12:00:00     | check C | 1         | allowed                | applies none
    `,
    why: 'half-open, and what happened before a rule began was not counted for it',
  }),
  told({
    id: 'effective-retry',
    title: 'What a rule refuses passes when the rule ends',
    onNoRule: 'allow',
    rules: [
      { ...COUNT, id: 'campaign', max: { count: 0 }, to: new Date('2026-03-02T12:00:00+08:00') },
      { ...COUNT, id: 'later', max: { count: 0 }, to: new Date('2026-03-02T13:00:00+08:00') },
    ],
    steps: `
      10:00:00 | check A | 1 | refused, by campaign later | campaign: retry 12:00:00; later: retry 13:00:00; room 0, from 13:00:00
      12:00:00 | check A | 1 | refused, by later
      13:00:00 | check A | 1 | allowed
    `,
    why: 'null means never, and that would be wrong by then',
  }),
  told({
    id: 'effective-shared',
    title: 'A rule that begins later over a counter in use knows what was used',
    rules: [
      { ...COUNT, id: 'always' },
      { ...COUNT, id: 'later', max: { count: 2 }, from: new Date('2026-03-02T12:00:00+08:00') },
    ],
    steps: `
      10:00:00 | check A | 1 x2 capture | allowed           | applies always
      12:00:00 | check B | 1            | refused, by later | applies always later; always: used -/2; later: used -/2
    `,
    why: 'from and to are not part of what a counter counts',
  }),
  told({
    id: 'every-from',
    title: 'Ten days from the day of `from` are one window',
    rules: [
      {
        ...COUNT,
        window: { unit: 'day', every: 10, timeZone: 'Asia/Shanghai' },
        max: { count: 1 },
        from: new Date('2026-03-05T15:00:00+08:00'),
      },
    ],
    steps: `
      03-05 15:00:00 | check A | 1 capture | allowed | room from 03-15 00:00:00
      03-14 23:59:59 | check B | 1         | refused
      03-15 00:00:00 | check B | 1         | allowed
    `,
    why: 'the first window begins with the period that contains `from`, at its midnight',
  }),
];
