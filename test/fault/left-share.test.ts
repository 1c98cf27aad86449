import { describe, expect, it } from 'vitest';
import type { CounterStore } from '../../lib/store/counter-store.ts';
import { mongoCounterStore } from '../../lib/store/mongo-counter-store.ts';
import { useDatabase } from '../support/database.ts';
import { CrashError, crashingStore } from '../support/crashing-store.ts';
import { checkOf, limitsOver, orderOf, USER_DAY } from '../support/limits-fixture.ts';

const database = useDatabase();

const RULES = (['user', 'card', 'merchant'] as const).map((kind) => ({
  ...{ ...USER_DAY, id: kind, per: [kind] as [string] },
  ...{ window: 'lifetime' as const, max: { amount: 100 } },
}));
const SUBJECTS = { user: 'left', card: 'left', merchant: 'left' };

const BEGIN = new Date('2026-03-02T10:00:00.000Z');
const TEN_MINUTES_ON = new Date('2026-03-02T10:10:00.000Z');
/** After what was left, before the new hold ends. */
const TWENTY_MINUTES_ON = new Date('2026-03-02T10:20:00.000Z');

describe('a share that a withdrawal left behind, cut between home and the card', () => {
  it('holds as long as the rest once the order is checked again', async () => {
    const collection = database.db.collection<{ _id: string }>('left-share');
    const store = crashingStore(mongoCounterStore(collection));
    const limits = limitsOver(database.db, RULES, { counters: store.counters });
    const order = checkOf({ orderId: 'o-1', subjects: SUBJECTS, amountMinor: 60 });
    const fill = checkOf({
      ...{ orderId: 'fill', subjects: { user: 'other', merchant: 'left' }, amountMinor: 60 },
    });
    await limits.check(fill, BEGIN);
    store.crash({ at: 3, moment: 'after' }); // held by user and card, refused, withdrawn at home
    await expect(limits.check(order, BEGIN)).rejects.toBeInstanceOf(CrashError);
    store.crash();
    await limits.rollback(orderOf('fill', fill.subjects), BEGIN);

    expect(await limits.check(order, TEN_MINUTES_ON)).toMatchObject({
      kind: 'allowed',
      holdExpiresAt: new Date('2026-03-02T10:25:00.000Z'),
    });
    const other = checkOf({ orderId: 'o-2', subjects: { card: 'left' }, amountMinor: 60 });
    expect(await limits.check(other, TWENTY_MINUTES_ON)).toMatchObject({ kind: 'refused' });
    expect(await limits.confirm(orderOf('o-1', SUBJECTS), TWENTY_MINUTES_ON)).toMatchObject({
      late: false,
    });
    const look = checkOf({ orderId: 'look', subjects: SUBJECTS, dryRun: true });
    const { rules } = (await limits.check(look, TWENTY_MINUTES_ON)) as { rules: unknown };
    const used = { used: { amountMinor: 60 }, held: { amountMinor: 0 } };
    expect(rules).toMatchObject([used, used, used]);
  });
});

describe('a share that ends a moment after home, where the order is checked again in that moment', () => {
  it('holds as long as the rest', async () => {
    const inner = mongoCounterStore(database.db.collection<{ _id: string }>('moment-share'));
    let laterMs = 1_000;
    const counters: CounterStore = {
      ...inner,
      hold: (document, ask, at) =>
        inner.hold(document, ask, at && new Date(at.getTime() + (isHome(document) ? 0 : laterMs))),
    };
    const limits = limitsOver(database.db, RULES, { counters });
    const order = checkOf({ orderId: 'o-1', subjects: SUBJECTS, amountMinor: 60 });
    await limits.check(order, BEGIN);
    laterMs = 0;
    const again = new Date('2026-03-02T10:15:00.000Z');
    expect(await limits.check(order, again)).toMatchObject({
      kind: 'allowed',
      holdExpiresAt: new Date('2026-03-02T10:30:00.000Z'),
    });
    const other = checkOf({ orderId: 'o-2', subjects: { card: 'left' }, amountMinor: 60 });
    expect(await limits.check(other, TWENTY_MINUTES_ON)).toMatchObject({ kind: 'refused' });
  });
});

function isHome(document: string): boolean {
  return document.startsWith('user');
}
