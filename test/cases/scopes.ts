/** Black-box cases about what enters a sum, what its maximum is asked for, and which maximum that is. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const DAY: ModelRule = { ...USER_DAY, id: 'day' };
const ANY_CURRENCY: ModelRule = {
  id: 'any-currency',
  per: ['user'],
  window: 'lifetime',
  max: { count: 9 },
  mode: 'enforce',
};

export const SCOPE_CASES: readonly LimitCase[] = [
  told({
    id: 'scope-counts-all-asks-some',
    title: 'What a rule does not apply to enters its sum, and is never refused by it',
    rules: [{ ...DAY, appliesTo: { is: { type: 'WITHDRAWAL' } } }],
    onNoRule: 'allow',
    steps: `
      10:00:00 | check A | 90 PAYMENT    | allowed           | applies none
      10:00:01 | check B | 11 WITHDRAWAL | refused, by day   | day: held 90/1
      10:00:02 | check C | 10 WITHDRAWAL | allowed, full
      10:00:03 | check D | 500 PAYMENT   | allowed, not full | applies none
      10:00:04 | check E | 1 WITHDRAWAL  | refused, by day
    `,
    why: 'payments may use up what withdrawals have',
  }),
  told({
    id: 'scope-edits-keep-the-sum',
    title: 'Another scope of a maximum is no other counter; another scope of the sum is',
    rules: [{ ...DAY, appliesTo: { is: { tier: 'gold' } } }],
    onNoRule: 'allow',
    changes: { forAll: [DAY], notGold: [{ ...DAY, counts: { not: { tier: 'gold' } } }] },
    steps: `
      10:00:00 | check A | 60 tier="silver" | allowed         | applies none
      10:01:00 | rules   | forAll
      10:01:01 | check B | 41 tier="silver" | refused, by day | day: held 60/1
      10:02:00 | rules   | notGold
      10:02:01 | check C | 41 tier="silver" | allowed         | day: held 41/1
    `,
    why: 'only what is counted says what the sum is',
  }),
  told({
    id: 'generation-begins-at-zero',
    title: 'A rule of another generation begins at zero, also with what was held before',
    rules: [DAY],
    changes: {
      anew: [{ ...DAY, generation: 2 }],
      raised: [{ ...DAY, generation: 2, max: { amount: 101 } }],
    },
    steps: `
      10:00:00 | check A   | 60         | allowed
      10:00:01 | check B   | 40 capture | allowed
      10:01:00 | rules     | anew
      10:01:01 | check C   | 90         | allowed              | day: used 0/0, held 90/1
      10:01:02 | confirm A |            | confirmed, over none
      10:01:03 | check D   | 10         | allowed              | day: used 0/0, held 100/2
      10:01:04 | check E   | 1          | refused, by day
      10:02:00 | rules     | raised
      10:02:01 | check E   | 1          | allowed              | day: held 101/3
    `,
    why: 'a change that adds a rule again says that earlier payments do not count',
  }),
  told({
    id: 'scope-not',
    title: 'What `not` names is left out, of every name; what has no such attribute is in',
    rules: [
      {
        ...DAY,
        counts: {
          is: { type: ['PAYMENT', 'TRANSFER'] },
          not: { channel: 'branch', tier: ['staff', 'test'] },
        },
      },
    ],
    onNoRule: 'allow',
    steps: `
      10:00:00 | check A | 1 PAYMENT                  | allowed | applies day
      10:00:01 | check B | 1 TRANSFER tier="gold"     | allowed | applies day
      10:00:02 | check C | 1 PAYMENT channel="branch" | allowed | applies none
      10:00:03 | check D | 1 PAYMENT tier="test"      | allowed | applies none
      10:00:04 | check E | 1 WITHDRAWAL               | allowed | applies none
    `,
    why: 'a rule for all but staff names staff, not everybody else',
  }),
  told({
    id: 'scope-maximum-by-tier',
    title: 'A customer who moves from one tier to another keeps the sum and gets the other maximum',
    rules: [{ ...DAY, maxBy: { name: 'tier', of: 'amount', values: { gold: 500, silver: 200 } } }],
    steps: `
      10:00:00 | check A | 150 tier="silver" | allowed         | day: left 50/-; room 50
      10:00:01 | check B | 51 tier="silver"  | refused, by day
      10:00:02 | check C | 51 tier="gold"    | allowed         | day: held 201/2, left 299/-
      10:00:03 | check D | 1                 | refused, by day | day: left 0/-
      10:00:04 | check E | 1 tier="bronze"   | refused, by day
    `,
    why: 'one counter for all tiers: nobody begins at zero by changing theirs',
  }),
  told({
    id: 'scope-late-tells-no-excess',
    title:
      'A confirm does not know the tier of its order, so it names no excess over a maximum by tier',
    rules: [
      { ...DAY, id: 'by-tier', maxBy: { name: 'tier', of: 'amount', values: { gold: 500 } } },
      { ...DAY, id: 'for-all', max: { amount: 300 } },
    ],
    steps: `
      10:00:00 | check A   | 200 1s tier="gold" | allowed
      10:00:02 | check B   | 200 tier="gold"    | allowed
      10:00:03 | confirm A |                    | confirmed, late, over for-all 100
    `,
    why: 'what is not known is not said; what is the same for all is',
  }),
  told({
    id: 'scope-shared-counter',
    title: 'Of rules that share a counter, those that apply refuse; it is entered once',
    rules: [
      { ...DAY, id: 'gold', max: { amount: 50 }, appliesTo: { is: { tier: 'gold' } } },
      { ...DAY, id: 'silver', max: { amount: 20 }, appliesTo: { is: { tier: 'silver' } } },
      { ...DAY, id: 'trial', max: { amount: 5 }, mode: 'shadow' },
    ],
    steps: `
      10:00:00 | check A | 30 tier="gold"  | allowed            | applies gold trial; gold: held 30/1; trial: exceeded-shadow
      10:00:01 | check B | 1 tier="silver" | refused, by silver | applies silver trial
      10:00:02 | check C | 20 tier="gold"  | allowed, full
      10:00:03 | check D | 900             | allowed            | applies trial
    `,
    why: 'a transaction that no maximum is asked for still counts for those that are asked later',
  }),
  told({
    id: 'scope-counts-is-no-limit',
    title:
      'A rule whose sum an order would only enter limits nothing, so that the order is without a rule',
    rules: [{ ...DAY, appliesTo: { is: { tier: 'gold' } } }],
    steps: `
      10:00:00 | check A | 1             | refused, without rule | applies none
      10:00:01 | check B | 1 tier="gold" | allowed               | day: held 1/1
    `,
    why: 'what nothing limits is refused where every order needs a rule',
  }),
  told({
    id: 'no-rule-unlimited',
    title: 'A rule without currency is not enough where every amount needs a limit',
    rules: [DAY, ANY_CURRENCY, { ...DAY, id: 'trial', currency: 'EUR', mode: 'shadow' }],
    onNoRule: 'refuse-unlimited',
    steps: `
      10:00:00 | check A | 1        | allowed                                | applies day any-currency
      10:00:01 | check B | 1 USD    | refused, without rule                  | applies any-currency; any-currency: held 0/1; room 0, from never
      10:00:01 | check B | 1 x9 USD | refused, without rule, by any-currency | applies any-currency; any-currency: exceeded
      10:00:02 | check C | 0 USD    | allowed                                | applies any-currency; room 0, from 10:00:02
      10:00:03 | check D | 900 EUR  | allowed                                | applies any-currency trial
    `,
    why: 'one rule that counts payments would let any amount of any other currency pass',
  }),
  told({
    id: 'no-rule-own-none',
    title: 'A subject without an own maximum is still limited by its rule',
    rules: [DAY],
    onNoRule: 'refuse-unlimited',
    terms: {
      noMaximum: {
        overrides: [{ rule: 'day', max: { amount: null } }],
      },
    },
    steps: `
      09:00:00 | terms user:u-1 | noMaximum
      10:00:00 | check A        | 900    | allowed | applies day; room any
    `,
    why: 'its author has looked at the amount',
  }),
  told({
    id: 'require-names',
    title: 'An order without a required name is not decided, and the names that it lacks are told',
    rules: [
      { ...DAY, match: { type: 'PAYMENT', verified: false }, require: ['verified', 'card'] },
      { ...DAY, id: 'all', require: ['tier', 'verified'] },
      { ...DAY, id: 'trial', mode: 'shadow', require: ['device'] },
      { ...DAY, id: 'euro', currency: 'EUR', require: ['iban'] },
    ],
    steps: `
      10:00:00 | check A  | 1 PAYMENT                                                | incompleteOrder, lacking verified card tier
      10:00:01 | check A  | 1 PAYMENT user:u-1 card:c-1 tier="x"                     | incompleteOrder, lacking verified
      10:00:02 | check A  | 1 PAYMENT user:u-1 tier="x" verified=true                | allowed, anew | applies all trial
      10:00:03 | check B  | 1 TRANSFER user:u-1 tier="x" verified=false              | allowed, anew | applies all trial
      10:00:04 | check C  | 1 PAYMENT user:u-1 tier="x" verified=false               | incompleteOrder, lacking card
      10:00:05 | check C  | 1 PAYMENT user:u-1 card:c-1 tier="x" verified=false      | allowed, anew | applies day all trial
      10:00:06 | check D  | 1 PAYMENT merchant:m-1                                   | refused, without rule
      10:00:07 | record E | 1 PAYMENT user:u-1 @09:00:00                             | recorded, in all trial
    `,
    why: 'a rule asks for names of what it counts, or would count with them; a payment that happened counts as it is',
  }),
  told({
    id: 'require-single',
    title: 'A rule for single transactions requires names of what it limits',
    rules: [
      {
        ...DAY,
        window: 'transaction',
        appliesTo: { is: { type: 'WITHDRAWAL' } },
        require: ['tier'],
      },
    ],
    onNoRule: 'allow',
    steps: `
      10:00:00 | check A | 1 PAYMENT              | allowed
      10:00:01 | check B | 1 WITHDRAWAL           | incompleteOrder, lacking tier
      10:00:02 | check B | 1                      | allowed
    `,
    why: 'it counts nothing',
  }),
  told({
    id: 'require-repeat',
    title: 'An order that is known is answered as before, whatever a rule requires by now',
    rules: [DAY],
    changes: {
      strict: [{ ...DAY, require: ['tier'], from: new Date('2026-03-02T10:02:00+08:00') }],
    },
    terms: { frozen: { frozen: {} } },
    steps: `
      10:00:00     | check A        | 1      | allowed, anew
      10:01:00     | rules          | strict
      10:01:59.999 | check B        | 1      | refused, without rule
      10:02:00     | check A        | 1      | allowed, again
      10:02:01     | check B        | 1      | incompleteOrder, lacking tier
      10:02:02     | terms user:u-1 | frozen
      10:02:03     | check B        | 1      | incompleteOrder, lacking tier
      10:02:04     | check B        | 1 tier="x" | refused, frozen
    `,
    why: 'a rule that is not in effect requires nothing; what is not told may be what thaws it',
  }),
  told({
    id: 'scope-proof',
    title: 'A rule may count orders by what the payer has proven, one of its proofs or none',
    rules: [
      { ...DAY, id: 'unproven', max: { amount: 100 }, counts: { not: { proof: 'sca' } } },
      { ...DAY, id: 'proven', max: { amount: 1_000 }, match: { proof: ['sca', 'otp'] } },
      { ...DAY, id: 'all', max: { amount: 10_000 } },
    ],
    steps: `
      10:00:00 | check A  | 60 capture           | allowed              | applies unproven all; unproven: used 60/1
      10:00:01 | check B  | 60                   | refused, by unproven | applies unproven all
      10:00:02 | check B  | 60 +sca              | allowed, anew        | applies proven all; proven: held 60/1
      10:00:03 | check B  | 60                   | allowed, again       |
      10:00:04 | confirm B |                     | confirmed            |
      10:00:05 | check C  | 40 capture +otp      | allowed              | applies unproven proven all; unproven: used 100/2; proven: used 100/2
      10:00:06 | record D | 30 +sca @09:00:00    | recorded, in proven all |
    `,
    why: 'sums since no strong proof was given need to know which payments had one',
  }),
];
