import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBucketName } from '../../lib/counter/name.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { callHistory } from '../support/history-call.ts';
import type { Answered } from '../support/service-on-database.ts';
import { callDirectly, callOverHttp, handlersOn } from '../support/service-on-database.ts';
import type { Payment } from './payments.ts';
import { DAY_MS, dayNumber, netByCurrency, SHANGHAI_MS, summaryOfDay } from './payments.ts';
import { SEED, times } from '../support/extent.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const RULES: readonly StoredRule[] = [
  { ...USER_DAY, max: { amount: 5_000 } },
  { ...USER_DAY, id: 'kept', refunds: { amount: true, count: false }, max: { count: 1_000 } },
  {
    ...USER_DAY,
    id: 'transfers',
    match: { type: 'TRANSFER' },
    window: { ...USER_DAY.window, unit: 'month' },
    max: { amount: 1_000_000 },
  },
  { id: 'pair', per: ['user', 'merchant'], window: 'lifetime', max: { count: 1_000 } },
  {
    ...{ id: 'own-pair', per: ['user', 'merchant'], counterparts: 'many', window: 'lifetime' },
    max: { count: 1_000 },
  },
  { id: 'merchant', per: ['merchant'], window: 'lifetime', max: { count: 1_000 } },
  { id: 'single', per: ['user'], currency: 'CNY', window: 'transaction', max: { amount: 4_000 } },
];

const [FROM, NOW] = [Date.parse('2026-03-01T00:00:00Z'), Date.parse('2026-03-08T02:00:00Z')];
const TODAY = dayNumber(NOW);

const database = useDatabase();
let handlers: Handlers;
const payments: Told[] = [];

const at = (ms: number) => ({ 'x-headroom-now': new Date(ms).toISOString() });

/** A payment that is told to the service as it goes, one call at an instant. */
type Story = Omit<Payment, 'orderId' | 'end' | 'refunds'> & {
  readonly laterMs: number;
  readonly ends: 'confirmed' | 'smaller' | 'rolledBack' | 'captured' | 'recorded' | 'held';
  readonly refundShares: readonly number[];
};

const story: fc.Arbitrary<Story> = fc.record({
  user: fc.constantFrom('u-1', 'u-2'),
  merchant: fc.constantFrom('m-1', 'm-2', undefined),
  type: fc.constantFrom('PAYMENT', 'TRANSFER'),
  currency: fc.constantFrom('CNY', 'CNY', 'EUR'),
  amount: fc.integer({ min: 1, max: 4_500 }),
  count: fc.constantFrom(1, 1, 3),
  atMs: fc.integer({ min: FROM, max: NOW - 2 * DAY_MS }),
  laterMs: fc.integer({ min: 1, max: 40 * 3_600_000 }),
  ends: fc.constantFrom(
    'confirmed',
    'confirmed',
    'smaller',
    'rolledBack',
    'captured',
    'recorded',
    'held',
  ),
  refundShares: fc.constantFrom([], [], [0.5], [1], [0.25, 0.75]),
});

type Told = Payment & Pick<Story, 'ends'>;

/** The cause of a refusal: rules, or else the reason. */
function causesOf({ refusedBy, reason }: Answered['body']): readonly object[] {
  const rules = refusedBy as readonly string[]; // as documented
  return rules.length === 0 ? [{ reason }] : rules.map((rule) => ({ rule }));
}

type Step = { readonly atMs: number; readonly run: () => Promise<void> };

