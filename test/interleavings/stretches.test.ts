/** Checks in the first millisecond of a minute, by a process that knows the minute before. */
import { expect, it } from 'vitest';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import { STRETCH_TOO_LONG } from './protocol-mistakes.ts';
import { PLAIN_SCENE, check } from './plain-scene.ts';
import type { Scene } from './scene.ts';

/** A story begins 20 seconds after a minute did. */
const REST_OF_MINUTE_MS = 40_000;

/** Two orders of one user, of which each minute has room for one or for both. */
function sceneOf(minuteCount: number, lanes: Scene['lanes']): Scene {
  const subjects = { user: 'u-1' };
  return {
    ...PLAIN_SCENE,
    orders: ['o-1', 'o-2', 'o-3'].map((orderId) => ({ orderId, subjects, capture: false })),
    maxima: { user: { amount: 90_909, count: 9 } },
    minuteCount,
    calls: [check('a', 0), check('b', 1), check('c', 2)],
    lanes,
  };
}

/** One check in the minute, one in its last millisecond or in the first after it, and one later. */
async function aroundTheBoundary(tale: ScriptedTale, [ms = 0, steps = 0]: readonly number[]) {
  await tale.whole('a');
  await tale.start('b');
  await tale.goOn('b', steps);
  await tale.wait(REST_OF_MINUTE_MS - 1 + ms);
  await tale.finish('b');
  await tale.whole('c');
}

const LANES = ['plain', 'general'] as const;

it.each(LANES)('a check is held in the minute in which it is decided, %s', async (lanes) => {
  for (const minuteCount of [1, 3])
    expect(await brokenInEvery(sceneOf(minuteCount, lanes), [3, 4], aroundTheBoundary)).toEqual([]);
});

it.each(LANES)('one that is held a millisecond after its minute is found, %s', async (lanes) => {
  const broken = await brokenInEvery(sceneOf(3, lanes), [3, 4], aroundTheBoundary, {
    mistake: STRETCH_TOO_LONG,
  });
  expect(broken.join()).toContain('held in another minute than its own');
});
