import { expect, it } from 'vitest';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { newReplay, replayBatches } from '../../lib/backtest/replay-past.ts';
import { Replay } from '../../lib/backtest/replay.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { Step } from '../model/walk.ts';
import { USER_DAY } from '../support/limits-fixture.ts';
import { pastOf, playedPast } from './played-past.ts';

const START = new Date('2026-03-02T02:00:00Z');
const PAIR: ModelRule = { ...USER_DAY, id: 'pair', per: ['merchant', 'user'], window: 'lifetime' };

/** An order of a user and a merchant, which counts for ever, or is given back. */
function order(user: string, end: 'confirm' | 'rollback'): readonly Step[] {
  const subjects = { user, merchant: 'm-1' };
  const named = { orderId: `o-${user}`, subjects };
  const asked = { amount: 100, currency: 'CNY', count: 1, attributes: {} };
  return [
    { do: 'check', request: { ...named, ...asked, holdMs: 60_000, capture: false } },
    { do: end, request: named },
  ];
}

it('a replay keeps no name of a bucket that no document has, though its window never ends', async () => {
  const steps = [...order('u-1', 'confirm'), ...order('u-2', 'rollback')];
  const played = await playedPast({ startsAt: START, onNoRule: 'allow', rules: [PAIR], steps });
  const state = newReplay();
  const question = {
    draft: wholeDraft([]),
    from: START,
    freed: 'unpaid',
    documentsMax: 9,
  } as const;
  const listener = { onCheck: () => undefined, onRow: () => undefined };
  const batches = replayBatches(pastOf(played), question, listener, state);
  while ((await batches.next()).done !== true);
  const kept = state.control.direct;
  new Replay(() => undefined, kept).sweep(new Date('2026-03-03T02:00:00Z'));
  expect([...kept.documents.keys()]).toEqual(['merchant:m-1']);
  expect([...kept.names.values()]).toEqual(kept.documents.get('merchant:m-1')?.names);
});
