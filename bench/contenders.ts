import type { Db } from 'mongodb';
import type { Build } from './builds.ts';
import { nameIn } from './builds.ts';
import type { Contender } from './measure.ts';
import { atMost, spread } from './measure.ts';
import { fiveLimiters, oneLimiter, textbookCommit } from './peers.ts';
import type { Held } from './workload.ts';
import {
  AMOUNT_MINOR,
  FIVE_RULES,
  FULL_RULES,
  checkOf,
  hold,
  orderOf,
  plainIn,
  seededChance,
} from './workload.ts';

/** Whether operations meet at one document or at many. */
export type Placement = { readonly name: 'distinct' | 'hot'; readonly subjects: number };

/** The two placements of every comparison: so many subjects, and one. */
export function placementsOf(subjects: number): readonly [Placement, Placement] {
  return [
    { name: 'distinct', subjects },
    { name: 'hot', subjects: 1 },
  ];
}

/** Open holds on the hot subject while checks are measured: many more than that are no payments. */
export const HOT_SLICE_MAX = 128;

/** Untimed work shares the machine with nothing that is timed, so it may use all of it. */
export const UNTIMED_CALLERS = 16;

const FLOOR_OPTIONS = { upsert: true, writeConcern: { w: 'majority' } } as const;

/** Draws the subject of each operation; every contender draws the same ones. */
export function subjectsOf({ name, subjects }: Placement): () => string {
  const chance = seededChance(20_260_101);
  return () => `${name}-${Math.floor(chance() * subjects)}`;
}

/** One increment of one document through the same driver: the least that any counter costs. */
export function floor(db: Db, placement: Placement): Contender {
  const counters = plainIn(db, 'floor');
  const subject = subjectsOf(placement);
  return {
    name: 'findOneAndUpdate',
    run: async () => {
      await counters.findOneAndUpdate(
        { _id: subject() },
        { $inc: { amount: AMOUNT_MINOR, count: 1 } },
        { ...FLOOR_OPTIONS, returnDocument: 'after', includeResultMetadata: false },
      );
    },
  };
}

/** The floor without the document that it leaves. */
export function blindFloor(db: Db, placement: Placement): Contender {
  const counters = plainIn(db, 'floor');
  const subject = subjectsOf(placement);
  return {
    name: 'updateOne',
    run: async () => {
      await counters.updateOne(
        { _id: subject() },
        { $inc: { amount: AMOUNT_MINOR, count: 1 } },
        FLOOR_OPTIONS,
      );
    },
  };
}

/** The service's calls over five rules. The holds of a slice of checks are confirmed untimed. */
export function calls(build: Build, placement: Placement): readonly Contender[] {
  const limits = build.serve(FIVE_RULES);
  const sliceMax = placement.subjects === 1 ? { sliceMax: HOT_SLICE_MAX } : {};
  const holdOne = (subject: () => string, orderId: string): Promise<Held> =>
    hold(limits, checkOf(orderId, { user: subject() }));
  const [forCheck, forConfirm, forPair] = [
    subjectsOf(placement),
    subjectsOf(placement),
    subjectsOf(placement),
  ];
  const checked: Held[] = [];
  const waiting: Held[] = [];
  let prepared = 0;
  return [
    {
      name: nameIn(build, 'check'),
      ...sliceMax,
      run: async (number) => {
        checked.push(await holdOne(forCheck, `check-${number}`));
      },
      tidy: () =>
        spread(checked.splice(0), UNTIMED_CALLERS, (held) => limits.confirm(orderOf(held))),
    },
    {
      name: nameIn(build, 'confirm'),
      ...sliceMax,
      prepare: (count) =>
        spread([...Array(count).keys()], UNTIMED_CALLERS, async () => {
          waiting.push(await holdOne(forConfirm, `confirm-${prepared++}`));
        }),
      run: async () => {
        const held = waiting.pop();
        if (held === undefined) throw new RangeError('a slice confirms what was prepared for it');
        await limits.confirm(orderOf(held));
      },
    },
    {
      name: nameIn(build, 'pair'),
      run: async (number) => {
        await limits.confirm(orderOf(await holdOne(forPair, `pair-${number}`)));
      },
    },
  ];
}

