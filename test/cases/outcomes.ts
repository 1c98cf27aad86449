/** Black-box cases about rules that count orders by what became of them: `outcome` and `reasonCodes`. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const { currency: _, ...ANY_DAY } = USER_DAY;
const PIN: ModelRule = {
  ...ANY_DAY,
  id: 'pin',
  outcome: 'rolledBack',
  reasonCodes: ['wrong-pin'],
  max: { count: 3 },
};
const FAILED: ModelRule = { ...ANY_DAY, id: 'failed', outcome: 'rolledBack', max: { count: 2 } };
const GONE: ModelRule = { ...ANY_DAY, id: 'gone', outcome: ['expired'], max: { count: 2 } };
const UNPAID: ModelRule = {
  ...PIN,
  id: 'unpaid',
  outcome: ['rolledBack', 'expired'],
};
const ATTEMPTS: ModelRule = {
  ...ANY_DAY,
  id: 'attempts',
  outcome: ['confirmed', 'rolledBack', 'expired'],
  max: { count: 4 },
};
const TRIED: ModelRule = { ...ANY_DAY, id: 'tried', outcome: 'ended', max: { count: 3 } };

export const OUTCOME_CASES: readonly LimitCase[] = [
  told({
    id: 'outcome-1',
    title: 'Three wrong PINs a day: any other end of an attempt frees its place',
    rules: [PIN],
    steps: `
      10:00:00 | check A | 5             | allowed, not full          | pin: used 0/0, held 0/1, left -/2
      10:00:01 | rollback A | for-wrong-pin | rolledBack              |
      10:00:02 | check B | 5             | allowed                    | pin: used 0/1, held 0/1
      10:00:03 | confirm B |             | confirmed, over none       |
      10:00:04 | check C | 5             | allowed                    | pin: used 0/1, held 0/1
      10:00:05 | rollback C | for-no-funds | rolledBack               |
      10:00:06 | check D | 5             | allowed                    | pin: used 0/1, held 0/1
      10:00:07 | rollback D |            | rolledBack                 |
      10:00:08 | check E | 5             | allowed                    | pin: used 0/1, held 0/1
      10:00:09 | rollback E | for-wrong-pin | rolledBack              |
      10:00:10 | check F | 5             | allowed, not full          | pin: used 0/2, held 0/1, left -/0, reached
      10:00:11 | check G | 5             | refused, by pin            | pin: used 0/2, held 0/1, retry 03-03 00:00:00; room 0 by pin
      10:00:12 | confirm F |             | confirmed                  |
      10:00:13 | check G | 5             | allowed                    | pin: used 0/2, held 0/1
      10:00:14 | rollback G | for-wrong-pin | rolledBack              |
      10:00:15 | check H | 5             | refused, by pin            | pin: used 0/3, held 0/0
      03-03 00:00:00 | check H | 5       | allowed                    | pin: used 0/0, held 0/1
    `,
    why: 'with two wrong ones used one attempt may be under way at a time, so that no three more are wrong at once',
  }),
  told({
    id: 'outcome-2',
    title: 'A failure that is told of late counts, and the first of several rollbacks stands',
    rules: [FAILED, PIN],
    steps: `
      10:00:00 | check A | 5 60s         | allowed            | failed: held 0/1; pin: held 0/1
      10:01:00 | check B | 5 60s         | allowed            | failed: used 0/0, held 0/1
      10:01:01 | rollback A | for-wrong-pin | rolledBack, anew | 
      10:01:02 | rollback A | for-no-funds  | rolledBack, again |
      10:01:03 | check C | 5             | refused, by failed | failed: used 0/1, held 0/1; pin: used 0/1, held 0/1, left -/1
      10:02:00 | check C | 5             | allowed, not full  | failed: used 0/1, held 0/1, left -/0
      10:02:01 | confirm B |             | confirmed, late    |
      10:02:02 | rollback C |            | rolledBack         |
      10:02:03 | check D | 5             | refused, by failed | failed: used 0/2, held 0/0; pin: used 0/1, held 0/0
      03-03 00:00:00 | check E | 5 60s   | allowed            | failed: used 0/0, held 0/1
    `,
    why: 'the hold says in which windows it counts, whenever its end is told',
  }),
  told({
    id: 'outcome-3',
    title: 'It counts in the window of its check, and nowhere once that is over',
    rules: [PIN],
    steps: `
      23:59:00 | check A | 5             | allowed    | pin: held 0/1
      23:59:30 | check B | 5 10s         | allowed    | pin: held 0/2
      03-03 00:00:00 | rollback A | for-wrong-pin | rolledBack |
      03-03 00:00:01 | rollback B | for-wrong-pin | rolledBack |
      03-03 00:00:02 | check C | 5       | allowed    | pin: used 0/0, held 0/1
    `,
    why: 'schemes count attempts by the day on which they were made',
  }),
  told({
    id: 'outcome-4',
    title: 'What is captured has not failed: it asks for a place and takes none',
    rules: [FAILED],
    steps: `
      10:00:00 | check A | 5 x2 capture  | allowed, not full, as confirmed | failed: used 0/0, held 0/0, left -/2
      10:00:01 | check B | 5             | allowed                         | failed: held 0/1
      10:00:02 | check C | 5 x2 capture  | refused, by failed              | failed: held 0/1
      10:00:03 | check C | 5 capture     | allowed, not full               | failed: used 0/0, held 0/1, left -/1
      10:00:04 | rollback B |            | rolledBack                      |
      10:00:05 | check A | 5 x2 capture  | allowed, again                  | failed: used 0/1
    `,
    why: 'a payment that asks is stopped after too many failures, captured or not',
  }),
  told({
    id: 'outcome-5',
    title: 'Of all that ended, each counts but for what expired; refunds give nothing back',
    rules: [TRIED],
    steps: `
      10:00:00 | check A | 5 capture     | allowed            | tried: used 0/1, held 0/0
      10:00:01 | check B | 5             | allowed            | tried: used 0/1, held 0/1
      10:00:02 | rollback B | for-wrong-pin | rolledBack      |
      10:00:03 | check C | 5 60s         | allowed, full by tried | tried: used 0/2, held 0/1, left -/0
      10:00:04 | check D | 5             | refused, by tried  |
      10:01:03 | check D | 5             | allowed            | tried: used 0/2, held 0/1
      10:01:04 | confirm D |             | confirmed          |
      10:01:05 | confirm C |             | confirmed, late    |
      10:01:06 | check E | 5             | refused, by tried  | tried: used 0/4
    `,
    why: 'schemes limit attempts, whatever becomes of them; an order that nobody ended is none',
  }),
  told({
    id: 'outcome-6',
    title: 'A failure that was never checked is recorded as one, and no sum of payments has it',
    rules: [USER_DAY, PIN, TRIED],
    steps: `
      10:00:00 | record A | 90 failed for-wrong-pin @09:00:00 | recorded, in pin tried, past none, over none |
      10:00:01 | record A | 90 failed for-wrong-pin @09:00:00 | recorded, again, in pin tried    |
      10:00:02 | record A | 90 @09:00:00                      | orderReused                      |
      10:00:03 | record B | 90 failed @09:00:00               | recorded, in tried               |
      10:00:04 | record C | 40 @09:00:00                      | recorded, in user-day tried      |
      10:00:05 | confirm A |                                  | alreadyRolledBack                |
      10:00:06 | rollback A | for-no-funds                    | rolledBack, again                |
      10:00:07 | check D | 60                                 | refused, by tried                | user-day: used 40/1; pin: used 0/1; tried: used 0/3
      10:00:08 | record E | 5 failed for-wrong-pin @03-01T23:00:00 | recorded, in none, past pin tried |
    `,
    why: 'declines and returns come from files of others, too',
  }),
  told({
    id: 'outcome-7',
    title:
      'Of several documents each counts the failure, and an attempt that one of them refuses is none',
    rules: [
      { ...FAILED, max: { count: 3 } },
      { ...PIN, id: 'shop', per: ['merchant'], max: { count: 2 } },
      { ...USER_DAY, id: 'shop-day', per: ['merchant'], max: { amount: 9 } },
    ],
    steps: `
      10:00:00 | check A | 5 user:u-1 merchant:m-1 | allowed             | failed: held 0/1; shop: held 0/1
      10:00:01 | check B | 5 user:u-1 merchant:m-1 | refused, by shop-day | failed: used 0/0, held 0/1; shop: used 0/0, held 0/1
      10:00:02 | rollback A | user:u-1 merchant:m-1 for-wrong-pin | rolledBack |
      10:00:03 | check C | 5 user:u-2 merchant:m-1 | allowed             | failed: used 0/0, held 0/1; shop: used 0/1, held 0/1, left -/0
      10:00:04 | check D | 1 user:u-1 merchant:m-1 | refused, by shop    | failed: used 0/1, held 0/0; shop: used 0/1, held 0/1
      10:00:05 | confirm C | user:u-2 merchant:m-1 | confirmed           |
      10:00:06 | check D | 1 user:u-1 merchant:m-1 capture | allowed     | shop: used 0/1, held 0/0
      10:00:07 | record F | 1 user:u-1 merchant:m-1 failed for-wrong-pin @10:00:00 | recorded, in failed shop |
      10:00:08 | check E | 1 user:u-1 merchant:m-1 | refused, by shop    | failed: used 0/2; shop: used 0/2
    `,
    why: 'what an attempt gives back is no end of an order',
  }),
  told({
    id: 'outcome-8',
    title: 'Rules of other outcomes count apart, and one of the same shares the sum',
    rules: [
      PIN,
      { ...PIN, id: 'same', max: { count: 1 }, mode: 'shadow' },
      { ...PIN, id: 'codes', reasonCodes: ['no-funds', 'wrong-pin'] },
      { ...ANY_DAY, id: 'paid', max: { count: 1 } },
    ],
    steps: `
      10:00:00 | check A | 5 | allowed          | pin: held 0/1; same: held 0/1; codes: held 0/1; paid: held 0/1
      10:00:01 | rollback A | for-wrong-pin | rolledBack |
      10:00:02 | check B | 5 | allowed          | same: used 0/1, exceeded-shadow; codes: used 0/1; paid: used 0/0
      10:00:03 | rollback B | for-no-funds  | rolledBack |
      10:00:04 | check C | 5 | allowed          | pin: used 0/1; codes: used 0/2; paid: used 0/0, held 0/1
    `,
    why: 'what counts is part of what a counter is',
  }),
  told({
    id: 'outcome-9',
    title: 'A capture that finds no place is told so by a rule on trial, and by one that notifies',
    rules: [
      USER_DAY,
      { ...FAILED, id: 'notes', onExceed: 'notify' },
      { ...FAILED, id: 'trial', mode: 'shadow' },
    ],
    steps: `
      10:00:00 | check A | 5 x2       | allowed         | notes: held 0/2; trial: held 0/2
      10:00:01 | rollback A |         | rolledBack      |
      10:00:02 | check B | 5 capture  | allowed, anew   | notes: exceeded-notify, used 0/2; trial: exceeded-shadow, used 0/2
      10:00:03 | check B | 5 capture  | allowed, again  | notes: exceeded-notify, used 0/2; trial: exceeded-shadow
    `,
    why: 'in force, the rule would refuse it',
  }),
  told({
    id: 'outcome-10',
    title: 'An attempt that nobody ended counts from the instant at which its hold ends',
    rules: [GONE, ATTEMPTS],
    steps: `
      10:00:00     | check A | 5 60s  | allowed, not full          | gone: used 0/0, held 0/1, left -/1; attempts: used 0/0, held 0/1
      10:00:30     | check B | 5 60s  | allowed                    | gone: used 0/0, held 0/2
      10:00:59.999 | check C | 5      | refused, by gone           | gone: used 0/0, held 0/2; attempts: used 0/0, held 0/2
      10:01:00     | check C | 5      | refused, by gone           | gone: used 0/1, held 0/1, retry 03-03 00:00:00; attempts: used 0/1, held 0/1
      10:01:01     | confirm B |      | confirmed, in time         |
      10:01:02     | check C | 5 60s  | allowed                    | gone: used 0/1, held 0/1; attempts: used 0/2, held 0/1, left -/1
      10:02:02     | check D | 5      | refused, by gone           | gone: used 0/2, held 0/0; attempts: used 0/3, held 0/0
      10:02:03     | check D | 5 capture | refused, by gone        | gone: used 0/2, held 0/0
      03-03 00:00:00 | check D | 5    | allowed                    | gone: used 0/0, held 0/1
    `,
    why: 'a caller that opens payments and leaves them holds room each time',
  }),
  told({
    id: 'outcome-11',
    title: 'A late end takes the place of the expiry: it counts by its own outcome, or not at all',
    rules: [GONE, UNPAID, ATTEMPTS],
    steps: `
      10:00:00 | check A | 5 10s         | allowed                    | gone: held 0/1; unpaid: held 0/1; attempts: held 0/1
      10:00:10 | check B | 5 10s         | allowed                    | gone: used 0/1, held 0/1; unpaid: used 0/1, held 0/1; attempts: used 0/1, held 0/1
      10:00:20 | rollback A | for-wrong-pin | rolledBack              |
      10:00:21 | confirm B |             | confirmed, late, over none |
      10:00:22 | check C | 5 10s         | allowed                    | gone: used 0/0, held 0/1; unpaid: used 0/1, held 0/1; attempts: used 0/2, held 0/1
      10:00:32 | check D | 5 10s         | allowed                    | gone: used 0/1, held 0/1; unpaid: used 0/2, held 0/1; attempts: used 0/3, held 0/1
      10:00:33 | rollback C | for-no-funds | rolledBack               |
      10:00:34 | rollback C | for-wrong-pin | rolledBack, again       |
      10:00:35 | check E | 5             | refused, by attempts       | gone: used 0/0, held 0/1; unpaid: used 0/1, held 0/1; attempts: used 0/3, held 0/1
    `,
    why: 'a counter says what became of each attempt as far as anybody knows',
  }),
  told({
    id: 'outcome-12',
    title: 'A hold that outlasts its window counts nowhere when it expires',
    rules: [GONE, ATTEMPTS],
    steps: `
      23:59:30 | check A | 5 60s           | allowed                     | gone: held 0/1
      23:59:31 | check B | 5 10s           | allowed                     | gone: held 0/2
      23:59:59 | check C | 5               | refused, by gone            | gone: used 0/1, held 0/1
      03-03 00:00:30 | check C | 5         | allowed                     | gone: used 0/0, held 0/1; attempts: used 0/0, held 0/1
      03-03 00:00:31 | confirm A |         | confirmed, late, over none  |
      03-03 00:00:32 | rollback B |        | rolledBack                  |
      03-03 00:00:33 | check D | 5         | allowed                     | gone: used 0/0, held 0/2; attempts: used 0/0, held 0/2
    `,
    why: 'its window is over, and so is what it counts',
  }),
  told({
    id: 'outcome-13',
    title: 'An order that is checked again after its hold expired is another attempt',
    rules: [GONE, { ...ATTEMPTS, currency: 'CNY' }],
    steps: `
      10:00:00 | check A | 5 10s  | allowed          | gone: held 0/1
      10:00:10 | check A | 5 10s  | allowed, anew    | gone: used 0/1, held 0/1; attempts: used 5/1, held 5/1
      10:00:11 | confirm A | 3    | confirmed, in time |
      10:00:12 | check B | 5 10s  | allowed          | gone: used 0/1, held 0/1; attempts: used 8/2, held 5/1
      10:00:22 | confirm B | 9    | confirmed, late  |
      10:00:23 | check C | 5      | allowed          | gone: used 0/1, held 0/1; attempts: used 17/3, held 5/1
      10:00:25 | rollback C |     | rolledBack       |
      10:00:26 | check D | 5      | refused, by attempts | gone: used 0/1, held 0/0; attempts: used 22/4
    `,
    why: 'each of its holds took a place, and no later end undoes another hold',
  }),
  told({
    id: 'outcome-14',
    title: 'Of different values one stays counted by an attempt that nobody ended',
    rules: [
      { ...ATTEMPTS, id: 'cards', distinct: 'card', max: { count: 2 } },
      { ...GONE, id: 'left', distinct: 'card', max: { count: 1 } },
    ],
    steps: `
      10:00:00 | check A | 5 10s card="a" | allowed           | cards: held 0/1; left: held 0/1
      10:00:10 | check B | 5 card="a"     | allowed           | cards: used 0/1, held 0/0; left: used 0/1, held 0/0
      10:00:11 | check C | 5 card="b"     | refused, by left  | cards: used 0/1, held 0/0; left: used 0/1
      10:00:12 | confirm A |              | confirmed, late   |
      10:00:13 | check C | 5 card="b"     | refused, by left  | left: used 0/0, held 0/1
      10:00:14 | confirm B |              | confirmed         |
      10:00:15 | check C | 5 10s card="b" | allowed           | cards: used 0/1, held 0/1; left: used 0/0, held 0/1
      10:00:25 | check D | 5 card="c"     | refused, by cards left | cards: used 0/2; left: used 0/1
    `,
    why: 'the count of a value moves as that of its counter does',
  }),
];
