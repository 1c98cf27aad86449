/** Stories in which a statement loses its answer, and arrives at any moment of what follows, or never. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTale } from './cuts.ts';
import { brokenInEvery } from './cuts.ts';
import {
  ADDS_AGAIN_AFTER_LOST_CAPTURE,
  ASKS_AGAIN_FOR_SHARES,
  REFUSES_AFTER_LOST_CAPTURE,
  REFUSES_AFTER_LOST_HOLD,
} from './protocol-mistakes.ts';
import { PLAIN_SCENE, check, making, settle } from './plain-scene.ts';
import type { Scene } from './scene.ts';

/** Steps of a check of three new documents: a look, and two updates each; more where it begins again. */
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

/** One statement of the check loses its answer, and arrives at one moment of all that follows. */
async function countTwice(
  tale: ScriptedTale,
  [lost = 0, moment = 0, isMade = 0]: readonly number[],
): Promise<void> {
  if (isMade === 1) await tale.whole(...MADE);
  await tale.start('a');
  await tale.goOn('a', lost);
  await tale.delay('a');
  await arriveAt(tale, moment);
}

/** What was lost arrives when so many steps of the check and its confirm have been answered. */
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

/** The card is full for a moment. */
const CROWDED: Scene = {
  ...COUNTED,
  orders: [...COUNTED.orders, { orderId: 'o-2', subjects: { card: 'c-1' }, capture: false }],
  maxima: { ...COUNTED.maxima, card: { amount: 100, count: 9 } },
  calls: [...COUNTED.calls, check('b', 1), settle('no', 1, 'rolledBack')],
};

/** Another order fills the card after the look, and is given back once an answer is lost. */
async function countTwiceAfterCrowd(
  tale: ScriptedTale,
  [lost = 0, moment = 0]: readonly number[],
): Promise<void> {
  await tale.whole(...MADE);
  await tale.start('a');
  await tale.goOn('a', 1);
  await tale.whole('b');
  await tale.goOn('a', lost);
  await tale.delay('a');
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

/** Another order takes the room at home after an answer is lost; it is given back before what was lost arrives. */
async function refuseAtHome(
  tale: ScriptedTale,
  [lost = 0, moment = 0, isMade = 0]: readonly number[],
): Promise<void> {
  if (isMade === 1) await tale.whole(...MADE);
  await tale.start('a');
  await tale.goOn('a', lost);
  await tale.delay('a');
  await tale.whole('b');
  const taken = await tale.goOn('a', moment);
  if (taken === moment) await tale.whole('no');
  await tale.arrive();
  await tale.finish('a');
  await tale.whole('no', 'yes');
}

/** One captured order of a user, who has room for one of two; home remembers one outcome. */
const CAPTURED: Scene = {
  ...PLAIN_SCENE,
  orders: [
    { orderId: 'o-1', subjects: { user: 'u-1' }, capture: true },
    { orderId: 'o-2', subjects: { user: 'u-1' }, capture: false },
  ],
  maxima: { user: { amount: 909, count: 1 } },
  calls: [
    ...making('user:u-1'),
    check('a'),
    check('b', 1),
    settle('no', 1, 'rolledBack'),
    check('again'),
  ],
  ending: { ...PLAIN_SCENE.ending, confirms: [], arrives: true },
};

/** Another order takes the room once an answer is lost, and gives it back before what was lost arrives. */
async function captureLate(tale: ScriptedTale, [lost = 0, moment = 0]: readonly number[]) {
  await tale.whole('makes user:u-1');
  await tale.start('a');
  await tale.goOn('a', lost);
  await tale.delay('a');
  await tale.whole('b');
  await tale.goOn('a', moment);
  await tale.whole('no');
  await tale.arrive();
  await tale.finish('a');
  await tale.whole('again');
}

/** Room for all, and a home that remembers one outcome, and that before a call. */
const FORGOTTEN: Scene = {
  ...CAPTURED,
  orders: ['o-1', 'o-2', 'o-3'].map((orderId) => {
    return { orderId, subjects: { user: 'u-1' }, capture: true };
  }),
  maxima: { user: { amount: 90_909, count: 4 } },
  calls: [
    ...making('user:u-1'),
    ...[check('a'), check('b', 1), check('c', 2)],
    { name: 'sweep', do: 'sweep', document: 'user:u-1' },
  ],
  outcomesMax: 1,
};

/** What was lost arrives, is counted, and is forgotten before its caller looks. */
async function captureForgotten(tale: ScriptedTale, [lost = 0, moment = 0]: readonly number[]) {
  await tale.whole('makes user:u-1');
  await tale.start('a');
  await tale.goOn('a', lost);
  await tale.delay('a');
  await tale.goOn('a', moment);
  await tale.arrive();
  await tale.whole('b', 'c', 'sweep');
  await tale.finish('a');
}

const TWO = { cuts: [2, 4] } as const;

const STORIES = [
  {
    title: 'an order is counted once in each document',
    scene: COUNTED,
    cuts: [CHECK_STEPS, CHECK_STEPS + CONFIRM_STEPS, 2],
    tell: countTwice,
    mistakes: [],
  },
  {
    title: 'an order is counted once in a document that was full for a moment',
    scene: CROWDED,
    cuts: [CHECK_STEPS, CHECK_STEPS + CONFIRM_STEPS],
    tell: countTwiceAfterCrowd,
    mistakes: [{ mistake: ASKS_AGAIN_FOR_SHARES, invariant: 'a share is there again' }],
  },
  {
    title: 'an order that home may not hold is held nowhere',
    scene: REFUSED,
    cuts: [CHECK_STEPS, CHECK_STEPS, 2],
    tell: refuseAtHome,
    mistakes: [
      {
        mistake: REFUSES_AFTER_LOST_HOLD,
        invariant: 'home holds, and another document does not',
      },
    ],
  },
  {
    title: 'a captured order is not counted once its caller is refused',
    scene: CAPTURED,
    ...TWO,
    tell: captureLate,
    mistakes: [
      {
        mistake: REFUSES_AFTER_LOST_CAPTURE,
        invariant: 'counted after its caller was refused',
      },
    ],
  },
  {
    title: 'a captured order is counted once by its call, though home forgets it',
    scene: FORGOTTEN,
    ...TWO,
    tell: captureForgotten,
    mistakes: [
      {
        mistake: ADDS_AGAIN_AFTER_LOST_CAPTURE,
        invariant: 'counted twice by one call, which home forgot between',
      },
    ],
  },
];

describe.each(STORIES)('$title, whichever statement loses its answer', (story) => {
  const { scene, cuts, tell, mistakes } = story;

  it.each(['plain', 'general', 'learning'] as const)(
    'and whenever it arrives: %s lanes',
    async (lanes) => {
      expect(await brokenInEvery({ ...scene, lanes }, cuts, tell, { some: 'lateCopies' })).toEqual(
        [],
      );
    },
  );

  it.each(mistakes)('would not be: $mistake.name', async ({ mistake, invariant }) => {
    const broken = await brokenInEvery(scene, cuts, tell, { mistake, until: invariant });
    expect(broken.join('\n')).toContain(invariant);
  });
});
