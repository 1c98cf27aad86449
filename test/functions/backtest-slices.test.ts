import { MongoNetworkError } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backtestBookOf, workOf } from '../../functions/backtest-jobs.ts';
import type { Service } from '../../functions/service.ts';
import type { BacktestBook } from '../../lib/backtest/jobs/backtest-book.ts';
import type { BacktestJob, BacktestQuestion, WorkStore } from '../../lib/backtest/jobs/job.ts';
import { workOn } from '../../lib/backtest/jobs/slice.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { handlersOf } from '../support/handlers.ts';
import { callOverHttp, serviceOn } from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const DAY = { ...USER_DAY, id: 'user-day', max: { amount: 300 } };
const QUESTION: BacktestQuestion = {
  draft: { put: { ...DAY, max: { amount: 100 } } },
  from: new Date('2026-03-02T00:00:00+08:00'),
  to: new Date('2026-03-03T00:00:00+08:00'),
  freed: 'unpaid',
  rowsPerSecond: 100_000,
};
const BY = { kind: 'local', id: 'local' } as const;
const START = new Date('2026-03-04T00:00:00Z');
const minutesLater = (minutes: number): Date => new Date(START.getTime() + 60_000 * minutes);

const database = useDatabase();
let service: Service;
let book: BacktestBook;
beforeAll(async () => {
  await makeIndexes(database.db);
  service = await serviceOn(database, [DAY], { AUDIT: 'best-effort', LOCAL_CLOCK: 'on' });
  const { check } = handlersOf(service);
  for (const each of [1, 2, 3, 4]) {
    const at = { 'x-headroom-now': `2026-03-02T10:0${each}:00+08:00` };
    const order = { orderId: `o-${each}`, subjects: { user: 'u-1' }, amount: 100, currency: 'CNY' };
    expect((await callOverHttp(check, order, at)).status).toBe(200);
  }
  book = backtestBookOf(service, () => Promise.resolve());
});
beforeEach(async () => {
  for (const name of ['backtests', 'backtest_orders', 'backtest_states'])
    await database.db.collection(name).deleteMany({});
});

/** A store of which each call is noticed before it is made, and after it was. */
function noticed(store: WorkStore, notice: (place: number, isMade: boolean) => Promise<void>) {
  const calls = { made: 0 };
  const through =
    <Given extends readonly unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const place = calls.made;
      calls.made += 1;
      await notice(place, false);
      const answer = await call(...given);
      await notice(place, true);
      return answer;
    };
  const all: WorkStore = {
    claim: through((id, lease, now) => store.claim(id, lease, now)),
    read: through((job) => store.read(job)),
    tell: through((id, lease, progress, now) => store.tell(id, lease, progress, now)),
    write: through((job, lease, state, now) => store.write(job, lease, state, now)),
    release: through((id, lease, now) => store.release(id, lease, now)),
    end: through((job, lease, end, orders, now) => store.end(job, lease, end, orders, now)),
  };
  return { store: all, calls };
}

class Died extends Error {}

/** One call is the last: it is lost on its way there, or its answer is. */
function dyingAt(store: WorkStore, last: number, isDone: boolean) {
  return noticed(store, (place, isMade) => {
    const isDead = place > last || (place === last && isMade === isDone);
    return isDead ? Promise.reject(new Died()) : Promise.resolve();
  });
}

