import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOCK_BACK_MS } from '../../lib/shared/bounds.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { Lanes } from '../../lib/document/counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { ModelWindow } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { PLAIN_OFF, PLAIN_ON } from '../support/lanes.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';

const MAXIMUM = 3;
const SECOND_MS = 1_000;
const database = useDatabase();

const at = (instant: string): Date => new Date(instant);

/** A window, with one of its boundaries. */
type WindowAndEnd = {
  readonly name: string;
  readonly window: ModelWindow;
  readonly end: Date;
};

const A_DAY: WindowAndEnd = {
  name: 'a day',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  end: at('2026-03-01T16:00:00.000Z'),
};
const ROLLING: readonly WindowAndEnd[] = [
  {
    name: 'ten seconds, rolling in steps of one',
    window: { rollingMs: 10_000, stepMs: 1_000 },
    end: at('2026-03-01T16:00:00.000Z'),
  },
  {
    name: 'three seconds, rolling exactly',
    window: { rollingMs: 3_000, stepMs: 'exact' },
    end: at('2026-03-01T16:00:00.000Z'),
  },
];

const LANES = [
  { by: 'by the plain lane', lanes: PLAIN_ON },
  { by: 'without the plain lane', lanes: PLAIN_OFF },
] as const;

function limitsFor(window: ModelWindow, lanes: Lanes) {
  const rules = [{ ...USER_DAY, window, max: { count: MAXIMUM } }];
  const counters = patientCounters(database.db, { lanes });
  return limitsOver(counters, rules);
}

function order(orderId: string, subjects: CheckRequest['subjects'], capture = false) {
  return checkOf({ orderId, subjects, capture, holdMs: 5_000 });
}

const later = (from: Date, ms: number): Date => new Date(from.getTime() + ms);

describe.each(LANES)("the database's clock, set back a second, $by", ({ by, lanes }) => {
  it.each(ROLLING)(
    'does not open the window that ended again: $name',
    async ({ name, window, end }) => {
      const subjects = { user: `back ${name} ${by}` };
      const limits = limitsFor(window, lanes);
      const before = later(end, -500);
      for (const orderId of ['o-1', 'o-2', 'o-3'])
        expect(await limits.check(order(orderId, subjects, true), before)).toMatchObject({
          kind: 'allowed',
        });
      // The next window begins, and what is written there forgets the one before.
      await limits.check(order('o-4', subjects, true), later(end, 400));
      expect(await limits.check(order('o-5', subjects, true), later(end, -600))).toMatchObject({
        kind: 'refused',
      });
    },
  );

  it('counts in the window that began what comes after it by an earlier clock', async () => {
    const subjects = { user: `counts ${by}` };
    const { window, end } = A_DAY;
    const limits = limitsFor(window, lanes);
    const next = later(end, 400);
    await limits.check(order('o-1', subjects, true), next);
    for (const orderId of ['o-2', 'o-3'])
      expect(await limits.check(order(orderId, subjects), later(end, -600))).toMatchObject({
        kind: 'allowed',
        now: next,
      });
    expect(await limits.check(order('o-4', subjects), later(end, -600))).toMatchObject({
      kind: 'refused',
      now: next,
    });
  });

  it('believes a clock that stepped back by more than a minute but for that minute', async () => {
    const subjects = { user: `far ${by}` };
    const limits = limitsFor('lifetime', lanes);
    const start = at('2026-03-01T10:00:00.000Z');
    await limits.check(order('o-1', subjects), start);
    expect(await limits.check(order('o-2', subjects), later(start, -3_600_000))).toMatchObject({
      now: later(start, -3_600_000 + CLOCK_BACK_MS),
    });
  });

  it('gives a repeat of an order whose hold expired an answer', async () => {
    const subjects = { user: `expired ${by}` };
    const limits = limitsFor('lifetime', lanes);
    const start = at('2026-03-01T10:00:00.000Z');
    await limits.check(order('o-1', subjects), start);
    await limits.check(order('o-2', subjects), later(start, 5_000)); // sweeps the first hold
    expect(await limits.check(order('o-1', subjects), later(start, 4_500))).toMatchObject({
      kind: 'allowed',
    });
  });

  it('takes nothing back that was confirmed or rolled back', async () => {
    const subjects = { user: `settled ${by}` };
    const limits = limitsFor('lifetime', lanes);
    const start = at('2026-03-01T10:00:00.000Z');
    for (const orderId of ['o-1', 'o-2', 'o-3'])
      await limits.check(order(orderId, subjects), start);
    await limits.confirm(orderOf('o-1', subjects), later(start, 1_000));
    await limits.rollback(orderOf('o-2', subjects), later(start, 1_000));
    const back = later(start, -1_000);
    expect(await limits.confirm(orderOf('o-1', subjects), back)).toMatchObject({ repeated: true });
    expect(await limits.rollback(orderOf('o-2', subjects), back)).toMatchObject({ repeated: true });
    expect(await limits.check(order('o-4', subjects), back)).toMatchObject({ kind: 'allowed' });
    expect(await limits.check(order('o-5', subjects), back)).toMatchObject({ kind: 'refused' });
  });
});

