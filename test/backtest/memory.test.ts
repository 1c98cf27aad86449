import { expect, it } from 'vitest';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { bucketNames } from '../../lib/backtest/bucket-sums.ts';
import { noNames } from '../../lib/backtest/known-names.ts';
import type { KeptShare } from '../../lib/backtest/memory-document.ts';
import { isIdle, move, newDocument } from '../../lib/backtest/memory-document.ts';
import { newReplay, replayBatches } from '../../lib/backtest/replay-past.ts';
import { Replay } from '../../lib/backtest/replay.ts';
import type { InForce } from '../../lib/backtest/history.ts';
import type { PastRow } from '../../lib/backtest/past-row.ts';
import type { Verdicts } from '../../lib/backtest/side.ts';
import { compile } from '../../lib/plan/compile.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { Step } from '../model/walk.ts';
import { USER_DAY } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { pastOf, playedPast } from './played-past.ts';

const START = new Date('2026-03-02T02:00:00Z');
const PAIR: ModelRule = { ...USER_DAY, id: 'pair', per: ['merchant', 'user'], window: 'lifetime' };

const USER_ONCE: ModelRule = { ...USER_DAY, id: 'user-once', max: { count: 1 } };
const SECOND_CARD: ModelRule = { ...USER_ONCE, id: 'trial', distinct: 'card', max: { count: 2 } };
const MERCHANT_DAY: ModelRule = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };

function check(orderId: string, user: string, holdMs = 1_000): Step {
  const asked = { amount: 100, currency: 'CNY', count: 1, attributes: { card: orderId } };
  const subjects = { user, merchant: 'm-1' };
  return { do: 'check', request: { orderId, subjects, ...asked, holdMs, capture: false } };
}

/** An order of a user and a merchant, which counts for ever, or is given back. */
function order(user: string, end: 'confirm' | 'rollback'): readonly Step[] {
  const named = { orderId: `o-${user}`, subjects: { user, merchant: 'm-1' } };
  return [check(named.orderId, user), { do: end, request: named }];
}

const QUESTION = {
  draft: wholeDraft([]),
  from: START,
  freed: 'unpaid',
  documentsMax: 9,
} as const;

it('a replay keeps no name of a bucket that no document has, though its window never ends', async () => {
  const steps = [...order('u-1', 'confirm'), ...order('u-2', 'rollback')];
  const played = await playedPast({ startsAt: START, onNoRule: 'allow', rules: [PAIR], steps });
  const state = newReplay();
  const listener = { onCheck: () => undefined, onRow: () => undefined };
  const batches = replayBatches(pastOf(played), QUESTION, listener, state);
  while ((await batches.next()).done !== true);
  const kept = state.control.direct;
  new Replay(() => undefined, kept).sweep(new Date('2026-03-03T02:00:00Z'));
  expect([...kept.documents.keys()]).toEqual(['merchant:m-1']);
  const names = [...kept.names.byEnd.values()].flatMap((ofCounter) => [...ofCounter.values()]);
  expect(names).toEqual([...kept.documents.values()].flatMap(bucketNames));
  expect(kept.names.byNumber.filter((name) => name !== undefined)).toEqual(names);
});

/**
 * Lists what the control and a draft say of each check.
 *
 * @param swept row by row is read; after some of them nothing is kept of which nothing matters any more at an instant
 */
async function saidOf(
  rules: readonly ModelRule[],
  steps: readonly Step[],
  drafted: readonly ModelRule[],
  swept: { readonly rows: number; readonly afterMs: number },
  then: InForce['rules'] = [],
): Promise<readonly string[]> {
  const played = await playedPast({ startsAt: START, onNoRule: 'allow', rules, steps });
  const { inForce } = played;
  const said: string[] = [];
  const state = newReplay();
  const past = {
    ...pastOf({ ...played, inForce: { ...inForce, rules: [...inForce.rules, ...then] } }),
    async *rows() {
      for (const row of played.rows) {
        await Promise.resolve();
        yield [row];
      }
    },
  };
  const listener = {
    onCheck: ({ orderId }: PastRow, { direct }: Verdicts, { knockOn }: Verdicts) =>
      said.push(`${orderId} ${direct.outcome} ${knockOn.outcome}`),
    onRow: () => undefined,
  };
  const question = { ...QUESTION, draft: wholeDraft(drafted.map(libRule)) };
  let rows = 0;
  for await (const _at of replayBatches(past, question, listener, state)) {
    rows += 1;
    if (rows !== swept.rows) continue;
    for (const { direct, knockOn = direct } of [state.control, state.draft])
      for (const kept of [direct, knockOn])
        new Replay(() => undefined, kept).sweep(new Date(START.getTime() + swept.afterMs));
  }
  return said;
}

