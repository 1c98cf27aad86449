import type { Db } from 'mongodb';
import type { Contender } from './measure.ts';
import type { Count } from './peers.ts';
import { fiveLimiters, oneLimiter, textbookCommit } from './peers.ts';
import type { Placement } from './placement.ts';
import { subjectsOf } from './placement.ts';
import { checkStatement } from './statement.ts';
import { AMOUNT_MINOR, plainIn } from './workload.ts';

/** Something to compare the calls of Headroom with: a column of the table, and a row of its own. */
export type Baseline = {
  readonly name: (typeof BASELINE_NAMES)[number];
  /** Says on the page how one operation goes. */
  readonly does: string;
  readonly make: (db: Db, placement: Placement) => Promise<Omit<Contender, 'name'>>;
};

/** Every row is compared with this one. */
export const FLOOR = 'findOneAndUpdate';

const BASELINE_NAMES = [
  FLOOR,
  'statement alone',
  'oneLimiter',
  'fiveLimiters',
  'textbookCommit',
] as const;

/** The columns of the table, in their order. */
export const BASELINES: readonly Baseline[] = [
  {
    name: FLOOR,
    does: 'The driver alone: one `$inc` of an amount and a count, upsert, by `_id`. No counter costs less.',
    make: floor,
  },
  {
    name: 'statement alone',
    does: 'The statement of a check, written before and sent by the driver. It shows the cost of database and driver in a check.',
    make: checkStatement,
  },
  {
    name: 'oneLimiter',
    does: 'One `RateLimiterMongo` of `rate-limiter-flexible`. It knows one amount.',
    make: counting(oneLimiter),
  },
  {
    name: 'fiveLimiters',
    does: 'Five of them, called at once by `RateLimiterUnion`. They know amounts only, no holds and no way back.',
    make: counting(fiveLimiters),
  },
  {
    name: 'textbookCommit',
    does: 'One multi-document commit. It reads rules and counters, adds to each counter and records the order. At most 16 run at once, since more only conflict.',
    make: counting(textbookCommit),
  },
];

function floor(db: Db, placement: Placement): Promise<Omit<Contender, 'name'>> {
  const counters = plainIn(db, 'floor');
  const subject = subjectsOf(placement);
  return Promise.resolve({
    run: async () => {
      await counters.findOneAndUpdate(
        { _id: subject() },
        { $inc: { amount: AMOUNT_MINOR, count: 1 } },
        {
          upsert: true,
          returnDocument: 'after',
          includeResultMetadata: false,
          writeConcern: { w: 'majority' },
        },
      );
    },
  });
}

/** Another way to count each order of a subject. */
function counting(makeCount: (db: Db) => Promise<Count>): Baseline['make'] {
  return async (db, placement) => {
    const count = await makeCount(db);
    const subject = subjectsOf(placement);
    return { run: (number) => count(subject(), `${placement.name}-${number}`) };
  };
}
