/** Black-box cases about payments that happened without a check: counted at their own past instant. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const DAY: ModelRule = { ...USER_DAY, id: 'day', max: { amount: 10 } };
const MONTH: ModelRule = {
  ...DAY,
  id: 'month',
  window: { unit: 'month', timeZone: 'Asia/Shanghai' },
  max: { amount: 100 },
};
const QUARTER = { unit: 'quarter', timeZone: 'Asia/Shanghai' } as const;
const EVER: ModelRule = { ...DAY, id: 'ever', window: 'lifetime', max: { amount: 1_000 } };
const ROLLING: ModelRule = {
  ...DAY,
  id: 'rolling',
  window: { rollingMs: 86_400_000, stepMs: 3_600_000 },
  max: { amount: 50 },
};
const EXACT: ModelRule = {
  ...DAY,
  id: 'exact',
  window: { rollingMs: 60_000, stepMs: 'exact' },
  max: { count: 1 },
};
const MERCHANT: ModelRule = { ...DAY, id: 'merchant', per: ['merchant'], max: { amount: 20 } };
const SINGLE: ModelRule = { ...DAY, id: 'single', window: 'transaction', max: { amount: 5 } };

export const RECORD_CASES: readonly LimitCase[] = [
  told({
    id: 'record-past-windows',
    title: 'A payment of yesterday counts in the month, not in the day that is over',
    rules: [DAY, MONTH, EVER],
    steps: `
      10:00:00 | record A | 8 @03-01T23:00:00 | recorded, anew, in month ever, past day, over none |
      10:00:01 | check B  | 10                | allowed | day: used 0/0; month: used 8/1, held 10/1; ever: used 8/1
      10:00:02 | record C | 5 @02-28T12:00:00 | recorded, in ever, past day month |
      10:00:03 | check D  | 1                 | refused, by day | month: used 8/1; ever: used 13/2
    `,
    why: 'what happened yesterday takes nothing of today',
  }),
  told({
    id: 'record-today-above',
    title: 'A payment of today counts over the maximum, and says by how much',
    rules: [DAY, MONTH],
    steps: `
      10:00:00 | check A  | 6           | allowed                                            |
      10:01:00 | record B | 7 @09:00:00 | recorded, anew, in day month, past none, over day 3 |
      10:02:00 | check C  | 1           | refused, by day                                    | day: used 7/1, held 6/1, left 0/-
    `,
    why: 'it certainly happened, so that no maximum can undo it',
  }),
  told({
    id: 'record-single-and-unruled',
    title: 'Neither a rule for single transactions nor the lack of a rule keeps a payment out',
    rules: [DAY, SINGLE],
    steps: `
      10:00:00 | record A | 9 @09:00:00     | recorded, in day, past none, over none   |
      10:01:00 | record B | 9 USD @09:00:00 | recorded, in none, past none, over none  |
      10:02:00 | check C  | 1               | allowed, full                            | day: used 9/1, held 1/1
    `,
    why: 'a check would have said no, and nobody asked',
  }),
  told({
    id: 'record-rolling-step',
    title: 'In a rolling window it counts in the step of its instant, and leaves with it',
    rules: [ROLLING],
    steps: `
      10:00:00       | check A  | 1                  | allowed                            |
      10:00:01       | record B | 40 @03-01T11:30:00 | recorded, in rolling, past none    |
      10:00:02       | record C | 9 @03-01T08:30:00  | recorded, in none, past rolling    |
      11:59:59       | check D  | 11                 | refused, by rolling                | rolling: used 40/1, held 0/0
      11:59:59.500   | record F | 20 @10:30:00       | recorded, in rolling, over rolling 10 |
      12:00:00       | check E  | 10                 | allowed                            | rolling: used 20/1, held 10/1
    `,
    why: 'it leaves the window when it would have, had it been checked',
  }),
  told({
    id: 'record-exact',
    title: 'An exact window has the payment to the millisecond, above its maximum too',
    rules: [EXACT],
    steps: `
      10:00:00     | check A  | 1 capture           | allowed                                  |
      10:00:30     | record B | 1 @10:00:10         | recorded, in exact, past none            |
      10:00:31     | record C | 1 @09:59:31         | recorded, in none, past exact            |
      10:01:09.999 | check D  | 1                   | refused, by exact                        | exact: used 1/1
      10:01:10     | check E  | 1                   | allowed                                  |
    `,
    why: 'each event is a bucket of its own, a past one as well',
  }),
  told({
    id: 'record-once',
    title: 'An order is recorded once; with other content, or at another instant, its id is taken',
    rules: [DAY],
    steps: `
      10:00:00 | record A | 4 @09:00:00 | recorded, anew, over none |
      10:00:01 | record A | 4 @09:00:00 | recorded, again           |
      10:00:02 | record A | 5 @09:00:00 | orderReused               |
      10:00:03 | record A | 4 @09:00:01 | orderReused               |
      10:00:04 | check A  | 4           | orderReused               |
      10:00:05 | confirm A |            | confirmed, again, 4       |
      10:00:06 | rollback A |           | alreadyConfirmed          |
      10:00:07 | check B  | 6           | allowed, full             | day: used 4/1, held 6/1
    `,
    why: 'a file may be sent again, and two payments must not be one',
  }),
  told({
    id: 'record-checked-before',
    title: 'What was checked is confirmed, not recorded',
    rules: [DAY],
    steps: `
      10:00:00 | check A   | 4 60s         | allowed      |
      10:00:01 | record A  | 4 @10:00:00   | orderReused  |
      10:00:02 | check B   | 4 60s capture | allowed      |
      10:00:03 | record B  | 4 @10:00:02   | orderReused  |
      10:02:00 | record A  | 4 @10:00:00   | orderReused  |
      10:02:01 | confirm A |               | confirmed, 4, late |
      10:02:02 | check C   | 2             | allowed, full | day: used 8/2, held 2/1
    `,
    why: 'its hold says in which windows it counts, and would count beside it',
  }),
  told({
    id: 'record-two-documents',
    title: 'Of a user and a merchant it counts once in each, over both maxima',
    rules: [DAY, MERCHANT],
    steps: `
      10:00:00 | record A | 12 user:u-1 merchant:m-1 @09:00:00 | recorded, in day merchant, over day 2      |
      10:00:01 | record B | 9 user:u-2 merchant:m-1 @09:00:00  | recorded, in day merchant, over merchant 1 |
      10:00:02 | check C  | 1 user:u-3 merchant:m-1            | refused, by merchant                       | merchant: used 21/2, held 0/0
      10:00:03 | check D  | 1 user:u-2                         | allowed, full                              | day: used 9/1
    `,
    why: 'each document has its own sum of it',
  }),
  told({
    id: 'record-open-holds',
    title: 'Documents with the most open holds still count it',
    openHoldsMax: 1,
    openSharesMax: 1,
    rules: [DAY, MERCHANT],
    steps: `
      10:00:00 | check A  | 1 user:u-1 merchant:m-1            | allowed          |
      10:00:01 | check B  | 1 user:u-2 merchant:m-1            | tooManyOpenHolds |
      10:00:02 | record B | 1 user:u-2 merchant:m-1 @09:00:00  | recorded         |
      10:00:03 | record C | 1 user:u-1 merchant:m-1 @09:00:00  | recorded         |
    `,
    why: 'it leaves no hold',
  }),
  told({
    id: 'record-rule-dates',
    title: 'It enters the sums of rules that were in effect when it happened',
    rules: [
      { ...MONTH, id: 'later', window: QUARTER, from: new Date('2026-03-02T00:00:00+08:00') },
      { ...MONTH, id: 'ended', to: new Date('2026-03-02T00:00:00+08:00') },
    ],
    steps: `
      10:00:00 | record A | 101 @03-01T23:00:00 | recorded, in ended, over none         |
      10:00:01 | record B | 4 @09:00:00         | recorded, in later                    |
      10:00:02 | check C  | 1                   | allowed                               | later: used 4/1
    `,
    why: 'a rule counts what happens from its beginning on',
  }),
  told({
    id: 'record-on-trial',
    title: 'A rule on trial counts it, and is not said to be exceeded',
    rules: [
      { ...DAY, mode: 'shadow' },
      { ...MONTH, id: 'draft', mode: 'draft' },
    ],
    steps: `
      10:00:00 | record A | 12 @09:00:00 | recorded, in day, over none |
      10:00:01 | check B  | 1            | allowed                     | day: used 12/1, exceeded-shadow
    `,
    why: 'a trial shows what would be refused, with all that happened in it',
  }),
  told({
    id: 'record-on-exact-trial',
    title: 'An exact trial that is full leaves a payment out while it would count, and no longer',
    rules: [{ ...EXACT, mode: 'shadow' }],
    steps: `
      10:00:00 | check A  | 1 capture   | allowed                             |
      10:00:01 | record B | 1 @09:59:30 | recorded, anew, in none, past none  |
      10:00:02 | record B | 1 @09:59:30 | recorded, again, in none, past none |
      10:00:03 | record C | 1 @09:59:02 | recorded, anew, in none, past exact |
      10:00:04 | record D | 1 @09:50:00 | recorded, anew, in none, past exact |
      10:00:31 | record B | 1 @09:59:30 | recorded, again, in none, past exact |
    `,
    why: 'the old window is over, however full the trial is now',
  }),
  told({
    id: 'record-past-full-trial',
    title: 'A trial that is full leaves no payment out once its window is over',
    rules: [
      { ...USER_DAY, id: 'cards', mode: 'shadow', distinct: 'card', max: { count: 1 } },
      EVER,
    ],
    steps: `
      23:59:50       | check A  | 1 card="a" capture           | allowed                                |
      23:59:55       | record B | 1 card="b" @23:59:52         | recorded, anew, in ever, past none      |
      03-03 00:00:00 | record C | 1 card="c" @03-02T23:59:55   | recorded, anew, in ever, past cards     |
      03-03 00:00:01 | record D | 1 card="a" @03-02T23:59:56   | recorded, anew, in ever, past cards     |
    `,
    why: 'a sum that nobody asks any more keeps nothing out',
  }),
  told({
    id: 'record-failed-just-over',
    title: 'A failed payment whose exact window has just ended makes no room beside its home',
    rules: [{ ...EXACT, per: ['merchant'] }],
    steps: `
      10:00:00 | check A  | 1 user:u-1 merchant:m-1 capture         | allowed                               |
      10:00:01 | record B | 1 user:u-2 merchant:m-1 @09:59:01 failed | recorded, anew, in none               |
      10:00:02 | check C  | 1 user:u-3 merchant:m-1                 | refused, by exact                     | exact: used 1/1
    `,
    why: 'what was never held there is not given back',
  }),
  told({
    id: 'record-terms',
    title: 'Of a frozen subject it counts, and what is exceeded is its own maximum',
    rules: [DAY],
    terms: {
      frozen: {
        frozen: {},
        overrides: [{ rule: 'day', max: { amount: 3 } }],
      },
    },
    steps: `
      10:00:00 | terms user:u-1 | frozen
      10:00:01 | record A       | 5 @09:00:00 | recorded, in day, over day 2
      10:00:02 | check B        | 1           | refused, frozen              | day: used 5/1
    `,
    why: 'a freeze keeps new payments out, not those that happened',
  }),
];
