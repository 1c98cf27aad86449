/** Stories of rules that ask for a proof, told at every moment at which their calls can meet. */
import { expect, it } from 'vitest';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import { PLAIN_SCENE, check, making } from './plain-scene.ts';
import type { Scene } from './scene.ts';

/** Steps of a check of two documents that nobody disturbs. */
const CHECK_STEPS = 8;

/** The user may have one order without a proof; the merchant has room for the first once. */
const UNPROVEN: Scene = {
  ...PLAIN_SCENE,
  orders: [
    { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' }, capture: false },
    { orderId: 'o-2', subjects: { user: 'u-1' }, capture: false },
  ],
  maxima: { user: { amount: 909, count: 9 }, merchant: { amount: 1, count: 1 } },
  unproven: 1,
  calls: [...making('user:u-1', 'merchant:m-1'), check('a'), check('b', 1), check('again')],
};

/** Another order takes the user's place while the first has its share with the merchant, and is checked again. */
async function checkAgain(tale: ScriptedTale, [first = 0, second = 0]: readonly number[]) {
  await tale.whole('makes user:u-1', 'makes merchant:m-1');
  await tale.start('a');
  await tale.goOn('a', first);
  await tale.whole('b');
  await tale.start('again');
  await tale.goOn('again', second);
  await tale.finish('a', 'again');
}

it.each([false, true])(
  'a refusal names what refuses, and not what another attempt at the order holds (one commit: %s)',
  async (isOneCommit) => {
    const scene = { ...UNPROVEN, isOneCommit };
    expect(await brokenInEvery(scene, [CHECK_STEPS, CHECK_STEPS], checkAgain)).toEqual([]);
  },
);
