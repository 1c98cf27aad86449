import { describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import { CrashError, crashingStore } from '../support/crashing-store.ts';
import { PLAIN_OFF, PLAIN_ON } from '../support/lanes.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { checkOf, limitsOver, orderOf, USER_DAY } from '../support/limits-fixture.ts';

const database = useDatabase();

/** The user is home. Of each subject 1.00 fits. */
const RULES = (['user', 'card', 'merchant'] as const).map((kind) => ({
  ...USER_DAY,
  id: kind,
  per: [kind] as [string],
  window: 'lifetime' as const,
  max: { amount: 100 },
}));
const SUBJECTS = { user: 'left', card: 'left', merchant: 'left' };

const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
const BEGIN = at('10:00:00.000');
const TEN_MINUTES_ON = at('10:10:00.000');
/** Home's hold ends, and two seconds later a share beside home. */
const HOME_ENDS = at('10:15:00.000');
const SHARE_ENDS = at('10:15:02.000');
/** After what was left, before the new hold ends. */
const TWENTY_MINUTES_ON = at('10:20:00.000');

const STORES: readonly {
  readonly by: string;
  readonly over: (name: string) => CounterStore;
  /** The step in which the last share is held: 0 reads all documents, unless they are asked unread. */
  readonly held: number;
}[] = [
  {
    by: 'on the database',
    held: 1,
    over: (name) => patientCounters(database.db.collection<{ _id: string }>(`left-${name}`)),
  },
  { by: 'in mingo, by the plain lane', held: 1, over: () => mingoStore({ lanes: PLAIN_ON }) },
  { by: 'in mingo, without it', held: 2, over: () => mingoStore({ lanes: PLAIN_OFF }) },
];

function limitsOf(counters: CounterStore, rules = RULES): Limits {
  return limitsOver(counters, rules);
}

function orderOfMinor(amountMinor: number, orderId = 'o-1') {
  return checkOf({ orderId, subjects: SUBJECTS, amountMinor });
}

/** What user, card and merchant count. */
async function sumsOf(limits: Limits, now: Date): Promise<readonly (readonly number[])[]> {
  const look = await limits.check(
    checkOf({ orderId: 'look', subjects: SUBJECTS, dryRun: true }),
    now,
  );
  if (look.kind === 'undecided') throw new Error('the store decides');
  return look.rules.map(({ used, held }) => [used?.amountMinor ?? 0, held?.amountMinor ?? 0]);
}

describe.each(STORES)(
  'a share of a call that died before home was asked, $by',
  ({ over, held }) => {
    /** Card and merchant hold an order of which home knows nothing. */
    async function diedOver(name: string, amountMinor: number): Promise<Limits> {
      const store = crashingStore(over(name));
      store.crash({ at: held, moment: 'after' }); // held by card and merchant
      const limits = limitsOf(store.counters);
      await expect(limits.check(orderOfMinor(amountMinor), BEGIN)).rejects.toBeInstanceOf(
        CrashError,
      );
      store.crash();
      expect(await sumsOf(limits, BEGIN)).toEqual([
        [0, 0],
        [0, amountMinor],
        [0, amountMinor],
      ]);
      return limits;
    }

    it('holds room against other orders until its time ends, a second after home’s would have', async () => {
      const limits = await diedOver('other', 60);
      expect(await limits.check(orderOfMinor(60, 'o-2'), HOME_ENDS)).toMatchObject({
        kind: 'refused',
      });
      expect(await limits.check(orderOfMinor(60, 'o-2'), SHARE_ENDS)).toMatchObject({
        kind: 'allowed',
      });
    });

    it('is dropped while its caller is only slow: both are told of the one hold', async () => {
      const counters = over('slow');
      let goOn = (): void => undefined;
      let isThere = (): void => undefined;
      const gate = new Promise<void>((resolve) => (goOn = resolve));
      const reached = new Promise<void>((resolve) => (isThere = resolve));
      const slow: CounterStore = {
        ...counters,
        async hold(ask, at) {
          if (isHome(ask.document)) {
            isThere();
            await gate;
          }
          return counters.hold(ask, at);
        },
      };
      const first = limitsOf(slow).check(orderOfMinor(60), BEGIN);
      await reached;
      const limits = limitsOf(counters);
      expect(await limits.check(orderOfMinor(60), BEGIN)).toMatchObject({
        kind: 'allowed',
        repeated: false,
      });
      goOn();
      expect(await first).toMatchObject({ kind: 'allowed', repeated: true });
      const held = [0, 60];
      expect(await sumsOf(limits, BEGIN)).toEqual([held, held, held]);
      await limits.confirm(orderOf('o-1', SUBJECTS), BEGIN);
      const used = [60, 0];
      expect(await sumsOf(limits, BEGIN)).toEqual([used, used, used]);
    });
  },
);

describe.each(STORES)(
  'a share that outlives home by a second, asked in that second, $by',
  ({ over }) => {
    async function checkedOver(name: string): Promise<CounterStore> {
      const counters = over(name);
      await limitsOf(counters).check(orderOfMinor(60), BEGIN);
      return counters;
    }

    it('stands in nobody’s way when its order is checked again, and holds as long as the rest', async () => {
      const limits = limitsOf(await checkedOver('moment'));
      expect(await limits.check(orderOfMinor(60), HOME_ENDS)).toMatchObject({
        kind: 'allowed',
        holdExpiresAt: at('10:30:00.000'),
      });
      const other = checkOf({ orderId: 'o-2', subjects: { card: 'left' }, amountMinor: 60 });
      expect(await limits.check(other, TWENTY_MINUTES_ON)).toMatchObject({ kind: 'refused' });
      const held = [0, 60];
      expect(await sumsOf(limits, TWENTY_MINUTES_ON)).toEqual([held, held, held]);
    });

    it.each(['card', 'merchant'])(
      'is counted by a late confirm though the %s has no room for its order by then',
      async (kind) => {
        const counters = await checkedOver(`no-room-${kind}`);
        const lowered = RULES.map((rule) =>
          rule.id === kind ? { ...rule, max: { amount: 50 } } : rule,
        );
        const limits = limitsOf(counters, lowered);
        expect(await limits.check(orderOfMinor(60), HOME_ENDS)).toMatchObject({ kind: 'refused' });
        const none = [0, 0];
        expect(await sumsOf(limits, TWENTY_MINUTES_ON)).toEqual([none, none, none]);
        expect(await limits.confirm(orderOf('o-1', SUBJECTS), TWENTY_MINUTES_ON)).toMatchObject({
          late: true,
        });
        const used = [60, 0];
        expect(await sumsOf(limits, TWENTY_MINUTES_ON)).toEqual([used, used, used]);
      },
    );
  },
);

describe.each(STORES)('a share that fills what its document may hold, $by', ({ over, held }) => {
  /** The sum of a counter is exact up to 2^53 - 1: nine of these fit, ten do not. */
  const LARGEST = 1_000_000_000_000_000;

  it.each([
    { bound: 'TOO_MANY_OPEN_HOLDS', most: { openSharesMax: 1 }, amountMinor: 100, before: 0 },
    { bound: 'COUNTER_FULL', most: {}, amountMinor: LARGEST, before: 8 },
  ])(
    'keeps other orders out ($bound), and not its own: a dry run, a check and its repeat agree',
    async ({ bound, most, amountMinor, before }) => {
      const store = crashingStore(over(bound));
      const rules = RULES.map((rule) => ({ ...rule, max: { count: 100 } }));
      const limits = limitsOver(store.counters, rules, { ...most });
      for (let order = 0; order < before; order++)
        for (const kind of ['card', 'merchant'])
          await limits.check(
            checkOf({
              ...{ orderId: `before-${kind}-${order}`, subjects: { [kind]: 'left' } },
              ...{ amountMinor, capture: true },
            }),
            BEGIN,
          );
      store.crash({ at: held, moment: 'after' }); // held by card and merchant
      const asked = orderOfMinor(amountMinor);
      await expect(limits.check(asked, BEGIN)).rejects.toBeInstanceOf(CrashError);
      store.crash();
      const other = orderOfMinor(amountMinor, 'o-2');
      await expect(limits.check(other, BEGIN)).rejects.toMatchObject({ code: bound });
      const dryRun = await limits.check({ ...asked, dryRun: true }, TEN_MINUTES_ON);
      expect(dryRun).toMatchObject({ kind: 'allowed' });
      for (const repeated of [false, true])
        expect(await limits.check(asked, TEN_MINUTES_ON)).toMatchObject({
          kind: 'allowed',
          repeated,
        });
    },
  );
});

function isHome(document: string): boolean {
  return document.startsWith('user');
}
