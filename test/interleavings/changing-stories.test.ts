/** Stories in which bounds, terms and rules decide, and documents are deleted, at every moment of a check. */
import { describe, expect, it } from 'vitest';
import type { Mistake } from './planting.ts';
import {
  DATED_TOO_SOON,
  MADE_UNDER_ANOTHER_NONCE,
  PLACES_COUNTED_BEFORE,
  RULES_FROM_BEFORE,
  TERMS_FROM_BEFORE,
} from './changing-mistakes.ts';
import { EMPTY_BY_COUNT } from './mistakes.ts';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import { PLAIN_SCENE, check, making } from './plain-scene.ts';
import type { Scene } from './scene.ts';
import { HOLD_MS } from './scene.ts';

/** Steps of a check of two documents, of a subject whose terms its process does not know. */
const CHECK_STEPS = 9;

const HOUR_MS = 3_600_000;
const WEEK_MS = 604_800_000;

const MAKING = making('user:u-1', 'merchant:m-1');

const BOTH: Scene = {
  ...PLAIN_SCENE,
  orders: ['o-1', 'o-2'].map((orderId) => ({
    ...{ orderId, subjects: { user: 'u-1', merchant: 'm-1' }, capture: false },
  })),
  maxima: { user: { amount: 909, count: 9 }, merchant: { amount: 909, count: 9 } },
  calls: [...MAKING, check('a', 0), check('b', 1)],
  ending: { ...PLAIN_SCENE.ending, confirms: [0, 1] },
};

const OF_USER: Scene = {
  ...BOTH,
  orders: BOTH.orders.map((order) => ({ ...order, subjects: { user: 'u-1' } })),
  maxima: { user: { amount: 909, count: 9 } },
};

/** An order is rolled back, eight other counters are empty, too, and a payment is counted and refunded. */
const EMPTIED: Scene = {
  ...OF_USER,
  orders: [
    { orderId: 'o-1', subjects: { user: 'u-1' }, capture: false },
    { orderId: 'o-2', subjects: { user: 'u-1' }, capture: true },
  ],
  audit: 'best-effort',
  emptied: true,
  calls: [
    check('a', 0),
    { name: 'back', do: 'settle', order: 0, to: 'rolledBack', by: 'subjects' },
    { name: 'empty', do: 'empty', document: 'user:u-1' },
    { name: 'sweep', do: 'sweep', document: 'user:u-1' },
    check('b', 1),
    { name: 'refund', do: 'refund', order: 1, refundId: 'whole', by: 'subjects' },
  ],
};

/** A call takes place at some moment of another, or before it. */
const within =
  (outer: string, inner: string) =>
  async (tale: ScriptedTale, [first = 0]: readonly number[]): Promise<void> => {
    await tale.whole('makes user:u-1');
    if (first === 0) await tale.whole(inner);
    await tale.start(outer);
    await tale.goOn(outer, first - 1);
    await tale.whole(inner);
    await tale.finish(outer);
  };

/** The first check was a week ago, and its documents are deleted at some moment of the second. */
async function deleteWithin(tale: ScriptedTale, [first = 0]: readonly number[]): Promise<void> {
  await tale.whole('a');
  await tale.wait(WEEK_MS + HOUR_MS + 2 * HOLD_MS); // documents go at the full hour
  await tale.start('b');
  await tale.goOn('b', first);
  await tale.make({ do: 'delete' });
  await tale.finish('b');
}

const STORIES: readonly {
  readonly title: string;
  readonly scene: Scene;
  readonly tell: (tale: ScriptedTale, cuts: readonly number[]) => Promise<void>;
  readonly mistake: Mistake;
  readonly invariant: string;
}[] = [
  {
    title: 'no more holds are open than may be',
    scene: { ...OF_USER, openMax: { holds: 1, shares: 1 } },
    tell: within('a', 'b'),
    mistake: PLACES_COUNTED_BEFORE,
    invariant: 'more holds open than may be',
  },
  {
    title: 'a check is decided under the terms that its subjects have when it is held',
    scene: {
      ...OF_USER,
      calls: [
        ...MAKING,
        check('a', 0),
        { name: 'freeze', do: 'terms', document: 'user:u-1', wish: { kind: 'freeze' } },
      ],
    },
    tell: within('a', 'freeze'),
    mistake: TERMS_FROM_BEFORE,
    invariant: 'held, though frozen',
  },
  {
    title: 'a check is decided by the rules that its process knew when it began',
    scene: {
      ...BOTH,
      laterRules: [
        { maxima: { user: { amount: 1, count: 1 }, merchant: { amount: 1, count: 1 } } },
      ],
      calls: [...MAKING, check('a', 0), { name: 'lower', do: 'rules' }, check('b', 1)],
    },
    tell: async (tale, cuts) => {
      await within('a', 'lower')(tale, cuts);
      await tale.whole('b');
    },
    mistake: RULES_FROM_BEFORE,
    invariant: 'above a maximum through an allowed check',
  },
  {
    title: 'a check makes documents again that were deleted meanwhile',
    scene: { ...BOTH, daily: ['user', 'merchant'], deletionAheadMs: 0 },
    tell: deleteWithin,
    mistake: MADE_UNDER_ANOTHER_NONCE,
    invariant: 'home holds, and another document does not',
  },
  {
    title:
      'a counter that a tidy found empty is kept, where a refund gave back its count alone since',
    scene: EMPTIED,
    tell: async (tale, [first = 0]) => {
      await tale.whole('a', 'back', 'empty');
      await tale.start('sweep');
      await tale.goOn('sweep', first);
      await tale.whole('b', 'refund');
      await tale.finish('sweep');
    },
    mistake: EMPTY_BY_COUNT,
    invariant: 'allowed, and no longer held',
  },
  {
    title: 'a document is kept for as long as anything in it matters',
    scene: { ...BOTH, daily: ['user', 'merchant'], deletionAheadMs: 0 },
    tell: deleteWithin,
    mistake: DATED_TOO_SOON,
    invariant: 'deleted too soon',
  },
];