/** The calls of a story, of which the later ones depend on what the first one was answered. */
function stepsOf(told: Story, index: number): readonly Step[] {
  const { user, merchant, type, currency, amount, count, atMs, laterMs, ends } = told;
  const orderId = `o-${index}`;
  const subjects = { user, ...(merchant === undefined ? {} : { merchant }) };
  const body = { orderId, subjects, type, currency, amount, count };
  const payment: Told = { ...told, orderId, end: undefined, refunds: [] };
  const begin = async (): Promise<void> => {
    payments.push(payment);
    if (ends === 'recorded') {
      const order = { ...body, at: new Date(atMs).toISOString() };
      const { body: said } = await callOverHttp(
        handlers.record,
        { orders: [order] },
        at(atMs + laterMs),
      );
      expect(said).toMatchObject({ results: [{ state: 'confirmed' }] });
      payment.end = { kind: 'confirmed', amount, atMs: atMs + laterMs, isRecorded: true };
      return;
    }
    const capture = ends === 'captured';
    const asked = capture ? { ...body, capture } : { ...body, hold: 'P7D' };
    const { body: said } = await callOverHttp(handlers.check, asked, at(atMs));
    if (said.decision === 'refused') payment.end = { kind: 'refused', by: causesOf(said), atMs };
    else if (capture) payment.end = { kind: 'confirmed', amount, atMs };
  };
  const end = async (): Promise<void> => {
    if (payment.end !== undefined || ends === 'held') return;
    const paid = ends === 'smaller' ? Math.ceil(amount / 2) : amount;
    const where = { orderId, subjects: { user } };
    if (ends === 'rolledBack') {
      await callOverHttp(handlers.rollback, where, at(atMs + laterMs));
      return;
    }
    const { body: said } = await callOverHttp(
      handlers.confirm,
      { ...where, amount: paid },
      at(atMs + laterMs),
    );
    expect(said).toMatchObject({ state: 'confirmed' });
    payment.end = { kind: 'confirmed', amount: paid, atMs: atMs + laterMs };
  };
  const refunds = told.refundShares.map((share, number): Step => {
    const refundAtMs = atMs + laterMs + (number + 1) * 3_600_000;
    return {
      atMs: refundAtMs,
      run: async () => {
        if (payment.end?.kind !== 'confirmed') return;
        const paid = payment.end.amount;
        const before = payment.refunds.reduce((sum, one) => sum + one.amount, 0);
        const back = Math.min(paid - before, Math.ceil(paid * share));
        if (back === 0) return;
        const request = { orderId, refundId: `r-${number}`, amount: back };
        const { body: said } = await callOverHttp(handlers.refund, request, at(refundAtMs));
        expect(said).toMatchObject({ amount: back });
        payment.refunds.push({ amount: back, atMs: refundAtMs, isLast: before + back === paid });
      },
    };
  });
  const first = { atMs: ends === 'recorded' ? atMs + laterMs : atMs, run: begin };
  return [first, { atMs: atMs + laterMs, run: end }, ...refunds];
}

beforeAll(async () => {
  await makeIndexes(database.db);
  handlers = await handlersOn(database, RULES, {
    AUDIT: 'best-effort',
    LOCAL_CLOCK: 'on',
    REMEMBERED_OUTCOMES: '1000',
  });
  const stories = fc.sample(story, { numRuns: times('pastPayments'), seed: SEED });
  const steps = stories.flatMap(stepsOf).sort((one, other) => one.atMs - other.atMs);
  for (const { run } of steps) await run();
}, 120_000);

