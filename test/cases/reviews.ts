/** Black-box cases about orders that a second person lets pass: `onExceed: review`. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const DAY: ModelRule = { ...USER_DAY, id: 'day', onExceed: 'review' };
const COUNT: ModelRule = { ...DAY, id: 'count', max: { count: 2 } };
const HARD: ModelRule = { ...USER_DAY, id: 'hard', max: { amount: 150 } };
const { currency: _, ...ANY_DAY } = USER_DAY;
const CARDS: ModelRule = {
  ...ANY_DAY,
  ...{ id: 'cards', distinct: 'card', max: { count: 1 }, onExceed: 'review' },
};
const SHOP: ModelRule = { ...DAY, id: 'shop', per: ['merchant'], max: { amount: 80 } };

export const REVIEW_CASES: readonly LimitCase[] = [
  told({
    id: 'review-1',
    title: 'An order above the maximum waits, and passes once a second person approves it',
    rules: [DAY],
    steps: `
      10:00:00 | check A   | 90        | allowed                         | day: held 90/1
      10:00:01 | check B   | 20        | refused, review 1, by day       | day: held 90/1, exceeded, retry 03-03 00:00:00; room 10 by day
      10:00:02 | check B   | 20        | refused, review 1, by day       |
      10:00:03 | approve B |           | decided                         |
      10:00:04 | check B   | 20        | allowed, anew, approval 1, full by day | day: held 110/2, left 0/-, reached
      10:00:05 | check B   | 20        | allowed, again                  |
      10:00:06 | check C   | 1         | refused, review 1, by day       | day: held 110/2
    `,
    why: 'nothing is held while it waits, and the approval is of this order alone',
  }),
  told({
    id: 'review-2',
    title: 'An approval lets an order reach the sum that the second person saw, and not more',
    rules: [DAY],
    steps: `
      10:00:00 | check A   | 85 capture | allowed                       |
      10:00:01 | check B   | 20         | refused, review 1, by day     | day: used 85/1
      10:00:02 | check C   | 10 capture | allowed                       | day: used 95/2
      10:00:03 | approve B |            | decided                       |
      10:00:04 | check B   | 20         | refused, review 2, by day     | day: used 95/2, exceeded
      10:00:05 | approve B |            | decided                       |
      10:00:06 | check B   | 20         | allowed, approval 2           | day: used 95/2, held 20/1
    `,
    why: 'who approved 105 of 100 did not approve 115',
  }),
  told({
    id: 'review-3',
    title: 'A rejected order is refused, and other content is another review',
    rules: [DAY],
    steps: `
      10:00:00 | check A  | 120       | refused, review 1, by day     |
      10:00:01 | reject A |           | decided                       |
      10:00:02 | check A  | 120       | refused, rejected 1, by day   |
      10:00:03 | check A  | 110       | refused, review 1, by day     |
      10:00:03 | check A  | 120       | refused, rejected 1, by day   |
      10:00:04 | check A  | 100       | allowed                       | day: held 100/1
    `,
    why: 'no is an answer to what was asked; what fits needs nobody',
  }),
  told({
    id: 'review-4',
    title: 'Nobody is asked about what is refused anyway, or lacks a proof',
    rules: [
      DAY,
      HARD,
      { ...DAY, id: 'proof', window: 'transaction', onExceed: { challenge: 'sca' } },
    ],
    steps: `
      10:00:00 | check A   | 160       | refused, by day hard proof            |
      10:00:01 | check B   | 120       | refused, to prove sca, by day proof   |
      10:00:02 | check B   | 120 +sca  | refused, review 1, by day             | proof: exceeded-proven
      10:00:03 | approve B |           | decided                               |
      10:00:04 | check C   | 60        | allowed                               | hard: held 60/1
      10:00:05 | check B   | 120 +sca  | refused, by day hard                  | hard: exceeded
      10:00:06 | rollback C |          | rolledBack                            |
      10:00:07 | check B   | 120 +sca  | allowed, approval 1                   | day: held 120/1
    `,
    why: 'an approval lifts no other rule, and stays while another rule refuses',
  }),
  told({
    id: 'review-5',
    title: 'An approval ends, and a review that nobody decided does',
    rules: [DAY],
    steps: `
      10:00:00 | check A   | 120     | refused, review 1, by day   |
      10:00:01 | approve A | for 60s | decided                     |
      10:01:01 | check A   | 120     | refused, review 2, by day   |
      03-09 10:01:00 | check A   | 120 | refused, review 2, by day |
      03-09 10:01:01 | approve A |     | closed                    |
      03-09 10:01:02 | check A   | 120 | refused, review 3, by day |
    `,
    why: 'a yes is of its time, and so is a question',
  }),
  told({
    id: 'review-6',
    title: 'A review that is taken back, or of fewer rules, is over; the next check opens another',
    rules: [DAY, COUNT],
    steps: `
      10:00:00 | check X    | 1    | allowed                        |
      10:00:01 | check A    | 120  | refused, review 1, by day      |
      10:00:02 | withdraw A |      | decided                        |
      10:00:03 | check A    | 120  | refused, review 2, by day      |
      10:00:04 | check Y    | 1    | allowed                        |
      10:00:05 | check A    | 120  | refused, review 3, by day count |
      10:00:06 | approve A  |      | decided                        |
      10:00:07 | check A    | 120  | allowed, approval 3            | day: held 122/3; count: held 122/3
      10:00:08 | approve Z  |      | noReview                       |
    `,
    why: 'who approves must have seen every rule that is exceeded',
  }),
  told({
    id: 'review-7',
    title: 'Rules of several documents are approved together',
    rules: [DAY, SHOP],
    steps: `
      10:00:00 | check A    | 90 user:u-1 merchant:m-1 | refused, review 1, by shop          |
      10:00:01 | check B    | 30                | allowed                             | day: held 30/1
      10:00:02 | check A    | 90 user:u-1 merchant:m-1 | refused, review 2, by day shop      |
      10:00:03 | approve A  |                   | decided                             |
      10:00:04 | check A    | 90 user:u-1 merchant:m-1 | allowed, approval 2, full by day shop | day: held 120/2; shop: held 90/1
      10:00:05 | confirm A  |                   | confirmed, 90                       |
    `,
    why: 'the approval is of the order, wherever it counts',
  }),
  told({
    id: 'review-8',
    title: 'A held order that expires may be held once more while its approval runs',
    rules: [DAY],
    steps: `
      10:00:00 | check A   | 120 60s | refused, review 1, by day       |
      10:00:01 | approve A |         | decided                         |
      10:00:02 | check A   | 120 60s | allowed, anew, approval 1       | day: held 120/1
      10:01:02 | check A   | 120 60s | allowed, anew, approval 1       | day: held 120/1
      10:02:00 | confirm A |         | confirmed, 120                  |
      10:02:01 | check A   | 120 60s | allowed, again                  |
    `,
    why: 'the order passes once: it is known as long as it counts',
  }),
  told({
    id: 'review-9',
    title: "Above a subject's own maximum a second person is asked, too, and a trial asks nobody",
    rules: [DAY, { ...COUNT, max: { count: 1 }, mode: 'shadow' }],
    terms: { high: { overrides: [{ rule: 'day', max: { amount: 200 } }] } },
    steps: `
      10:00:00 | terms user:u-1 | high |                       |
      10:00:01 | check A   | 150  | allowed                    |
      10:00:02 | check B   | 60   | refused, review 1, by day  | count: exceeded-shadow
      10:00:03 | approve B |      | decided                    |
      10:00:04 | check B   | 60   | allowed, approval 1        | day: held 210/2, left 0/-
    `,
    why: 'an approval is of a sum, and not of the maximum below it',
  }),
  told({
    id: 'review-12',
    title: 'The answer to an approved order tells what others would meet',
    rules: [DAY],
    steps: `
      10:00:00 | check A    | 90           | allowed                            |
      10:00:01 | check B    | 30           | refused, review 1, by day          |
      10:00:02 | approve B  |              | decided                            |
      10:00:03 | rollback A |              | rolledBack                         |
      10:00:04 | check C    | 80           | allowed                            | day: held 80/1
      10:00:05 | check B    | 30           | allowed, approval 1, full by day   | day: held 110/2, left 0/-, reached; room 0 by day
      10:00:06 | check D    | 1            | refused, review 1, by day          | room 0 by day
    `,
    why: 'the room up to the approved sum is of this order alone',
  }),
  told({
    id: 'review-13',
    title:
      'An approval undoes no maximum that was lowered since, and a second person sees larger sums',
    rules: [DAY],
    terms: { low: { overrides: [{ rule: 'day', max: { amount: 10 } }] } },
    steps: `
      10:00:00 | check A    | 120    | refused, review 1, by day |
      10:00:01 | approve A  |        | decided                   |
      10:00:02 | terms user:u-1 | low |                          |
      10:00:03 | check A    | 120    | refused, review 2, by day |
      10:00:04 | terms user:u-1 | none |                         |
      10:00:05 | check B    | 10     | allowed                   |
      10:00:06 | check A    | 120    | refused, review 3, by day |
      10:00:07 | approve A  |        | decided                   |
      10:00:08 | check A    | 120    | allowed, approval 3       | day: held 130/2
    `,
    why: 'who approves sees how it stands, and who lowers a maximum means it',
  }),
  told({
    id: 'review-11',
    title: 'Another card than may be is approved for its order, and stays while that counts',
    rules: [CARDS],
    steps: `
      10:00:00 | check A   | 5 card="a"    | allowed                        | cards: held 0/1
      10:00:01 | check B   | 5 card="b" x3 | refused, review 1, by cards    | cards: held 0/1
      10:00:02 | approve B |               | decided                        |
      10:00:03 | check B   | 5 card="b" x3 | allowed, approval 1            | cards: held 0/2, left -/0
      10:00:04 | check C   | 5 card="c"    | refused, review 1, by cards    | cards: held 0/2
    `,
    why: 'the approval is of one value more, however many payments the order is',
  }),
  told({
    id: 'review-10',
    title:
      'An order that takes what fits is asked about where its least does not; then its whole may pass',
    rules: [DAY],
    steps: `
      10:00:00 | check A   | 90        | allowed                       |
      10:00:01 | check B   | 40 >=10   | allowed, got 10 by day        | day: held 100/2
      10:00:02 | check C   | 40 >=10   | refused, review 1, by day     |
      10:00:03 | approve C |           | decided                       |
      10:00:04 | check C   | 40 >=10   | allowed, approval 1, got 40   | day: held 140/3
    `,
    why: 'the second person saw the whole amount',
  }),
];
