import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { statusAnswerJson } from '../../lib/audit/status-call.ts';
import type { AuditRow } from '../../lib/audit/audit.ts';
import { transactionsJson } from '../../lib/audit/history/history-handler.ts';
import { CALENDAR_UNITS } from '../../lib/rule/calendar.ts';
import type { HeadroomClient } from '../../packages/client/src/index.ts';
import { useDatabase } from '../support/database.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { clientAt, directClient, useHttpService, useLambdaService } from './fixture.ts';
import { SeenAnswers } from './seen-answers.ts';

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' } as const;
const rule = { per: ['user'], currency: 'CNY' };
const RULES = [
  { ...rule, id: 'user-day', window: DAY, max: { amount: 1_000 } },
  { ...rule, id: 'user-three-days', window: { ...DAY, every: 3 }, max: { amount: 1_000 } },
];
const subjects = { user: 'u 1&ü' };

const database = useDatabase();
const set = { AUDIT: 'best-effort', LOCAL_CLOCK: 'on' };
const service = useHttpService(database, () => handlersOn(database, RULES, set));
const functions = useLambdaService(useDatabase());
let client: HeadroomClient;

const seen = new SeenAnswers();

beforeAll(() => {
  client = clientAt(service, () => '2026-03-02T10:00:00.000Z');
});
beforeEach(async () => {
  const order = { subjects, type: 'PAYMENT', amount: 600, currency: 'CNY' };
  await client.check({ ...order, orderId: 'o-1', capture: true });
  await client.check({ ...order, orderId: 'o-2' });
  await client.check({ ...order, orderId: 'o-3', currency: 'RMB' });
  await client.refund({ orderId: 'o-1', refundId: 'r-1', amount: 100 });
});

describe('every call of the past over HTTP is answered as its type says', () => {
  it('transactions, page by page', async () => {
    const first = seen.note('transactions', await client.transactions({ subjects, limit: 3 }));
    expect(first.subjects).toEqual(subjects);
    const before = first.next ?? '';
    const rest = seen.note('transactions', await client.transactions({ subjects, before }));
    expect(
      [...first.transactions, ...rest.transactions].map(({ outcome }) => outcome).sort(),
    ).toEqual(['confirmed', 'refunded', 'refused', 'refused']);
    expect(rest.next).toBeNull();
    const refused = await client.transactions({
      ...{ subjects, decision: 'refused', since: '2026-03-02T00:00:00Z', language: 'zh-CN' },
      until: '2026-03-03T00:00:00+08:00',
    });
    expect(refused.transactions.find(({ orderId }) => orderId === 'o-2')).toMatchObject({
      refusals: [{ sentence: expect.stringMatching(/^user-day：/) as string }, {}],
    });
  });

  it('usageHistory, of a rule and of all payments', async () => {
    const ofRule = { subjects, rule: 'user-three-days', last: 'P3D' };
    const answer = seen.note('usageHistory', await client.usageHistory(ofRule));
    expect(answer).toMatchObject({ rule: 'user-three-days', every: 3 });
    const { windows } = seen.note('usageHistory', await client.usageHistory({ subjects }));
    const sum = { currency: 'CNY', amount: 500, count: 1, refunded: 100 };
    expect(windows.at(-1)?.sums).toEqual([sum]);
    expect(windows).toHaveLength(7);
    const months = { subjects, zone: 'Asia/Shanghai', last: 'P2M' };
    expect((await client.usageHistory(months)).unit).toBe('month');
  });

  it('summary', async () => {
    const asked = { kind: 'user', date: '2026-03-02', zone: 'Asia/Shanghai' };
    expect(seen.note('summary', await client.summary(asked))).toMatchObject({
      sums: [{ currency: 'CNY', confirmed: { amount: 600 }, refunded: { amount: 100 } }],
      refused: 2,
      refusals: [
        { reason: 'no-rule', count: 1 },
        { rule: 'user-day' },
        { rule: 'user-three-days' },
      ],
    });
    expect(await client.summary({ kind: 'merchant' })).toMatchObject({ sums: [], refused: 0 });
  });

  it('status in a language, and no other call of the same client', async () => {
    const [said] = (await client.status('o-2', { language: 'zh' })).history;
    expect(said?.refusals?.[0]?.sentence).toMatch(/^user-day：/);
    const [english] = (await client.status('o-2')).history;
    expect(english?.refusals?.[0]?.sentence).toMatch(/^user-day allows /);
  });
});

it('the same go by direct invocation of the function history', async () => {
  const direct = directClient(functions);
  await direct.check({ orderId: 'o-1', subjects, amount: 501, currency: 'CNY' });
  const { transactions } = seen.note(
    'transactions',
    await direct.transactions({ subjects, limit: 9 }),
  );
  expect(transactions).toMatchObject([{ orderId: 'o-1', outcome: 'refused' }]);
  seen.note('usageHistory', await direct.usageHistory({ subjects, last: 'P1M' }));
  const unknown = await direct.usageHistory({ subjects: { usr: 'u-1' } });
  expect(seen.note('usageHistory', unknown).unknownKinds).toMatchObject([{ kind: 'usr' }]);
  seen.note('summary', await direct.summary({ kind: 'user' }));
  // There a kind may be called like a parameter.
  const limit = await direct.transactions({ subjects: { limit: 'x' }, limit: 1 });
  expect(limit).toMatchObject({ subjects: { limit: 'x' }, transactions: [] });
});

it('a kind may be called like a header, or like a field of every object', async () => {
  const named = { language: 'x', actor: 'y', ifMatch: 'z' };
  expect(await client.usage(named)).toMatchObject({ subjects: named });
  const answer = client.usage({ constructor: 'x' });
  await expect(answer).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

it('a kind that is called like a parameter cannot stand in a query', async () => {
  const asked = client.transactions({ subjects: { limit: 'x' } });
  await expect(asked).rejects.toThrow(
    'limit is a subject kind and a parameter, and a query cannot tell them apart: invoke the function directly',
  );
});

it('nothing is typed that is never answered', () => {
  const at = new Date('2026-03-02T10:00:00.000Z');
  // Payments whose row got lost have no currency.
  expect(seen.unseen('summary', ['.sums[].currency=null'])).toEqual([]);
  const windows = CALENDAR_UNITS.map((unit) => `.unit=${unit}`);
  const others = [...windows, '.windows[].sums[].currency=null'];
  expect(seen.unseen('usageHistory', others)).toEqual([]);
  // A row is told as status tells it, of which another test has seen everything.
  const row: AuditRow = {
    ...{ id: 'r', appId: 'default', orderId: 'o', operation: 'record', outcome: 'confirmed' },
    ...{ effective: true, at, happenedAt: at, type: 'PAYMENT', subjects, violations: ['user-day'] },
    ...{ amountMinor: 1, count: 1, currency: 'CNY', late: true, reason: 'x', refundId: 'r' },
    ...{ requestId: 'request-1', documents: [], shares: [] },
  };
  const page = transactionsJson({ subjects, rows: [row], limit: 1 }, 'en');
  seen.note('transactions', page);
  const [told] = page.transactions as readonly Readonly<Record<string, unknown>>[];
  const status = { orderId: 'o', state: 'confirmed', now: at, history: [row] } as const;
  const [asStatus] = statusAnswerJson(status, 'en').history as readonly object[];
  expect(told).toMatchObject(asStatus ?? {});
});
