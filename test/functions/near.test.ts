import { beforeAll, describe, expect, it } from 'vitest';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { Telemetry } from '../../lib/http/telemetry.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import {
  callDirectly,
  callOverHttp,
  getOverHttp,
  handlersOn,
  serviceOn,
} from '../support/service-on-database.ts';
import { SILENT } from '../support/telemetry.ts';
import { USER_DAY } from '../support/stored-rules.ts';
import { NEAR_PERCENTS } from '../../lib/limits/near-row.ts';
import { NEAR_SHARES } from '../../lib/shared/bounds.ts';

const RULES: readonly StoredRule[] = [
  { ...USER_DAY, id: 'merchant-day', per: ['merchant'], max: { amount: 1_000 } },
  { id: 'user-life', per: ['user'], window: 'lifetime', max: { count: 2 }, mode: 'shadow' },
  {
    ...USER_DAY,
    id: 'user-hour',
    window: { rolling: 'PT1H', step: 'PT5M' },
    max: { amount: 100_000 },
  },
];

const AT = { 'x-headroom-now': '2026-03-02T10:00:00Z' };

const database = useDatabase();
let handlers: Handlers;

/** Seven users and merchants, of whom each pays 100 more than the one before. */
beforeAll(async () => {
  await makeIndexes(database.db);
  handlers = await handlersOn(database, RULES, { NEAR: 'on', LOCAL_CLOCK: 'on' });
  for (const each of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    const subjects = { user: `u-${each}`, merchant: `m-${each}` };
    const order = { orderId: `o-${each}`, subjects, amount: each * 100, currency: 'CNY' };
    const { body } = await callOverHttp(handlers.check, order, AT);
    expect(body.decision).toBe('allowed');
  }
});

const near = (query: string) => getOverHttp(handlers.near, {}, query, AT);
const rowsOf = ({ near: rows }: Readonly<Record<string, unknown>>) =>
  rows as readonly { readonly subjects: Readonly<Record<string, string>>; share: number }[]; // it is a list
const told = (body: Readonly<Record<string, unknown>>) =>
  rowsOf(body).map(({ subjects, share }) => `${Object.values(subjects).join()} ${share}`);

