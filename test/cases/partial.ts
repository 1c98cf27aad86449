/** Black-box cases about checks that take what fits: `partial`. `>=5` is the least that they take. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const SINGLE: ModelRule = {
  ...USER_DAY,
  id: 'single',
  window: 'transaction',
  max: { amount: 60 },
};
const MERCHANT_DAY: ModelRule = {
  ...USER_DAY,
  id: 'merchant-day',
  per: ['merchant'],
  max: { amount: 70 },
};

export const PARTIAL_CASES: readonly LimitCase[] = [
  told({
    id: 'partial-1',
    title: 'It takes the whole amount where that fits, and what is left where it does not',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check A | 30 >=10         | allowed, as held, got 30 by none            | user-day: held 30/1, left 70/-
      10:00:01 | check B | 90 >=10         | allowed, as held, got 70 by user-day        | user-day: held 100/2, left 0/-, reached; room 0 by user-day, from 03-03 00:00:00 by user-day
      10:00:02 | check B | 90 >=10         | allowed, again, got 70                      |
      10:00:03 | check B | 90              | orderReused                                 |
      10:00:04 | check B | 90 >=11         | orderReused                                 |
      10:00:05 | check B | 70 >=10         | orderReused                                 |
      10:00:06 | check C | 90 >=1          | refused, by user-day                        | user-day: exceeded; room 0
      10:00:07 | rollback A |              | rolledBack                                  |
      10:00:08 | check C | 90 >=31         | refused, by user-day                        | room 30
      10:00:09 | check C | 90 >=30         | allowed, full by user-day, got 30 by user-day |
      10:00:10 | confirm B |               | confirmed, 70, over none                    |
      10:00:11 | check B | 90 >=10         | allowed, again, as confirmed, got 70        |
    `,
    why: 'a payer with less on the card pays the rest otherwise',
  }),
  told({
    id: 'partial-2',
    title: 'All rules of all documents bound it, and each that leaves least is named',
    rules: [USER_DAY, { ...MERCHANT_DAY, max: { amount: 100 } }, SINGLE],
    steps: `
      10:00:00 | check A | 50 user:u-1 merchant:m-2            | allowed                                   |
      10:00:01 | check B | 100 >=1 merchant:m-1 user:u-1       | allowed, got 50 by user-day               | user-day: held 100/2; merchant-day: held 50/1, left 50/-
      10:00:02 | check C | 100 >=1 merchant:m-1 user:u-2       | allowed, got 50 by merchant-day           | user-day: held 50/1, left 50/-; merchant-day: left 0/-
      10:00:03 | check D | 100 >=1 merchant:m-3 user:u-3       | allowed, got 60 by single                 | single: within
      10:00:04 | check E | 100 >=1 merchant:m-3 user:u-3       | allowed, got 40 by user-day merchant-day  |
      10:00:05 | check F | 100 >=61 merchant:m-4 user:u-4      | refused, by single                        | room 60
      10:00:06 | check F | 61 >=60 merchant:m-4 user:u-4       | allowed, got 60 by single                 |
    `,
    why: 'never more is held than any rule leaves',
  }),
  told({
    id: 'partial-3',
    title: 'A full count, a freeze, a missing rule and a minimum leave nothing',
    rules: [
      { ...USER_DAY, max: { amount: 100, count: 2 } },
      { ...SINGLE, currency: 'USD', min: { amount: 20 } },
      { ...USER_DAY, id: 'usd-day', currency: 'USD' },
    ],
    terms: { frozen: { frozen: {} } },
    steps: `
      10:00:00 | check A | 30                | allowed                           |
      10:00:01 | check B | 90 x2 >=1         | refused, by user-day              | room 0
      10:00:02 | check B | 90 >=1            | allowed, got 70 by user-day       |
      10:00:03 | check C | 90 >=1 EUR        | refused, without rule             |
      10:00:04 | check D | 45 USD            | allowed                           |
      10:00:05 | check E | 45 USD            | allowed                           |
      10:00:06 | check F | 45 >=1 USD        | refused, by usd-day               | room 0 by single usd-day
      10:00:07 | check G | 19 >=1 USD        | refused, by single usd-day        |
      10:00:08 | rollback E |                | rolledBack                        |
      10:00:09 | terms user:u-1 | frozen     |                                   |
      10:00:10 | check F | 70 >=1 USD        | refused, frozen                   |
      10:00:11 | terms user:u-1 | none       |                                   |
      10:00:12 | check F | 70 >=1 USD        | allowed, got 55 by usd-day        |
    `,
    why: 'a smaller amount helps only against a maximum of amounts',
  }),
  told({
    id: 'partial-4',
    title: 'Rules that refuse nothing do not bound it, and tell of the amount that it has got',
    rules: [
      USER_DAY,
      { ...USER_DAY, id: 'trial', mode: 'shadow', max: { amount: 20 } },
      { ...USER_DAY, id: 'cash', onExceed: 'notify', max: { amount: 40 } },
      { ...SINGLE, id: 'large', onExceed: 'notify', max: { amount: 90 } },
    ],
    steps: `
      10:00:00 | check A | 10 capture  | allowed                       |
      10:00:01 | check B | 150 >=1     | allowed, got 90 by user-day, over cash 60 | trial: exceeded-shadow; large: within; user-day: reached
    `,
    why: 'the largest amount is what rules in force leave',
  }),
  told({
    id: 'partial-5',
    title: 'A rule that asks for a proof bounds it, too, unless the proof is there',
    rules: [USER_DAY, { ...SINGLE, onExceed: { challenge: 'sca' } }],
    steps: `
      10:00:00 | check A | 90 >=61      | refused, to prove sca, by single |
      10:00:01 | check A | 90 >=1       | allowed, got 60 by single        | single: within
      10:00:02 | rollback A |           | rolledBack                       |
      10:00:03 | check B | 110 >=1 +sca | allowed, got 100 by user-day     | single: exceeded-proven
    `,
    why: 'the smaller payment needs no proof, and the answer names the rule above which it does',
  }),
  told({
    id: 'partial-6',
    title: 'A larger confirm, a late one and a capture count as ever',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check A | 90 60s             | allowed                          |
      10:00:01 | check B | 90 >=1 60s         | allowed, got 10 by user-day      |
      10:00:02 | confirm B | 15               | confirmed, 15, over user-day 5   |
      10:00:03 | check B | 90 >=1 60s         | allowed, again, as confirmed, got 15 |
      10:05:00 | check C | 90 >=1 capture     | allowed, as confirmed, got 85 by user-day | user-day: used 100/2
      10:05:01 | check C | 90 >=1 capture     | allowed, again, got 85           |
      10:05:02 | confirm A |                  | confirmed, 90, late, over user-day 90 |
    `,
    why: 'a payment that happened counts, and what fitted is what was held',
  }),
  told({
    id: 'partial-7',
    title: 'Checked again after its time is over, it takes what fits by then',
    rules: [USER_DAY, MERCHANT_DAY],
    steps: `
      10:00:00 | check A | 80 >=1 60s user:u-1 merchant:m-1 | allowed, got 70 by merchant-day |
      10:01:00 | check B | 20 user:u-2 merchant:m-1         | refused, by merchant-day        | room 0
      10:01:01 | check A | 80 >=1 60s user:u-1 merchant:m-1 | allowed, anew, got 70 by merchant-day | merchant-day: held 70/1
      10:02:10 | check B | 20 user:u-2 merchant:m-1         | allowed                         |
      10:02:11 | check A | 80 >=1 60s user:u-1 merchant:m-1 | allowed, anew, got 50 by merchant-day |
    `,
    why: 'what an order itself has left beside home is no reason to get less',
  }),
  told({
    id: 'partial-8',
    title: "A subject's own maximum and what lowers a sum count as in any check",
    rules: [
      { ...USER_DAY, counts: { not: { type: 'PAYOUT' } }, minus: { is: { type: 'PAYOUT' } } },
      { ...USER_DAY, id: 'all', max: { amount: 1_000 } },
    ],
    terms: { more: { overrides: [{ rule: 'user-day', max: { amount: 120 } }] } },
    steps: `
      10:00:00 | check A | 150 >=1 capture      | allowed, got 100 by user-day |
      10:00:01 | check B | 50 PAYOUT capture    | allowed                      |
      10:00:02 | terms user:u-1 | more          |                              |
      10:00:03 | check C | 90 >=1               | allowed, got 70 by user-day  | user-day: used 50/1, held 70/1
      10:00:04 | check D | 900 >=1 PAYOUT       | allowed, got 780 by all      |
    `,
    why: 'what a rule leaves is one figure, wherever it is asked for',
  }),
  told({
    id: 'partial-9',
    title:
      'It is refused the least that it takes: by the rules that leave less, until they leave so much',
    rules: [
      USER_DAY,
      { ...USER_DAY, id: 'hour', window: { unit: 'hour', timeZone: 'UTC' }, max: { amount: 60 } },
    ],
    steps: `
      10:00:00 | check A | 55 capture       | allowed                     |
      10:00:01 | check B | 90 >=10          | refused, by hour            | user-day: within; hour: exceeded, retry 11:00:00; room 5 by hour, from 11:00:00 by hour
      10:00:02 | check C | 90 >=1 capture   | allowed, got 5 by hour      | room 0 by hour, from 11:00:00 by hour
      11:00:00 | check B | 90 >=10          | allowed, got 40 by user-day | room 0 by user-day, from 03-03 00:00:00 by user-day
    `,
    why: 'the same ask passes as soon as its least amount does',
  }),
  told({
    id: 'partial-10',
    title: 'A proof is asked for where the least amount would pass with it',
    rules: [
      USER_DAY,
      { ...USER_DAY, id: 'unproven', max: { count: 1 }, onExceed: { challenge: 'sca' } },
    ],
    steps: `
      10:00:00 | check A | 60           | allowed                            |
      10:00:01 | check B | 90 >=1       | refused, to prove sca, by unproven |
      10:00:02 | check B | 90 >=41      | refused, by user-day unproven      |
      10:00:03 | check B | 90 >=1 +sca  | allowed, got 40 by user-day        |
    `,
    why: 'who proves something gets what the other rules leave',
  }),
  told({
    id: 'partial-11',
    title: 'A capture takes no place among failures',
    rules: [
      { ...USER_DAY, max: { amount: 80 } },
      { ...USER_DAY, id: 'failed', outcome: 'rolledBack', max: { amount: 50 } },
    ],
    steps: `
      10:00:00 | check A | 100 >=1 capture | allowed, got 50 by failed | user-day: used 50/1; failed: used 0/0
    `,
    why: 'it asks for the place that it does not take',
  }),
];
