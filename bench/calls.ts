import type { Limits } from '../lib/edge/limits.ts';
import type { Rule } from '../lib/rule/rule.ts';
import type { CheckRequest } from '../lib/shared/request.ts';
import type { Build } from './builds.ts';
import type { Contender } from './measure.ts';
import { atMost, spread } from './measure.ts';
import type { Placement } from './placement.ts';
import { UNTIMED_CALLERS, sliceBound, subjectsOf } from './placement.ts';
import type { Held } from './workload.ts';
import { FIVE_RULES, FULL_RULES, checkOf, hold, orderOf } from './workload.ts';

/** Makes what is measured of a build, where operations meet as the placement says. */
export type Make = (build: Build, placement: Placement) => Omit<Contender, 'name'>;

/** Makes the documents of a placement, so that none is made while timed: a new one is a row of its own. */
export async function makeDocuments(build: Build, { name, subjects }: Placement): Promise<void> {
  const limits = build.serve(FIVE_RULES);
  const all = Array.from({ length: subjects }, (_, at) => `${name}-${at}`);
  await spread(all, UNTIMED_CALLERS, async (user) => {
    await limits.check({ ...checkOf(`made-${user}`, { user }), capture: true });
  });
}

/** Names the subjects of an order, by the user that is drawn for it. */
type Paying = (user: string) => CheckRequest['subjects'];

/** How checks differ from ordinary ones. */
type Change = {
  /** Payments that are open before the first. */
  readonly open?: number;
  /** Holds as long as this, which nobody settles. Default: long ones, which are confirmed after each slice. */
  readonly holdMs?: number;
  /** Whether they meet at one document in every placement. */
  readonly isHot?: boolean;
  readonly attributes?: CheckRequest['attributes'];
};

/** Checks, one in each operation. */
export function checks(
  rules: readonly Rule[],
  paying: Paying = (user) => ({ user }),
  { open = 0, holdMs, isHot = false, attributes = {} }: Change = {},
): Make {
  return (build, placement) => {
    const limits = build.serve(rules);
    const user = subjectsOf(placement);
    const request = (orderId: string): CheckRequest => ({
      ...checkOf(orderId, paying(user())),
      attributes,
    });
    const held: Held[] = [];
    let missing = Array.from({ length: open }, (_, order) => order);
    return {
      ...sliceBound(isHot ? 'hot' : placement.name),
      prepare: async () => {
        await spread(missing, UNTIMED_CALLERS, (order) => hold(limits, request(`open-${order}`)));
        missing = [];
      },
      run: async (number) => {
        const order = request(`check-${number}`);
        if (holdMs === undefined) held.push(await hold(limits, order));
        else await hold(limits, { ...order, holdMs });
      },
      tidy: () => spread(held.splice(0), UNTIMED_CALLERS, (one) => limits.confirm(orderOf(one))),
    };
  };
}

/** Confirms of orders that were checked untimed. */
export const confirms: Make = (build, placement) => {
  const limits = build.serve(FIVE_RULES);
  const user = subjectsOf(placement);
  const waiting: Held[] = [];
  let prepared = 0;
  return {
    ...sliceBound(placement.name),
    prepare: (count) =>
      spread([...Array(count).keys()], UNTIMED_CALLERS, async () => {
        waiting.push(await hold(limits, checkOf(`confirm-${prepared++}`, { user: user() })));
      }),
    run: async () => {
      const held = waiting.pop();
      if (held === undefined) throw new RangeError('a slice confirms what was prepared for it');
      await limits.confirm(orderOf(held));
    },
  };
};

/** Checks, each with its end by reservation, in one operation. */
export function pairs(
  rules: readonly Rule[],
  paying: Paying = (user) => ({ user }),
  end: 'confirm' | 'rollback' = 'confirm',
): Make {
  return (build, placement) => {
    const limits = build.serve(rules);
    const user = subjectsOf(placement);
    return {
      run: async (number) => {
        const order = checkOf(`pair-${number}`, paying(user()));
        await limits[end](orderOf(await hold(limits, order)));
      },
    };
  };
}

