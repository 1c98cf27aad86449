/** Stories of rollbacks that count by their codes, told at every moment at which their calls can meet. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import { GIVEN_BACK_FAILS, NO_CODE_BESIDE, OWN_CODE_BESIDE } from './failure-mistakes.ts';
import { PLAIN_SCENE, check } from './plain-scene.ts';
import type { ReasonCode, Scene, SceneCall } from './scene.ts';
import { HOLD_MS } from './scene.ts';

/** Steps of a rollback that names its reservation: an update each, and a look where it comes late. */
const ROLLBACK_STEPS = 6;

const HOME = 'user:u-1';
const BESIDE = 'merchant:m-1';

const back = (name: string, order: number, reasonCode: ReasonCode): SceneCall => ({
  ...{ name, do: 'settle', order, to: 'rolledBack', by: 'reservation', reasonCode },
});

/** One order of two documents, each of which counts wrong PINs. */
const FAILED: Scene = {
  ...PLAIN_SCENE,
  orders: [{ orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' }, capture: false }],
  maxima: { user: { amount: 9, count: 9 }, merchant: { amount: 9, count: 9 } },
  failed: { count: 2, reasonCodes: ['wrong-pin'] },
  calls: [
    check('a'),
    { name: 'sweep', do: 'sweep', document: HOME },
    { name: 'sweep beside', do: 'sweep', document: BESIDE },
    back('first', 0, 'wrong-pin'),
    back('other', 0, 'no-funds'),
  ],
  ending: { ...PLAIN_SCENE.ending, confirms: [] },
};

async function rollBackTwice(
  tale: ScriptedTale,
  [late = 0, swaps = 0, first = 0, other = 0, isDead = 0]: readonly number[],
): Promise<void> {
  await tale.whole('a');
  if (late > 0) await tale.wait(3 * HOLD_MS);
  if (late > 1) await tale.whole('sweep', 'sweep beside');
  const [one, two] = swaps === 0 ? (['first', 'other'] as const) : (['other', 'first'] as const);
  await tale.start(one);
  await tale.goOn(one, first);
  await tale.start(two);
  await tale.goOn(two, other);
  if (isDead === 1) await tale.die(one);
  await tale.finish(one, two);
}

const CUTS = [3, 2, ROLLBACK_STEPS, ROLLBACK_STEPS, 2];

describe.each(['plain', 'general', 'learning'] as const)(
  'an order that is rolled back twice for two reasons: %s lanes',
  (lanes) => {
    it('is a failure for the first of them, in every document, whenever the two calls meet', async () => {
      const scene = { ...FAILED, lanes };
      expect(await brokenInEvery(scene, CUTS, rollBackTwice, { some: 'failures' })).toEqual([]);
    });
  },
);

const OTHERWISE = 'counted otherwise than decided';

it.each([OWN_CODE_BESIDE, NO_CODE_BESIDE])('it would be found that $name', async (mistake) => {
  const options = { mistake, until: OTHERWISE };
  const broken = await brokenInEvery(FAILED, CUTS, rollBackTwice, options);
  expect(broken.join('\n')).toContain(OTHERWISE);
});

/** Steps of a check that nobody disturbs. */
const CHECK_STEPS = 8;

/** Of two attempts each holds its place in one document, and is refused by the other: neither has failed. */
const REFUSED: Scene = {
  ...FAILED,
  orders: ['o-1', 'o-2'].map((orderId) => ({
    ...{ orderId, subjects: { user: 'u-1', merchant: 'm-1' }, capture: false },
  })),
  maxima: { user: { amount: 909, count: 1 }, merchant: { amount: 909, count: 9 } },
  calls: [check('a', 0), check('b', 1), back('first', 0, 'wrong-pin')],
};

async function checkTogether(tale: ScriptedTale, [first = 0, second = 0]: readonly number[]) {
  await tale.start('a', 'b');
  await tale.goOn('a', first);
  await tale.goOn('b', second);
  await tale.finish('a', 'b');
  await tale.whole('first');
}

describe('of two orders, of which the user has room for one', () => {
  const cuts = [CHECK_STEPS, CHECK_STEPS];

  it('the one that is refused is no failure anywhere, whenever their checks meet', async () => {
    expect(await brokenInEvery(REFUSED, cuts, checkTogether)).toEqual([]);
  });

  it(`it would be found that ${GIVEN_BACK_FAILS.name}`, async () => {
    const options = { mistake: GIVEN_BACK_FAILS, until: OTHERWISE };
    const broken = await brokenInEvery(REFUSED, cuts, checkTogether, options);
    expect(broken.join('\n')).toContain(OTHERWISE);
  });
});
