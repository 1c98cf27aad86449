/** Black-box cases about holds that nobody settled in time, and about windows that moved on. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const COOLDOWN: ModelRule = {
  id: 'cooldown',
  per: ['user'],
  window: { rollingMs: 3_000, stepMs: 'exact' },
  max: { count: 1 },
  mode: 'enforce',
};

/** 24 hours in steps of 30 minutes. */
const ROLLING: ModelRule = {
  ...USER_DAY,
  id: 'user-24h',
  window: { rollingMs: 86_400_000, stepMs: 1_800_000 },
};

export const EXPIRY_CASES: readonly LimitCase[] = [
  told({
    id: 'expiry-1',
    title: 'A hold counts until the millisecond before it ends, and not from then on',
    rules: [USER_DAY],
    steps: `
      10:00:00     | check X | 100 | allowed, until 10:15:00
      10:14:59.999 | check Y | 1   | refused                 | user-day: held 100/1
      10:15:00     | check Y | 100 | allowed, anew, full     | user-day: held 100/1
    `,
    why: 'no sweeper ran in between',
  }),
  told({
    id: 'expiry-1-refusal',
    title: 'A refusal after an expiry shows what lapsed as free',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X | 60  | allowed
      10:15:00 | check Y | 101 | refused | user-day: held 0/0, left 100/-; room 100, from never
    `,
    why: 'a refusal writes nothing, so the numbers must be right without the sweep',
  }),
  told({
    id: 'expiry-2-confirm',
    title: 'A confirm after the expiry counts and says late',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X   | 60 | allowed
      10:15:00 | confirm X |    | confirmed, anew, 60, late, over none
      10:15:01 | confirm X |    | confirmed, again, 60, late
      10:15:02 | check Y   | 41 | refused                              | user-day: used 60/1, held 0/0
    `,
    why: 'a payment that happened is counted; at `until` itself it is already late',
  }),
  told({
    id: 'expiry-2-confirm-over',
    title: 'A late confirm counts even over the maximum, and says by how much',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X    | 60 | allowed
      10:16:00 | check Y    | 70 | allowed
      10:17:00 | confirm X  |    | confirmed, 60, late, over user-day 30
      10:18:00 | rollback Y |    | rolledBack
      10:19:00 | check Z    | 40 | allowed, full
    `,
    why: 'Y took the room that X had let go; the hold that swept X must not lose it',
  }),
  told({
    id: 'expiry-2-confirm-amount',
    title: 'A late confirm may carry the final amount',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X   | 60 | allowed
      10:20:00 | confirm X | 25 | confirmed, 25, late
      10:21:00 | check Y   | 75 | allowed, full       | user-day: used 25/1
    `,
    why: 'late or not, what counts is what happened',
  }),
  told({
    id: 'expiry-2-rollback',
    title: 'A rollback after the expiry is a rollback, and gives nothing back twice',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X    | 60 | allowed
      10:16:00 | check Y    | 70 | allowed
      10:17:00 | rollback X |    | rolledBack, anew
      10:18:00 | confirm X  |    | alreadyRolledBack
      10:19:00 | check X    | 60 | alreadyRolledBack
      10:20:00 | check Z    | 31 | refused           | user-day: held 70/1
    `,
    why: 'the room of X went back when it lapsed; Y keeps its own',
  }),
  told({
    id: 'expiry-again',
    title: 'An expired order that asks again with the same content is decided again',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X   | 60 | allowed
      10:15:00 | check X   | 60 | allowed, anew, as held, until 10:30:00 | user-day: held 60/1
      10:16:00 | confirm X |    | confirmed, anew, 60, in time
    `,
    why: 'the new hold replaces what was remembered of the old one',
  }),
  told({
    id: 'expiry-again-other',
    title: 'An expired order that asks again with other content is reused',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X   | 60 | allowed
      10:15:00 | check X   | 61 | orderReused
      10:16:00 | confirm X |    | confirmed, late
    `,
    why: 'the first payment may still turn out to have happened',
  }),
  told({
    id: 'expiry-again-refused',
    title: 'An expired order that asks again and is refused can still be confirmed late',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X   | 60 | allowed
      10:15:00 | check Y   | 70 | allowed
      10:16:00 | check X   | 60 | refused, by user-day
      10:17:00 | confirm X |    | confirmed, 60, late, over user-day 30
    `,
    why: 'a refusal changes nothing, so the memory of the expired hold is still there',
  }),
  told({
    id: 'expiry-again-window',
    title: 'An expired order that is held again counts in the window of the second check',
    rules: [USER_DAY],
    steps: `
      23:50:00       | check X   | 60 | allowed
      03-03 00:05:00 | check X   | 60 | allowed, anew      | user-day: held 60/1
      03-03 00:06:00 | confirm X |    | confirmed, in time
      03-03 00:07:00 | check Y   | 40 | allowed, full      | user-day: used 60/1
    `,
    why: 'decided again means new windows',
  }),
  told({
    id: 'expiry-shortest',
    title: 'A hold of one second is open for a second',
    rules: [USER_DAY],
    steps: `
      10:00:00.250 | check X | 100 1s | allowed, until 10:00:01.250
      10:00:01.249 | check X | 100 1s | allowed, again
      10:00:01.250 | check X | 100 1s | allowed, anew, until 10:00:02.250
    `,
    why: 'the end of a hold is exact to the millisecond and not rounded to seconds',
  }),
  told({
    id: 'window-1',
    title: 'One second before and after midnight in Shanghai are two days',
    rules: [USER_DAY],
    steps: `
      23:59:59       | check X | 100 capture | allowed, full
      23:59:59.999   | check Y | 1           | refused       | user-day: retry 03-03 00:00:00
      03-03 00:00:00 | check Y | 1           | allowed       | user-day: used 0/0
      03-03 00:00:01 | check Z | 99          | allowed, full | user-day: held 100/2
    `,
    why: 'a window contains its start and not its end',
  }),
  told({
    id: 'window-4',
    title: 'A cooldown of 3 seconds allows again at 3.000 s',
    rules: [COOLDOWN],
    steps: `
      10:00:00     | check X   | 1 | allowed, full        | room 0, from 10:00:03
      10:00:01     | confirm X |   | confirmed
      10:00:02.999 | check Y   | 1 | refused, by cooldown | cooldown: exceeded, retry 10:00:03
      10:00:03     | check Y   | 1 | allowed
      10:00:05.999 | check Z   | 1 | refused
      10:00:06     | check Z   | 1 | allowed
    `,
    why: 'the span runs from the check, held or confirmed, and not from the confirm',
  }),
  told({
    id: 'window-4-odd',
    title: 'The instant to come back at is the very millisecond',
    rules: [COOLDOWN],
    steps: `
      10:00:00.400 | check X | 1 | allowed
      10:00:03.399 | check Y | 1 | refused | cooldown: retry 10:00:03.400; room 0, from 10:00:03.400
      10:00:03.400 | check Y | 1 | allowed
    `,
    why: 'a caller that comes then is never sent away again, and none waits longer than it must',
  }),
  told({
    id: 'window-4-rollback',
    title: 'A rolled-back transaction leaves no cooldown',
    rules: [COOLDOWN],
    steps: `
      10:00:00 | check X    | 1 | allowed
      10:00:01 | rollback X |   | rolledBack
      10:00:01 | check Y    | 1 | allowed
    `,
    why: 'what did not happen does not count',
  }),
  told({
    id: 'window-5-confirm',
    title: 'A hold of yesterday that is confirmed today counts in yesterday',
    rules: [USER_DAY],
    steps: `
      23:59:59       | check X   | 60  | allowed
      03-03 00:00:01 | confirm X |     | confirmed, 60, in time, over none
      03-03 00:00:02 | check Y   | 100 | allowed, full                     | user-day: used 0/0, held 100/1
    `,
    why: 'the window is that of the check',
  }),
  told({
    id: 'window-5-rollback',
    title: 'A hold of yesterday that is rolled back today leaves the room of today as it was',
    rules: [USER_DAY],
    steps: `
      23:59:59       | check X    | 60 | allowed
      03-03 00:00:00 | check Y    | 50 | allowed
      03-03 00:00:01 | rollback X |    | rolledBack
      03-03 00:00:02 | check Z    | 51 | refused    | user-day: held 50/1, left 50/-
    `,
    why: 'room given back in the wrong day is room that nobody had',
  }),
  told({
    id: 'window-5-rolling',
    title: 'In a rolling window the confirm counts at the instant of the check',
    rules: [ROLLING],
    zone: 'Z',
    steps: `
      10:10:00           | check X   | 100 86400s | allowed
      03-03 09:00:00     | confirm X |            | confirmed, in time
      03-03 10:29:59.998 | check Y   | 1          | refused            | user-24h: retry 03-03 10:29:59.999
      03-03 10:29:59.999 | check Y   | 100        | allowed            | user-24h: used 0/0
    `,
    why: 'the step [10:00, 10:30) has wholly left 24 hours one millisecond before 10:30 tomorrow',
  }),
  told({
    id: 'window-rolling-steps',
    title: 'A rolling window gives room back step by step',
    rules: [ROLLING],
    zone: 'Z',
    steps: `
      10:00:00       | check X | 30 capture | allowed
      10:30:00       | check Y | 30 capture | allowed
      11:00:00       | check Z | 71         | refused | user-24h: left 40/-, retry 03-03 10:59:59.999; room 40, from 03-03 10:59:59.999
      11:00:00       | check Z | 70         | refused | user-24h: retry 03-03 10:29:59.999
      03-03 10:30:00 | check Z | 70         | allowed
    `,
    why: '70 fits when the first step has left, 71 only when both have',
  }),
  told({
    id: 'expiry-retry-hold',
    title: 'The instant to come back at does not count on an open hold to fail',
    rules: [USER_DAY],
    steps: `
      10:00:00 | check X | 100 | allowed
      10:01:00 | check Y | 50  | refused | user-day: retry 03-03 00:00:00; room 0, from 03-03 00:00:00
    `,
    why: 'a hold is confirmed more often than not; 10:15 would be a promise that often breaks',
  }),
  told({
    id: 'expiry-late-window',
    title: 'A late confirm in a window that is over takes no room',
    rules: [USER_DAY],
    steps: `
      23:50:00       | check X   | 60  | allowed
      03-03 09:00:00 | confirm X | 500 | confirmed, 500, late, over none
      03-03 09:00:01 | check Y   | 100 | allowed, full
    `,
    why: 'it belongs to yesterday; the answer is still confirmed',
  }),
];