describe("the database's clock, set back by less than a minute", () => {
  it('lets payments be recorded over documents that have seen later instants', async () => {
    const start = at('2026-03-01T10:00:00.000Z');
    const subjects = { user: 'recorded', merchant: 'recorded' };
    const merchant = { ...USER_DAY, id: 'merchant', per: ['merchant'] } as const;
    const limits = limitsOver(database.db, [USER_DAY, merchant]);
    await limits.check(order('o-1', { user: subjects.user }), later(start, 40_000));
    await limits.check(order('o-2', { merchant: subjects.merchant }), later(start, 20_000));
    const payment = { ...order('o-3', subjects), happenedAt: later(start, -60_000) };
    expect(await limits.recordMany([payment], start)).toMatchObject([
      { kind: 'answered', answer: { counted: ['user-day', 'merchant'] } },
    ]);
  });

  it.each([
    { commits: 'by steps', inOneCommit: false },
    { commits: 'in one commit', inOneCommit: true },
  ])(
    'lets a hold be as short as it may be over documents that have seen later instants, $commits',
    async ({ commits, inOneCommit }) => {
      const start = at('2026-03-01T10:00:00.000Z');
      const merchant = { ...USER_DAY, id: 'merchant', per: ['merchant'] } as const;
      const limits = limitsOver(database.db, [USER_DAY, merchant], { inOneCommit });
      for (const [home, beside] of [
        [0, 40_000],
        [40_000, 0],
      ] as const) {
        const name = `short ${commits} ${home}`;
        await limits.check(order(`home ${name}`, { user: name }), later(start, home));
        await limits.check(order(`beside ${name}`, { merchant: name }), later(start, beside));
        const subjects = { user: name, merchant: name };
        const short = checkOf({ orderId: name, subjects, holdMs: 1_000 });
        expect(await limits.check(short, start)).toMatchObject({
          kind: 'allowed',
          holdExpiresAt: later(start, home + 1_000),
        });
        expect(await limits.confirm(orderOf(name, subjects), start)).toMatchObject({
          late: false,
        });
      }
    },
  );
});

