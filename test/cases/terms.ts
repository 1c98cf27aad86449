/** Black-box cases about a subject's own terms: other maxima, and being frozen. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const DAY: ModelRule = { ...USER_DAY, id: 'day', max: { amount: 100, count: 9 } };
const MERCHANT: ModelRule = { ...DAY, id: 'merchant', per: ['merchant'], max: { amount: 50 } };
const ONE: ModelRule = {
  ...USER_DAY,
  id: 'one',
  window: 'transaction',
  min: { amount: 2 },
  max: { amount: 30 },
};
const EXACT: ModelRule = {
  id: 'often',
  per: ['user'],
  window: { rollingMs: 3_600_000, stepMs: 'exact' },
  max: { count: 4 },
  mode: 'enforce',
};
const TRIAL: ModelRule = { ...EXACT, mode: 'shadow' };
const STEPPED: ModelRule = { ...EXACT, window: { rollingMs: 3_600_000, stepMs: 60_000 } };
const until = (time: string): Date => new Date(`2026-03-02T${time}+08:00`);

const RAISED_UNTIL_NOON = {
  rule: 'shut',
  max: { count: null },
  until: new Date('2026-03-02T12:00:00+08:00'),
} as const;

export const TERMS_CASES: readonly LimitCase[] = [
  told({
    id: 'terms-higher-and-over-again',
    title: 'A higher maximum holds from its instant up to its end, over the same sum',
    rules: [DAY],
    terms: {
      higher: {
        overrides: [
          { rule: 'day', max: { amount: 300 }, from: until('10:01:00'), until: until('11:00:00') },
        ],
      },
    },
    steps: `
      10:00:00 | check A        | 90 capture | allowed
      10:00:01 | terms user:u-1 | higher
      10:00:59 | check B        | 20         | refused, by day
      10:01:00 | check C        | 20 capture | allowed         | day: left 190/7
      10:59:59 | check D        | 190        | allowed, full
      11:00:00 | check E        | 1          | refused, by day | day: held 190/1, left 0/6
    `,
    why: 'a raise for a while ends by itself, and nothing is counted again',
  }),
  told({
    id: 'terms-lower-and-none',
    title: 'A lower maximum refuses, and says when it ends; null is none',
    rules: [DAY],
    terms: {
      lower: {
        overrides: [{ rule: 'day', max: { amount: 10 }, until: until('12:00:00') }],
      },
      noAmount: {
        overrides: [{ rule: 'day', max: { amount: null, count: 3 } }],
      },
    },
    steps: `
      10:00:00 | terms user:u-1 | lower
      10:00:01 | check A        | 11      | refused, by day | day: exceeded, retry 12:00:00; room 10, from 12:00:00
      10:00:02 | check B        | 10      | allowed, full
      10:00:03 | terms user:u-1 | noAmount
      10:00:04 | check C        | 5000 x2 | allowed, full   | room 0
      10:00:05 | check D        | 1       | refused, by day | day: left -/0
      10:00:06 | terms user:u-1 | none
      10:00:07 | check D        | 1       | refused         | day: left 0/6
      10:20:07 | check D        | 1       | allowed         | day: left 99/8
    `,
    why: 'what is given in place of a maximum stands, and what is not stays the rule’s own',
  }),
  told({
    id: 'terms-in-layers',
    title:
      'A raise for a while lies above a lower maximum, which is in force again when the raise ends',
    rules: [DAY],
    terms: {
      layers: {
        overrides: [
          { rule: 'day', max: { amount: 20 } },
          { rule: 'day', max: { amount: 300 }, until: until('11:00:00') },
          { rule: 'day', max: { amount: 30 }, from: until('10:20:00'), until: until('10:40:00') },
        ],
      },
    },
    steps: `
      10:00:00 | terms user:u-1 | layers
      10:00:01 | check A        | 15 capture | allowed         | day: left 285/8
      10:20:00 | check B        | 16         | refused, by day | day: retry 10:40:00; room 15, from 10:40:00
      10:40:00 | check B        | 16 capture | allowed         | day: left 269/7
      11:00:00 | check C        | 1          | refused, by day | day: left 0/7, retry 03-03 00:00:00
    `,
    why: 'a raise for a day must not end what somebody gave for ever',
  }),
  told({
    id: 'terms-in-part',
    title: 'A layer that says one sum leaves the other as it is below',
    rules: [DAY],
    terms: {
      layers: {
        overrides: [
          { rule: 'day', max: { amount: 20 } },
          { rule: 'day', max: { count: 2 }, until: until('11:00:00') },
        ],
      },
    },
    steps: `
      10:00:00 | terms user:u-1 | layers
      10:00:01 | check A        | 21        | refused, by day     | day: left 20/2
      10:00:02 | check B        | 5 capture | allowed             | day: left 15/1
      10:00:03 | check C        | 5 capture | allowed, full       | day: left 10/0
      10:00:04 | check D        | 5         | refused, by day     | day: retry 11:00:00; room 0, from 11:00:00
      11:00:00 | check E        | 11        | refused, by day     | day: left 10/7
    `,
    why: 'a change of the count alone says nothing of the amount',
  }),
  told({
    id: 'terms-to-come',
    title: 'A refusal names the first layer under which the order passes',
    rules: [DAY],
    terms: {
      later: {
        overrides: [
          { rule: 'day', max: { amount: 20 }, from: until('11:00:00'), until: until('12:00:00') },
          { rule: 'day', max: { amount: 10 }, until: until('11:00:00') },
        ],
      },
      raise: { overrides: [{ rule: 'day', max: { amount: 300 }, from: until('13:00:00') }] },
    },
    steps: `
      10:00:00 | terms user:u-1 | later
      10:00:01 | check A        | 15  | refused, by day | day: retry 11:00:00
      10:00:02 | check B        | 25  | refused, by day | day: retry 12:00:00
      10:00:03 | terms user:u-1 | raise
      10:00:04 | check C        | 200 | refused, by day | day: retry 13:00:00
    `,
    why: 'what is to come is known',
  }),
  told({
    id: 'terms-of-one-subject',
    title: 'Terms are of one subject, and of one rule',
    rules: [DAY, MERCHANT],
    terms: { higher: { overrides: [{ rule: 'merchant', max: { amount: 70 } }] } },
    steps: `
      10:00:00 | terms merchant:m-1 | higher
      10:00:01 | check A            | 60 user:u-1 merchant:m-1 | allowed
      10:00:02 | check B            | 60 user:u-2 merchant:m-2 | refused, by merchant
      10:00:03 | check C            | 11 user:u-1 merchant:m-1 | refused, by merchant
      10:00:04 | check D            | 10 user:u-1 merchant:m-1 | allowed              | merchant: left 0/-
    `,
    why: 'one merchant’s raise is nobody else’s',
  }),
  told({
    id: 'terms-single',
    title: 'The maximum of a single transaction may be a subject’s own; its minimum is not',
    rules: [ONE],
    terms: { higher: { overrides: [{ rule: 'one', max: { amount: 40 } }] } },
    steps: `
      10:00:00 | terms user:u-1 | higher
      10:00:01 | check A        | 40     | allowed
      10:00:02 | check B        | 41     | refused, by one
      10:00:03 | check C        | 1      | refused         | one: below-minimum
    `,
    why: 'an override changes the maximum alone',
  }),
  told({
    id: 'terms-frozen',
    title: 'Of a frozen subject every new check is refused; what was held goes on',
    rules: [DAY],
    terms: { frozen: { frozen: { until: until('10:10:00') } } },
    steps: `
      10:00:00 | check A        | 10     | allowed
      10:00:01 | check B        | 10     | allowed
      10:00:02 | terms user:u-1 | frozen
      10:00:03 | check C        | 10     | refused, frozen, by none | day: held 20/2, within; room 0, from 10:10:00
      10:00:04 | check A        | 10     | allowed, again
      10:00:05 | confirm A      | 9      | confirmed, 9
      10:00:06 | rollback B     |        | rolledBack
      10:09:59 | check C        | 95     | refused, frozen, by day  | room 0, from 03-03 00:00:00
      10:10:00 | check C        | 10     | allowed
    `,
    why: 'a freeze stops what is new, and ends by itself',
  }),
  told({
    id: 'terms-frozen-beside-home',
    title: 'A frozen merchant refuses what its rules count, from any payer',
    rules: [DAY, MERCHANT],
    terms: { frozen: { frozen: {} } },
    steps: `
      10:00:00 | terms merchant:m-1 | frozen
      10:00:01 | check A            | 10 user:u-1 merchant:m-1 | refused, frozen | room 0, from never
      10:00:02 | check B            | 100                      | allowed
      10:00:03 | terms merchant:m-1 | none
      10:00:04 | check A            | 10 user:u-1 merchant:m-1 | refused, by day
      10:00:05 | rollback B         |                          | rolledBack
      10:00:06 | check A            | 10 user:u-1 merchant:m-1 | allowed
    `,
    why: 'nothing was held anywhere meanwhile',
  }),
  told({
    id: 'terms-late',
    title: 'What a late confirm exceeds is told by the subject’s own maximum',
    rules: [DAY],
    terms: { lower: { overrides: [{ rule: 'day', max: { amount: 20 } }] } },
    steps: `
      10:00:00 | terms user:u-1 | lower
      10:00:01 | check A        | 15     | allowed
      10:30:00 | check B        | 15     | allowed
      10:31:00 | confirm A      |        | confirmed, late, over day 10
    `,
    why: 'it is the maximum in force',
  }),
  told({
    id: 'exact-terms-trial',
    title: 'A trial with an exact window is full by the subject’s own maximum',
    rules: [TRIAL],
    terms: { once: { overrides: [{ rule: 'often', max: { count: 1 } }] } },
    steps: `
      10:00:00 | terms user:u-1 | once
      10:00:01 | check A        | 1 x3           | allowed           | often: held -/0, left -/1, exceeded-shadow
      10:00:03 | record B       | 1 x2 @10:00:02 | recorded, in none
      10:00:04 | check C        | 1              | allowed           | often: held -/1, reached
    `,
    why: 'lest a trial fill the document with buckets',
  }),
  told({
    id: 'exact-terms-later',
    title: 'No maximum of a subject’s own is the most that an exact window takes, once it is one',
    rules: [STEPPED],
    changes: { exact: [EXACT] },
    terms: { noMaximum: { overrides: [{ rule: 'often', max: { count: null } }] } },
    steps: `
      10:00:00 | terms user:u-1 | noMaximum
      10:00:01 | check A        | 1 x500 | allowed           | often: left -/-
      10:00:02 | rules          | exact
      10:00:03 | check B        | 1 x101 | refused, by often | often: left -/100
      10:00:04 | check C        | 1 x100 | allowed, full     | often: left -/0
    `,
    why: 'each payment has a bucket of its own, and a document has room for so many',
  }),
  told({
    id: 'exact-terms-too-many',
    title: 'A maximum of a subject’s own above what an exact window takes is that, once it is one',
    rules: [STEPPED],
    changes: { exact: [EXACT] },
    terms: { higher: { overrides: [{ rule: 'often', max: { count: 5_000 } }] } },
    steps: `
      10:00:00 | terms user:u-1 | higher
      10:00:02 | rules          | exact
      10:00:03 | check B        | 1      | allowed | often: left -/99
    `,
    why: 'a rule itself says no more',
  }),
  told({
    id: 'terms-amount-without-currency',
    title: 'An amount of a subject’s own is none, once its rule has no currency',
    rules: [{ ...STEPPED, currency: 'CNY', max: { amount: 100, count: 4 } }],
    changes: { noCurrency: [STEPPED] },
    terms: { nothing: { overrides: [{ rule: 'often', max: { amount: 0 } }] } },
    steps: `
      10:00:00 | terms user:u-1 | nothing
      10:00:01 | check A        | 1      | refused, by often | often: left 0/-
      10:00:02 | rules          | noCurrency
      10:00:03 | check B        | 1      | allowed, not full | often: left -/3, within; room any
    `,
    why: 'it limits counts alone',
  }),
  told({
    id: 'terms-amount-ends',
    title: 'An order waits for no instant at which its only maximum of the amount is over',
    rules: [{ ...STEPPED, currency: 'CNY' }],
    onNoRule: 'refuse-unlimited',
    terms: {
      today: {
        overrides: [
          { rule: 'often', max: { amount: 9 }, until: new Date('2026-03-02T12:00:00+08:00') },
        ],
      },
    },
    steps: `
      10:00:00 | terms user:u-1 | today
      10:00:01 | check A        | 5 | allowed               | applies often
      10:00:01 | check B        | 10 | refused, by often    | room 4 by often, from never
      12:00:00 | check B        | 10 | refused, without rule | room 0, from never
    `,
    why: 'without that maximum nothing limits its amount',
  }),
  told({
    id: 'terms-raised-while-frozen',
    title:
      'A rule that refuses at last lets an order pass while a raise lasts, if no freeze is longer',
    rules: [{ ...USER_DAY, id: 'shut', max: { count: 0 }, window: 'lifetime' }],
    terms: {
      short: {
        frozen: { until: new Date('2026-03-02T11:00:00+08:00') },
        overrides: [RAISED_UNTIL_NOON],
      },
      long: {
        frozen: { until: new Date('2026-03-02T12:00:00+08:00') },
        overrides: [RAISED_UNTIL_NOON],
      },
    },
    steps: `
      10:00:00 | terms user:u-1 | short |
      10:00:01 | check A        | 5     | refused, frozen | room 0, from 11:00:00
      10:00:02 | terms user:u-1 | long  |
      10:00:03 | check A        | 5     | refused, frozen | room 0, from never by shut
    `,
    why: 'the raise ends with the freeze, and then the rule says no for ever',
  }),
];
