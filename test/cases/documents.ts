/** Black-box cases about rules of several kinds of subjects in one check. */
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, type LimitCase } from './case.ts';
import { told } from './told.ts';

const MERCHANT: ModelRule = {
  ...USER_DAY,
  id: 'merchant-day',
  per: ['merchant'],
  max: { amount: 150 },
};

/** What a document counts in it, it decides by what was read. */
const SECOND = { rollingMs: 1_000, stepMs: 'exact' } as const;

/** One counter for each merchant, in the document of the user. */
const PAIR: ModelRule = {
  ...USER_DAY,
  id: 'pair-day',
  per: ['user', 'merchant'],
  max: { amount: 40 },
};

/** One counter for each pair, in a document of its own. */
const OWN_PAIR: ModelRule = { ...PAIR, counterparts: 'many' };

export const DOCUMENT_CASES: readonly LimitCase[] = [
  told({
    id: 'documents-refused',
    title: 'What the merchant refuses leaves no trace at the user',
    rules: [USER_DAY, MERCHANT],
    steps: `
      10:00:00 | check A   | 100 capture user:u-1 merchant:m-1 | allowed, full            | applies user-day merchant-day; user-day: used 100/1, reached; merchant-day: used 100/1, within
      10:00:01 | check B   | 60 user:u-2 merchant:m-1          | refused, by merchant-day
      10:00:02 | confirm B | user:u-2 merchant:m-1             | notFound
      10:00:03 | check C   | 50 user:u-2 merchant:m-1          | allowed, full            | user-day: held 50/1, left 50/-; merchant-day: used 100/1, held 50/1, reached
    `,
    why: 'all documents or none',
  }),
  told({
    id: 'documents-user-refused',
    title: 'What the user refuses leaves no trace at the merchant',
    rules: [MERCHANT, USER_DAY],
    steps: `
      10:00:00 | check A | 101 user:u-1 merchant:m-1 | refused, by user-day
      10:00:01 | check B | 10 user:u-1 merchant:m-1  | allowed              | user-day: held 10/1; merchant-day: held 10/1
    `,
    why: 'all documents or none, in the other order',
  }),
  told({
    id: 'documents-repeat',
    title: 'A repeated check over two documents holds once in each',
    rules: [USER_DAY, MERCHANT],
    steps: `
      10:00:00 | check A | 30 user:u-1 merchant:m-1 | allowed, anew
      10:00:01 | check A | 30 user:u-1 merchant:m-1 | allowed, again, as held | user-day: held 30/1; merchant-day: held 30/1
      10:00:02 | check A | 30 user:u-1 merchant:m-2 | orderReused
    `,
    why: 'the merchant is content of the order',
  }),
  told({
    id: 'documents-confirm',
    title: 'Confirm and rollback reach every document, with the final amount',
    rules: [USER_DAY, MERCHANT],
    steps: `
      10:00:00 | check A    | 30 user:u-1 merchant:m-1 | allowed
      10:00:01 | check B    | 40 user:u-1 merchant:m-1 | allowed
      10:00:02 | confirm A  | 20 user:u-1 merchant:m-1 | confirmed, anew, 20, over none
      10:00:03 | rollback B | user:u-1 merchant:m-1    | rolledBack, anew
      10:00:04 | check A    | 30 user:u-1 merchant:m-1 | allowed, again, as confirmed   | user-day: used 20/1, held 0/0; merchant-day: used 20/1, held 0/0
      10:00:05 | rollback A | user:u-1 merchant:m-1    | alreadyConfirmed
      10:00:06 | confirm B  | user:u-1 merchant:m-1    | alreadyRolledBack
    `,
    why: 'one order has one end, wherever it was held',
  }),
  told({
    id: 'documents-expiry',
    title: 'An expiry frees every document, and a late confirm counts in every one',
    rules: [USER_DAY, MERCHANT],
    steps: `
      10:00:00     | check A   | 80 user:u-1 merchant:m-1 | allowed
      10:15:01.999 | check B   | 90 user:u-2 merchant:m-1 | refused, by merchant-day
      10:15:02     | check B   | 90 user:u-2 merchant:m-1 | allowed                                   | merchant-day: held 90/1, left 60/-
      10:16:00     | confirm A | user:u-1 merchant:m-1    | confirmed, 80, late, over merchant-day 20
      10:17:00     | check B   | 90 user:u-2 merchant:m-1 | allowed, again                            | user-day: used 0/0; merchant-day: used 80/1, held 90/1
    `,
    why: 'another user swept the hold of the first out of the document of the merchant',
  }),
  told({
    id: 'documents-twin',
    title:
      'An expired order of the merchant alone is confirmed late, though a user has an order of its id',
    rules: [USER_DAY, MERCHANT, { ...MERCHANT, id: 'span', window: SECOND, max: { count: 5 } }],
    steps: `
      10:00:00 | check A   | 30 merchant:m-1          | allowed
      10:15:00 | check A   | 20 user:u-1 merchant:m-1 | allowed, anew             | merchant-day: held 20/1
      10:15:01 | confirm A | merchant:m-1             | confirmed, anew, 30, late
      10:15:02 | confirm A | user:u-1 merchant:m-1    | confirmed, anew, 20       | merchant-day: used 50/2, held 0/0
    `,
    why: 'one id at two homes is two orders; the share of the one is in the document of the other',
  }),
  told({
    id: 'documents-merchant-only',
    title: 'A rule of the merchant applies to a check that no rule of the user applies to',
    onNoRule: 'allow',
    rules: [{ ...MERCHANT, max: { amount: 10 } }],
    steps: `
      10:00:00 | check A    | 10 user:u-1 merchant:m-1 | allowed, full            | applies merchant-day
      10:00:01 | check B    | 1 user:u-2 merchant:m-1  | refused, by merchant-day
      10:00:02 | rollback A | user:u-1 merchant:m-1    | rolledBack
      10:00:03 | check B    | 1 user:u-2 merchant:m-1  | allowed
      10:00:04 | check C    | 1000 user:u-2            | allowed                  | applies none
    `,
    why: 'every kind in per must be among the subjects; the user is home anyway',
  }),
  told({
    id: 'documents-no-user',
    title: 'A check without a user has its home at the first kind by name',
    rules: [MERCHANT, { ...MERCHANT, id: 'card-day', per: ['card'], max: { amount: 30 } }],
    steps: `
      10:00:00 | check A   | 30 merchant:m-1 card:c-1 | allowed, full        | applies merchant-day card-day
      10:00:01 | confirm A | card:c-1 merchant:m-1    | confirmed, anew
      10:00:02 | check B   | 1 merchant:m-1 card:c-1  | refused, by card-day
    `,
    why: 'the order in which subjects are written is not content',
  }),
  told({
    id: 'per-two-kinds',
    title: 'A rule per user and merchant counts each pair on its own',
    rules: [USER_DAY, PAIR],
    steps: `
      10:00:00 | check A | 40 user:u-1 merchant:m-1 | allowed, full        | applies user-day pair-day
      10:00:01 | check B | 1 user:u-1 merchant:m-1  | refused, by pair-day | room 0
      10:00:02 | check C | 40 user:u-1 merchant:m-2 | allowed              | user-day: held 80/2; pair-day: held 40/1
      10:00:03 | check D | 40 user:u-2 merchant:m-1 | allowed              | pair-day: held 40/1
      10:00:04 | check E | 20                       | allowed, full        | applies user-day
    `,
    why: 'neither the merchant nor the user alone is the one that is counted',
  }),
  told({
    id: 'per-two-kinds-many',
    title: 'A document for each pair counts what the document of the first subject would',
    rules: [USER_DAY, OWN_PAIR],
    steps: `
      10:00:00 | check A    | 40 user:u-1 merchant:m-1 | allowed, full        | applies user-day pair-day; pair-day: held 40/1, reached
      10:00:01 | check B    | 1 user:u-1 merchant:m-1  | refused, by pair-day | room 0
      10:00:02 | check C    | 40 user:u-1 merchant:m-2 | allowed              | user-day: held 80/2; pair-day: held 40/1
      10:00:03 | check D    | 40 user:u-2 merchant:m-1 | allowed              | pair-day: held 40/1
      10:00:04 | confirm A  | 30 user:u-1 merchant:m-1 | confirmed, anew, 30
      10:00:05 | rollback D | user:u-2 merchant:m-1    | rolledBack, anew
      10:00:06 | check E    | 10 user:u-1 merchant:m-1 | allowed, full        | user-day: used 30/1, held 50/2; pair-day: used 30/1, held 10/1
      10:15:03 | check F    | 40 user:u-1 merchant:m-2 | refused, by pair-day | user-day: used 30/1, held 10/1; pair-day: held 40/1
      10:15:04 | check F    | 40 user:u-1 merchant:m-2 | allowed              | pair-day: held 40/1
    `,
    why: 'where a counter stands changes no answer',
  }),
  told({
    id: 'per-two-kinds-first',
    title:
      'A document of a pair has the terms of its first subject, whose own document counts nothing',
    onNoRule: 'allow',
    rules: [{ ...OWN_PAIR, per: ['merchant', 'user'] }],
    terms: {
      more: { overrides: [{ rule: 'pair-day', max: { amount: 60 } }] },
      frozen: { frozen: {} },
    },
    steps: `
      10:00:00 | check A | 40 user:u-1 merchant:m-1 | allowed              | applies pair-day
      10:00:01 | terms merchant:m-1 | more
      10:00:02 | check B | 20 user:u-1 merchant:m-1 | allowed, full        | pair-day: held 60/2
      10:00:03 | check C | 41 user:u-1 merchant:m-2 | refused, by pair-day
      10:00:04 | terms merchant:m-1 | frozen
      10:00:05 | check D | 1 user:u-2 merchant:m-1  | refused, frozen
      10:00:06 | check D | 1 user:u-2 merchant:m-2  | allowed
    `,
    why: 'maxima of its own and freezes are the first subject’s, wherever the counter stands',
  }),
  told({
    id: 'per-two-kinds-moved',
    title: 'A rule that gives each pair a document of its own begins a new sum',
    rules: [USER_DAY, PAIR],
    changes: { moved: [USER_DAY, OWN_PAIR], back: [USER_DAY, PAIR] },
    steps: `
      10:00:00 | check A   | 30 user:u-1 merchant:m-1 | allowed
      10:00:01 | rules     | moved
      10:00:02 | check B   | 40 user:u-1 merchant:m-1 | allowed, full       | pair-day: held 40/1
      10:00:03 | confirm A | user:u-1 merchant:m-1    | confirmed, anew, 30
      10:00:04 | check C   | 1 user:u-1 merchant:m-1  | refused, by pair-day | user-day: used 30/1, held 40/1; pair-day: used 0/0, held 40/1
      10:00:05 | rules     | back
      10:00:06 | check C   | 10 user:u-1 merchant:m-1 | allowed, full       | pair-day: used 30/1, held 10/1
      10:00:07 | confirm B | user:u-1 merchant:m-1    | confirmed, anew, 40
    `,
    why: 'a hold ends where its check held it, whatever the rules say by then',
  }),
  told({
    id: 'documents-open-holds',
    title: 'A user with as many open holds as it may have closes no merchant',
    rules: [USER_DAY, MERCHANT],
    openHoldsMax: 2,
    openSharesMax: 3,
    steps: `
      10:00:00 | check A   | 0 user:u-1 merchant:m-1         | allowed
      10:00:01 | check B   | 0 user:u-1 merchant:m-1         | allowed
      10:00:02 | check C   | 0 user:u-1 merchant:m-1         | tooManyOpenHolds
      10:00:03 | check C   | 0 user:u-1 merchant:m-1 capture | allowed, as confirmed
      10:00:04 | check D   | 1 user:u-2 merchant:m-1         | allowed
    `,
    why: 'its own bound comes first',
  }),
  told({
    id: 'documents-open-shares',
    title: 'A merchant with as many open shares as it may have still counts at once',
    rules: [USER_DAY, MERCHANT],
    openHoldsMax: 2,
    openSharesMax: 3,
    steps: `
      10:00:00 | check A   | 1 user:u-1 merchant:m-1         | allowed
      10:00:01 | check B   | 1 user:u-1 merchant:m-1         | allowed
      10:00:02 | check C   | 1 user:u-2 merchant:m-1         | allowed
      10:00:03 | check D   | 1 user:u-3 merchant:m-1         | tooManyOpenHolds
      10:00:04 | check D   | 1 user:u-3 merchant:m-1 capture | allowed, as confirmed | merchant-day: used 1/1, held 3/3
      10:00:05 | check E   | 1 user:u-3 merchant:m-1         | tooManyOpenHolds
      10:00:06 | confirm A | user:u-1 merchant:m-1           | confirmed
      10:00:07 | check E   | 1 user:u-3 merchant:m-1         | allowed
    `,
    why: 'a captured order leaves no share open',
  }),
  told({
    id: 'documents-own-holds',
    title: 'Shares of other orders take no room among a document’s own holds, nor these among them',
    rules: [USER_DAY, MERCHANT],
    openHoldsMax: 1,
    openSharesMax: 2,
    steps: `
      10:00:00 | check A | 1 user:u-1 merchant:m-1 | allowed
      10:00:01 | check B | 1 user:u-2 merchant:m-1 | allowed
      10:00:02 | check C | 1 merchant:m-1          | allowed
      10:00:03 | check D | 1 merchant:m-1          | tooManyOpenHolds
      10:00:04 | check E | 1 user:u-3 merchant:m-1 | tooManyOpenHolds
    `,
    why: 'customers must not stop what a merchant pays out',
  }),
  told({
    id: 'documents-open-of-app',
    title: 'An application has its part of open holds and shares, and leaves the rest to others',
    rules: [USER_DAY, MERCHANT],
    openHoldsMax: 4,
    openSharesMax: 3,
    steps: `
      10:00:00 | check wallet/A   | 1 user:u-1 of-50%                     | allowed
      10:00:01 | check wallet/B   | 1 user:u-1 of-50%                     | allowed
      10:00:02 | check wallet/C   | 1 user:u-1 of-50%                     | tooManyOpenHolds
      10:00:03 | check wallet/C   | 1 user:u-1 of-50% capture             | allowed, as confirmed
      10:00:04 | check wallet/D   | 1 user:u-1                            | allowed
      10:00:05 | check E          | 1 user:u-1 of-50%                     | allowed
      10:00:06 | check F          | 1 user:u-1 of-50%                     | tooManyOpenHolds
      10:00:07 | rollback wallet/A | user:u-1                             | rolledBack
      10:00:08 | check wallet/F   | 1 user:u-1 of-50%                     | tooManyOpenHolds
      10:00:09 | check wallet/F   | 1 user:u-1 of-75%                     | allowed
      10:00:10 | check wallet/G   | 1 user:u-2 merchant:m-1 of-50%        | allowed
      10:00:11 | check wallet/H   | 1 user:u-3 merchant:m-1 of-50%        | tooManyOpenHolds
      10:00:12 | check H          | 1 user:u-3 merchant:m-1               | allowed
    `,
    why: 'one application must not take the places of all others, and has one at least',
  }),
];
