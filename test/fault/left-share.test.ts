import { describe, expect, it } from 'vitest';
import type { CounterStore } from '../../lib/store/counter-store.ts';
import { mongoCounterStore } from '../../lib/store/mongo-counter-store.ts';
import { useDatabase } from '../support/database.ts';
import { CrashError, crashingStore } from '../support/crashing-store.ts';
import { mingoStore } from '../support/mingo-store.ts';
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

const STORES: readonly {
  readonly engine: string;
  readonly over: (name: string) => CounterStore;
}[] = [
  {
    engine: 'on the database',
    over: (name) => mongoCounterStore(database.db.collection<{ _id: string }>(name)),
  },
  { engine: 'in mingo', over: () => mingoStore() },
];

describe.each(STORES)(
  'a share that ends a moment after home, where the order is checked again in that moment, $engine',
  ({ over }) => {
    const AGAIN = new Date('2026-03-02T10:15:00.000Z');
    const order = checkOf({ orderId: 'o-1', subjects: SUBJECTS, amountMinor: 60 });

    /** Checks the order at BEGIN, with documents beside home whose time is a second later. */
    async function checkedAt(name: string): Promise<CounterStore> {
      const inner = over(name);
      const later: CounterStore = {
        ...inner,
        hold: (document, ask, at) =>
          inner.hold(document, ask, at && new Date(at.getTime() + (isHome(document) ? 0 : 1_000))),
      };
      await limitsOver(database.db, RULES, { counters: later }).check(order, BEGIN);
      return inner;
    }

    it('holds as long as the rest', async () => {
      const counters = await checkedAt('moment-share');
      const limits = limitsOver(database.db, RULES, { counters });
      expect(await limits.check(order, AGAIN)).toMatchObject({
        kind: 'allowed',
        holdExpiresAt: new Date('2026-03-02T10:30:00.000Z'),
      });
      const other = checkOf({ orderId: 'o-2', subjects: { card: 'left' }, amountMinor: 60 });
      expect(await limits.check(other, TWENTY_MINUTES_ON)).toMatchObject({ kind: 'refused' });
    });

    it.each([
      { kind: 'card', why: 'it is the first that is asked beside home' },
      { kind: 'merchant', why: 'what the card holds by then is withdrawn' },
    ])(
      'is counted by a late confirm though the $kind has no room for it by then: $why',
      async ({ kind }) => {
        const counters = await checkedAt(`no-room-${kind}`);
        const lowered = RULES.map((rule) =>
          rule.id === kind ? { ...rule, max: { amount: 50 } } : rule,
        );
        const limits = limitsOver(database.db, lowered, { counters });
        expect(await limits.check(order, AGAIN)).toMatchObject({ kind: 'refused' });
        const look = checkOf({ orderId: 'look', subjects: SUBJECTS, dryRun: true });
        const [none, all] = [0, 60].map((amountMinor) => ({
          ...{ used: { amountMinor }, held: { amountMinor: 0 } },
        }));
        expect(await limits.check(look, TWENTY_MINUTES_ON)).toMatchObject({
          rules: [none, none, none],
        });
        expect(await limits.confirm(orderOf('o-1', SUBJECTS), TWENTY_MINUTES_ON)).toMatchObject({
          late: true,
        });
        expect(await limits.check(look, TWENTY_MINUTES_ON)).toMatchObject({
          rules: [all, all, all],
        });
      },
    );
  },
);

function isHome(document: string): boolean {
  return document.startsWith('user');
}
