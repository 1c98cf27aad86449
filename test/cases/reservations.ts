/** Black-box cases about one order's life: check, repeat, confirm, rollback, capture. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const DAY: ModelRule = { ...USER_DAY, max: { amount: 100, count: 5 } };

export const RESERVATION_CASES: readonly LimitCase[] = [
  told({
    id: 'reserve-1',
    title: 'A check that is sent twice takes one hold',
    rules: [DAY],
    steps: `
      10:00:00 | check X | 10 | allowed, anew, as held, until 10:15:00, not full | applies user-day; user-day: used 0/0, held 10/1, left 90/4, within; room 90, from 10:00:00
      10:00:05 | check X | 10 | allowed, again, as held, until 10:15:00          | user-day: held 10/1
    `,
    why: 'a retry must neither hold twice nor lengthen the hold',
  }),
  told({
    id: 'reserve-2',
    title: 'An order that comes back with another amount is an error, and the hold stays',
    rules: [DAY],
    steps: `
      10:00:00 | check X | 10 | allowed
      10:00:01 | check X | 11 | orderReused
      10:00:02 | check X | 10 | allowed, again | user-day: held 10/1
    `,
    why: 'two different payments under one name are a fault of the caller, never a second hold',
  }),
  told({
    id: 'reserve-2-content',
    title: 'Content is everything in the request: type, attributes, count, hold length, capture',
    rules: [DAY],
    steps: `
      10:00:00 | check X | 10 PAYMENT channel="app" tier=1         | allowed
      10:00:01 | check X | 10 PAYMENT tier=1 channel="app"         | allowed, again
      10:00:02 | check X | 10 TRANSFER channel="app" tier=1        | orderReused
      10:00:03 | check X | 10 PAYMENT channel="app" tier="1"       | orderReused
      10:00:04 | check X | 10 x2 PAYMENT channel="app" tier=1      | orderReused
      10:00:05 | check X | 10 PAYMENT 60s channel="app" tier=1     | orderReused
      10:00:06 | check X | 10 PAYMENT capture channel="app" tier=1 | orderReused
      10:00:07 | check X | 10 USD PAYMENT channel="app" tier=1     | orderReused
    `,
    why: 'the order of attributes is not content; the string "1" is not the number 1',
  }),
  told({
    id: 'reserve-2-confirmed',
    title: 'A confirmed order that comes back with another amount is reused as well',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 10 | allowed
      10:00:01 | confirm X |    | confirmed
      10:00:02 | check X   | 11 | orderReused
    `,
    why: 'other content is looked at before the state',
  }),
  told({
    id: 'reserve-2-rolled-back',
    title: 'A rolled-back order that comes back with another amount is reused as well',
    rules: [DAY],
    steps: `
      10:00:00 | check X    | 10 | allowed
      10:00:01 | rollback X |    | rolledBack
      10:00:02 | check X    | 11 | orderReused
      10:00:03 | check X    | 10 | alreadyRolledBack
    `,
    why: 'other content is looked at before the state',
  }),
  told({
    id: 'reserve-3-confirm',
    title: 'A second confirm repeats the answer and counts nothing',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 10 | allowed
      10:00:01 | confirm X |    | confirmed, anew, 10, in time, over none
      10:00:02 | confirm X |    | confirmed, again, 10, in time
      10:00:03 | confirm X | 10 | confirmed, again, 10, in time
      10:00:04 | check X   | 10 | allowed, again, as confirmed            | user-day: used 10/1, held 0/0, left 90/4
    `,
    why: 'queues deliver twice',
  }),
  told({
    id: 'reserve-3-rollback',
    title: 'A second rollback repeats the answer and gives nothing back again',
    rules: [DAY],
    steps: `
      10:00:00 | check X    | 10 | allowed
      10:00:00 | check Y    | 20 | allowed
      10:00:01 | rollback X |    | rolledBack, anew
      10:00:02 | rollback X |    | rolledBack, again
      10:00:03 | check Y    | 20 | allowed           | user-day: held 20/1
      10:00:04 | check X    | 10 | alreadyRolledBack
    `,
    why: 'a room given back twice is a limit that leaks',
  }),
  told({
    id: 'reserve-4',
    title: 'What is confirmed cannot be rolled back, what is rolled back cannot be confirmed',
    rules: [DAY],
    steps: `
      10:00:00 | check X    | 10 | allowed
      10:00:00 | check Y    | 20 | allowed
      10:00:01 | confirm X  |    | confirmed
      10:00:02 | rollback X |    | alreadyConfirmed
      10:00:03 | rollback Y |    | rolledBack
      10:00:04 | confirm Y  |    | alreadyRolledBack
      10:00:05 | check X    | 10 | allowed, again    | user-day: used 10/1, held 0/0
    `,
    why: 'an end is an end',
  }),
  told({
    id: 'reserve-5-less',
    title: 'A confirm for less than held frees the rest at once',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 80 | allowed
      10:00:01 | check Y   | 50 | refused, by user-day
      10:00:02 | confirm X | 30 | confirmed, 30, in time, over none
      10:00:03 | check Y   | 50 | allowed, anew                     | user-day: used 30/1, held 50/1, left 20/3
    `,
    why: 'part of an order was out of stock; and a refused order may be asked again',
  }),
  told({
    id: 'reserve-5-more',
    title: 'A confirm for more than held is counted, and says by how much a maximum is exceeded',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 90  | allowed
      10:00:01 | confirm X | 120 | confirmed, anew, 120, over user-day 20
      10:00:02 | check Y   | 1   | refused, by user-day                   | user-day: used 120/1, held 0/0, left 0/4, exceeded, retry 03-03 00:00:00; room 0, from 03-03 00:00:00
    `,
    why: 'a payment that happened is counted; remaining is never below zero',
  }),
  told({
    id: 'reserve-5-zero',
    title: 'A confirm for zero keeps the count and frees the amount',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 80 | allowed
      10:00:01 | confirm X | 0  | confirmed, 0
      10:00:02 | check X   | 80 | allowed, again, as confirmed | user-day: used 0/1, left 100/4
    `,
    why: 'zero is a value, not an absent amount',
  }),
  told({
    id: 'reserve-5-other',
    title: 'A second confirm with another amount is an error and changes nothing',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 50 | allowed
      10:00:01 | confirm X | 30 | confirmed, anew, 30
      10:00:02 | confirm X | 50 | alreadyConfirmed
      10:00:03 | confirm X | 30 | confirmed, again, 30
      10:00:04 | confirm X |    | confirmed, again, 30
      10:00:05 | check X   | 50 | allowed              | user-day: used 30/1
    `,
    why: 'the amount to compare with is the confirmed one, not the held one',
  }),
  told({
    id: 'reserve-6-unknown',
    title: 'Confirm and rollback of an order that was never checked find nothing',
    rules: [DAY],
    steps: `
      10:00:00 | confirm X  |   | notFound
      10:00:01 | rollback X |   | notFound
      10:00:02 | check Y    | 1 | allowed
      10:00:03 | confirm X  |   | notFound
      10:00:04 | rollback X |   | notFound
    `,
    why: 'on a subject never seen and on a known one: success would hide a lost payment',
  }),
  told({
    id: 'reserve-6-refused',
    title: 'Confirm and rollback of a refused order find nothing',
    rules: [DAY],
    steps: `
      10:00:00 | check X    | 101 | refused, by user-day
      10:00:01 | confirm X  |     | notFound
      10:00:02 | rollback X |     | notFound
      10:00:03 | check X    | 100 | allowed, anew, full
    `,
    why: 'a refusal leaves nothing behind, not even the content of the order',
  }),
  told({
    id: 'reserve-6-subjects',
    title: 'An order is found only at the subject that it was checked for',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 10           | allowed
      10:00:01 | confirm X | user:u-2     | notFound
      10:00:02 | check Y   | 100 user:u-2 | allowed, full
    `,
    why: 'one customer does not use up the limit of another',
  }),
  told({
    id: 'reserve-7',
    title: 'After a lost answer the retry is confirmed, and it counts once',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 60 | allowed
      10:00:30 | check X   | 60 | allowed, again
      10:00:31 | confirm X |    | confirmed, anew, 60
      10:00:32 | check Y   | 40 | allowed, full       | user-day: used 60/1, held 40/1, left 0/3, reached
    `,
    why: '60 that needed its own room again would have been refused',
  }),
  told({
    id: 'reserve-full-repeat',
    title: 'A repeat is allowed even where the order itself has filled the limit',
    rules: [DAY],
    steps: `
      10:00:00 | check X | 100 | allowed, anew, full
      10:00:01 | check X | 100 | allowed, again, full | user-day: held 100/1, reached; room 0, from 03-03 00:00:00
    `,
    why: 'known orders are looked for before the rules are',
  }),
  told({
    id: 'capture-1',
    title: 'Capture counts at once: used, no hold, and its repeat says confirmed',
    rules: [DAY],
    steps: `
      10:00:00 | check X | 10 capture | allowed, anew, as confirmed  | user-day: used 10/1, held 0/0, left 90/4
      12:00:00 | check X | 10 capture | allowed, again, as confirmed | user-day: used 10/1
    `,
    why: 'the time of a hold has no meaning for what is already counted',
  }),
  told({
    id: 'capture-2',
    title: 'A captured order is confirmed: confirm repeats, rollback is an error',
    rules: [DAY],
    steps: `
      10:00:00 | check X    | 10 capture | allowed, as confirmed
      10:00:01 | confirm X  |            | confirmed, again, 10, in time
      10:00:02 | confirm X  | 11         | alreadyConfirmed
      10:00:03 | rollback X |            | alreadyConfirmed
    `,
    why: 'there is one state confirmed, however it was reached',
  }),
  told({
    id: 'capture-3',
    title: 'A capture that does not fit is refused and leaves nothing',
    rules: [DAY],
    steps: `
      10:00:00 | check X   | 101 capture | refused, by user-day | user-day: used 0/0, left 100/5, exceeded, retry never; room 100, from never
      10:00:01 | confirm X |             | notFound
    `,
    why: 'more than the maximum never fits, so there is no instant to come back at',
  }),
  told({
    id: 'holds-bound',
    title: 'More open holds than the bound is an error, until one of them ends',
    rules: [{ ...DAY, max: { amount: 1_000_000 } }],
    openHoldsMax: 2,
    steps: `
      10:00:00     | check X   | 1 60s   | allowed
      10:00:01     | check Y   | 1       | allowed
      10:00:02     | check Z   | 1       | tooManyOpenHolds
      10:00:03     | check Y   | 1       | allowed, again
      10:00:04     | check Z   | 1000000 | refused, by user-day
      10:00:59.999 | check Z   | 1       | tooManyOpenHolds
      10:01:00     | check Z   | 1       | allowed, anew
      10:01:01     | confirm Y |         | confirmed
      10:01:02     | check W   | 1       | allowed
    `,
    why: 'repeats pass, a refusal comes first, and a lapsed hold is not open though nobody swept it',
  }),
  told({
    id: 'holds-bound-capture',
    title: 'A capture needs no room among the open holds',
    rules: [{ ...DAY, max: { amount: 1_000_000 } }],
    openHoldsMax: 1,
    steps: `
      10:00:00 | check X | 1         | allowed
      10:00:01 | check Y | 1         | tooManyOpenHolds
      10:00:02 | check Y | 1 capture | allowed, anew, as confirmed | user-day: used 1/1, held 1/1
    `,
    why: 'it leaves no open hold behind; and an error left no content of Y behind either',
  }),
  told({
    id: 'holds-bound-other',
    title: 'The open holds of one customer are not those of another',
    rules: [{ ...DAY, max: { amount: 1_000_000 } }],
    openHoldsMax: 1,
    steps: `
      10:00:00 | check X | 1          | allowed
      10:00:01 | check Y | 1 user:u-2 | allowed
      10:00:02 | check Z | 1 user:u-2 | tooManyOpenHolds
    `,
    why: 'the bound is on a document',
  }),
];