const history = async (query: string): Promise<Answered['body']> => {
  const answer = await callHistory(handlers.history, '/v1/usage/history', query, at(NOW));
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

type CounterRow = {
  readonly _id: string;
  readonly b: Readonly<Record<string, Readonly<Record<string, number>>>>;
};
type Window = { readonly start: string; readonly end: string; readonly sums: readonly object[] };
const windowsOf = (body: Answered['body']) => body.windows as readonly Window[]; // as documented

/** A payment that was recorded on a later day counts in no window that was over. */
const isInTime = ({ ends, end, atMs }: Told): boolean =>
  ends !== 'recorded' || dayNumber(end?.atMs ?? 0) === dayNumber(atMs);

const counted = () => payments.filter(({ end }) => end?.kind === 'confirmed');

it('the stories have what the comparisons are about', () => {
  const refused = payments.filter(({ end }) => end?.kind === 'refused');
  const nextDay = counted().filter(({ end, atMs }) => dayNumber(end?.atMs ?? 0) > dayNumber(atMs));
  const refunded = counted().filter(({ refunds }) => refunds.length > 0);
  for (const some of [refused, nextDay, refunded]) expect(some.length).toBeGreaterThan(2);
});

describe('GET /v1/usage/history', () => {
  it.each(['user=u-1', 'user=u-2', 'merchant=m-1', 'user=u-1&merchant=m-2', 'user=never'])(
    'of %s sums the payments of the last 7 days, day by day',
    async (query) => {
      const asked = Object.fromEntries(new URLSearchParams(query));
      const body = await history(`${query}&zone=Asia/Shanghai`);
      expect(body).toMatchObject({ subjects: asked, unit: 'day', timeZone: 'Asia/Shanghai' });
      const expected = Array.from({ length: 7 }, (_, index) => {
        const number = TODAY - 6 + index;
        const startMs = number * DAY_MS - SHANGHAI_MS;
        const those = counted().filter(
          (one) =>
            dayNumber(one.atMs) === number &&
            [undefined, one.user].includes(asked.user) &&
            [undefined, one.merchant].includes(asked.merchant),
        );
        return {
          start: new Date(startMs).toISOString(),
          end: new Date(startMs + DAY_MS).toISOString(),
          sums: netByCurrency(those),
        };
      });
      expect(windowsOf(body)).toEqual(expected);
      if (query !== 'user=never')
        expect(expected.flatMap(({ sums }) => sums).length).toBeGreaterThan(0);
    },
  );

  it.each(['u-1', 'u-2'])('of rule user-day is what counts for %s', async (user) => {
    const body = await history(`user=${user}&rule=user-day`);
    expect(body).toMatchObject({ rule: 'user-day', subjects: { user } });
    const expected = Array.from({ length: 7 }, (_, index) =>
      netByCurrency(
        counted().filter(
          (one) =>
            dayNumber(one.atMs) === TODAY - 6 + index &&
            isInTime(one) &&
            one.user === user &&
            one.currency === 'CNY',
        ),
      ),
    );
    expect(windowsOf(body).map(({ sums }) => sums)).toEqual(expected);
  });

  it('says the same as the counters themselves, where they are still kept', async () => {
    const counters = database.db.collection<CounterRow>('counters');
    const { b }: Pick<CounterRow, 'b'> = (await counters.findOne({ _id: 'user:u-1' })) ?? { b: {} };
    const windows = windowsOf(await history('user=u-1&rule=transfers&last=P1M'));
    const [month] = windows;
    const [sum] = (month?.sums ?? []) as readonly { amount: number; count: number }[];
    const end = Date.parse(month?.end ?? '');
    const bucket = Object.entries(b).filter(
      ([name]) => readBucketName(name).until.getTime() === end,
    );
    expect(bucket).toHaveLength(1);
    const [, { ua = 0, un = 0 } = {}] = bucket[0] ?? [];
    expect(sum).toMatchObject({ amount: ua, count: un });
    expect(sum?.amount).toBeGreaterThan(0);
  });

  it('leaves the count of a rule that gives no count back', async () => {
    const sumsOf = async (rule: string) =>
      windowsOf(await history(`user=u-1&rule=${rule}`)).flatMap(({ sums }) => sums) as {
        count: number;
        amount: number;
      }[];
    const [kept, given] = [await sumsOf('kept'), await sumsOf('user-day')];
    expect(kept.map(({ amount }) => amount)).toEqual(given.map(({ amount }) => amount));
    const total = (sums: { count: number }[]) => sums.reduce((sum, { count }) => sum + count, 0);
    expect(total(kept)).toBeGreaterThan(total(given));
  });

  it.each(['pair', 'own-pair'])(
    'of a rule without a calendar takes the days of a zone, and its pair alone: %s',
    async (rule) => {
      const body = await history(`user=u-1&merchant=m-1&rule=${rule}&zone=Asia/Shanghai`);
      const pair = counted().filter(({ user, merchant }) => user === 'u-1' && merchant === 'm-1');
      expect(body).toMatchObject({
        subjects: { user: 'u-1', merchant: 'm-1' },
        timeZone: 'Asia/Shanghai',
      });
      expect(windowsOf(body).map(({ sums }) => sums)).toEqual(
        Array.from({ length: 7 }, (_, index) =>
          netByCurrency(pair.filter(({ atMs }) => dayNumber(atMs) === TODAY - 6 + index)),
        ),
      );
    },
  );

  it('of the last 12 months has twelve windows, and is the same by direct invocation', async () => {
    const body = await history('user=u-1&zone=Asia/Shanghai&last=P12M');
    expect(body).toMatchObject({ unit: 'month' });
    const windows = windowsOf(body);
    expect(windows).toHaveLength(12);
    const mine = counted().filter(({ user }) => user === 'u-1');
    expect(windows.at(-1)?.sums).toEqual(netByCurrency(mine));
    const { body: direct } = await callDirectly(handlers.history, {
      operation: 'usageHistory',
      ...{ subjects: { user: 'u-1' }, zone: 'Asia/Shanghai', last: 'P12M' },
    });
    expect(windowsOf(direct)).toHaveLength(12); // those of today, when nobody paid
  });

  it.each([
    { query: '', path: 'subjects', why: 'nobody is named' },
    { query: 'user=a&last=7', path: 'last', why: 'it is no stretch' },
    { query: 'user=a&last=P32D', path: 'last', why: 'a month is enough' },
    { query: 'user=a&last=P0D', path: 'last', why: 'there must be a day' },
    { query: 'user=a&last=P14M', path: 'last', why: 'a year and a month are enough' },
    { query: 'user=a&zone=Mars', path: 'zone', why: 'no zone is called so' },
    { query: 'user=a&rule=user-day&zone=UTC', path: 'zone', why: 'the rule has its own' },
    { query: 'merchant=a&rule=user-day', path: 'subjects', why: 'it counts for users' },
    { query: 'user=a&rule=single', path: 'rule', why: 'it counts nothing' },
    { query: 'user=a&rule=user-day&rule=kept', path: 'rule', why: 'one at a time' },
  ])('of "$query" says $path, for $why', async ({ query, path }) => {
    const { status, body } = await callHistory(handlers.history, '/v1/usage/history', query);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('says that there is no such rule, and that no audit is kept', async () => {
    const query = 'user=a&rule=never';
    expect(await callHistory(handlers.history, '/v1/usage/history', query)).toMatchObject({
      status: 404,
      body: { code: 'NO_SUCH_RULE' },
    });
    const { history: off } = await handlersOn(database, RULES);
    for (const path of ['/v1/usage/history', '/v1/summary'] as const)
      expect(
        await callHistory(off, path, path === '/v1/summary' ? 'kind=user' : query),
      ).toMatchObject({
        status: 404,
        body: { code: 'AUDIT_OFF' },
      });
    await handlersOn(database, RULES);
  });
});

describe('GET /v1/summary', () => {
  it.each(['user', 'merchant', 'card'] as const)(
    'of every day is what happened to each %s',
    async (kind) => {
      for (let number = TODAY - 7; number <= TODAY; number++) {
        const date = new Date(number * DAY_MS).toISOString().slice(0, 10);
        const query = `kind=${kind}&date=${date}&zone=Asia/Shanghai`;
        const { status, body } = await callHistory(handlers.history, '/v1/summary', query, at(NOW));
        expect(status).toBe(200);
        const start = number * DAY_MS - SHANGHAI_MS;
        const expected = summaryOfDay(payments, kind, number);
        expect(body).toEqual({
          ...{ kind, date, timeZone: 'Asia/Shanghai' },
          ...{ start: new Date(start).toISOString(), end: new Date(start + DAY_MS).toISOString() },
          ...{ ...expected, now: new Date(NOW).toISOString() },
        });
        if (kind === 'card') expect(body).toMatchObject({ sums: [], refused: 0, refusals: [] });
      }
    },
  );

  it('of no date is that of today', async () => {
    const { body } = await callHistory(handlers.history, '/v1/summary', 'kind=user', at(NOW));
    expect(body).toMatchObject({
      date: '2026-03-08',
      timeZone: 'UTC',
      start: '2026-03-08T00:00:00.000Z',
    });
  });

  it.each([
    { query: '', path: 'kind', why: 'none is named' },
    { query: 'kind=User', path: 'kind', why: 'no kind has capitals' },
    { query: 'kind=user&date=2026-02-30', path: 'date', why: 'the calendar has no such day' },
    { query: 'kind=user&user=u-1', path: 'user', why: 'it is about all of them' },
  ])('of "$query" says $path, for $why', async ({ query, path }) => {
    const { status, body } = await callHistory(handlers.history, '/v1/summary', query);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });
});

// The last one: it takes rows away.
it('a payment whose row was lost is where it was once a repeat has told of it', async () => {
  const query = 'user=u-1&rule=user-day';
  const before = [windowsOf(await history(query)), windowsOf(await history('user=u-1'))];
  const lost = counted().filter(
    ({ user, ends, end, currency }) =>
      user === 'u-1' && ends === 'confirmed' && currency === 'CNY' && end,
  );
  expect(lost.length).toBeGreaterThan(1);
  const rows = database.db.collection('audit');
  for (const { orderId, user, end } of lost) {
    const gone = await rows.deleteOne({ orderId, operation: 'confirm', outcome: 'confirmed' });
    expect(gone.deletedCount).toBe(1);
    const amount = end?.kind === 'confirmed' ? end.amount : 0;
    const again = { orderId, subjects: { user }, amount };
    const { body } = await callOverHttp(handlers.confirm, again, at(NOW));
    expect(body).toMatchObject({ repeated: true });
    expect(await rows.findOne({ orderId, operation: 'confirm' })).toMatchObject({
      repeated: true,
      shares: [],
    });
  }
  const after = [windowsOf(await history(query)), windowsOf(await history('user=u-1'))];
  expect(after).toEqual(before);
});
