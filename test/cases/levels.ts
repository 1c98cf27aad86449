/** Black-box cases about sums that other orders lower: `minus`. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const WALLET: ModelRule = {
  ...USER_DAY,
  id: 'wallet',
  counts: { is: { type: 'TOPUP' } },
  minus: { is: { type: ['PAYOUT', 'TRANSFER'] } },
  window: 'lifetime',
};
/** Orders that only lower the sum need a rule of their own. */
const PAID: ModelRule = { ...USER_DAY, id: 'paid', max: { amount: 1_000_000 } };
const NET: ModelRule = { ...WALLET, id: 'net', window: USER_DAY.window };

export const LEVEL_CASES: readonly LimitCase[] = [
  told({
    id: 'minus-1',
    title: 'A balance is at most the maximum: what lowers it makes room once it is confirmed',
    rules: [WALLET, PAID],
    steps: `
      10:00:00 | check A | 90 TOPUP          | allowed                  | wallet: used 0/0, held 90/1, left 10/-
      10:00:01 | check B | 60 PAYOUT         | allowed                  | applies paid
      10:00:02 | check C | 11 TOPUP          | refused, by wallet       | wallet: used 0/0, held 90/1, retry never; room 10 by wallet
      10:00:03 | confirm A |                 | confirmed                |
      10:00:04 | check C | 11 TOPUP          | refused, by wallet       | wallet: used 90/1, held 0/0
      10:00:05 | confirm B | 50              | confirmed, over none     |
      10:00:06 | check C | 60 TOPUP          | allowed, full by wallet  | wallet: used 40/1, held 60/1, left 0/-
      10:00:07 | rollback C |                | rolledBack               |
      10:00:08 | check D | 5 PAYOUT          | allowed                  |
      10:00:09 | rollback D |                | rolledBack               |
      10:00:10 | check E | 61 TOPUP          | refused, by wallet       | wallet: used 40/1
      10:00:11 | check F | 40 TRANSFER capture | allowed                | applies paid
      10:00:12 | check E | 100 TOPUP capture | allowed, full by wallet  | wallet: used 100/2, held 0/0
    `,
    why: 'money that may come back is in the wallet until it is gone',
  }),
  told({
    id: 'minus-2',
    title: 'A balance may be below zero, and late ends count as ever',
    rules: [WALLET, PAID],
    steps: `
      10:00:00 | check A | 30 PAYOUT capture | allowed             |
      10:00:01 | check B | 131 TOPUP         | refused, by wallet  | wallet: used -30/0, held 0/0, left 130/-; room 130 by wallet
      10:00:02 | check B | 130 TOPUP 60s     | allowed             | wallet: used -30/0, held 130/1, left 0/-
      10:00:03 | check C | 70 PAYOUT 60s     | allowed             |
      10:02:00 | confirm C |                 | confirmed, late     |
      10:02:01 | check D | 200 TOPUP         | allowed             | wallet: used -100/0, held 200/1, left 0/-
      10:02:02 | confirm B |                 | confirmed, late, over wallet 130 |
      10:02:03 | check E | 1 TOPUP           | refused, by wallet  | wallet: used 30/1, held 200/1
    `,
    why: 'nobody recorded what was there before, and a payment that happened counts',
  }),
  told({
    id: 'minus-3',
    title: 'A net limit of a day begins at zero each day',
    rules: [NET, PAID],
    steps: `
      10:00:00 | check A | 100 TOPUP capture | allowed, full by net        | net: used 100/1, left 0/-
      10:00:01 | check B | 40 PAYOUT capture | allowed                     |
      10:00:02 | check C | 41 TOPUP          | refused, by net             | net: used 60/1, retry 03-03 00:00:00
      10:00:03 | check C | 40 TOPUP capture  | allowed, full by net        | net: used 100/2
      03-03 00:00:00 | check D | 100 TOPUP   | allowed                     | net: used 0/0, held 100/1
    `,
    why: 'a window has its own payments, those that lower it too',
  }),
  told({
    id: 'minus-4',
    title: 'A record raises or lowers it, and says of which rules',
    rules: [WALLET, PAID],
    steps: `
      10:00:00 | record A | 120 TOPUP @09:00:00  | recorded, in wallet paid, past none, over wallet 20 |
      10:00:01 | record B | 50 PAYOUT @09:00:00  | recorded, in wallet paid, past none, over none      |
      10:00:02 | check C | 30 TOPUP              | allowed                                             | wallet: used 70/1, held 30/1, left 0/-
    `,
    why: 'an opening balance is a recorded payment in',
  }),
  told({
    id: 'minus-5',
    title:
      'What counts does not lower, other currencies neither, and a rule that only lowers is none',
    rules: [{ ...WALLET, minus: { not: { type: 'SWAP' } } }],
    steps: `
      10:00:00 | check A | 50 TOPUP capture  | allowed                | wallet: used 50/1
      10:00:01 | check B | 10 PAYOUT         | refused, without rule  | applies none
      10:00:02 | check C | 50 TOPUP          | allowed                | wallet: used 50/1, held 50/1
    `,
    why: 'it limits nothing of what lowers it',
  }),
  told({
    id: 'minus-6',
    title: 'Of several documents each has its balance, and an attempt that is refused lowers none',
    rules: [
      { ...WALLET, id: 'shop', per: ['merchant'] },
      PAID,
      { ...USER_DAY, id: 'tight', max: { amount: 60 } },
    ],
    steps: `
      10:00:00 | check A | 50 TOPUP user:u-1 merchant:m-1 capture  | allowed            | shop: used 50/1
      10:00:01 | check B | 20 PAYOUT user:u-1 merchant:m-1         | refused, by tight  |
      10:00:02 | check C | 51 TOPUP user:u-2 merchant:m-1          | refused, by shop   | shop: used 50/1, held 0/0
      10:00:03 | check D | 20 PAYOUT user:u-2 merchant:m-1 capture | allowed            |
      10:00:04 | check C | 51 TOPUP user:u-3 merchant:m-1          | allowed            | shop: used 30/1, held 51/1
    `,
    why: 'the merchant pays out of what the merchant has',
  }),
  told({
    id: 'minus-7',
    title: 'When an order fits is said with what lowers the sum',
    rules: [WALLET, PAID],
    terms: {
      later: {
        overrides: [
          {
            rule: 'wallet',
            max: { amount: 120 },
            from: new Date('2026-03-02T12:00:00+08:00'),
          },
        ],
      },
    },
    steps: `
      10:00:00 | terms user:u-1 | later
      10:00:01 | check A        | 100 TOPUP capture | allowed, full by wallet | wallet: used 100/1
      10:00:02 | check B        | 60 PAYOUT capture | allowed                 |
      10:00:03 | check C        | 70 TOPUP          | refused, by wallet      | wallet: used 40/1, retry 12:00:00; room 60 by wallet, from 12:00:00
      10:00:04 | check C        | 81 TOPUP          | refused, by wallet      | wallet: used 40/1, retry never
      12:00:00 | check C        | 70 TOPUP          | allowed                 |
    `,
    why: 'what was paid out stays paid out',
  }),
  told({
    id: 'minus-8',
    title: 'A rule on trial stays above its maximum, and refuses nothing',
    rules: [{ ...WALLET, mode: 'shadow' }, PAID],
    steps: `
      10:00:00 | record A | 150 TOPUP @09:00:00 | recorded, in wallet paid, past none, over none |
      10:00:01 | check B  | 20 PAYOUT capture   | allowed                              |
      10:00:02 | check C  | 10 TOPUP capture    | allowed                              | wallet: used 140/2, exceeded-shadow
      10:00:03 | check D  | 41 PAYOUT capture   | allowed                              |
      10:00:04 | check E  | 1 TOPUP             | allowed                              | wallet: used 99/2, held 1/1
    `,
    why: 'it is tried on real orders',
  }),
];
