/** Black-box cases about rules that are in effect at some times only: `when`. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const NIGHT: ModelRule = {
  ...USER_DAY,
  id: 'night',
  when: { hours: ['20:00-06:00'] },
  max: { amount: 10 },
};
const DAYTIME: ModelRule = {
  ...USER_DAY,
  id: 'daytime',
  when: { hours: ['06:00-20:00'] },
  max: { amount: 20 },
};
const HALF_YEAR = { unit: 'quarter', every: 2, timeZone: 'Asia/Shanghai' } as const;
const DAY: ModelRule = { ...USER_DAY, id: 'day', max: { amount: 1_000 } };

export const TIMES_CASES: readonly LimitCase[] = [
  told({
    id: 'when-1',
    title:
      'A night is one night: what is paid before and after midnight is one sum, until the night is over',
    rules: [DAY, NIGHT],
    steps: `
      19:59:59       | check A | 10 capture | allowed           | applies day
      20:00:00       | check B | 6 capture  | allowed           | applies day night; night: used 6/1, left 4/-
      23:59:59       | check C | 5          | refused, by night | night: exceeded, retry 03-03 06:00:00; room 4 by night, from 03-03 06:00:00 by night
      03-03 00:00:01 | check C | 5          | refused, by night | applies day night; day: used 0/0; night: used 6/1, retry 03-03 06:00:00
      03-03 05:59:59 | check D | 4 capture  | allowed, full     | night: used 10/2, reached; day: used 4/1
      03-03 06:00:00 | check E | 5          | allowed           | applies day
      03-03 20:00:00 | check F | 10         | allowed, full     | night: used 0/0, held 10/1
    `,
    why: 'a limit for the night that begins again at midnight lets twice its maximum pass',
  }),
  told({
    id: 'when-2',
    title: 'Outside its times a rule is not there: an order that no other rule limits is refused',
    rules: [NIGHT],
    steps: `
      19:59:59       | check A | 1  | refused, without rule | applies none; room 0, from 20:00:00
      19:59:59       | check B | 11 | refused, without rule | applies none; room 0, from never
      20:00:00       | check A | 1  | allowed               | applies night
      03-03 06:00:00 | check C | 1  | refused, without rule | room 0, from 03-03 20:00:00
    `,
    why: 'nothing says that anybody meant an order at noon to have no limit',
  }),
  told({
    id: 'when-3',
    title:
      'Days of the week are those on which the hours begin: Saturday night ends on Sunday morning',
    rules: [DAY, { ...NIGHT, id: 'weekend', when: { hours: ['20:00-06:00'], days: ['saturday'] } }],
    steps: `
      03-06 23:00:00 | check A | 10 capture | allowed             | applies day
      03-07 21:00:00 | check B | 9 capture  | allowed             | applies day weekend
      03-08 05:00:00 | check C | 2          | refused, by weekend | weekend: used 9/1, retry 03-08 06:00:00
      03-08 06:00:00 | check C | 2          | allowed             | applies day
      03-08 21:00:00 | check D | 20         | allowed             | applies day
    `,
    why: 'people call it Saturday night',
  }),
  told({
    id: 'when-4',
    title: 'A week sums its nights, and ends with the last one that began in it',
    rules: [DAY, { ...NIGHT, id: 'week', window: { unit: 'week', timeZone: 'Asia/Shanghai' } }],
    steps: `
      20:00:00       | check A | 4 capture | allowed           | week: used 4/1
      03-03 12:00:00 | check B | 50 capture | allowed          | applies day
      03-03 21:00:00 | check C | 5 capture | allowed           | week: used 9/2, left 1/-
      03-08 21:00:00 | check D | 2         | refused, by week  | week: used 9/2, retry 03-09 06:00:00
      03-09 05:00:00 | check D | 2         | refused, by week  | week: used 9/2
      03-09 20:00:00 | check D | 2         | allowed           | week: used 0/0, held 2/1
    `,
    why: 'the night of Sunday began in the week that ends with it',
  }),
  told({
    id: 'when-5',
    title: 'A hold of the night is confirmed in the morning, and counts in its night alone',
    rules: [DAY, NIGHT],
    steps: `
      03-03 05:59:00 | check A   | 10 60s | allowed, full  | night: held 10/1
      03-03 06:30:00 | confirm A |        | confirmed, 10, late |
      03-03 20:00:00 | check B   | 10     | allowed, full  | night: used 0/0, held 10/1; day: used 10/1
    `,
    why: 'a payment counts in the windows that its check entered',
  }),
  told({
    id: 'when-6',
    title: 'Some dates have a rule of their own, for each payment too',
    rules: [
      DAY,
      {
        ...NIGHT,
        id: 'sale',
        window: 'transaction',
        when: { dates: ['2026-03-03'], timeZone: 'Asia/Shanghai' },
        max: { amount: 100 },
      },
    ],
    steps: `
      23:59:59       | check A | 101 capture | allowed          | applies day
      03-03 00:00:00 | check B | 101         | refused, by sale | sale: exceeded, retry 03-04 00:00:00
      03-03 12:00:00 | check B | 100 capture | allowed          | applies day sale
      03-04 00:00:00 | check C | 101         | allowed          | applies day
    `,
    why: 'a sale of one day has rules of that day',
  }),
  told({
    id: 'when-7',
    title: 'A record of the night counts in its night, a record of noon does not',
    rules: [DAY, NIGHT],
    steps: `
      21:00:00 | record A | 4 @20:30:00 | recorded, in day night |
      21:00:01 | record B | 5 @12:00:00 | recorded, in day       |
      21:00:02 | check C  | 7           | refused, by night      | night: used 4/1; day: used 9/2
    `,
    why: 'it happened when it happened',
  }),
  told({
    id: 'when-8',
    title: 'Hours that touch are two stretches of one window',
    rules: [DAY, { ...NIGHT, when: { hours: ['22:00-02:00', '02:00-04:00'] } }],
    steps: `
      22:00:00       | check A | 6 capture | allowed           | night: used 6/1
      03-03 01:59:59 | check B | 5         | refused, by night | night: used 6/1, retry 03-03 02:00:00
      03-03 02:00:00 | check B | 5         | allowed           | night: used 0/0, held 5/1
    `,
    why: 'the second began on the third, after its midnight',
  }),
  told({
    id: 'when-9',
    title: 'Times that touch are one time: what they refuse passes when the last of them is over',
    rules: [
      DAY,
      {
        ...NIGHT,
        window: { unit: 'week', timeZone: 'Asia/Shanghai' },
        when: { days: ['monday', 'tuesday'] },
      },
      {
        ...NIGHT,
        id: 'all-week',
        window: { unit: 'week', timeZone: 'Asia/Shanghai' },
        max: { amount: 20 },
        when: { hours: ['00:00-12:00', '12:00-00:00'] },
      },
    ],
    steps: `
      22:00:00       | check A | 6 capture | allowed                    |
      22:00:01       | check B | 5         | refused, by night          | night: retry 03-04 00:00:00; room 4 by night, from 03-04 00:00:00 by night
      03-04 00:00:00 | check B | 5 capture | allowed                    | applies day all-week
      03-04 00:00:01 | check C | 10        | refused, by all-week       | all-week: retry 03-09 00:00:00
    `,
    why: 'on Tuesday the rule of Monday still stands',
  }),
  told({
    id: 'when-10',
    title: 'A rule of the day and one of the night: an order passes when the other one begins',
    rules: [NIGHT, DAYTIME],
    steps: `
      12:00:00 | check A | 15 capture | allowed             | applies daytime
      12:00:01 | check B | 10         | refused, by daytime | room 5 by daytime, from 20:00:00 by daytime
      12:00:01 | check C | 11         | refused, by daytime | daytime: retry 20:00:00; room 5 by daytime, from 03-03 06:00:00 by night
      12:00:01 | check D | 21         | refused, by daytime | room 5 by daytime, from never
      20:00:00 | check B | 10 capture | allowed, full       | applies night
      20:00:01 | check E | 20         | refused, by night   | room 0 by night, from 03-03 06:00:00 by night
    `,
    why: 'a caller who waits for this instant is let through, and waits no longer than necessary',
  }),
  told({
    id: 'when-11',
    title: 'Each rule has the sum that it has then: two weeks that are used up pass with the week',
    rules: [
      { ...NIGHT, window: { unit: 'week', timeZone: 'Asia/Shanghai' } },
      { ...DAYTIME, window: { unit: 'week', timeZone: 'Asia/Shanghai' } },
    ],
    steps: `
      12:00:00       | check A | 15 capture | allowed             | applies daytime
      20:00:00       | check B | 9 capture  | allowed             | applies night
      03-03 12:00:00 | check C | 6          | refused, by daytime | daytime: retry 03-03 20:00:00; room 5 by daytime, from 03-09 06:00:00 by night
      03-03 12:00:00 | check D | 11         | refused, by daytime | room 5 by daytime, from 03-09 06:00:00 by night
      03-03 20:00:00 | check C | 6          | refused, by night   | night: retry 03-04 06:00:00; room 1 by night, from 03-09 06:00:00 by night
    `,
    why: 'the night of Sunday belongs to the week that ends with it',
  }),
  told({
    id: 'when-12',
    title: 'Used up for ever, a rule of the day and one of the night let nothing pass',
    rules: [
      { ...NIGHT, window: 'lifetime', when: { ...NIGHT.when, timeZone: 'Asia/Shanghai' } },
      { ...DAYTIME, window: 'lifetime', when: { ...DAYTIME.when, timeZone: 'Asia/Shanghai' } },
    ],
    steps: `
      12:00:00 | check A | 20 capture | allowed             | applies daytime
      12:00:01 | check B | 1          | refused, by daytime | room 0 by daytime, from 20:00:00 by daytime
      20:00:00 | check B | 10 capture | allowed             | applies night
      20:00:01 | check C | 1          | refused, by night   | night: retry 03-03 06:00:00; room 0 by night, from never
    `,
    why: 'neither of the two refuses for ever by itself',
  }),
  told({
    id: 'when-13',
    title: 'A rule that begins on a date refuses from then on, and one that ends lets pass',
    rules: [
      { ...DAY, max: { amount: 10 }, to: new Date('2026-03-04T00:00:00+08:00') },
      { ...DAY, id: 'low', max: { amount: 5 }, from: new Date('2026-03-03T00:00:00+08:00') },
      { ...DAY, id: 'high', max: { amount: 20 }, from: new Date('2026-03-04T00:00:00+08:00') },
    ],
    steps: `
      12:00:00 | check A | 8 capture | allowed         | applies day
      12:00:01 | check B | 5         | refused, by day | day: retry 03-03 00:00:00; room 2 by day, from 03-03 00:00:00 by day
      12:00:01 | check C | 6         | refused, by day | day: retry 03-03 00:00:00; room 2 by day, from never by low
    `,
    why: 'the rule file says when the rule begins, so the answer counts on it',
  }),
  told({
    id: 'when-14',
    title: 'An order without a name that a rule of the night requires waits for the morning',
    rules: [
      { ...NIGHT, require: ['channel'] },
      { ...DAYTIME, max: { amount: 5 } },
    ],
    steps: `
      12:00:00 | check A | 5 capture           | allowed, full       | applies daytime
      12:00:01 | check B | 1                   | refused, by daytime | room 0 by daytime, from 03-03 06:00:00
      12:00:01 | check C | 1 channel="app"     | refused, by daytime | room 0 by daytime, from 20:00:00 by daytime
    `,
    why: 'an order that lacks a name is not decided',
  }),
  told({
    id: 'when-15',
    title: 'A rule that begins later counts as empty if no rule in effect asks its document',
    rules: [
      { ...NIGHT, per: ['merchant'] },
      { ...DAYTIME, window: { unit: 'week', timeZone: 'Asia/Shanghai' } },
      { ...DAYTIME, id: 'shop', per: ['merchant'], when: { hours: ['13:00-14:00'] } },
    ],
    steps: `
      03-01 23:00:00 | check A | 9 user:u-2 merchant:m-1 capture  | allowed              | applies night
      12:00:00       | check B | 20 user:u-1 merchant:m-1 capture | allowed              | applies daytime
      12:00:01       | check C | 10 user:u-1 merchant:m-1         | refused, by daytime  | room 0 by daytime, from 20:00:00 by daytime
    `,
    why: 'a check reads the documents of the rules in effect and no others',
  }),
  told({
    id: 'when-16',
    title: 'A sum of half a year is looked through to its end, and a weekend is found before it',
    rules: [
      { ...NIGHT, window: HALF_YEAR },
      {
        ...NIGHT,
        id: 'weekend',
        per: ['user', 'merchant'],
        window: HALF_YEAR,
        when: { days: ['saturday', 'sunday'] },
      },
    ],
    steps: `
      20:00:00 | check A | 10 capture           | allowed, full     | applies night
      20:00:01 | check B | 1                    | refused, by night | night: retry 03-03 06:00:00; room 0 by night, from 07-01 20:00:00
      20:00:01 | check C | 1 user:u-1 merchant:m-1 | refused, by night | room 0 by night, from 03-07 06:00:00 by night
    `,
    why: 'times repeat each week, so Headroom looks at a week and not at each night',
  }),
  told({
    id: 'when-17',
    title:
      'A rule that will refuse for ever, from April on, does not matter to an order of tomorrow',
    rules: [
      USER_DAY,
      {
        ...USER_DAY,
        id: 'single',
        window: 'transaction',
        max: { amount: 10 },
        from: new Date('2026-04-01T00:00:00+08:00'),
      },
    ],
    steps: `
      10:00:00 | check A | 90 capture | allowed              |
      10:00:01 | check B | 50         | refused, by user-day | room 10 by user-day, from 03-03 00:00:00 by user-day
      10:00:01 | check C | 101        | refused, by user-day | room 10 by user-day, from never by user-day single
    `,
    why: 'it is not in effect yet',
  }),
];
