/** Black-box cases about windows that begin with an instant which the order says: `since`. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const HOUR = 3_600_000;
const DAY: ModelRule = { ...USER_DAY, id: 'day', max: { amount: 1_000 } };
const NEW: ModelRule = {
  ...USER_DAY,
  id: 'new',
  window: { since: { attribute: 'joined' }, forMs: 24 * HOUR },
  max: { amount: 10 },
};
const CONSENT: ModelRule = {
  ...USER_DAY,
  id: 'consent',
  window: { unit: 'month', timeZone: 'Asia/Shanghai', since: { attribute: 'joined' } },
  max: { amount: 10 },
};

export const SINCE_CASES: readonly LimitCase[] = [
  told({
    id: 'since-1',
    title: 'The window begins with the instant and comes once: after it, the rule is not there',
    rules: [DAY, NEW],
    steps: `
      10:00:00       | check A | 6 joined=@09:00:00 capture | allowed           | applies day new; new: used 6/1, left 4/-
      12:00:00       | check B | 5 joined=@09:00:00 | refused, by new   | new: exceeded, used 6/1, retry 03-03 09:00:00; room 4 by new, from 03-03 09:00:00 by new
      12:00:01       | check C | 4 joined=@09:00:00 | allowed, full by new | new: reached, used 6/1, held 4/1
      12:00:02       | rollback C |                  | rolledBack        |
      03-03 08:59:59 | check B | 5 joined=@09:00:00 | refused, by new   | new: used 6/1, held 0/0
      03-03 09:00:00 | check B | 5 joined=@09:00:00 | allowed           | applies day
    `,
    why: 'a new customer is one for a day from the instant of the registration, not from midnight',
  }),
  told({
    id: 'since-2',
    title: 'Orders with the same instant have one sum, and orders with another one have another',
    rules: [DAY, NEW],
    steps: `
      10:00:00 | check A | 10 joined=@09:00:00 capture        | allowed, full   | new: used 10/1
      10:00:01 | check B | 10 joined=@09:00:00.001 capture    | allowed, full   | new: used 10/1
      10:00:02 | check C | 1 joined=@09:00:00.001             | refused, by new | new: used 10/1
      10:00:03 | check D | 1 joined="2026-03-02T01:00:00Z"    | refused, by new | new: used 10/1, retry 03-03 09:00:00
    `,
    why: 'the instant says whose window it is, however its zone is written',
  }),
  told({
    id: 'since-3',
    title: 'Without the instant the rule is not there, unless it requires that',
    rules: [NEW, { ...DAY, require: ['joined'] }, { ...DAY, id: 'other' }],
    changes: { lax: [DAY, NEW], alone: [NEW] },
    steps: `
      10:00:00 | check A | 11                    | incompleteOrder, lacking joined |
      10:00:01 | check A | 11 joined=@03-01T10:00:01 | allowed                 | applies day other
      10:00:02 | rules   | lax                   |                             |
      10:00:03 | check B | 11                    | allowed                     | applies day
      10:00:04 | rules   | alone                 |                             |
      10:00:05 | check C | 1                     | refused, without rule       | applies none; room 0, from never
      10:00:06 | check C | 1 joined=@10:00:05    | allowed                     | applies new
      10:00:06 | check D | 1 joined=@03-01T10:00:06 | refused, without rule    | applies none; room 0, from never
    `,
    why: 'an order says of itself whether it is one of those that the rule limits',
  }),
  told({
    id: 'since-4',
    title: 'An instant to come begins nothing later: its window is open already',
    rules: [DAY, NEW],
    steps: `
      09:59:58.500 | check A | 6 joined=@10:00:00 | allowed         | new: held 6/1
      09:59:59.500 | check B | 5 joined=@10:00:00 | refused, by new | new: held 6/1
      10:00:00     | check C | 4 joined=@10:00:00 | allowed, full   | new: held 10/2
      03-03 09:59:59 | check D | 1 joined=@10:00:00 | allowed       | new: used 0/0, held 1/1
      03-03 10:00:00 | check E | 11 joined=@10:00:00 | allowed      | applies day
    `,
    why: 'the clock that registered the customer may be ahead',
  }),
  told({
    id: 'since-5',
    title:
      'What is confirmed late counts in its window while that lasts, and a record in the one it names',
    rules: [DAY, NEW],
    steps: `
      10:00:00       | check A  | 6 60s joined=@09:00:00  | allowed         | new: held 6/1
      10:02:00       | confirm A |                        | confirmed, late |
      10:02:01       | record B | 5 joined=@09:00:00 @10:01:00 | recorded, in day new, over new 1 |
      10:02:02       | record C | 5 joined=@02-27T08:00:00 @02-28T07:00:00 | recorded, past day new |
      10:02:03       | record D | 5 joined=@03-01T08:00:00 @08:30:00 | recorded, in day |
      10:02:04       | record E | 5 @08:30:00             | recorded, in day |
      10:02:05       | check F  | 1 joined=@09:00:00      | refused, by new | new: used 11/2, retry 03-03 09:00:00
    `,
    why: 'money that moved counts where it moved',
  }),
  told({
    id: 'since-6',
    title: 'Units are counted from the date of the instant: a month that began on the 31st',
    rules: [DAY, CONSENT],
    steps: `
      02-27 23:59:59 | check A | 10 joined=@01-31T15:00:00 capture | allowed, full       | consent: used 10/1
      02-27 23:59:59 | check B | 1 joined=@01-31T15:00:00          | refused, by consent | consent: retry 02-28 00:00:00
      02-28 00:00:00 | check B | 1 joined=@01-31T15:00:00 capture  | allowed             | consent: used 1/1
      03-30 23:59:59 | check C | 10 joined=@01-31T15:00:00         | refused, by consent | consent: used 1/1, retry 03-31 00:00:00
      03-31 00:00:00 | check C | 10 joined=@01-31T15:00:00         | allowed, full       | consent: used 0/0
      03-31 00:00:01 | check D | 10 joined=@03-30T23:00:00         | allowed, full       | consent: used 0/0
    `,
    why: 'a consent has its own months, which begin on the day on which it was given',
  }),
  told({
    id: 'since-7',
    title: 'Quarters, weeks and pairs of days begin on the date of the instant, too',
    rules: [
      {
        ...CONSENT,
        id: 'quarter',
        window: { ...(CONSENT.window as object), unit: 'quarter' } as ModelRule['window'],
      },
      {
        ...CONSENT,
        id: 'week',
        max: { amount: 20 },
        window: {
          unit: 'week',
          timeZone: 'Asia/Shanghai',
          dayStart: '04:00',
          since: { attribute: 'joined' },
        },
      },
      {
        ...CONSENT,
        id: 'pair',
        max: { amount: 30 },
        window: {
          unit: 'day',
          every: 2,
          timeZone: 'Asia/Shanghai',
          since: { attribute: 'joined' },
        },
      },
    ],
    steps: `
      10:00:00       | check A | 9 joined=@01-14T03:00:00 | allowed               | quarter: held 9/1; week: held 9/1; pair: held 9/1
      10:00:01       | check B | 31 joined=@01-14T03:00:00 | refused, by quarter week pair | quarter: retry never; week: retry never; pair: retry never
      10:00:02       | check C | 2 joined=@01-14T03:00:00 | refused, by quarter   | quarter: retry 04-14 00:00:00
      03-03 03:59:59 | check D | 20 joined=@01-14T03:00:00 | refused, by quarter  | week: within
    `,
    why: 'a unit that begins on a date of its own knows no Monday and no January',
  }),
  told({
    id: 'since-8',
    title: 'The subject of the window is that of the rule: who pays two new payees has two sums',
    rules: [
      DAY,
      { ...NEW, id: 'payee', per: ['user', 'payee'], mode: 'shadow' },
      { ...NEW, id: 'night', when: { hours: ['20:00-06:00'], timeZone: 'Asia/Shanghai' } },
    ],
    steps: `
      10:00:00 | check A | 11 user:u-1 payee:p-1 joined=@09:00:00 | allowed | payee: exceeded-shadow, held 11/1; applies day payee
      10:00:01 | check B | 9 user:u-1 payee:p-2 joined=@09:00:00  | allowed | payee: within, held 9/1
      20:00:00 | check C | 10 user:u-1 payee:p-2 joined=@09:00:00 capture | allowed, full by night | payee: reached, used 10/1; night: used 10/1
      23:00:00 | check D | 1 user:u-1 payee:p-2 joined=@09:00:00  | refused, by night | night: retry 03-03 06:00:00
    `,
    why: 'what begins with an instant is a window like any other',
  }),
  told({
    id: 'since-10',
    title:
      'A name is required in a window alone, whichever order came before, and of no order without the instant',
    rules: [DAY, { ...NEW, match: { channel: 'app' }, require: ['channel'] }],
    steps: `
      10:00:00 | check A | 1 joined=@01-01T09:00:00 | allowed                          | applies day
      10:00:01 | check B | 1 joined=@09:00:00       | incompleteOrder, lacking channel |
      10:00:02 | check C | 1 joined=@01-01T09:00:00 | allowed                          | applies day
      10:00:03 | check D | 1                        | allowed                          | applies day
    `,
    why: 'what is remembered of one order is no answer to another',
  }),
  told({
    id: 'since-11',
    title: 'An order above the whole maximum passes once the window is over',
    rules: [DAY, { ...NEW, max: { count: 1 } }],
    steps: `
      10:00:00       | check A | 1 x2 joined=@09:00:00 | refused, by new | new: exceeded, retry 03-03 09:00:00; room 0, from 03-03 09:00:00
      03-03 09:00:00 | check A | 1 x2 joined=@09:00:00 | allowed         | applies day
    `,
    why: 'after it, the rule is not there',
  }),
  told({
    id: 'since-12',
    title: 'More decimals than milliseconds say the same instant',
    rules: [DAY, NEW],
    steps: `
      10:00:00 | check A | 10 joined=@09:00:00.001 capture              | allowed, full   | new: used 10/1
      10:00:01 | check B | 1 joined="2026-03-02T01:00:00.001999Z"       | refused, by new | new: used 10/1
      10:00:02 | check C | 1 joined="2026-03-02T01:00:00.001000001Z"    | refused, by new | new: used 10/1
      10:00:03 | check D | 1 joined="2026-03-02T09:00:00.0010000+08:00" | refused, by new | new: used 10/1
      10:00:04 | check E | 1 joined="2026-03-02T01:00:00.0019Z"         | refused, by new | new: used 10/1
      10:00:05 | check F | 10 joined="2026-03-02T01:00:00.002000000Z"   | allowed, full by new | new: used 0/0, held 10/1
    `,
    why: 'a payment may say it with nanoseconds, and the next one with the milliseconds of a database',
  }),
  told({
    id: 'since-9',
    title: 'What lowers a sum lowers that of its own instant',
    rules: [DAY, { ...NEW, counts: { is: { type: 'TOPUP' } }, minus: { is: { type: 'PAYOUT' } } }],
    steps: `
      10:00:00 | check A | 10 TOPUP joined=@09:00:00 capture  | allowed, full by new | new: used 10/1
      10:00:01 | check B | 4 PAYOUT joined=@09:30:00 capture  | allowed              | applies day
      10:00:02 | check C | 4 TOPUP joined=@09:00:00           | refused, by new      | new: used 10/1
      10:00:03 | check D | 4 PAYOUT joined=@09:00:00 capture  | allowed              | applies day
      10:00:04 | check C | 4 TOPUP joined=@09:00:00           | allowed, full by new | new: used 6/1, held 4/1
      10:00:05 | check E | 14 TOPUP joined=@09:30:00          | allowed, full by new | new: used -4/0, held 14/1
    `,
    why: 'a payout of another payee makes no room for this one',
  }),
];
