import { describe, expect, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { Subjects } from '../../lib/shared/request.ts';
import type { Limits, LimitsOptions } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { patientCounters, PATIENCE_MS } from '../support/patient-counters.ts';
import type { ModelRule } from '../model/model-types.ts';
import { counted } from '../support/broken-orders.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, limitsOver, recordOf, recordedBy } from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase({ withIndexes: true });

/** Every commit that is begun, before it does anything. */
type Begun = (commits: number) => void;

const RULES: readonly ModelRule[] = ['user', 'merchant'].map((kind) => ({
  ...USER_DAY,
  id: `${kind}-life`,
  per: [kind],
  window: 'lifetime',
  max: { count: 1_000 },
}));

/** The service, of which somebody is told how many commits it has begun. */
function limitsTelling(begun: Begun, options: Partial<LimitsOptions> = {}): Limits {
  const collection = storedCounters(database.db);
  const inner = patientCounters(collection, { timeoutMs: PATIENCE_MS });
  let commits = 0;
  const counters: CounterStore = {
    ...inner,
    together: (work) =>
      inner.together((within) => {
        commits += 1;
        begun(commits);
        return work(within);
      }),
  };
  return limitsOver(counters, RULES, { ...options });
}

const paymentOf = (orderId: string, subjects: Subjects, amountMinor = 1) =>
  recordOf({ orderId, subjects, amountMinor, happenedAt: new Date('2026-03-02T10:00:00.000Z') });

const times = (count: number, word: string): string[] => Array.from({ length: count }, () => word);

describe('records of a call', () => {
  it('begin no commit where each is of one document: checks go on beside them', async () => {
    let commits = 0;
    const limits = limitsTelling(() => (commits += 1));
    const orders = [0, 1, 2, 3].map((index) =>
      paymentOf(`alone-${index}`, { user: `alone-${index % 3}` }),
    );
    expect(await recordedBy(limits, orders)).toEqual(times(4, 'new'));
    expect(await recordedBy(limits, orders)).toEqual(times(4, 'again'));
    expect(commits).toBe(0);
    const [user] = await counted(limits, { user: 'alone-0' }, new Date());
    expect(user?.used).toEqual({ amountMinor: 2, count: 2 });
  });

  it('are committed a few documents at a time, and those that are not in time later', async () => {
    const orders = Array.from({ length: 40 }, (_, index) =>
      paymentOf(`some-${index}`, { user: `some-${index}`, merchant: 'some' }),
    );
    const interrupted = limitsTelling((commits) => {
      if (commits > 1) throw new UndecidedError('other commits kept coming first');
    });
    const told = await recordedBy(interrupted, orders);
    expect(told).toEqual([...times(15, 'new'), ...times(25, 'UNDECIDED')]);
    let commits = 0;
    const limits = limitsTelling(() => (commits += 1));
    expect(await recordedBy(limits, orders)).toEqual([...times(15, 'again'), ...times(25, 'new')]);
    expect(commits).toBe(3);
    const [, merchant] = await counted(limits, { user: 'some-0', merchant: 'some' }, new Date());
    expect(merchant?.used).toEqual({ amountMinor: 40, count: 40 });
  });

  it('share one commit where they share their documents', async () => {
    let commits = 0;
    const limits = limitsTelling(() => (commits += 1));
    const orders = Array.from({ length: 100 }, (_, index) =>
      paymentOf(`same-${index}`, { user: 'same', merchant: 'same' }),
    );
    expect(await recordedBy(limits, orders)).toEqual(times(100, 'new'));
    expect(commits).toBe(1);
  });

  it('are counted in the order given where orders of several documents are among them', async () => {
    const limits = limitsTelling(() => undefined);
    const most = 1_000_000_000_000_000;
    const orders = Array.from({ length: 10 }, (_, index) =>
      paymentOf(
        `mixed-${index}`,
        index === 0 ? { user: 'mixed', merchant: 'mixed' } : { user: 'mixed' },
        most,
      ),
    );
    expect(await recordedBy(limits, orders)).toEqual([...times(9, 'new'), 'COUNTER_FULL']);
  });

  it('are counted by the first commit, though other calls hold it up for seconds', async () => {
    let commits = 0;
    const limits = limitsTelling(() => (commits += 1), {
      // Until then, five seconds have passed since its plan was made.
      machineNow: () => new Date(Date.now() - (commits === 0 ? 5_000 : 0)),
    });
    const order = paymentOf('held-up', { user: 'held-up', merchant: 'held-up' });
    expect(await recordedBy(limits, [order])).toEqual(['new']);
    expect(commits).toBe(1);
  });
});
