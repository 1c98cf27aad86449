/** Black-box cases about days of which some belong to the next open one: `closed`. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' } as const;
const BANK: ModelRule = {
  ...USER_DAY,
  id: 'bank',
  window: { ...DAY, closed: { days: ['saturday', 'sunday'], dates: ['2026-03-09'] } },
};
const PLAIN: ModelRule = { ...USER_DAY, id: 'plain', max: { amount: 1_000 } };

export const BUSINESS_DAY_CASES: readonly LimitCase[] = [
  told({
    id: 'closed-1',
    title: 'A weekend and a holiday belong to the next open day, and count as one with it',
    rules: [BANK, PLAIN],
    steps: `
      03-06 23:59:59 | check A | 100 capture | allowed, full    | bank: used 100/1
      03-07 00:00:00 | check B | 60 capture  | allowed          | bank: used 60/1
      03-08 12:00:00 | check C | 41          | refused, by bank | bank: used 60/1, retry 03-11 00:00:00; plain: used 0/0
      03-09 12:00:00 | check D | 30 60s      | allowed          | bank: used 60/1, held 30/1
      03-10 12:00:00 | confirm D |           | confirmed, late  |
      03-10 23:59:59 | check C | 11          | refused, by bank | bank: used 90/2, retry 03-11 00:00:00
      03-11 00:00:00 | check C | 41          | allowed          | bank: used 0/0, held 41/1
      03-11 00:00:01 | record E | 5 @03-08T10:00:00 | recorded, past bank plain |
    `,
    why: 'cash that comes in over a weekend is reported with that of Monday',
  }),
  told({
    id: 'closed-2',
    title: 'Other closed dates are another window, whose sum begins at zero',
    rules: [BANK],
    changes: {
      more: [{ ...BANK, window: { ...DAY, closed: { days: ['saturday', 'sunday'] } } }],
      again: [
        {
          ...BANK,
          window: { ...DAY, closed: { dates: ['2026-03-09'], days: ['sunday', 'saturday'] } },
        },
      ],
    },
    steps: `
      03-03 10:00:00 | check A | 60 capture | allowed          | bank: used 60/1
      03-03 10:00:01 | rules   | more       |                  |
      03-03 10:00:02 | check B | 41 capture | allowed          | bank: used 41/1
      03-03 10:00:03 | rules   | again      |                  |
      03-03 10:00:04 | check C | 41         | refused, by bank | bank: used 60/1
    `,
    why: 'two windows of one sum, of which one ends earlier, would let more pass',
  }),
];
