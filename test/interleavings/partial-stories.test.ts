/** Stories of an order that takes what fits in two documents, told at every moment at which its calls can meet. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import { EACH_TAKES_WHAT_FITS, HOME_AGREES_ALONE } from './partial-mistakes.ts';
import { PLAIN_SCENE, check, making } from './plain-scene.ts';
import type { Scene } from './scene.ts';

/** Steps of a check that takes what fits, where another one is faster. */
const CHECK_STEPS = 14;

/** The user has room for all of the first order, and so has the merchant unless it has the other one. */
const PARTIAL: Scene = {
  ...PLAIN_SCENE,
  orders: [
    { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' }, capture: false, isPartial: true },
    { orderId: 'o-2', subjects: { merchant: 'm-1' }, capture: false },
  ],
  maxima: { user: { amount: 909, count: 9 }, merchant: { amount: 101, count: 9 } },
  calls: [...making('user:u-1', 'merchant:m-1'), check('a'), check('b', 1), check('again')],
};

async function checkAgain(
  tale: ScriptedTale,
  [first = 0, isDead = 0, second = 0]: readonly number[],
): Promise<void> {
  await tale.whole('makes user:u-1', 'makes merchant:m-1');
  await tale.start('a');
  await tale.goOn('a', first);
  await tale.whole('b');
  if (isDead === 1) await tale.die('a');
  await tale.start('again');
  await tale.goOn('again', second);
  await tale.finish('a', 'again');
}

const CUTS = [CHECK_STEPS, 2, CHECK_STEPS];

describe.each(['plain', 'general', 'learning'] as const)('with %s lanes', (lanes) => {
  it.each([false, true])(
    'it has one amount in both documents and in each repeat, also if its caller dies (one commit: %s)',
    async (isOneCommit) => {
      const scene = { ...PARTIAL, lanes, isOneCommit };
      expect(await brokenInEvery(scene, CUTS, checkAgain, { some: 'parts' })).toEqual([]);
    },
  );
});

it.each([EACH_TAKES_WHAT_FITS, HOME_AGREES_ALONE])(
  'it would be found that $name',
  async (mistake) => {
    expect(await brokenInEvery(PARTIAL, CUTS, checkAgain, { mistake, some: 'parts' })).not.toEqual(
      [],
    );
  },
);

/** The merchant has as many shares as it may have, and the card leaves the least alone. */
const FULL: Scene = {
  ...PARTIAL,
  orders: [
    {
      orderId: 'o-1',
      subjects: { user: 'u-1', merchant: 'm-1', card: 'c-1' },
      capture: false,
      isPartial: true,
    },
    { orderId: 'o-2', subjects: { user: 'u-2', merchant: 'm-1' }, capture: false },
  ],
  maxima: {
    user: { amount: 909, count: 9 },
    merchant: { amount: 909, count: 9 },
    card: { amount: 1, count: 9 },
  },
  openMax: { holds: 9, shares: 1 },
  calls: [check('b', 1), check('a'), check('again')],
};

it('is no refusal by a rule where a document is full, and another one leaves a part', async () => {
  const told = await brokenInEvery(FULL, [1], async (tale) => {
    await tale.whole('b', 'a', 'again');
  });
  expect(told).toEqual([]);
});
