import { expect, it } from 'vitest';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { namesIn } from '../../lib/backtest/bucket-sums.ts';
import { newReplay, replayBatches } from '../../lib/backtest/replay-past.ts';
import { Replay } from '../../lib/backtest/replay.ts';
import type { PastRow } from '../../lib/backtest/past-row.ts';
import type { Verdicts } from '../../lib/backtest/side.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { Step } from '../model/walk.ts';
import { USER_DAY } from '../support/limits-fixture.ts';
import { pastOf, playedPast } from './played-past.ts';

const START = new Date('2026-03-02T02:00:00Z');
const PAIR: ModelRule = { ...USER_DAY, id: 'pair', per: ['merchant', 'user'], window: 'lifetime' };

const USER_ONCE: ModelRule = { ...USER_DAY, id: 'user-once', max: { count: 1 } };
const MERCHANT_DAY: ModelRule = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };

function check(orderId: string, user: string): Step {
  const asked = { amount: 100, currency: 'CNY', count: 1, attributes: {} };
  const subjects = { user, merchant: 'm-1' };
  return { do: 'check', request: { orderId, subjects, ...asked, holdMs: 1_000, capture: false } };
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
  expect(names).toEqual([...kept.documents.values()].flatMap(namesIn));
  expect(kept.names.byNumber.filter((name) => name !== undefined)).toEqual(names);
});

it('a replay counts a late confirm at home, though home had nothing else while the merchant had a share', async () => {
  const confirm = { orderId: 'o-1', subjects: { user: 'u-1', merchant: 'm-1' } };
  const steps: readonly Step[] = [
    check('o-1', 'u-1'),
    { do: 'advance', ms: 120_000 },
    check('o-2', 'u-2'),
    { do: 'confirm', request: confirm },
    check('o-3', 'u-1'),
  ];
  const rules = [USER_ONCE, MERCHANT_DAY];
  const played = await playedPast({ startsAt: START, onNoRule: 'allow', rules, steps });
  const said: string[] = [];
  const state = newReplay();
  const past = {
    ...pastOf(played),
    async *rows() {
      for (const row of played.rows) {
        await Promise.resolve();
        yield [row];
      }
    },
  };
  const listener = {
    onCheck: ({ orderId }: PastRow, { direct }: Verdicts) =>
      said.push(`${orderId} ${direct.outcome}`),
    onRow: () => undefined,
  };
  for await (const at of replayBatches(past, QUESTION, listener, state))
    // The hold is over, and the share is not.
    if (at.getTime() === played.rows[1]?.at.getTime())
      new Replay(() => undefined, state.control.direct).sweep(new Date(START.getTime() + 1_500));
  expect(said).toEqual(['o-1 allowed', 'o-2 allowed', 'o-3 refused']);
});
