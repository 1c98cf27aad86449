/** Stories in which the driver sends a statement twice, and the first copy arrives after the answer. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import { NOTHING_CLOSED, ONE_NONCE } from './protocol-mistakes.ts';
import { PLAIN_SCENE, check, making, settle } from './plain-scene.ts';
import type { Scene } from './scene.ts';

/** Steps of a check of three new documents: a look, and two updates each; one more where it begins again. */
const CHECK_STEPS = 8;

/** Steps of a confirm that names its reservation, and of its repeat. */
const CONFIRM_STEPS = 3;

const MAKING = making('user:u-1', 'merchant:m-1', 'card:c-1');
const MADE = MAKING.map(({ name }) => name);

/** One order of three documents, with room to count it several times if somebody did. */
const COUNTED: Scene = {
  ...PLAIN_SCENE,
  orders: [
    {
      orderId: 'o-1',
      subjects: { user: 'u-1', merchant: 'm-1', card: 'c-1' },
      capture: false,
    },
  ],
  maxima: {
    user: { amount: 9, count: 9 },
    merchant: { amount: 9, count: 9 },
    card: { amount: 9, count: 9 },
  },
  calls: [...MAKING, check('a'), settle('yes', 0, 'confirmed'), settle('again', 0, 'confirmed')],
  lanes: 'plain',
  ending: { ...PLAIN_SCENE.ending, arrives: true },
};

/** One statement of the check is doubled, and its first copy arrives at one moment of all that follows. */
async function countTwice(
  tale: ScriptedTale,
  [doubled = 0, moment = 0, isMade = 0]: readonly number[],
): Promise<void> {
  if (isMade === 1) await tale.whole(...MADE);
  await tale.start('a');
  await tale.goOn('a', doubled);
  await tale.double('a');
  await arriveAt(tale, moment);
}

/** The first copy arrives when so many steps of the check and its confirm have been answered. */
async function arriveAt(tale: ScriptedTale, moment: number): Promise<void> {
  const taken = await tale.goOn('a', moment);
  if (taken === moment) await tale.arrive();
  await tale.finish('a');
  await tale.start('yes');
  await tale.goOn('yes', moment - taken);
  await tale.arrive();
  await tale.finish('yes');
  await tale.whole('again');
}

/** The card is full for a moment, so that the repeat of an update matches nothing there. */
const CROWDED: Scene = {
  ...COUNTED,
  orders: [...COUNTED.orders, { orderId: 'o-2', subjects: { card: 'c-1' }, capture: false }],
  maxima: { ...COUNTED.maxima, card: { amount: 100, count: 9 } },
  calls: [...COUNTED.calls, check('b', 1), settle('no', 1, 'rolledBack')],
};

/** Another order fills the card after the look, and is given back when the repeat has been answered. */
async function countTwiceAfterCrowd(
  tale: ScriptedTale,
  [doubled = 0, moment = 0]: readonly number[],
): Promise<void> {
  await tale.whole(...MADE);
  await tale.start('a');
  await tale.goOn('a', 1);
  await tale.whole('b');
  await tale.goOn('a', doubled);
  await tale.double('a');
  await tale.whole('no');
  await arriveAt(tale, moment);
}

/** The user has room for one of two orders; the second is also the merchant's. */
const REFUSED: Scene = {
  ...COUNTED,
  orders: [
    { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' }, capture: false },
    { orderId: 'o-2', subjects: { user: 'u-1' }, capture: false },
  ],
  maxima: { user: { amount: 909, count: 1 }, merchant: { amount: 909, count: 9 } },
  calls: [
    ...MAKING,
    check('a'),
    check('b', 1),
    settle('no', 1, 'rolledBack'),
    settle('yes', 0, 'confirmed'),
  ],
};

/** Another order takes the room at home after the look; it is given back when the first one has its answer. */
async function refuseAtHome(
  tale: ScriptedTale,
  [doubled = 0, moment = 0, isMade = 0]: readonly number[],
): Promise<void> {
  if (isMade === 1) await tale.whole(...MADE);
  await tale.start('a');
  await tale.goOn('a', 1);
  await tale.whole('b');
  await tale.goOn('a', doubled);
  await tale.double('a');
  const taken = await tale.goOn('a', moment);
  if (taken === moment) await tale.whole('no');
  await tale.arrive();
  await tale.finish('a');
  await tale.whole('no', 'yes');
}

const STORIES = [
  {
    title: 'an order is counted once in each document',
    scene: COUNTED,
    cuts: [CHECK_STEPS, CHECK_STEPS + CONFIRM_STEPS, 2],
    mistake: undefined,
    tell: countTwice,
    invariant: 'a share is there again',
  },
  {
    title: 'an order is counted once in a document that was full for a moment',
    scene: CROWDED,
    cuts: [CHECK_STEPS, CHECK_STEPS + CONFIRM_STEPS],
    tell: countTwiceAfterCrowd,
    mistake: ONE_NONCE,
    invariant: 'a share is there again',
  },
  {
    title: 'an order that home refused is held nowhere',
    scene: REFUSED,
    cuts: [CHECK_STEPS, CHECK_STEPS, 2],
    mistake: NOTHING_CLOSED,
    tell: refuseAtHome,
    invariant: 'home holds, and another document does not',
  },
];

describe.each(STORIES)('$title, whichever statement is sent twice', (story) => {
  const { scene, cuts, tell } = story;

  it.each(['plain', 'general', 'learning'] as const)(
    'and whenever its first copy arrives: %s lanes',
    async (lanes) => {
      expect(await brokenInEvery({ ...scene, lanes }, cuts, tell, { some: 'lateCopies' })).toEqual(
        [],
      );
    },
  );
});

describe.each(STORIES.filter(({ mistake }) => mistake !== undefined))(
  '$title',
  ({ scene, cuts, tell, mistake, invariant }) => {
    it(`would not be, where ${mistake?.name}`, async () => {
      const broken = await brokenInEvery(scene, cuts, tell, {
        ...(mistake === undefined ? {} : { mistake }),
        until: invariant,
      });
      expect(broken.join('\n')).toContain(invariant);
    });
  },
);
