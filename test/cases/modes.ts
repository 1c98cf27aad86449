/** Black-box cases about what becomes of a rule: a draft, on trial, in force, retired. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const DAY: ModelRule = { ...USER_DAY, id: 'day', max: { amount: 10 } };
const WEEK: ModelRule = {
  ...DAY,
  id: 'week',
  window: { unit: 'week', timeZone: 'Asia/Shanghai' },
  max: { amount: 100 },
};
const SINGLE: ModelRule = { ...DAY, id: 'single', window: 'transaction', max: { amount: 5 } };

export const MODE_CASES: readonly LimitCase[] = [
  told({
    id: 'mode-draft-nowhere',
    title: 'A draft refuses nothing, is in no answer, and counts nothing until it is more',
    rules: [{ ...DAY, mode: 'draft' }, { ...SINGLE, mode: 'draft' }, WEEK],
    changes: { trial: [{ ...DAY, mode: 'shadow' }, WEEK], enforced: [DAY, WEEK] },
    steps: `
      10:00:00 | check A   | 50       | allowed         | applies week; week: held 50/1
      10:01:00 | rules     | trial    |                 |
      10:01:01 | check B   | 4        | allowed         | applies day week; day: held 4/1, left 6/-
      10:02:00 | rules     | enforced |                 |
      10:02:01 | check C   | 7        | refused, by day | day: held 4/1
      10:02:02 | check D   | 6        | allowed, full   | day: held 10/2; week: held 60/3
    `,
    why: 'what was written to be looked at must not decide, and what it would count nobody asked for',
  }),
  told({
    id: 'mode-retired-nowhere',
    title:
      'A retired rule refuses nothing; what it counted is settled and counts where it is shared',
    rules: [DAY, { ...DAY, id: 'twin', max: { amount: 30 } }],
    changes: {
      retired: [
        { ...DAY, mode: 'retired' },
        { ...DAY, id: 'twin', max: { amount: 30 } },
      ],
      back: [DAY, { ...DAY, id: 'twin', max: { amount: 30 } }],
    },
    steps: `
      10:00:00 | check A   | 8       | allowed         | applies day twin
      10:01:00 | rules     | retired |                 |
      10:01:01 | check B   | 20      | allowed         | applies twin; twin: held 28/2
      10:01:02 | confirm A |         | confirmed, 8    |
      10:02:00 | rules     | back    |                 |
      10:02:01 | check C   | 1       | refused, by day | day: used 8/1, held 20/1
    `,
    why: 'retiring takes a rule out of decisions, not its payments out of a counter that others have',
  }),
  told({
    id: 'mode-retired-late',
    title: 'A late confirm exceeds no rule that is retired by then',
    rules: [DAY, WEEK],
    changes: { retired: [{ ...DAY, mode: 'retired' }, WEEK] },
    steps: `
      10:00:00 | check A   | 8 60s   | allowed         |
      10:02:00 | check B   | 8       | allowed         | day: held 8/1
      10:03:00 | rules     | retired |                 |
      10:03:01 | confirm A |         | confirmed, 8, late, over none |
    `,
    why: 'a maximum that is no more cannot be exceeded',
  }),
  told({
    id: 'mode-only-drafts',
    title: 'Where every rule is a draft or retired, none applies',
    rules: [
      { ...DAY, mode: 'draft' },
      { ...WEEK, mode: 'retired' },
    ],
    steps: `
      10:00:00 | check A | 1 | refused, without rule | applies none
    `,
    why: 'a set of only drafts limits nothing',
  }),
];