describe.each(STORIES)('$title', ({ scene, tell, mistake, invariant }) => {
  it.each([false, true])('whichever step comes next (one commit: %s)', async (isOneCommit) => {
    expect(await brokenInEvery({ ...scene, isOneCommit }, [CHECK_STEPS], tell)).toEqual([]);
  });

  it(`would not be so, where ${mistake.name}`, async () => {
    const broken = await brokenInEvery(scene, [CHECK_STEPS], tell, { mistake, until: invariant });
    expect(broken.join('\n')).toContain(invariant);
  });
});

it('a call that is one commit with its rows leaves nothing of an order that it did not decide', async () => {
  const scene: Scene = {
    ...BOTH,
    audit: 'session',
    calls: [
      { name: 'first', do: 'record', orders: [0] },
      { name: 'both', do: 'record', orders: [0, 1] },
    ],
  };
  const broken = await brokenInEvery(scene, [CHECK_STEPS], async (tale, [first = 0]) => {
    await tale.whole('first');
    await tale.start('both');
    await tale.goOn('both', first);
    await tale.wait(HOLD_MS + 5_000); // beyond what the plan of a record holds for
    await tale.finish('both');
  });
  expect(broken).toEqual([]);
});

it.each([false, true])(
  'a check is decided while a maximum of its own ends that it was planned under (one commit: %s)',
  async (isOneCommit) => {
    const scene: Scene = {
      ...BOTH,
      isOneCommit,
      serversAheadMs: { merchant: 400 },
      calls: [
        {
          ...{ name: 'own', do: 'terms', document: 'user:u-1' },
          wish: { kind: 'override', max: { count: 9 }, forMs: HOLD_MS },
        },
        check('a', 0),
      ],
    };
    const broken = await brokenInEvery(scene, [CHECK_STEPS], async (tale, [first = 0]) => {
      await tale.whole('own');
      await tale.start('a');
      await tale.goOn('a', first);
      await tale.wait(HOLD_MS - 1); // by the merchant's server it is over
      await tale.finish('a');
    });
    expect(broken).toEqual([]);
  },
);

/** By its server's clock a freeze is over; by that of the other document, which is new, it is not yet. */
const ENDING_FREEZES = (['merchant', 'user'] as const).flatMap((frozen) =>
  ([undefined, 'session'] as const).flatMap((audit) =>
    [false, true].map((isOneCommit) => ({ frozen, audit, isOneCommit })),
  ),
);

it.each(ENDING_FREEZES)(
  'a check and a call of all or none are decided beside a new subject, just as the freeze of the $frozen ends (audit: $audit, one commit: $isOneCommit)',
  async ({ frozen, audit, isOneCommit }) => {
    const document = `${frozen}:${frozen.charAt(0)}-1`;
    const scene: Scene = {
      ...BOTH,
      ...(audit && { audit }),
      isOneCommit,
      serversAheadMs: { [frozen]: 400 },
      calls: [
        { name: 'freeze', do: 'terms', document, wish: { kind: 'freeze', forMs: HOLD_MS } },
        check('a', 0),
        { name: 'both', do: 'checks', orders: [0, 1], atomic: true },
      ],
    };
    for (const call of ['a', 'both']) {
      const broken = await brokenInEvery(scene, [1], async (tale) => {
        await tale.whole('freeze');
        await tale.wait(HOLD_MS);
        await tale.whole(call);
      });
      expect(broken).toEqual([]);
    }
  },
);