/** Checks that do not fit, of subjects whose rules let one order pass and no more. */
export const refusals: Make = (build, placement) => {
  const limits = build.serve(FULL_RULES);
  const subject = subjectsOf(placement);
  let empty = Array.from({ length: placement.subjects }, (_, at) => `full-${placement.name}-${at}`);
  return {
    prepare: async () => {
      await spread(empty, UNTIMED_CALLERS, (user) =>
        limits.check({ ...checkOf(`first-${user}`, { user }), capture: true }),
      );
      empty = [];
    },
    run: async (number) => {
      const order = checkOf(`refusal-${number}`, { user: `full-${subject()}` });
      const { kind } = await limits.check(order);
      if (kind !== 'refused') throw new Error(`a refusal was measured that is ${kind}`);
    },
  };
};

/** Checks of subjects that nobody has seen. */
export const freshSubjects: Make = (build) => {
  const limits = build.serve(FIVE_RULES);
  return {
    run: async (number) => {
      await hold(limits, checkOf('first', { user: `fresh-${number}` }));
    },
  };
};

const HOUR_MS = 3_600_000;

/** Orders of each subject an hour apart, checked and confirmed: the minute and the hour are always new. */
export const freshBuckets: Make = (build, { subjects: users }) => {
  const limits = build.serve(FIVE_RULES);
  const firstMs = Date.UTC(2030, 0, 1, 0, 0, 30); // away from every boundary
  let calls = 0;
  let isMade = false;
  return {
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
      const order = checkOf(`hourly-${number}`, { user: `hourly-${call % users}` });
      await limits.confirm(orderOf(await hold(limits, order, at)), at);
    },
  };
};

/** Orders that one call of many checks, and another one confirms. */
const GROUP_ORDERS = 64;

/** Callers of groups at once: their open holds stay within what the bench's documents may have. */
const GROUP_CALLERS_MAX = 16;

/** Orders of one subject in one call: their checks alone, or each group of them with its confirms in another call. */
export function groups(what: 'checks' | 'pairs'): Make {
  return (build, placement) => {
    const limits = build.serve(FIVE_RULES);
    const user = subjectsOf(placement);
    const checked: (readonly Held[])[] = [];
    const confirm = (held: readonly Held[]): Promise<void> => confirmGroup(limits, held);
    const run = atMost(GROUP_CALLERS_MAX, async (number: number) => {
      const held = await checkGroup(limits, user(), `${what}-${number}`);
      if (what === 'pairs') await confirm(held);
      else checked.push(held);
    });
    return {
      orders: GROUP_ORDERS,
      // On the hot subject so many calls hold as many orders as its document may have open.
      ...(what === 'checks' && placement.name === 'hot' ? { sliceMax: GROUP_CALLERS_MAX } : {}),
      run,
      tidy: () => spread(checked.splice(0), UNTIMED_CALLERS, confirm),
    };
  };
}

async function checkGroup(limits: Limits, user: string, name: string): Promise<readonly Held[]> {
  const requests = Array.from({ length: GROUP_ORDERS }, (_, order) =>
    checkOf(`${name}-${order}`, { user }),
  );
  const checked = await limits.checkMany(requests, false);
  return checked.map((result, order) => {
    if (result.kind !== 'answered' || result.answer.kind !== 'allowed')
      throw new Error(`order ${order} of a group was to be allowed`);
    return { orderId: `${name}-${order}`, token: result.answer.reservation ?? '' };
  });
}

async function confirmGroup(limits: Limits, held: readonly Held[]): Promise<void> {
  const settled = await limits.settleMany(
    held.map((one) => ({ ...orderOf(one), to: 'confirmed' })),
  );
  if (settled.some(({ kind }) => kind !== 'answered'))
    throw new Error('an order of a group was not confirmed');
}
