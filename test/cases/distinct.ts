/** Black-box cases about rules that count different values: `max.distinct`. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const { currency: _, ...ANY_DAY } = USER_DAY;
const CARDS: ModelRule = { ...ANY_DAY, id: 'cards', distinct: 'card', max: { count: 2 } };
const TRIED: ModelRule = { ...CARDS, id: 'tried', outcome: 'ended' };
const FAILED: ModelRule = { ...CARDS, id: 'failed', outcome: 'rolledBack' };

export const DISTINCT_CASES: readonly LimitCase[] = [
  told({
    id: 'distinct-1',
    title: 'Two different cards a day: a card that is there fits, however often',
    rules: [CARDS],
    steps: `
      10:00:00 | check A | 5 card="a" x7     | allowed, not full         | cards: used 0/0, held 0/1, left -/1
      10:00:01 | confirm A |                 | confirmed, over none      |
      10:00:02 | check B | 5 card="a"        | allowed, not full         | cards: used 0/1, held 0/0, left -/1
      10:00:03 | check C | 5 card="b"        | allowed, full by cards    | cards: used 0/1, held 0/1, left -/0, reached
      10:00:04 | check D | 5 card="a"        | allowed, not full         | cards: used 0/1, held 0/1, reached
      10:00:05 | check E | 5 card="c"        | refused, by cards         | cards: used 0/1, held 0/1, retry 03-03 00:00:00; room 0 by cards
      10:00:06 | check F | 5 card="b" x9     | allowed, not full         | cards: used 0/1, held 0/1
      03-03 00:00:00 | check E | 5 card="c"  | allowed                   | cards: used 0/0, held 0/1
    `,
    why: 'who uses many cards in a day has probably stolen them',
  }),
  told({
    id: 'distinct-11',
    title: 'A payment that a full trial does not count is recorded without it',
    rules: [
      { ...CARDS, mode: 'shadow' },
      { ...USER_DAY, max: { count: 9 } },
    ],
    steps: `
      10:00:00 | check A  | 5 card="a"            | allowed                       |
      10:00:01 | check B  | 5 card="b"            | allowed                       | cards: held 0/2, reached
      10:00:02 | record C | 5 card="c" @10:00:02  | recorded, in user-day, past none | 
      10:00:03 | check D  | 5 card="c"            | allowed                       | cards: held 0/2, exceeded-shadow
    `,
    why: 'the answer tells where the payment counts, however many adds that took',
  }),
  told({
    id: 'distinct-12',
    title: 'A trial that is exceeded would refuse no value that is used',
    rules: [
      { ...CARDS, mode: 'shadow' },
      { ...USER_DAY, max: { count: 9 } },
    ],
    steps: `
      10:00:00 | check A   | 5 card="a" 60s     | allowed         | cards: held 0/1
      10:01:00 | check B   | 5 card="b" capture | allowed         | cards: used 0/1
      10:01:01 | check C   | 5 card="c"         | allowed         | cards: used 0/1, held 0/1, reached
      10:01:02 | confirm A |                    | confirmed, late |
      10:01:03 | check D   | 5 card="a"         | allowed         | cards: used 0/2, held 0/1, reached
      10:01:04 | check D   | 5 card="a"         | allowed, again  | cards: used 0/2, held 0/1, reached
      10:01:05 | check E   | 5 card="b" capture | allowed         | cards: used 0/2, held 0/1, reached
      10:01:06 | check F   | 5 card="c"         | allowed         | cards: used 0/2, held 0/1, exceeded-shadow
      10:01:07 | check G   | 5 card="d" capture | allowed         | cards: used 0/2, held 0/1, exceeded-shadow
    `,
    why: 'who tries a rule wants to know what it would do in force',
  }),
  told({
    id: 'distinct-13',
    title:
      'The repeat of a capture tells that a trial was full for its value, also when there is room',
    rules: [
      { ...CARDS, mode: 'shadow' },
      { ...USER_DAY, max: { count: 9 } },
    ],
    steps: `
      10:00:00 | check A    | 5 card="a"         | allowed        | cards: held 0/1
      10:00:01 | check B    | 5 card="b"         | allowed        | cards: held 0/2, reached
      10:00:02 | check C    | 5 card="c" capture | allowed, anew  | cards: held 0/2, exceeded-shadow
      10:00:03 | check C    | 5 card="c" capture | allowed, again | cards: held 0/2, exceeded-shadow
      10:00:04 | rollback A |                    | rolledBack     |
      10:00:05 | check C    | 5 card="c" capture | allowed, again | cards: held 0/1, exceeded-shadow
    `,
    why: 'a caller whose answer was lost gets it by the repeat',
  }),
  told({
    id: 'distinct-2',
    title: 'A value stays while one of its orders does, and goes with the last',
    rules: [CARDS],
    steps: `
      10:00:00 | check A | 5 card="a"        | allowed            | cards: held 0/1
      10:00:01 | check B | 5 card="a"        | allowed            | cards: held 0/1
      10:00:02 | check C | 5 card="b" 60s    | allowed, full by cards | cards: held 0/2
      10:00:03 | rollback A |                | rolledBack         |
      10:00:04 | check D | 5 card="c"        | refused, by cards  | cards: used 0/0, held 0/2
      10:00:05 | rollback B |                | rolledBack         |
      10:00:06 | check D | 5 card="c"        | allowed, full      | cards: used 0/0, held 0/2
      10:00:07 | check E | 5 card="a"        | refused, by cards  | cards: used 0/0, held 0/2
      10:01:02 | check E | 5 card="a"        | allowed            | cards: used 0/0, held 0/2
      10:01:03 | confirm C |                 | confirmed, late    |
      10:01:04 | check F | 5 card="b"        | allowed, not full  | cards: used 0/1, held 0/2, left -/0
      10:01:05 | check G | 5 card="d"        | refused, by cards  | cards: used 0/1, held 0/2
    `,
    why: 'a late confirm tells of a card that was used, and a card that is there is no further one',
  }),
  told({
    id: 'distinct-3',
    title: 'What is captured counts at once, and a record counts above the maximum',
    rules: [CARDS],
    steps: `
      10:00:00 | check A | 5 card="a" capture | allowed, as confirmed | cards: used 0/1, held 0/0
      10:00:01 | record B | 5 card="b" @09:00:00 | recorded, in cards, over none |
      10:00:02 | record C | 5 card="c" @09:00:00 | recorded, in cards |
      10:00:03 | record D | 5 @09:00:00       | recorded, in none     |
      10:00:04 | check E | 5 card="c"         | allowed, not full     | cards: used 0/3, held 0/0, left -/0
      10:00:05 | check F | 5 card="d"         | refused, by cards     | cards: used 0/3
      10:00:06 | check A | 5 card="a" capture | allowed, again        | cards: used 0/3
    `,
    why: 'what happened is counted, and needs no name that nobody kept',
  }),
  told({
    id: 'distinct-4',
    title: 'An order must have the name, and a number is the value that its text is',
    rules: [CARDS, { ...CARDS, id: 'trial', distinct: 'device', mode: 'shadow' }, USER_DAY],
    steps: `
      10:00:00 | check A | 5                  | incompleteOrder, lacking card |
      10:00:01 | check A | 5 card=7           | allowed            | applies cards user-day; cards: held 0/1
      10:00:02 | check B | 5 card="7" device=true | allowed        | applies cards trial user-day; cards: held 0/1; trial: held 0/1
      10:00:03 | check C | 5 card="z" device="x" | allowed          | cards: held 0/2; trial: held 0/2
    `,
    why: 'two systems of one caller may write the same card differently',
  }),
  told({
    id: 'distinct-5',
    title: 'The outcomes of the rule say which orders keep their value',
    rules: [TRIED, { ...FAILED, max: { count: 1 } }],
    steps: `
      10:00:00 | check A | 5 card="a"         | allowed            | tried: held 0/1; failed: held 0/1, left -/0
      10:00:01 | check B | 5 card="b"         | refused, by failed | tried: held 0/1; failed: used 0/0, held 0/1
      10:00:02 | rollback A |                 | rolledBack         |
      10:00:03 | check C | 5 card="a"         | allowed            | tried: used 0/1, held 0/0; failed: used 0/1, held 0/0
      10:00:04 | confirm C |                  | confirmed          |
      10:00:05 | check D | 5 card="b" capture | refused, by failed | failed: used 0/1
      10:00:06 | check E | 5 card="a" capture | allowed            | tried: used 0/1; failed: used 0/1
    `,
    why: 'who counts cards that were tried does not let a thief try more',
  }),
  told({
    id: 'distinct-6',
    title: 'What is captured asks for a place among failures and takes none',
    rules: [{ ...FAILED, max: { count: 1 } }],
    steps: `
      10:00:00 | check A | 5 card="a" capture | allowed, not full  | failed: used 0/0, held 0/0, left -/1
      10:00:01 | check B | 5 card="b" capture | allowed            | failed: used 0/0, held 0/0
      10:00:02 | check C | 5 card="c"         | allowed            | failed: held 0/1
      10:00:03 | check D | 5 card="a" capture | refused, by failed | failed: held 0/1
      10:00:04 | check E | 5 card="c" capture | allowed            | failed: held 0/1
    `,
    why: 'a payment that went through is no failure',
  }),
  told({
    id: 'distinct-7',
    title: 'Merchants of a user, in the document of the user, since ever',
    rules: [
      { ...CARDS, id: 'shops', distinct: 'merchant', window: 'lifetime' },
      { ...CARDS, id: 'users', per: ['merchant'], distinct: 'user', max: { count: 1 } },
    ],
    steps: `
      10:00:00 | check A | 5 user:u-1 merchant:m-1 | allowed            | shops: held 0/1; users: held 0/1
      10:00:01 | check B | 5 user:u-2 merchant:m-1 | refused, by users  | shops: held 0/0; users: held 0/1
      10:00:02 | rollback A | user:u-1 merchant:m-1 | rolledBack        |
      10:00:03 | check B | 5 user:u-2 merchant:m-1 | allowed            | shops: held 0/1; users: held 0/1
      10:00:04 | check C | 5 user:u-1 merchant:m-2 capture | allowed    | shops: used 0/1, held 0/0
      10:00:05 | check D | 5 user:u-1 merchant:m-3 | allowed, full      | shops: used 0/1, held 0/1; users: held 0/1
      10:00:06 | check E | 5 user:u-1 merchant:m-4 | refused, by shops  | shops: used 0/1, held 0/1, retry never
    `,
    why: 'a subject of another kind is a value like any other',
  }),
  told({
    id: 'distinct-8',
    title: 'A subject may have a maximum of its own, of 100 at most',
    rules: [CARDS],
    terms: {
      higher: { overrides: [{ rule: 'cards', max: { count: 3 } }] },
      unlimited: { overrides: [{ rule: 'cards', max: { count: null } }] },
    },
    steps: `
      10:00:00 | check A | 5 card="a"         | allowed            |
      10:00:01 | check B | 5 card="b"         | allowed            |
      10:00:02 | terms user:u-1 | higher      |                    |
      10:00:03 | check C | 5 card="c"         | allowed, full by cards | cards: held 0/3, left -/0
      10:00:04 | check D | 5 card="d"         | refused, by cards  |
      10:00:05 | terms user:u-1 | unlimited   |                    |
      10:00:06 | check D | 5 card="d"         | allowed            | cards: held 0/4
    `,
    why: 'each value has its place in the document',
  }),
  told({
    id: 'distinct-9',
    title: 'A rule that notifies counts above its maximum, and one on trial stops there',
    rules: [
      { ...CARDS, id: 'notes', max: { count: 1 }, onExceed: 'notify' },
      { ...CARDS, id: 'trial', max: { count: 1 }, refunds: { count: false }, mode: 'shadow' },
    ],
    steps: `
      10:00:00 | check A | 5 card="a" | allowed | notes: held 0/1, reached; trial: held 0/1, reached
      10:00:01 | check B | 5 card="b" | allowed | notes: held 0/2, exceeded-notify; trial: held 0/1, exceeded-shadow
      10:00:02 | check C | 5 card="a" | allowed | notes: held 0/2, exceeded-notify; trial: held 0/1, reached
      10:00:03 | rollback A |         | rolledBack |
      10:00:04 | rollback C |         | rolledBack |
      10:00:05 | check D | 5 card="c" | allowed | notes: held 0/2, exceeded-notify; trial: held 0/1, reached
    `,
    why: 'a trial that counted on would say nothing of the rule in force',
  }),
  told({
    id: 'distinct-10',
    title:
      'Above the maximum only a value that is used fits, and none that a hold had whose time is over',
    rules: [CARDS],
    steps: `
      10:00:00 | check A | 5 card="b" 60s     | allowed           | cards: held 0/1
      10:00:01 | record B | 5 card="a" @09:00:00 | recorded, in cards, over none |
      10:00:02 | record C | 5 card="c" @09:00:00 | recorded, in cards |
      10:00:03 | check D | 5 card="b"         | refused, by cards | cards: used 0/2, held 0/1
      10:00:04 | check E | 5 card="a"         | allowed, not full | cards: used 0/2, held 0/1, left -/0
      10:01:00 | check D | 5 card="b"         | refused, by cards | cards: used 0/2, held 0/0
      10:01:01 | check F | 5 card="c"         | allowed, not full | cards: used 0/2, held 0/0, reached
    `,
    why: 'a card that was never paid with is another one',
  }),
];
