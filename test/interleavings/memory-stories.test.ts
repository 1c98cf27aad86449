/** Stories in which home forgets an order while calls of it are under way. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import type { Mistake } from './planting.ts';
import { NOTHING_FORGOTTEN } from './mistakes.ts';
import {
  ASKED_NOT_MINDED,
  DROPPED_NOT_KEPT,
  DROPS_NOT_MINDED,
  FORGETS_AFTER_ROWS,
  MEMORY_NOT_MINDED,
  ROWS_NOT_ASKED,
} from './protocol-mistakes.ts';
import { PLAIN_SCENE, check, settle } from './plain-scene.ts';
import type { Scene, SceneCall } from './scene.ts';
import { HOLD_MS } from './scene.ts';

/** Steps of a check of two documents, of which the second may be full. */
const CHECK_STEPS = 7;

/** Home remembers one outcome. Two other payments take its place once a third tidies. */
function sceneOf(merchantCount: number): Scene {
  const [user, merchant] = ['u-1', 'm-1'];
  return {
    ...PLAIN_SCENE,
    orders: [
      { orderId: 'o-1', subjects: { user, merchant }, capture: false },
      { orderId: 'other', subjects: { user }, capture: true },
      { orderId: 'next', subjects: { user }, capture: true },
    ],
    maxima: {
      user: { amount: 90_909, count: 9 },
      merchant: { amount: 909, count: merchantCount },
    },
    calls: [
      ...[check('a'), check('b'), check('other', 1), check('next', 2)],
      settle('yes', 0, 'confirmed'),
      { name: 'sweep', do: 'sweep', document: `user:${user}` },
    ],
    outcomesMax: 1,
    ending: { ...PLAIN_SCENE.ending, confirms: [] },
  };
}

/** Of two checks one is held, confirmed and forgotten wherever the other is just then. */
async function forgetWithin(
  tale: ScriptedTale,
  [first = 0, second = 0, part = 0]: readonly number[],
): Promise<void> {
  await tale.start('a', 'b');
  await tale.goOn('a', first);
  await tale.goOn('b', second);
  await tale.finish('a');
  await tale.start('yes');
  await tale.goOn('yes', part);
  await tale.whole('other', 'next', 'sweep');
  await tale.finish('b', 'yes');
}

const CUTS = [CHECK_STEPS, CHECK_STEPS, 3];
const SOME = { some: 'cutsOfMemory' } as const;

describe.each([1, 2])('home remembers one outcome, the merchant has room for %i', (room) => {
  it.each(['plain', 'general', 'learning'] as const)(
    'and two checks, a confirm and what makes home forget come out right whenever they meet: %s',
    async (lanes) => {
      const scene = { ...sceneOf(room), lanes };
      expect(await brokenInEvery(scene, CUTS, forgetWithin, SOME)).toEqual([]);
    },
  );
});

const MERCHANT = 'm-1';

/** The shares of two orders that their callers left with one merchant, which has room to keep one. */
const SWEPT: Scene = {
  ...sceneOf(9),
  orders: [
    { orderId: 'o-1', subjects: { user: 'u-1', merchant: MERCHANT }, capture: true },
    { orderId: 'o-2', subjects: { user: 'u-2', merchant: MERCHANT }, capture: false },
  ],
  calls: [
    ...[check('a', 0), check('b', 1), check('again', 0)],
    { name: 'sweep', do: 'sweep', document: `merchant:${MERCHANT}` },
  ],
};

async function dieAtHome(tale: ScriptedTale, [first = 0]: readonly number[]): Promise<void> {
  await tale.start('a', 'b');
  await tale.goOn('a', first);
  await tale.finish('b');
  await tale.goOnPast('a', 'user:u-1');
  await tale.die('a');
  await tale.wait(3 * HOLD_MS);
  await tale.whole('sweep', 'again');
}