/** It fails before its first row. */
function unreachable(): AsyncIterable<never> {
  const next = () => Promise.reject(new MongoNetworkError('away'));
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** Works for one slice. Its time is over after the first batch of rows, if there is another slice. */
async function slice(id: string, at: Date, store: WorkStore, isOver: boolean): Promise<boolean> {
  const { context } = workOf(service);
  const nowMs = (): number => at.getTime();
  const endsAtMs = isOver ? 0 : Infinity;
  return workOn(id, { ...context, store, lease: `lease ${at.getTime()}`, nowMs, endsAtMs });
}

async function begun(): Promise<string> {
  const { job } = await book.start(QUESTION, BY, START);
  return job.id;
}

async function ended(id: string): Promise<Partial<BacktestJob>> {
  const {
    leaseUntil: _leaseUntil,
    endedAt: _endedAt,
    slices: _slices,
    ...job
  } = await book.find(id, START);
  return job;
}

const refusedOf = (id: string) =>
  book.orders(id, { decided: 'newlyRefused', replay: 'knockOn', limit: 10 });

async function undisturbed() {
  const { store } = workOf(service).context;
  const id = await begun();
  await slice(id, minutesLater(1), store, false);
  const told = { job: await ended(id), orders: await refusedOf(id) };
  await database.db.collection('backtests').deleteMany({});
  await database.db.collection('backtest_orders').deleteMany({});
  return told;
}

/** Nothing is left of work that has ended. */
async function expectTidy(): Promise<void> {
  const jobs = database.db.collection('backtests');
  expect(await jobs.countDocuments({ slot: { $exists: true } })).toBe(0);
  expect(await database.db.collection('backtest_states').countDocuments()).toBe(0);
  await jobs.deleteMany({});
}

describe('a slice that dies', () => {
  // Where its time is over it claims, reads, tells, writes and releases; else it claims, reads and ends.
  it.each([
    { isOver: true, isDone: true, calls: 5 },
    { isOver: true, isDone: false, calls: 5 },
    { isOver: false, isDone: true, calls: 3 },
    { isOver: false, isDone: false, calls: 3 },
  ])(
    'at each of its $calls calls, done ($isDone) or not, is followed by one that says the same',
    async ({ isOver, isDone, calls: callsOf }) => {
      const whole = await undisturbed();
      expect(whole.orders).toHaveLength(2);
      const { store } = workOf(service).context;
      for (let place = 0; place <= callsOf; place += 1) {
        const id = await begun();
        const { store: dying, calls } = dyingAt(store, place, isDone);
        const worked = slice(id, minutesLater(1), dying, isOver);
        await worked.catch((error: unknown) => {
          if (!(error instanceof Died)) throw error;
        });
        if (place === callsOf) expect(calls.made).toBe(callsOf); // it lived
        // Its lease is over by then.
        await slice(id, minutesLater(2), store, true);
        await slice(id, minutesLater(3), store, false);
        expect({ place, job: await ended(id), orders: await refusedOf(id) }).toMatchObject({
          place,
          job: { state: 'done', summary: whole.job.summary },
          orders: whole.orders,
        });
        await expectTidy();
      }
    },
  );
});

describe('a slice whose database is away for a while', () => {
  it('leaves its job to another one', async () => {
    const { context } = workOf(service);
    const id = await begun();
    const nowMs = (): number => minutesLater(1).getTime();
    const away: typeof context.open = async (job) => {
      const { past, asked } = await context.open(job);
      return { past: { ...past, rows: unreachable }, asked };
    };
    const slept = workOn(id, { ...context, open: away, lease: 'one', nowMs, endsAtMs: Infinity });
    await expect(slept).rejects.toThrow('away');
    expect(await ended(id)).toMatchObject({ state: 'running' });
    await slice(id, minutesLater(1), context.store, false);
    expect(await ended(id)).toMatchObject({ state: 'done' });
    await expectTidy();
  });
});

describe('a slice that is overtaken', () => {
  it.each([true, false])('by a stop at each of its calls ends (over: %s)', async (isOver) => {
    const { store } = workOf(service).context;
    const states = new Set<unknown>();
    for (let stop = 0; stop < 6; stop += 1) {
      const id = await begun();
      const { store: stopped } = noticed(store, async (place, isMade) => {
        if (place === stop && !isMade) await book.stop(id, minutesLater(1));
      });
      if (await slice(id, minutesLater(1), stopped, isOver))
        await slice(id, minutesLater(2), store, false);
      states.add((await ended(id)).state);
      await database.db.collection('backtest_states').deleteMany({}); // which go by themselves
      await expectTidy();
    }
    expect([...states].sort()).toEqual(['done', 'stopped']);
  });

  it('by another one at each of its calls leaves the result to that', async () => {
    const whole = await undisturbed();
    const { store } = workOf(service).context;
    for (let other = 1; other < 5; other += 1) {
      const id = await begun();
      const { store: late } = noticed(store, async (place, isMade) => {
        if (place === other && !isMade) await slice(id, minutesLater(9), store, false);
      });
      expect(await slice(id, minutesLater(1), late, true)).toBe(false);
      expect(await ended(id)).toMatchObject({ state: 'done', summary: whole.job.summary });
      expect(await refusedOf(id)).toEqual(whole.orders);
      await database.db.collection('backtest_states').deleteMany({}); // which go by themselves
      await expectTidy();
    }
  });
});
