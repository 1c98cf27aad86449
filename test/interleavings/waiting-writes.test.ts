/** Stories in which a write waits in the database behind a commit, and keeps the instant at which it came. */
import { describe, expect, it } from 'vitest';
import { SEED, times } from '../support/extent.ts';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import { firstFailure } from './explore.ts';
import { keptAndTold } from './kept-stories.ts';
import { WAITS_FOR_EVER } from './mistakes.ts';
import { PLAIN_SCENE, check, making } from './plain-scene.ts';
import type { SceneKind } from './random-scene.ts';
import type { Scene } from './scene.ts';

const STORIES = times('waitingWrites');

const KINDS: readonly SceneKind[] = [
  { documents: 1, isOneCommit: false, changes: ['waits'] },
  { documents: 2, isOneCommit: false, changes: ['waits'] },
  { documents: 3, isOneCommit: false, changes: ['waits'] },
  { documents: 2, isOneCommit: true, changes: ['waits', 'modes'] },
];

/** Nothing of a call may be held by then. */
const HELD_LATE = 'held long after its call was over';

describe('stories by chance in which writes wait in the database', () => {
  it.each(KINDS)(
    'end as their callers were told: $documents documents (one commit: $isOneCommit)',
    async (kind) => {
      const failure = await firstFailure(kind, SEED, STORIES);
      expect(failure && (await keptAndTold(failure))).toBeUndefined();
    },
  );
});

/** How long a write waits after its caller gave it up, in milliseconds: less than its bound, it, and more. */
const WAITS = [0, 1_999, 2_000, 2_001, 4_000, 5_999, 6_000, 6_001, 30_000];

/** Steps of a check of two documents. */
const CHECK_STEPS = 8;

/** A check is given up while a write of it waits. Its caller rolls it back after a time. */
const GIVEN_UP: Scene = {
  ...PLAIN_SCENE,
  orders: [{ orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' }, capture: false }],
  maxima: { user: { amount: 9, count: 9 }, merchant: { amount: 9, count: 9 } },
  calls: [
    ...making('user:u-1', 'merchant:m-1'),
    check('a'),
    { name: 'no', do: 'settle', order: 0, to: 'rolledBack', by: 'subjects' },
  ],
  ending: { ...PLAIN_SCENE.ending, confirms: [], arrives: true },
};

async function giveUp(
  tale: ScriptedTale,
  [before = 0, wait = 0]: readonly number[],
): Promise<void> {
  await tale.whole('makes user:u-1', 'makes merchant:m-1');
  await tale.start('a');
  await tale.goOn('a', before);
  await tale.queue('a');
  await tale.giveUp('a');
  await tale.wait(WAITS[wait] ?? 0);
  await tale.whole('no');
  await tale.arrive();
  await tale.finish('a');
}

describe.each([
  { taken: 'a hold', scene: GIVEN_UP },
  {
    taken: 'a captured order',
    scene: { ...GIVEN_UP, orders: GIVEN_UP.orders.map((order) => ({ ...order, capture: true })) },
  },
])('$taken of a check that was given up while a write waited', ({ scene }) => {
  const cuts = [CHECK_STEPS, WAITS.length];

  it.each(['plain', 'general', 'learning'] as const)(
    'is not there once its caller may rely on that: %s lanes',
    async (lanes) => {
      expect(await brokenInEvery({ ...scene, lanes }, cuts, giveUp)).toEqual([]);
    },
  );

  it(`would be, if ${WAITS_FOR_EVER.name}`, async () => {
    const options = { mistake: WAITS_FOR_EVER, until: HELD_LATE };
    const broken = await brokenInEvery(scene, cuts, giveUp, options);
    expect(broken.join('\n')).toContain(HELD_LATE);
  });
});
