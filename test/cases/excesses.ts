/** Black-box cases about what becomes of an order above a maximum: `onExceed`, and the proofs of a check. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const SINGLE: ModelRule = {
  ...USER_DAY,
  id: 'low-value',
  window: 'transaction',
  max: { amount: 30 },
  onExceed: { challenge: 'sca' },
};
const SUM: ModelRule = { ...USER_DAY, id: 'unproven', onExceed: { challenge: 'sca' } };
const CASH: ModelRule = { ...USER_DAY, id: 'cash', onExceed: 'notify' };
const HARD: ModelRule = { ...USER_DAY, id: 'hard', max: { amount: 150 } };

export const EXCESS_CASES: readonly LimitCase[] = [
  told({
    id: 'challenge-1',
    title: 'Above a maximum the payer must prove something; with the proof the same order passes',
    rules: [SINGLE],
    steps: `
      10:00:00 | check A | 30              | allowed                               | low-value: within
      10:00:01 | check B | 31              | refused, to prove sca, by low-value   | low-value: exceeded, retry never; room 30 by low-value
      10:00:02 | check B | 31 +otp         | refused, to prove sca, by low-value   |
      10:00:03 | check B | 31 +sca         | allowed, anew                         | low-value: exceeded-proven; room any, from 10:00:03
      10:00:04 | check B | 31              | allowed, again                        | low-value: within
      10:00:05 | check B | 32 +sca         | orderReused                           |
      10:00:06 | check C | 30 +sca +otp    | allowed                               | low-value: within
    `,
    why: 'nothing is held at a challenge, so the order may come again; a proof is not part of what it is',
  }),
  told({
    id: 'challenge-2',
    title: 'Proven orders count in the sum that asks for the proof',
    rules: [SUM],
    steps: `
      10:00:00 | check A | 90 capture      | allowed                             | unproven: used 90/1, left 10/-
      10:00:01 | check B | 20              | refused, to prove sca, by unproven  | room 10 by unproven
      10:00:02 | check B | 20 capture +sca | allowed, not full                   | unproven: used 110/2, left 0/-, exceeded-proven
      10:00:03 | check C | 1               | refused, to prove sca, by unproven  | unproven: exceeded, retry 03-03 00:00:00
      10:00:04 | check C | 1 +sca          | allowed, as held                    | unproven: used 110/2, held 1/1
      10:00:05 | rollback C |              | rolledBack                          |
      03-03 00:00:00 | check D | 100 +sca  | allowed, full by unproven           | unproven: reached
      03-03 00:00:01 | check D | 100       | allowed, again, full by unproven    |
    `,
    why: 'a sum of all payments says when the next one must be proven',
  }),
  told({
    id: 'challenge-3',
    title: 'Nobody proves what is refused anyway, and one proof for each rule that asks',
    rules: [
      SINGLE,
      HARD,
      { ...SUM, id: 'large', max: { amount: 50 }, onExceed: { challenge: 'otp' } },
    ],
    steps: `
      10:00:00 | check A | 151           | refused, by low-value hard large       | hard: exceeded
      10:00:01 | check A | 151 +sca +otp | refused, by hard                       | low-value: exceeded-proven; large: exceeded-proven
      10:00:02 | check B | 51            | refused, to prove sca otp, by low-value large |
      10:00:03 | check B | 51 +sca       | refused, to prove otp, by large        |
      10:00:04 | check B | 51 +sca +otp  | allowed                                | hard: held 51/1
    `,
    why: 'a person who is asked for a proof has the right to pass with it',
  }),
  told({
    id: 'challenge-4',
    title: 'A rule whose proof is there still applies',
    rules: [SINGLE],
    onNoRule: 'refuse-unlimited',
    steps: `
      10:00:00 | check A | 31 +sca | allowed                             | applies low-value
      10:00:01 | check B | 31      | refused, to prove sca, by low-value |
    `,
    why: 'somebody looked at the amount',
  }),
  told({
    id: 'challenge-5',
    title: 'A challenge on trial refuses nothing, and says what it would ask for',
    rules: [HARD, { ...SINGLE, mode: 'shadow' }],
    steps: `
      10:00:00 | check A | 31      | allowed | low-value: exceeded-shadow
      10:00:01 | check B | 31 +sca | allowed | low-value: exceeded-proven
    `,
    why: 'on trial nobody is asked',
  }),
  told({
    id: 'challenge-6',
    title: "A subject's own maximum is the one above which the proof is asked for",
    rules: [SUM],
    terms: { more: { overrides: [{ rule: 'unproven', max: { amount: 200 } }] } },
    steps: `
      10:00:00 | terms user:u-1 | more    |                                    |
      10:00:01 | check A | 150 capture    | allowed                            | unproven: used 150/1, left 50/-
      10:00:02 | check B | 51             | refused, to prove sca, by unproven |
      10:00:03 | check B | 51 +sca        | allowed                            | unproven: exceeded-proven
    `,
    why: 'an override changes the maximum and nothing else',
  }),
  told({
    id: 'notify-1',
    title: 'A rule that notifies counts everything, refuses nothing, and says by how much',
    rules: [CASH],
    steps: `
      10:00:00 | check A | 100 capture | allowed, over none, not full | cash: used 100/1, left 0/-, reached
      10:00:01 | check B | 20 capture  | allowed, over cash 20        | cash: used 120/2, exceeded-notify; room any, from 10:00:01
      10:00:02 | check C | 5           | allowed, over cash 25        | cash: used 120/2, held 5/1
      10:00:03 | rollback C |          | rolledBack                   |
      10:00:04 | check D | 1           | allowed, over cash 21        | cash: held 1/1
      03-03 00:00:00 | check E | 1     | allowed, over none           | cash: within
    `,
    why: 'a duty to report refuses nothing, and counts all of it',
  }),
  told({
    id: 'notify-2',
    title: 'It limits no amount where each payment needs a rule that does',
    rules: [CASH],
    onNoRule: 'refuse-unlimited',
    steps: `
      10:00:00 | check A | 1 | refused, without rule | applies cash; room 0, from never
      10:00:01 | check B | 0 | allowed               |
    `,
    why: 'nobody meant payments of any amount to pass because they are told of',
  }),
  told({
    id: 'notify-3',
    title: 'It shares the sum with a rule that refuses, for single payments too',
    rules: [HARD, CASH, { ...SINGLE, id: 'large', onExceed: 'notify' }],
    steps: `
      10:00:00 | check A | 31 capture | allowed, over large 1 | large: exceeded-notify; cash: within
      10:00:01 | check B | 120        | refused, by hard      | cash: exceeded-notify; large: exceeded-notify; hard: exceeded
      10:00:02 | confirm A |            | confirmed, 31         |
    `,
    why: 'what is told of above 100 is refused above 150',
  }),
  told({
    id: 'notify-4',
    title: 'A late confirm and a record are told of as ever',
    rules: [CASH],
    steps: `
      10:00:00 | check A   | 90 60s         | allowed                     | cash: held 90/1
      10:05:00 | check B   | 90 capture     | allowed                     | cash: used 90/1
      10:06:00 | confirm A |                | confirmed, 90, late, over cash 80 |
      10:07:00 | record C  | 10 @10:00:00   | recorded, in cash, over cash 90   |
    `,
    why: 'they were told of before there was such a rule',
  }),
];
