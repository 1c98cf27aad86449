/** Stories that once came out wrong, told at every moment at which their calls can meet. */
import { describe, expect, it } from 'vitest';
import type { SettlementAnswer } from '../../lib/limits/answer.ts';
import { ORDERS_PER_CALL_MAX } from '../../lib/shared/bounds.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import type { Subjects } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/limits.ts';
import { createLimits } from '../../lib/limits.ts';
import { someOf, times } from '../support/extent.ts';
import { checkOf } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { brokenInEvery } from './cuts.ts';
import { KINDS, WIDTHS } from './kinds.ts';
import type { SceneKind } from './random-scene.ts';
import type { SceneRules } from './scene-rules.ts';
import { rulesOf } from './scene-rules.ts';
import { PLAIN_SCENE, check } from './plain-scene.ts';
import type { Scene, SceneCall } from './scene.ts';
import { HOLD_MS } from './scene.ts';
import { bucketsOf } from './stored.ts';
import { uncountedIn } from './watch-answers.ts';

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

describe.each(WIDTHS)('orders of %i documents, the last of which is the same', (documents) => {
  const count = times('lateOrders');

  it('are each counted or said not to be, if they expired, were swept and are confirmed late', async () => {
    const kinds = Object.keys(ALL).slice(0, documents);
    const { rules, shared, counted, uncounted } = await confirmLate(kinds, count);
    const counter = rules.counters[shared.split(':')[0] ?? ''];
    const payments = counted.filter((bucket) => bucket.counter === counter);
    const used = payments.reduce((sum, { usedCount }) => sum + usedCount, 0);
    expect(used + uncounted).toBe(count);
    expect(payments.map(({ heldCount }) => heldCount)).toEqual([0]);
  });
});

type Late = {
  readonly rules: SceneRules;
  readonly shared: string;
  readonly counted: ReturnType<typeof bucketsOf>;
  /** Orders of which it was said that they may not be counted there. */
  readonly uncounted: number;
};

/** Checks orders with subjects of their own, but for the last, and confirms them when they are swept. */
async function confirmLate(kinds: readonly string[], count: number): Promise<Late> {
  let now = Date.UTC(2026, 2, 2, 10);
  const store = mingoStore({ clock: () => new Date(now) });
  const max = { amount: count, count };
  const rules = rulesOf({ maxima: Object.fromEntries(kinds.map((kind) => [kind, max])) });
  const limits = createLimits({
    counters: store,
    rules: () => Promise.resolve(rules.all),
    onNoRule: 'allow', // the sweep is such an order
    machineNow: () => new Date(now),
  });
  const last = kinds.at(-1) ?? '';
  const orders = Array.from({ length: count }, (_, order) => ({
    orderId: `o-${order}`,
    subjects: Object.fromEntries(
      kinds.map((kind) => [kind, kind === last ? 'all' : `${kind}-${order}`]),
    ),
  }));
  const calls = Array.from({ length: Math.ceil(count / ORDERS_PER_CALL_MAX) }, (_, call) =>
    orders.slice(call * ORDERS_PER_CALL_MAX, (call + 1) * ORDERS_PER_CALL_MAX),
  );
  for (const some of calls) await checkAll(limits, some);
  now += 2 * HOLD_MS;
  const sweep = { orderId: 'sweep', subjects: { [last]: 'all' }, type: 'SWEEP', currency: 'USD' };
  await limits.check(checkOf({ ...sweep, capture: true }));
  const shared = `${last}:all`;
  let uncounted = 0;
  for (const some of calls) {
    const results = await limits.settleMany(
      some.map(({ orderId, subjects }) => ({
        appId: 'default',
        orderId,
        to: 'confirmed',
        whereabouts: { kind: 'subjects', subjects },
      })),
    );
    uncounted += results.filter((result) => isUncounted(result, shared)).length;
  }
  return { rules, shared, counted: bucketsOf(store.documents.get(shared)), uncounted };
}

async function checkAll(
  limits: Limits,
  orders: readonly { readonly orderId: string; readonly subjects: Subjects }[],
): Promise<void> {
  const payment = { amountMinor: 1, type: 'PAYMENT', holdMs: HOLD_MS };
  const asked = orders.map((order) => checkOf({ ...order, ...payment }));
  for (const result of await limits.checkMany(asked, false))
    expect(result).toMatchObject({ kind: 'answered', answer: { kind: 'allowed' } });
}

/** Whether an answer says that a document may not count the payment; an error says that none does. */
function isUncounted(result: ManyResult<SettlementAnswer>, document: string): boolean {
  return result.kind === 'failed' || uncountedIn(result.answer).includes(document);
}