describe('a payment that is recorded within two seconds of the end of a day', () => {
  const midnight = A_DAY.end;
  it.each([
    { machine: -400, server: 600, happened: 300, used: 1, why: 'the machine is behind' },
    { machine: -1_900, server: 50, happened: 0, used: 1, why: 'it happened at midnight itself' },
    { machine: -900, server: 100, happened: 700, used: 1, why: 'its clock is ahead of both' },
    { machine: 500, server: -100, happened: 200, used: 1, why: 'the day has not begun there' },
    { machine: -900, server: 600, happened: -1, used: 0, why: 'it happened before' },
    { machine: 900, server: 600, happened: -1, used: 0, why: 'the machine is ahead' },
  ])('counts where its answer says: $why', async ({ machine, server, happened, used }) => {
    const store = mingoStore({ clock: () => later(midnight, server) });
    // Nobody tells the machine the time.
    const untold = { ...store, now: () => Promise.resolve(undefined) };
    const limits = limitsOver(untold, [{ ...USER_DAY, max: { amount: 1_000 } }], {
      machineNow: () => later(midnight, machine),
    });
    const subjects = { user: 'u-1' };
    const payment = { ...order('o-1', subjects), happenedAt: later(midnight, happened) };
    const counted = used === 1 ? ['user-day'] : [];
    expect(await limits.recordMany([payment])).toMatchObject([{ answer: { counted } }]);
    const usage = await limits.usage({ appId: 'default', subjects });
    expect(usage.rules).toMatchObject([{ used: { count: used } }]);
  });
});

/** A step of a story under a clock that jitters: how far time goes on, how the clock errs, what is done. */
const step = fc.record({
  passesMs: fc.constantFrom(0, 1, 100, 400, 700, 1_500, 4_000),
  jitterMs: fc.integer({ min: -SECOND_MS, max: 0 }),
  does: fc.constantFrom('check', 'check', 'capture', 'capture', 'confirm', 'rollback'),
});

describe.each(LANES)(
  'a clock of the database that jitters by up to a second, $by',
  ({ by, lanes }) => {
    it.each([A_DAY, ...ROLLING])(
      'never admits more than the maximum: $name',
      async ({ name, window, end }) => {
        let run = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
            const subjects = { user: `jitter ${name} ${by} ${run++}` };
            const limits = limitsFor(window, lanes);
            const ledger: Entry[] = [];
            let now = later(end, -3_000);
            for (const [index, { passesMs, jitterMs, does }] of steps.entries()) {
              now = later(now, passesMs);
              const shown = later(now, jitterMs);
              const open = ledger.find(({ state }) => state === 'held');
              if (does === 'check' || does === 'capture') {
                const orderId = `o-${index}`;
                const request = order(orderId, subjects, does === 'capture');
                // What comes after the window's end by an earlier clock counts in the window that began.
                const { kind, now: decidedAt } = await limits.check(request, shown);
                const state = does === 'capture' ? 'used' : 'held';
                if (kind === 'allowed') {
                  ledger.push({ orderId, at: decidedAt, until: later(decidedAt, 5_000), state });
                  expect({ steps, counted: countedAt(ledger, window, decidedAt, now) }).toEqual({
                    steps,
                    counted: expect.toSatisfy((count: number) => count <= MAXIMUM) as unknown,
                  });
                }
              } else if (open !== undefined && open.until > now) {
                await limits[does](orderOf(open.orderId, subjects), shown);
                open.state = does === 'confirm' ? 'used' : 'free';
              }
            }
          }),
          { numRuns: times('jitters'), seed: SEED, endOnFailure: true },
        );
      },
    );
  },
);

/** What a plain ledger knows of an admitted order. */
type Entry = {
  readonly orderId: string;
  /** The document's time, for which it was decided. */
  readonly at: Date;
  readonly until: Date;
  state: 'held' | 'used' | 'free';
};

/** Counts orders in the window of an instant; a hold counts until its time is over, whatever a clock shows. */
function countedAt(ledger: readonly Entry[], window: ModelWindow, shown: Date, now: Date): number {
  const isSame = ({ at: then }: Entry): boolean => {
    if (typeof window === 'object' && 'rollingMs' in window)
      return then.getTime() > shown.getTime() - window.rollingMs && then <= shown;
    return dayOf(then) === dayOf(shown);
  };
  return ledger.filter(
    (entry) =>
      isSame(entry) && (entry.state === 'used' || (entry.state === 'held' && entry.until > now)),
  ).length;
}

/** The business day in Shanghai, eight hours ahead of UTC all year. */
function dayOf(instant: Date): number {
  return Math.floor((instant.getTime() + 8 * 3_600_000) / 86_400_000);
}
