import type { CheckRequest } from '../lib/shared/request.ts';
import type { Baseline } from './baselines.ts';
import { checks, confirms, freshBuckets, freshSubjects, groups, pairs, refusals } from './calls.ts';
import type { Make } from './calls.ts';
import type { Placement } from './placement.ts';
import {
  EXACT_RULES,
  FIELD_ATTRIBUTES,
  FIELD_RULES,
  FIFTY_RULES,
  FIVE_RULES,
  MERCHANT_RULES,
} from './workload.ts';

/** The least that is good enough, by where operations meet. */
type Goals = Partial<Readonly<Record<Placement['name'], number>>>;

/** A situation that Headroom is in: a row of the table, for each placement and number of callers. */
export type Situation = {
  readonly name: string;
  /** Says on the page how one operation goes. */
  readonly does: string;
  /** Default: on many subjects, and on one. */
  readonly on?: readonly Placement['name'][];
  /** The baselines that it is compared with beside the floor, and goals for the ratios, with GOAL_CALLERS. */
  readonly against?: Partial<Readonly<Record<Baseline['name'], Goals>>>;
  /** The most processor time of one order in the client, in milliseconds, on many subjects with GOAL_CALLERS. */
  readonly clientMsMost?: number;
  readonly make: Make;
};

/** No situation is to be slower than with another revision, but for what chance makes of a ratio. */
export const BESIDE_GOAL = 0.97;

/** Every user pays one merchant. */
const toMerchant = (user: string): CheckRequest['subjects'] => ({ user, merchant: 'hot' });

/** The rows of the table, in their order. A new situation is one row here. */
export const SITUATIONS: readonly Situation[] = [
  {
    name: 'check',
    does: 'A check of a user with five rules (minute, hour, day, month, year), each with an amount and a count.',
    against: {
      findOneAndUpdate: { distinct: 0.48, hot: 0.38 },
      'statement alone': { distinct: 0.93, hot: 0.93 },
      oneLimiter: {},
      fiveLimiters: { distinct: 5, hot: 3.5 },
      textbookCommit: { distinct: 3, hot: 3 },
    },
    clientMsMost: 0.4,
    make: checks(FIVE_RULES),
  },
  {
    name: 'confirm',
    does: 'A confirm of it, by its reservation.',
    against: { findOneAndUpdate: { distinct: 0.62, hot: 0.52 } },
    make: confirms,
  },
  {
    name: 'pair',
    does: 'A check and its confirm, one after the other.',
    make: pairs(FIVE_RULES),
  },
  {
    name: 'refusal',
    does: 'A check of a user without room.',
    against: { findOneAndUpdate: { distinct: 0.45, hot: 0.55 } },
    make: refusals,
  },
  {
    name: 'checks',
    does: '64 orders of one user in one call, with at most 16 callers. Rates are of orders, times of the call.',
    against: { findOneAndUpdate: { distinct: 10, hot: 9 } },
    clientMsMost: 0.025,
    make: groups('checks'),
  },
  {
    name: 'group',
    does: 'The 64 orders of such a call, confirmed by another one.',
    against: { findOneAndUpdate: { distinct: 4, hot: 2.4 } },
    make: groups('pairs'),
  },
  {
    name: 'merchant check',
    does: 'One of many users pays one merchant. Five rules limit the user, and two the merchant.',
    on: ['distinct'],
    against: { findOneAndUpdate: { distinct: 0.16 } },
    make: checks([...FIVE_RULES, ...MERCHANT_RULES], toMerchant, { isHot: true }),
  },
  {
    name: 'merchant pair',
    does: 'Such a payment, checked and confirmed.',
    on: ['distinct'],
    make: pairs([...FIVE_RULES, ...MERCHANT_RULES], toMerchant),
  },
  {
    name: 'fresh subject',
    does: 'A check of a new user, so that a document is made.',
    on: ['distinct'],
    against: { findOneAndUpdate: { distinct: 0.28 } },
    make: freshSubjects,
  },
  {
    name: 'fresh bucket',
    does: 'A pair of a user who pays once an hour, so that minute and hour are new each time.',
    on: ['distinct'],
    make: freshBuckets,
  },
  {
    name: 'unsettled',
    does: 'A check of a user whose payments nobody settles, with holds of one second.',
    on: ['distinct'],
    make: checks(FIVE_RULES, (user) => ({ user: `unsettled-${user}` }), { holdMs: 1_000 }),
  },
  {
    name: '50 rules',
    does: 'A check of a user with 50 rules.',
    on: ['hot'],
    make: checks(FIFTY_RULES, () => ({ user: 'rules' })),
  },
  {
    name: 'each field',
    does: 'A check of a user with eight rules: `when`, `challenge`, `review`, `outcome`, `minus`, `since`, `closed` and `distinct`.',
    against: { findOneAndUpdate: { distinct: 0.24, hot: 0.19 } },
    make: checks(FIELD_RULES, (user) => ({ user: `fields-${user}` }), {
      attributes: FIELD_ATTRIBUTES,
    }),
  },
  {
    name: '500 open',
    does: 'A check of a user who has 500 open payments.',
    on: ['hot'],
    make: checks(FIVE_RULES, () => ({ user: 'open' }), { open: 500 }),
  },
  {
    name: 'exact window',
    does: 'A check and its rollback in a rolling window of a minute, which keeps each payment.',
    on: ['hot'],
    make: pairs(EXACT_RULES, () => ({ user: 'exact' }), 'rollback'),
  },
];
