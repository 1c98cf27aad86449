import type { Db } from 'mongodb';
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
  limitsOver,
  orderOf,
  plainIn,
  seededChance,
} from './workload.ts';

/** Whether operations meet at one document or at a thousand. */
export type Placement = { readonly name: 'distinct' | 'hot'; readonly subjects: number };

/** The two placements of every comparison. */
export const PLACEMENTS: readonly Placement[] = [
  { name: 'distinct', subjects: 1_000 },
  { name: 'hot', subjects: 1 },
];

/** Open holds on the hot subject while checks are measured: many more than that are no payments. */
const HOT_SLICE_MAX = 128;

/** Untimed work shares the machine with nothing that is timed, so it may use all of it. */
const UNTIMED_CALLERS = 16;

const FLOOR_OPTIONS = { upsert: true, writeConcern: { w: 'majority' } } as const;

/** Draws the subject of each operation; every contender draws the same ones. */
function subjectsOf({ name, subjects }: Placement): () => string {
  const chance = seededChance(20_260_101);
  return () => `${name}-${Math.floor(chance() * subjects)}`;
}

/** The least that any counter costs: one increment of one document through the same driver. */
export function floors(db: Db, placement: Placement): readonly Contender[] {
  const counters = plainIn(db, 'floor');
  const increment = { $inc: { amount: AMOUNT_MINOR, count: 1 } };
  const [forUpdate, forFind] = [subjectsOf(placement), subjectsOf(placement)];
  return [
    {
      name: 'updateOne',
      run: async () => {
        await counters.updateOne({ _id: forUpdate() }, increment, FLOOR_OPTIONS);
      },
    },
    {
      name: 'findOneAndUpdate',
      run: async () => {
        await counters.findOneAndUpdate({ _id: forFind() }, increment, {
          ...FLOOR_OPTIONS,
          returnDocument: 'after',
          includeResultMetadata: false,
        });
      },
    },
  ];
}

/** The service's calls over five rules. What a slice of checks holds is confirmed untimed. */
export function calls(db: Db, placement: Placement): readonly Contender[] {
  const limits = limitsOver(db, FIVE_RULES);
  const refusing = limitsOver(db, FULL_RULES);
  const sliceMax = placement.subjects === 1 ? { sliceMax: HOT_SLICE_MAX } : {};
  const holdOne = (subject: () => string, orderId: string): Promise<Held> =>
    hold(limits, checkOf(orderId, { user: subject() }));
  const [forCheck, forConfirm, forPair, forRefusal] = [
    subjectsOf(placement),
    subjectsOf(placement),
    subjectsOf(placement),
    subjectsOf(placement),
  ];
  const checked: Held[] = [];
  const waiting: Held[] = [];
  let prepared = 0;
  return [
    {
      name: 'check',
      ...sliceMax,
      run: async (number) => {
        checked.push(await holdOne(forCheck, `check-${number}`));
      },
      tidy: () =>
        spread(checked.splice(0), UNTIMED_CALLERS, (held) => limits.confirm(orderOf(held))),
    },
    {
      name: 'confirm',
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
      name: 'pair',
      run: async (number) => {
        await limits.confirm(orderOf(await holdOne(forPair, `pair-${number}`)));
      },
    },
    {
      name: 'refusal',
      run: async (number) => {
        const request = checkOf(`refusal-${number}`, { user: forRefusal() });
        const { kind } = await refusing.check(request);
        if (kind !== 'refused') throw new Error(`a refusal was measured that is ${kind}`);
      },
    },
  ];
}

/** Orders that one call of many checks, and then confirms. */
const GROUP_ORDERS = 64;

/** Callers of groups at once: their open holds stay within what the bench's documents may have. */
const GROUP_CALLERS_MAX = 16;

/** The same five rules, 64 orders of one subject in one update, then 64 confirms in another. */
export function groups(db: Db, placement: Placement): readonly Contender[] {
  const limits = limitsOver(db, FIVE_RULES);
  const forGroup = subjectsOf(placement);
  const runGroup = atMost(GROUP_CALLERS_MAX, async (number: number) => {
    const subjects = { user: forGroup() };
    const requests = Array.from({ length: GROUP_ORDERS }, (_, order) =>
      checkOf(`group-${number}-${order}`, subjects),
    );
    const checked = await limits.checkMany(requests, false);
    const confirms = checked.map((result, order) => {
      if (result.kind !== 'answered' || result.answer.kind !== 'allowed')
        throw new Error(`order ${order} of a group was to be allowed`);
      const token = result.answer.reservation ?? '';
      const orderId = `group-${number}-${order}`;
      return { ...orderOf({ orderId, token }), to: 'confirmed' } as const;
    });
    const settled = await limits.settleMany(confirms);
    if (settled.some(({ kind }) => kind !== 'answered'))
      throw new Error('an order of a group was not confirmed');
  });
  return [{ name: 'group', orders: GROUP_ORDERS, run: runGroup }];
}

/** What else a team might use for the same limits. */
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
