import { describe, expect, it } from 'vitest';
import type { StoredDocument } from '../../lib/document/stored.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import {
  checkOf,
  limitsOver,
  orderOf,
  recordedBy,
  recordOf,
  tidyingNonce,
} from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';

/** How different values are kept in a document: no card stands there, and none for ever. */

const database = useDatabase();

const CARDS: ModelRule = {
  id: 'cards',
  per: ['user'],
  distinct: 'card',
  window: 'lifetime',
  max: { count: 3 },
  mode: 'enforce',
};
const AT = new Date('2026-03-02T10:00:00.000Z');
const EXPIRED = new Date('2026-03-02T10:15:00.000Z');

/** Cards of a user by their digests, with the number of orders that have each. */
async function cardsOf(user: string): Promise<readonly number[]> {
  const found = (await storedCounters(database.db).findOne({
    _id: `user:${user}`,
  })) as StoredDocument | null;
  return Object.values(found?.b ?? {}).flatMap(({ d = {} }) => Object.values(d).map(Number));
}

const orderWith = (orderId: string, user: string, card: string) =>
  checkOf({ orderId, subjects: { user }, attributes: { card } });

describe('a document with different values', () => {
  it('has no card in clear', async () => {
    const limits = limitsOver(database.db, [CARDS]);
    await limits.check(orderWith('clear', 'u-clear', 'card-4929'), AT);
    const found = await storedCounters(database.db).findOne({ _id: 'user:u-clear' });
    expect(JSON.stringify(found)).not.toContain('4929');
    expect(await cardsOf('u-clear')).toEqual([1]);
  });

  it('says in a dry run what a check says of a maximum that is passed already', async () => {
    const limits = limitsOver(database.db, [{ ...CARDS, max: { count: 1 }, onExceed: 'notify' }]);
    await limits.check({ ...orderWith('first', 'u-dry', 'one'), capture: true }, AT);
    await limits.check({ ...orderWith('second', 'u-dry', 'two'), capture: true }, AT);
    const again = orderWith('third', 'u-dry', 'one');
    const dry = await limits.check({ ...again, dryRun: true }, AT);
    const held = await limits.check(again, AT);
    const exceeded = [{ rule: 'cards', count: 1 }];
    expect([dry, held]).toEqual([
      expect.objectContaining({ exceeded }),
      expect.objectContaining({ exceeded }),
    ]);
  });

  it('is rid of values that no order has, once these are eight', async () => {
    const limits = limitsOver(database.db, [CARDS], { nonce: tidyingNonce });
    await limits.check(orderWith('stays', 'u-tidy', 'stays'), AT);
    for (let card = 1; card <= 7; card++) {
      await limits.check(orderWith(`o-${card}`, 'u-tidy', `card-${card}`), AT);
      await limits.rollback(orderOf(`o-${card}`, { user: 'u-tidy' }), AT);
    }
    await limits.check(orderWith('seven', 'u-tidy', 'stays'), AT);
    expect(await cardsOf('u-tidy')).toEqual([2, 0, 0, 0, 0, 0, 0, 0]);
    await limits.check(orderWith('eighth', 'u-tidy', 'card-8'), AT);
    await limits.rollback(orderOf('eighth', { user: 'u-tidy' }), AT);
    await limits.check(orderWith('next', 'u-tidy', 'card-9'), AT);
    expect(await cardsOf('u-tidy')).toEqual([2, 1]);
  });

  it('is rid of the value of an order whose time is over, but not of one that another order has', async () => {
    const limits = limitsOver(database.db, [{ ...CARDS, max: { count: 100 } }], {
      nonce: tidyingNonce,
    });
    for (let card = 1; card <= 8; card++)
      await limits.check(orderWith(`o-${card}`, 'u-late', `card-${card}`), AT);
    await limits.check({ ...orderWith('long', 'u-late', 'card-1'), holdMs: 3_600_000 }, AT);
    await limits.check({ ...orderWith('paid', 'u-late', 'paid'), capture: true }, AT);
    await limits.check(orderWith('next', 'u-late', 'card-1'), EXPIRED);
    expect(await cardsOf('u-late')).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 1]);
    const asked = { appId: 'default', subjects: { user: 'u-late' } };
    const [rule] = (await limits.usage(asked, EXPIRED)).rules;
    expect(rule).toMatchObject({ used: { count: 1 }, held: { count: 1 } });
  });

  it('takes 1,000 values where the rule only notifies, and no more', async () => {
    const notes: ModelRule = { ...CARDS, id: 'notes', onExceed: 'notify' };
    const limits = limitsOver(database.db, [notes]);
    await limits.check({ ...orderWith('first', 'u-full', 'first'), capture: true }, AT);
    const many = Array.from({ length: 998 }, (_, index) => [`filler-${100 + index}`, 1] as const);
    const found = await storedCounters(database.db).findOne({ _id: 'user:u-full' });
    const [name = ''] = Object.keys((found as unknown as StoredDocument).b ?? {});
    const filled = many.flatMap(([value, count]) => [
      [`b.${name}.d.${value}`, count],
      [`b.${name}.ud.${value}`, count],
    ]);
    await storedCounters(database.db).updateOne(
      { _id: 'user:u-full' },
      { $set: Object.fromEntries(filled) as object },
    );
    const last = await limits.check(orderWith('last', 'u-full', 'last'), AT);
    expect(last).toMatchObject({ kind: 'allowed', exceeded: [{ rule: 'notes', count: 997 }] });
    const more = await limits.check(orderWith('more', 'u-full', 'more'), AT);
    expect(more).toMatchObject({ kind: 'allowed', exceeded: [{ rule: 'notes' }] });
    const again = await limits.check(orderWith('again', 'u-full', 'first'), AT);
    expect(again).toMatchObject({ kind: 'allowed' });
    const attributes = { card: 'more' };
    const record = { orderId: 'record', subjects: { user: 'u-full' }, happenedAt: AT, attributes };
    expect(await recordedBy(limits, [recordOf(record)], AT)).toEqual(['new']);
    expect(await cardsOf('u-full')).toHaveLength(1_000);
  });
});