describe('a captured order whose caller died at home, and whose share had to go since', () => {
  it('is said to be uncounted', async () => {
    expect(await brokenInEvery(SWEPT, [CHECK_STEPS], dieAtHome)).toEqual([]);
  });

  it('would not be, if no document had forgotUntil', async () => {
    const broken = await brokenInEvery(SWEPT, [CHECK_STEPS], dieAtHome, {
      mistake: NOTHING_FORGOTTEN,
    });
    expect(broken).not.toEqual([]);
  });
});

/** Home remembers one order, and two calls of many ask about it and about a new one. */
function askedTogether(lanes: Scene['lanes']): Scene {
  const subjects = { user: 'u-1' };
  return {
    ...sceneOf(9),
    lanes,
    orders: [
      { orderId: 'o-1', subjects, capture: true },
      { orderId: 'o-2', subjects, capture: true },
    ],
    maxima: { user: { amount: 909, count: 9 } },
    calls: [
      check('first', 0),
      ...['a', 'b'].map((name): SceneCall => ({
        ...{ name, do: 'checks', orders: [1, 0], atomic: false },
      })),
    ],
  };
}

async function askTogether(tale: ScriptedTale, [first = 0, second = 0]: readonly number[]) {
  await tale.whole('first');
  await tale.start('a', 'b');
  await tale.goOn('a', first);
  await tale.goOn('b', second);
  await tale.finish('a', 'b');
}

describe.each(['learning', 'plain', 'general'] as const)(
  'the oldest order and a new one, %s',
  (lanes) => {
    it('are each counted once, whenever two calls of both meet', async () => {
      expect(await brokenInEvery(askedTogether(lanes), [3, 3], askTogether)).toEqual([]);
    });

    it('it would be found that home forgets what it is asked', async () => {
      const broken = await brokenInEvery(askedTogether(lanes), [3, 3], askTogether, {
        mistake: ASKED_NOT_MINDED,
      });
      expect(broken).not.toEqual([]);
    });
  },
);

/** Home remembers one outcome, and has had one. Then an order comes twice that counts at once. */
function countedAtOnce(audit: 'best-effort' | 'session', merchant?: string): Scene {
  const user = 'u-1';
  const several = merchant === undefined ? { user } : { user, merchant };
  return {
    ...sceneOf(9),
    audit,
    orders: [
      { orderId: 'o-1', subjects: several, capture: true },
      ...['first', 'other', 'next'].map((orderId) => ({
        ...{ orderId, subjects: { user }, capture: true },
      })),
    ],
    maxima: { user: { amount: 90_909, count: 9 }, merchant: { amount: 909, count: 9 } },
    calls: [
      ...[check('first', 1), check('a'), check('b'), check('other', 2), check('next', 3)],
      { name: 'many', do: 'checks', orders: [0], atomic: false },
      { name: 'record', do: 'record', orders: [0] },
      { name: 'sweep', do: 'sweep', document: `user:${user}` },
    ],
  };
}

/**
 * Of two calls one is counted and forgotten wherever the other is just then.
 *
 * @param process whether that of the other has seen that home may forget
 */
const countWithin =
  (again: string, process: 'seeing' | 'new') =>
  async (tale: ScriptedTale, [first = 0]: readonly number[]): Promise<void> => {
    if (process === 'new') await tale.start(again);
    await tale.whole('first');
    if (process === 'seeing') await tale.start(again);
    await tale.goOn(again, first);
    await tale.whole('a', 'other', 'next', 'sweep');
    await tale.finish(again);
  };

const CUTS_OF_ROWS = [2 * CHECK_STEPS];

describe.each(['best-effort', 'session'] as const)(
  'an order that counts at once, and comes again when home has forgotten it, AUDIT=%s',
  (audit) => {
    const calls = ['b', 'many', 'record'].flatMap((again) =>
      (['seeing', 'new'] as const).flatMap((process) => [
        { again, process, merchant: undefined },
        { again, process, merchant: MERCHANT },
      ]),
    );

    it.each(calls)(
      'counts once, wherever $again of a $process process is just then, merchant $merchant',
      async ({ again, process, merchant }) => {
        const scene = countedAtOnce(audit, merchant);
        const told = countWithin(again, process);
        expect(await brokenInEvery(scene, CUTS_OF_ROWS, told, { some: 'cutsOfRows' })).toEqual([]);
      },
    );
  },
);