it('a replay counts a late confirm at home, though home had nothing else while the merchant had a share', async () => {
  const confirm = { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' } };
  const steps: readonly Step[] = [
    check('o-1', 'u-1'),
    { do: 'advance', ms: 120_000 },
    check('o-2', 'u-2'),
    { do: 'confirm', request: confirm },
    check('o-3', 'u-1'),
  ];
  // The hold is over, and the share is not. A draft without the merchant has no share.
  const said = await saidOf([USER_ONCE, MERCHANT_DAY], steps, [USER_ONCE], {
    rows: 2,
    afterMs: 1_500,
  });
  expect(said).toEqual(['o-1 allowed allowed', 'o-2 allowed allowed', 'o-3 refused refused']);
});

it('a draft counts a confirm late whose order it held before it was held', async () => {
  const named = (orderId: string) => ({ orderId, subjects: { user: 'u-1', merchant: 'm-1' } });
  const steps: readonly Step[] = [
    check('o-1', 'u-1', 600_000),
    check('o-2', 'u-1', 600_000),
    { do: 'rollback', request: named('o-1') },
    { do: 'advance', ms: 300_000 },
    check('o-2', 'u-1', 600_000),
    { do: 'advance', ms: 400_000 },
    check('o-3', 'u-2', 600_000),
    { do: 'confirm', request: named('o-2') },
    check('o-4', 'u-1', 600_000),
    check('o-5', 'u-1', 600_000),
  ];
  // The draft's hold is over by then, and that of the past goes on.
  const twice = { ...USER_ONCE, max: { count: 2 } };
  const said = await saidOf([USER_ONCE], steps, [twice], { rows: 5, afterMs: 650_000 });
  expect(said).toEqual([
    'o-1 allowed allowed',
    'o-2 refused allowed',
    'o-2 allowed repeated',
    'o-3 allowed allowed',
    'o-4 refused allowed',
    'o-5 refused refused',
  ]);
});

it('a late confirm counts in no rule on trial that had no room for its order', async () => {
  const trial: ModelRule = { ...SECOND_CARD, max: { count: 1 }, mode: 'shadow' };
  const later = { at: new Date(START.getTime() + 125_000), rules: compile([libRule(SECOND_CARD)]) };
  const confirm = (orderId: string): Step => ({
    do: 'confirm',
    request: { orderId, subjects: { user: 'u-1', merchant: 'm-1' } },
  });
  const steps: readonly Step[] = [
    check('o-1', 'u-1'),
    confirm('o-1'),
    check('o-2', 'u-1'),
    { do: 'advance', ms: 120_000 },
    check('o-3', 'u-2'),
    confirm('o-2'),
    { do: 'advance', ms: 10_000 },
    check('o-4', 'u-1'),
  ];
  const said = await saidOf([trial], steps, [USER_ONCE], { rows: 4, afterMs: 60_000 }, [later]);
  expect(said.at(-1)).toBe('o-4 allowed refused');
});

it('a draft lets nobody pay late what it did not hold', async () => {
  const [first, second] = [check('o-1', 'u-1'), check('o-2', 'u-2')];
  if (first.do !== 'check') throw new TypeError('it is a check');
  const confirm = { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' } };
  const steps: readonly Step[] = [
    { ...first, request: { ...first.request, partial: { min: 1 } } },
    { do: 'advance', ms: 120_000 },
    check('o-3', 'u-3'),
    {
      do: 'rollback',
      request: { ...confirm, orderId: 'o-3', subjects: { user: 'u-3', merchant: 'm-1' } },
    },
    { do: 'confirm', request: confirm },
    second,
  ];
  const [user, merchant] = [
    { ...USER_DAY, id: 'user', max: { amount: 60 } },
    { ...MERCHANT_DAY, max: { amount: 160 } },
  ];
  const others = { ...user, appliesTo: { not: { card: 'o-2' } } };
  const said = await saidOf([], steps, [others, merchant], { rows: 3, afterMs: 60_000 });
  expect(said.at(-1)).toBe('o-2 allowed allowed');
});

it('a replay keeps a document while a call may come that began before what the document has seen', () => {
  const later = (seconds: number): Date => new Date(START.getTime() + seconds * 1_000);
  const document = newDocument(noNames());
  const share: KeptShare = {
    document,
    buckets: [],
    amount: 100,
    count: 1,
    until: later(60),
    isBeside: false,
    before: 'nothing',
  };
  move(share, { to: 'held' }, later(10));
  move(share, { to: 'rolledBack' }, later(11));
  expect([9, 10].map((seconds) => isIdle(document, later(seconds)))).toEqual([false, true]);
});
