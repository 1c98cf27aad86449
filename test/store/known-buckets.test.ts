import { describe, expect, it } from 'vitest';
import { UNTIDIED_MAX } from '../../lib/domain/bounds.ts';
import type { Lane } from '../../lib/store/lanes.ts';
import { learningLanes } from '../../lib/store/lanes.ts';
import { COUNTERS } from '../../lib/store/mongo-counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { Limits } from '../../lib/limits.ts';
import type { CounterDocument } from '../../lib/store/mongo-counter-store.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';

const database = useDatabase();
const NOON = new Date('2026-03-01T04:00:00.000Z'); // in Asia/Shanghai

function countingLimits(): { readonly limits: Limits; readonly taken: Lane[] } {
  const taken: Lane[] = [];
  const lanes = learningLanes((lane) => taken.push(lane));
  const counters = patientCounters(database.db.collection<CounterDocument>(COUNTERS), { lanes });
  const rules = [{ ...USER_DAY, max: { count: 1_000 } }];
  return { limits: limitsOver(database.db, rules, { counters }), taken };
}

const capture = (user: string, orderId: string) => ({
  ...checkOf({ orderId, subjects: { user } }),
  capture: true,
});

describe('what is known of the buckets of a document', () => {
  it('spares it the tidying where calls make no new bucket', async () => {
    const { limits, taken } = countingLimits();
    for (let order = 0; order < UNTIDIED_MAX + 10; order++)
      await limits.check(capture('busy', `order-${order}`), NOON);
    expect(taken.filter((lane) => lane === 'general')).toHaveLength(1); // the one that made it
  });

  it('is not believed where a bucket is gone: the order is counted in a new one', async () => {
    const { limits, taken } = countingLimits();
    const counters = database.db.collection<CounterDocument>(COUNTERS);
    for (const orderId of ['first', 'second']) await limits.check(capture('swept', orderId), NOON);
    await counters.updateOne({ _id: 'user:swept' }, { $set: { buckets: {} } });
    expect(await limits.check(capture('swept', 'third'), NOON)).toMatchObject({ kind: 'allowed' });
    expect(taken).toEqual(['general', 'plain', 'general']);
    const stored = await counters.findOne<{ readonly buckets: Record<string, unknown> }>({
      _id: 'user:swept',
    });
    expect(Object.values(stored?.buckets ?? {})).toMatchObject([{ count: 1 }]);
  });

  it('is not believed of the largest sum there may be: others may have come close since', async () => {
    const { limits, taken } = countingLimits();
    const others = countingLimits().limits;
    const large = (orderId: string) => ({ ...capture('rich', orderId), amountMinor: 10 ** 15 });
    for (const orderId of ['first', 'second']) await limits.check(large(orderId), NOON);
    for (let order = 0; order < 7; order++)
      expect(await others.check(large(`other-${order}`), NOON)).toMatchObject({ kind: 'allowed' });
    const full = { code: 'COUNTER_FULL' }; // nine times 10^15 is below 2^53, ten times is not
    await expect(others.check(large('last'), NOON)).rejects.toMatchObject(full);
    await expect(limits.check(large('third'), NOON)).rejects.toMatchObject(full);
    expect(taken).toEqual(['general', 'plain', 'general']);
  });

  it('is not believed of what many orders of one call add to it', async () => {
    const { limits } = countingLimits();
    for (const orderId of ['first', 'second']) await limits.check(capture('many', orderId), NOON);
    const orders = Array.from({ length: 10 }, (_, order) => ({
      ...capture('many', `large-${order}`),
      amountMinor: 10 ** 15,
    }));
    const results = await limits.checkMany(orders, false, NOON);
    const kinds = results.map((result) =>
      result.kind === 'failed' ? (result.error as { code: string }).code : result.answer.kind,
    );
    expect(kinds).toEqual([...Array.from({ length: 9 }, () => 'allowed'), 'COUNTER_FULL']);
  });
});
