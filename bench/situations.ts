import type { Build } from './builds.ts';
import { nameIn } from './builds.ts';
import type { Placement } from './contenders.ts';
import { HOT_SLICE_MAX, UNTIMED_CALLERS, subjectsOf } from './contenders.ts';
import type { Contender } from './measure.ts';
import { spread } from './measure.ts';
import type { Held } from './workload.ts';
import { FIVE_RULES, MERCHANT_RULES, checkOf, hold, orderOf } from './workload.ts';

/** Situations less ordinary than a check of a known subject: two documents, new documents, new buckets. */
export function situations(build: Build, distinct: Placement): readonly Contender[] {
  return [
    ...usersAndMerchant(build, distinct),
    freshSubject(build),
    freshBucket(build, distinct.subjects),
  ];
}

/** One of many users pays one merchant: five rules of the user, two of the merchant. */
function usersAndMerchant(build: Build, placement: Placement): readonly Contender[] {
  const limits = build.serve([...FIVE_RULES, ...MERCHANT_RULES]);
  const [forCheck, forPair] = [subjectsOf(placement), subjectsOf(placement)];
  const holdOne = (orderId: string, user: string): Promise<Held> =>
    hold(limits, checkOf(orderId, { user, merchant: 'hot' }));
  const checked: Held[] = [];
  return [
    {
      name: nameIn(build, 'merchant check'),
      sliceMax: HOT_SLICE_MAX,
      run: async (number) => {
        checked.push(await holdOne(`two-${number}`, forCheck()));
      },
      tidy: () =>
        spread(checked.splice(0), UNTIMED_CALLERS, (held) => limits.confirm(orderOf(held))),
    },
    {
      name: nameIn(build, 'merchant pair'),
      run: async (number) => {
        await limits.confirm(orderOf(await holdOne(`two-pair-${number}`, forPair())));
      },
    },
  ];
}

/** A subject that nobody has seen, with every call. */
function freshSubject(build: Build): Contender {
  const limits = build.serve(FIVE_RULES);
  return {
    name: nameIn(build, 'fresh subject'),
    run: async (number) => {
      await hold(limits, checkOf('first', { user: `fresh-${number}` }));
    },
  };
}

const HOUR_MS = 3_600_000;

/** Orders of each subject an hour apart, checked and confirmed: the minute and the hour are always new. */
function freshBucket(build: Build, users: number): Contender {
  const limits = build.serve(FIVE_RULES);
  const firstMs = Date.UTC(2030, 0, 1, 0, 0, 30); // away from every boundary
  let calls = 0;
  let isMade = false;
  return {
    name: nameIn(build, 'fresh bucket'),
    prepare: async () => {
      if (isMade) return;
      isMade = true;
      const at = new Date(firstMs - HOUR_MS);
      await spread([...Array(users).keys()], UNTIMED_CALLERS, async (user) => {
        const request = checkOf('made', { user: `hourly-${user}` });
        await limits.check({ ...request, capture: true }, at);
      });
    },
    run: async (number) => {
      const call = calls++;
      const at = new Date(firstMs + Math.floor(call / users) * HOUR_MS);
      const orderId = `hourly-${number}`;
      const answer = await limits.check(checkOf(orderId, { user: `hourly-${call % users}` }), at);
      if (answer.kind !== 'allowed' || answer.reservation === undefined)
        throw new Error(`${orderId} was to be allowed but is ${answer.kind}`);
      await limits.confirm(orderOf({ orderId, token: answer.reservation }), at);
    },
  };
}
