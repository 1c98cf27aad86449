/** Stories that once came out wrong, told at every moment at which their calls can meet. */
import { describe, expect, it } from 'vitest';
import type { Subjects } from '../../lib/shared/request.ts';
import { someOf } from '../support/extent.ts';
import { brokenInEvery } from './cuts.ts';
import { KINDS } from './kinds.ts';
import type { SceneKind } from './random-scene.ts';
import { PLAIN_SCENE, check } from './plain-scene.ts';
import type { Scene, SceneCall } from './scene.ts';
import { HOLD_MS } from './scene.ts';

/** At least the steps of a check that nobody disturbs; a few more where it begins again. */
function checkSteps({ documents, isOneCommit }: SceneKind): number {
  if (documents === 1) return 3;
  return isOneCommit ? 10 : 8;
}

const SOME_KINDS = someOf('kindsOfStories', KINDS, 2);

/** The product of two cuts or three; of one alone every one is made. */
const SOME = { some: 'cuts' } as const;

const ALL: Subjects = { user: 'u-1', merchant: 'm-1', card: 'c-1' };

/** One order, with room to count it three times if somebody did. */
function sceneOf(kind: SceneKind, calls: readonly SceneCall[], capture = false): Scene {
  const subjects = Object.fromEntries(Object.entries(ALL).slice(0, kind.documents));
  const max = capture ? { amount: 1, count: 1 } : { amount: 3, count: 3 };
  return {
    ...PLAIN_SCENE,
    orders: [{ orderId: 'o-1', subjects, capture }],
    maxima: Object.fromEntries(Object.keys(subjects).map((name) => [name, max])),
    calls,
    onUndecided: 'allow',
    isOneCommit: kind.isOneCommit,
  };
}

const bySubjects = { do: 'settle', order: 0, by: 'subjects' } as const;
const confirm = (name: string): SceneCall => ({ name, ...bySubjects, to: 'confirmed' });
const rollBack = (name: string): SceneCall => ({ name, ...bySubjects, to: 'rolledBack' });

describe.each(SOME_KINDS)('an order of $documents documents (one commit: $isOneCommit)', (kind) => {
  const steps = checkSteps(kind);

  it('is counted once, whenever two confirms arrive while it is checked', async () => {
    const scene = sceneOf(kind, [check('a'), confirm('b'), confirm('c')]);
    const broken = await brokenInEvery(
      scene,
      [steps, steps],
      async (tale, [first = 0, second = 0]) => {
        await tale.start('a');
        await tale.goOn('a', first);
        await tale.whole('b');
        await tale.goOn('a', second);
        await tale.whole('c');
        await tale.finish('a');
      },
      SOME,
    );
    expect(broken).toEqual([]);
  });

  it('never passes once it is rolled back, and nobody asks for long, whenever the rollback comes', async () => {
    const scene = sceneOf(kind, [check('a'), rollBack('b')]);
    const broken = await brokenInEvery(scene, [steps], async (tale, [first = 0]) => {
      await tale.start('a');
      await tale.goOn('a', first);
      await tale.whole('b');
      await tale.finish('a');
    });
    expect(broken).toEqual([]);
  });

  it('is counted once, whenever two confirms arrive while it is checked again after its time', async () => {
    const scene = sceneOf(kind, [check('a'), check('b'), confirm('c'), confirm('d')]);
    const mosts = [steps, kind.documents + 1, steps];
    const broken = await brokenInEvery(
      scene,
      mosts,
      async (tale, [first = 0, part = 0, second = 0]) => {
        await tale.whole('a');
        await tale.wait(HOLD_MS);
        await tale.start('b');
        await tale.goOn('b', first);
        await tale.start('c');
        await tale.goOn('c', part);
        await tale.goOn('b', second);
        await tale.whole('d');
        await tale.finish('c', 'b');
      },
      SOME,
    );
    expect(broken).toEqual([]);
  });

  it('is counted everywhere, if it is checked again while the caller dies whose confirm reached home', async () => {
    const scene = sceneOf(kind, [check('a'), check('b'), confirm('c'), confirm('d')]);
    const broken = await brokenInEvery(
      scene,
      [steps, steps],
      async (tale, [first = 0, second = 0]) => {
        await tale.whole('a');
        await tale.wait(HOLD_MS);
        await tale.start('b');
        await tale.goOn('b', first);
        await tale.start('c');
        await tale.goOnPast('c', 'user:u-1');
        await tale.die('c');
        await tale.goOn('b', second);
        await tale.whole('d');
        await tale.finish('b');
      },
      SOME,
    );
    expect(broken).toEqual([]);
  });
});

describe.each(SOME_KINDS)(
  'an order of $documents documents (one commit: $isOneCommit), counted at once where there is room for it once',
  (kind) => {
    const steps = checkSteps(kind);

    it('is counted everywhere as soon as anybody is told so, if another caller dies who was faster', async () => {
      const scene = sceneOf(kind, [check('a'), check('b')], true);
      const mosts = [steps, steps];
      const broken = await brokenInEvery(
        scene,
        mosts,
        async (tale, [first = 0, second = 0]) => {
          await tale.start('a', 'b');
          await tale.goOn('a', first);
          await tale.goOn('b', second);
          await tale.goOnPast('a', 'user:u-1');
          await tale.die('a');
          await tale.finish('b');
        },
        SOME,
      );
      expect(broken).toEqual([]);
    });
  },
);

describe.each(SOME_KINDS)(
  'an order of $documents documents (one commit: $isOneCommit), asked for alone and in a call of all or none',
  (kind) => {
    const steps = checkSteps(kind);

    it('is confirmed late, if it was allowed alone and the other call lost an answer and gave up', async () => {
      const scene = sceneOf(kind, [
        { name: 'a', do: 'checks', orders: [0], atomic: true },
        check('b'),
      ]);
      const broken = await brokenInEvery(scene, [steps], async (tale, [first = 0]) => {
        await tale.start('a');
        await tale.goOn('a', first);
        await tale.lose('a');
        await tale.whole('b');
        await tale.wait(HOLD_MS);
        await tale.finish('a');
      });
      expect(broken).toEqual([]);
    });
  },
);
