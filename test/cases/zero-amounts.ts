/** Black-box cases about orders of amount 0, such as the verification of a card: only counts can refuse them. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const DAY: ModelRule = { ...USER_DAY, id: 'day', max: { amount: 10, count: 3 } };
const ROLLING: ModelRule = {
  ...USER_DAY,
  id: 'rolling',
  window: { rollingMs: 86_400_000, stepMs: 3_600_000 },
  max: { amount: 10 },
};
const EXACT: ModelRule = {
  ...ROLLING,
  id: 'exact',
  window: { rollingMs: 60_000, stepMs: 'exact' },
};
const CASH: ModelRule = { ...USER_DAY, id: 'cash', max: { amount: 10 }, onExceed: 'notify' };
const PROOF: ModelRule = { ...CASH, id: 'proof', onExceed: { challenge: 'sca' } };
const REVIEW: ModelRule = { ...CASH, id: 'review', onExceed: 'review' };
const TRIAL: ModelRule = { ...USER_DAY, id: 'trial', max: { amount: 10 }, mode: 'shadow' };
const SHOP: ModelRule = { ...USER_DAY, id: 'shop', per: ['merchant'], max: { amount: 10 } };
const WALLET: ModelRule = {
  ...USER_DAY,
  id: 'wallet',
  counts: { is: { type: 'TOPUP' } },
  minus: { is: { type: 'PAYOUT' } },
  window: 'lifetime',
  max: { amount: 10 },
};
const SINGLE: ModelRule = {
  ...USER_DAY,
  id: 'single',
  window: 'transaction',
  min: { amount: 5 },
  max: { amount: 50 },
};

export const ZERO_AMOUNT_CASES: readonly LimitCase[] = [
  told({
    id: 'zero-1',
    title: 'Above a maximum amount an order of 0 passes while the count has room',
    rules: [DAY],
    steps: `
      10:00:00 | check A   | 8       | allowed                        |
      10:00:01 | confirm A | 15      | confirmed, over day 5          |
      10:00:02 | check B   | 1       | refused, by day                | day: exceeded; room 0 by day, from 03-03 00:00:00 by day
      10:00:03 | check C   | 0       | allowed, as held, not full     | day: used 15/1, held 0/1, left 0/1, reached; room 0 by day, from 10:00:03 by none
      10:00:04 | check D   | 0 capture | allowed, full by day         | day: used 15/2, held 0/1, left 0/0, reached; room 0 by day, from 03-03 00:00:00 by day
      10:00:05 | check E   | 0       | refused, by day                | day: exceeded, retry 03-03 00:00:00
    `,
    why: 'it takes nothing of the amount, and its count is one more',
  }),
  told({
    id: 'zero-2',
    title: 'At a maximum amount an order of 0 takes the last of nothing',
    rules: [SHOP, { ...DAY, max: { amount: 20 } }],
    steps: `
      10:00:00 | check A | 10 capture merchant:m-1 user:u-1 | allowed, full by shop | shop: used 10/1, left 0/-, reached
      10:00:01 | check B | 0 merchant:m-1 user:u-1          | allowed, not full     | shop: used 10/1, held 0/1, left 0/-, reached; room 0 by shop, from 10:00:01 by none
      10:00:02 | check C | 1 merchant:m-1 user:u-1          | refused, by shop      |
    `,
    why: 'the order before it took the last',
  }),
  told({
    id: 'zero-3',
    title: 'In rolling windows it passes above the maximum, too',
    rules: [ROLLING, EXACT],
    steps: `
      10:00:00 | check A   | 8  | allowed                                |
      10:00:01 | confirm A | 12 | confirmed                              |
      10:00:02 | check B   | 1  | refused, by rolling exact              |
      10:00:03 | check B   | 0  | allowed, not full                      | rolling: used 12/1, held 0/1, left 0/-, reached
    `,
    why: 'the kind of a window says nothing of what an order takes',
  }),
  told({
    id: 'zero-4',
    title: 'No rule tells of it, and none asks for a proof or a second person',
    rules: [CASH, PROOF, REVIEW, TRIAL],
    steps: `
      10:00:00 | check A   | 10           | allowed, over none, full by proof review |
      10:00:01 | confirm A | 15           | confirmed                           |
      10:00:02 | check B   | 1            | refused, to prove sca, by proof review | cash: exceeded-notify; trial: exceeded-shadow
      10:00:03 | check C   | 0            | allowed, over none, not full        | cash: reached; proof: reached; review: reached; trial: reached
      10:00:04 | check D   | 0 +sca       | allowed, over none, not full        | cash: reached; proof: reached
      10:00:05 | check E   | 0 capture    | allowed, over none, not full        | cash: used 15/2, reached; trial: reached
      10:00:06 | record F  | 0 @10:00:00  | recorded, in cash proof review trial, over none |
      10:00:07 | record G  | 1 @10:00:00  | recorded, in cash proof review trial |
    `,
    why: 'none of them has to do with an amount that is not there',
  }),
  told({
    id: 'zero-5',
    title: 'A late confirm of it exceeds no amount',
    rules: [DAY],
    steps: `
      10:00:00 | check A   | 0 60s   | allowed, not full               | day: held 0/1
      10:00:01 | check B   | 10 60s  | allowed, full by day            |
      10:02:00 | check C   | 10 capture | allowed, full by day         |
      10:02:01 | confirm B |         | confirmed, late, over day 10    |
      10:02:02 | confirm A |         | confirmed, late, over none      |
    `,
    why: 'what exceeds it was counted before',
  }),
  told({
    id: 'zero-6',
    title: 'A balance above its maximum lets it pass',
    rules: [WALLET],
    steps: `
      10:00:00 | check A   | 10 TOPUP | allowed, full by wallet        |
      10:00:01 | confirm A | 12       | confirmed, over wallet 2       |
      10:00:02 | check B   | 1 TOPUP  | refused, by wallet             |
      10:00:03 | check B   | 0 TOPUP  | allowed, not full              | wallet: used 12/1, held 0/1, left 0/-, reached
    `,
    why: 'nothing comes into the wallet',
  }),
  told({
    id: 'zero-7',
    title: 'A minimum for single payments refuses it',
    rules: [SINGLE],
    steps: `
      10:00:00 | check A | 0 | refused, by single | single: below-minimum, retry never
    `,
    why: 'a rule that wants at least 5 from each payment wants it from this one',
  }),
];