it.each([
  { mistake: ROWS_NOT_ASKED, again: 'b', process: 'new' },
  { mistake: ROWS_NOT_ASKED, again: 'many', process: 'new' },
  { mistake: FORGETS_AFTER_ROWS, again: 'b', process: 'seeing' },
  { mistake: FORGETS_AFTER_ROWS, again: 'many', process: 'seeing' },
  { mistake: FORGETS_AFTER_ROWS, again: 'record', process: 'seeing' },
] as const)('it would be found in $again that $mistake.name', async (row) => {
  const { mistake, again, process } = row;
  const invariant = 'counted at once, though rows knew that it had ended';
  const told = countWithin(again, process);
  const options = { mistake, until: invariant };
  const broken = await brokenInEvery(countedAtOnce('best-effort'), CUTS_OF_ROWS, told, options);
  expect(broken.join('\n')).toContain(invariant);
});

/** Home remembers two orders. A call takes one, and asks about another that is recorded meanwhile. */
const RECORDED_MEANWHILE: Scene = {
  ...sceneOf(9),
  orders: [
    { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' }, capture: true },
    { orderId: 'o-2', subjects: { user: 'u-1' }, capture: true },
    { orderId: 'o-3', subjects: { user: 'u-1' }, capture: true },
  ],
  maxima: { user: { amount: 90_909, count: 9 }, merchant: { amount: 90_909, count: 9 } },
  outcomesMax: 2,
  calls: [],
};

it.each<{ calls: readonly [SceneCall, SceneCall, SceneCall] }>([
  {
    calls: [
      check('before', 1),
      {
        name: 'both',
        do: 'settlements',
        settlements: [
          { order: 0, to: 'confirmed', by: 'home' },
          { order: 1, to: 'confirmed', by: 'reservation' },
        ],
      },
      { name: 'record', do: 'record', orders: [0, 2] },
    ],
  },
  {
    calls: [
      { name: 'before', do: 'sweep', document: 'user:u-1' },
      { name: 'both', do: 'checks', orders: [1, 0], atomic: false },
      { name: 'record', do: 'record', orders: [0, 2] },
    ],
  },
])(
  'an order that was unknown is not forgotten by the $calls.1.do that ask about it',
  async ({ calls }) => {
    const orders = RECORDED_MEANWHILE.orders.map((order) => ({
      ...order,
      capture: calls[1].do === 'checks',
    }));
    const scene: Scene = { ...RECORDED_MEANWHILE, orders, calls, lanes: 'general' };
    const broken = await brokenInEvery(scene, [CHECK_STEPS], async (tale, [first = 0]) => {
      await tale.whole('before');
      await tale.start('both');
      await tale.goOn('both', first);
      await tale.whole('record');
      await tale.finish('both');
    });
    expect(broken).toEqual([]);
  },
);

const MISTAKES: readonly {
  readonly mistake: Mistake;
  readonly room: number;
  readonly lanes?: Scene['lanes'];
  readonly invariant: string;
}[] = [
  {
    mistake: DROPPED_NOT_KEPT,
    room: 1,
    invariant: 'counted otherwise than decided',
  },
  {
    mistake: MEMORY_NOT_MINDED,
    room: 1,
    lanes: 'general',
    invariant: 'home holds, and another document does not',
  },
  { mistake: DROPS_NOT_MINDED, room: 1, invariant: 'home holds, and another document does not' },
];

it.each(MISTAKES)('it would be found that $mistake.name', async (row) => {
  const { mistake, room, lanes = 'plain', invariant } = row;
  const broken = await brokenInEvery({ ...sceneOf(room), lanes }, CUTS, forgetWithin, {
    mistake,
    until: invariant,
  });
  expect(broken.join('\n')).toContain(invariant);
});