/** Makes the documents of a placement, so that none is made while timed: a new one is a row of its own. */
export async function makeDocuments(build: Build, { name, subjects }: Placement): Promise<void> {
  const limits = build.serve(FIVE_RULES);
  const all = Array.from({ length: subjects }, (_, at) => `${name}-${at}`);
  await spread(all, UNTIMED_CALLERS, async (user) => {
    await limits.check({ ...checkOf(`made-${user}`, { user }), capture: true });
  });
}

/** Checks that do not fit, of subjects whose rules let one order pass and no more. */
export function refusals(build: Build, placement: Placement): Contender {
  const limits = build.serve(FULL_RULES);
  const subject = subjectsOf(placement);
  const filled = new Set<string>();
  return {
    name: nameIn(build, 'refusal'),
    prepare: async () => {
      const all = Array.from({ length: placement.subjects }, (_, at) => `${placement.name}-${at}`);
      const empty = all.filter((user) => !filled.has(user));
      await spread(empty, UNTIMED_CALLERS, async (user) => {
        filled.add(user);
        await limits.check({ ...checkOf(`full-${user}`, { user: `full-${user}` }), capture: true });
      });
    },
    run: async (number) => {
      const { kind } = await limits.check(
        checkOf(`refusal-${number}`, { user: `full-${subject()}` }),
      );
      if (kind !== 'refused') throw new Error(`a refusal was measured that is ${kind}`);
    },
  };
}

/** Orders that one call of many checks, and another one confirms. */
const GROUP_ORDERS = 64;

/** Callers of groups at once: their open holds stay within what the bench's documents may have. */
const GROUP_CALLERS_MAX = 16;

/**
 * Five rules, and 64 orders of one subject in one call: their checks, and then their confirms in
 * another call.
 */
export function groups(build: Build, placement: Placement): readonly Contender[] {
  const limits = build.serve(FIVE_RULES);
  const [forChecks, forGroup] = [subjectsOf(placement), subjectsOf(placement)];
  const checkGroup = async (subject: string, name: string): Promise<readonly Held[]> => {
    const requests = Array.from({ length: GROUP_ORDERS }, (_, order) =>
      checkOf(`${name}-${order}`, { user: subject }),
    );
    const checked = await limits.checkMany(requests, false);
    return checked.map((result, order) => {
      if (result.kind !== 'answered' || result.answer.kind !== 'allowed')
        throw new Error(`order ${order} of a group was to be allowed`);
      return { orderId: `${name}-${order}`, token: result.answer.reservation ?? '' };
    });
  };
  const confirmGroup = async (held: readonly Held[]): Promise<void> => {
    const settled = await limits.settleMany(
      held.map((one) => ({ ...orderOf(one), to: 'confirmed' })),
    );
    if (settled.some(({ kind }) => kind !== 'answered'))
      throw new Error('an order of a group was not confirmed');
  };
  const checked: (readonly Held[])[] = [];
  const runChecks = atMost(GROUP_CALLERS_MAX, async (number: number) => {
    checked.push(await checkGroup(forChecks(), `checks-${number}`));
  });
  const runGroup = atMost(GROUP_CALLERS_MAX, async (number: number) => {
    await confirmGroup(await checkGroup(forGroup(), `group-${number}`));
  });
  return [
    {
      name: nameIn(build, 'checks'),
      orders: GROUP_ORDERS,
      // On the hot subject so many calls hold as many orders as its document may have open.
      ...(placement.subjects === 1 ? { sliceMax: GROUP_CALLERS_MAX } : {}),
      run: runChecks,
      tidy: () => spread(checked.splice(0), UNTIMED_CALLERS, confirmGroup),
    },
    {
      name: nameIn(build, 'group'),
      orders: GROUP_ORDERS,
      run: runGroup,
    },
  ];
}

/** Other means that a team might use for the same limits. */
export async function peers(db: Db, placement: Placement): Promise<readonly Contender[]> {
  const [five, one, commit] = await Promise.all([
    fiveLimiters(db),
    oneLimiter(db),
    textbookCommit(db),
  ]);
  const [forFive, forOne, forCommit] = [
    subjectsOf(placement),
    subjectsOf(placement),
    subjectsOf(placement),
  ];
  return [
    { name: 'fiveLimiters', run: () => five(forFive()) },
    { name: 'oneLimiter', run: () => one(forOne()) },
    {
      name: 'textbookCommit',
      run: (number) => commit(forCommit(), `commit-${placement.name}-${number}`),
    },
  ];
}

/** Where operations meet: many documents, one, or what a row's name says. */
export type Where = Placement['name'] | 'situation';