describe('near', () => {
  it('lists who has taken 80 % of a maximum, nearest first', async () => {
    const { status, body } = await near('rule=merchant-day');
    expect(status).toBe(200);
    expect(told(body)).toEqual(['m-10 1', 'm-8 0.8', 'm-9 0.8']);
    expect(body).toMatchObject({ next: null, kept: true, scannedAt: null });
    expect(rowsOf(body)[1]).toEqual({
      rule: 'merchant-day',
      mode: 'enforce',
      subjects: { merchant: 'm-8' },
      currency: 'CNY',
      share: 0.8,
      max: { amount: 1_000 },
      overridden: false,
      taken: { amount: 800, count: 1 },
      start: '2026-03-01T16:00:00.000Z',
      until: '2026-03-02T16:00:00.000Z',
      at: '2026-03-02T10:00:00.000Z',
      now: {
        used: { amount: 0, count: 0 },
        held: { amount: 800, count: 1 },
        max: { amount: 1_000 },
        overridden: false,
        share: 0.8,
      },
    });
  });

  it('lists from another share on, of a rule, of a kind, or of all', async () => {
    expect(told((await near('rule=merchant-day&share=1')).body)).toEqual(['m-10 1']);
    expect(told((await near('kind=merchant&share=0.5')).body)).toHaveLength(6);
    const { body } = await near('share=0.5&limit=100');
    expect(rowsOf(body)).toHaveLength(6 + 10);
    const [life] = rowsOf((await near('rule=user-life&share=0.5')).body);
    expect(life).toMatchObject({ mode: 'shadow', start: null, until: null });
  });

  it('lists page by page, each row once', async () => {
    const found: string[] = [];
    let next = '';
    for (let pages = 0; pages < 20; pages++) {
      const { body } = await near(`share=0.5&limit=3${next === '' ? '' : `&next=${next}`}`);
      expect(rowsOf(body).length).toBeLessThanOrEqual(3);
      found.push(...told(body));
      if (typeof body.next !== 'string') break;
      next = body.next;
    }
    expect(found).toHaveLength(16);
    expect(new Set(found).size).toBe(16);
    const shares = found.map((text) => Number(text.split(' ')[1]));
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
  });

  it('answers direct invocations alike', async () => {
    const { body } = await callDirectly(handlers.near, {
      rule: 'user-life',
      share: 0.5,
      limit: 1,
    });
    expect(told(body)).toEqual(['u-1 0.5']);
  });

  it.each([
    { query: 'share=0.7', wrong: 'share is 0.7, expected one of 0.5, 0.8, 0.95, 1' },
    { query: 'share=high', wrong: 'share is "high", expected one of 0.5, 0.8, 0.95, 1' },
    { query: 'limit=1.0', wrong: 'limit is "1.0", expected a whole number from 1 to 100' },
    { query: 'limit=0', wrong: 'limit is 0, expected a whole number from 1 to 100' },
    { query: 'limit=101', wrong: 'limit is 101, expected a whole number from 1 to 100' },
    { query: 'next=there', wrong: 'expected the next of the page before, unchanged' },
    { query: 'kind=Merchant', wrong: 'expected a subject kind: 1 to 32 letters and digits' },
    {
      query: 'rules=merchant-day',
      wrong:
        'rules is "merchant-day", expected rule instead (of a query only rule, kind, share, limit, next)',
    },
    { query: 'share=0.8&share=1', wrong: 'share is' },
  ])('refuses $query, and says what was expected', async ({ query, wrong }) => {
    const { status, body } = await near(query);
    expect(status).toBe(400);
    expect(body.detail).toContain(wrong);
  });

  it('says that there is no such rule, where a name is mistyped', async () => {
    const { status, body } = await near('rule=merchant-dya');
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'NO_SUCH_RULE' });
    expect(body.detail).toContain('"merchant-dya"');
  });

  it('knows the shares that calls tell', () => {
    expect(NEAR_SHARES.map((share) => share * 100)).toEqual([...NEAR_PERCENTS]);
  });
});

const other = useDatabase();
const pay = (check: LambdaHandler, merchant: string, orderId: string, amount: number) =>
  callOverHttp(check, { orderId, subjects: { merchant, user: 'u-1' }, amount, currency: 'CNY' });

it('is not written with NEAR=off, and says so', async () => {
  const off = await handlersOn(other, RULES, { NEAR: 'off', AUDIT: 'best-effort' });
  await pay(off.check, 'm-1', 'o-1', 1_000);
  const { body } = await getOverHttp(off.near, {}, 'share=0.5');
  expect(body).toMatchObject({ near: [], kept: false, scannedAt: null });
  expect(await other.db.collection('near').countDocuments()).toBe(0);
});

it('counts rows that cannot be written, and answers anyway', async () => {
  const lost: number[] = [];
  const telemetry: Telemetry = {
    ...SILENT,
    lostNear: (_error, crossings) => lost.push(crossings),
  };
  const { check } = handlersOf(
    await serviceOn(other, RULES.slice(0, 1), { NEAR: 'on', AUDIT: 'best-effort' }, telemetry),
  );
  for (const orderId of ['o-2', 'o-3']) await pay(check, 'm-2', orderId, 400);
  expect(lost).toEqual([]);
  // The row is no row any more, so that the next update of it is refused.
  await other.db.collection('near').updateMany({}, { $set: { told: 'nobody' } });
  const { body } = await pay(check, 'm-2', 'o-4', 200);
  expect(body).toMatchObject({ decision: 'allowed', limitReached: true });
  expect(lost).toEqual([1]);
});
