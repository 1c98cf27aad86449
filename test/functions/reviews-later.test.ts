import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import type { RoutedAnswer } from '../support/routed-call.ts';
import { callRoute } from '../support/routed-call.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { USER_DAY, replaceRules } from '../support/stored-rules.ts';

const DAY = { ...USER_DAY, id: 'day', max: { amount: 100 }, onExceed: 'review' } as const;
const COUNT = { ...DAY, id: 'count', max: { count: 2 } } as const;
const NOON = Date.parse('2026-03-02T04:00:00Z');

const database = useDatabase({ withIndexes: true });
let handlers: Handlers;
const on = async (rules: readonly StoredRule[], more: object = {}): Promise<void> => {
  const set = { LOCAL_CLOCK: 'on', AUDIT: 'best-effort', RULES_CACHE_SECONDS: '0', ...more };
  handlers = await handlersOn(database, rules, set);
};
beforeEach(async () => {
  for (const name of ['proposals', 'counters', 'audit', 'rules', 'rule_versions', 'terms'])
    await database.db.collection(name).deleteMany({});
  await on([DAY]);
});

const headersAt = (second: number, actor: string) => ({
  'x-headroom-now': new Date(NOON + second * 1000).toISOString(),
  'x-actor': actor,
});
const order = (orderId: string, amount: number, more: object = {}) => ({
  ...{ orderId, amount, currency: 'CNY', subjects: { user: 'u-1' } },
  ...more,
});
const check = (second: number, orderId: string, amount: number, more: object = {}) =>
  callRoute(handlers.check, {
    ...{ method: 'POST', route: '/v1/check', body: order(orderId, amount, more) },
    headers: headersAt(second, 'till-1'),
  });
const atomic = async (second: number, orders: readonly object[]) => {
  const { body } = await callRoute(handlers.checks, {
    ...{ method: 'POST', route: '/v1/checks', body: { orders, atomic: true } },
    headers: headersAt(second, 'till-1'),
  });
  return body.results as readonly RoutedAnswer['body'][];
};
const decide = (second: number, id: string, way: 'approve' | 'reject', more: object = {}) =>
  callRoute(handlers.proposals, {
    ...{ method: 'POST', route: `/v1/proposals/{id}/${way}`, parameters: { id } },
    ...{ body: { reason: 'he called', ...more }, headers: headersAt(second, 'joe') },
  });
const look = async (second: number, id: string) => {
  const route = { method: 'GET', route: '/v1/proposals/{id}', parameters: { id } } as const;
  return (await callRoute(handlers.proposals, { ...route, headers: headersAt(second, 'joe') }))
    .body;
};
const reviewIn = (body: RoutedAnswer['body']): string =>
  (body.review as { readonly proposal: string } | undefined)?.proposal ?? 'none';
const asked = async (...given: Parameters<typeof check>) => reviewIn((await check(...given)).body);
const approved = async (second: number, ...given: readonly [string, number, object?]) => {
  const id = await asked(second, ...given);
  await decide(second + 1, id, 'approve');
  return id;
};

const withdraw = (second: number, id: string) =>
  callRoute(handlers.proposals, {
    ...{ method: 'DELETE', route: '/v1/proposals/{id}', parameters: { id }, query: 'reason=no' },
    headers: headersAt(second, 'till-1'),
  });

describe('the newest review of an order', () => {
  it('is found, though an earlier check was of a later instant', async () => {
    const first = await asked(10, 'o-1', 140);
    await withdraw(11, first);
    const id = await asked(9, 'o-1', 140);
    expect(id).toMatch(/-2$/);
    await decide(12, id, 'approve');
    expect((await check(13, 'o-1', 140)).body.decision).toBe('allowed');
  });

  it('is found after ten of one instant', async () => {
    for (let n = 0; n < 10; n++) await withdraw(0, await asked(0, 'o-1', 140));
    expect(await asked(0, 'o-1', 140)).toMatch(/-11$/);
  });

  it('takes back an open one of other content', async () => {
    const first = await asked(0, 'o-1', 130);
    await check(1, 'o-1', 140);
    expect(await look(2, first)).toMatchObject({ state: 'withdrawn' });
  });
});

describe('what Joe sees, and what was decided', () => {
  it('is the maximum of the rule, also where an approval was not enough', async () => {
    await approved(0, 'o-1', 130);
    await check(2, 'o-2', 50);
    const { body } = await check(3, 'o-1', 130);
    expect
      .soft(body)
      .toMatchObject({ headroom: { amount: 50 }, rules: [{ max: { amount: 100 } }] });
    expect(await look(4, reviewIn(body))).toMatchObject({ refusals: [{ max: { amount: 100 } }] });
  });

  it('is every rule that is exceeded, so that the approval is enough', async () => {
    await on([DAY, COUNT]);
    const big = await check(0, 'o-0', 50);
    await check(1, 'o-a', 1);
    await approved(2, 'o-1', 130);
    await callRoute(handlers.rollback, {
      ...{ method: 'POST', route: '/v1/rollback', headers: headersAt(4, 'till-1') },
      body: { orderId: 'o-0', reservation: big.body.reservation },
    });
    await check(5, 'o-b', 1);
    await approved(6, 'o-c', 1);
    await check(8, 'o-c', 1);
    await approved(9, 'o-1', 130);
    expect((await check(11, 'o-1', 130)).body).toMatchObject({ decision: 'allowed' });
  });

  it('stays rejected, whatever else was asked under the order meanwhile', async () => {
    await decide(1, await asked(0, 'o-1', 130), 'reject');
    await check(2, 'o-1', 131);
    expect((await check(3, 'o-1', 130)).body.reason).toBe('rejected');
  });

  it('lets no order pass above a maximum that was lowered since', async () => {
    await approved(0, 'o-1', 130);
    await callRoute(handlers.subjects, {
      ...{ method: 'PUT', route: '/v1/subjects/{kind}/{id}/overrides/{rule}' },
      parameters: { kind: 'user', id: 'u-1', rule: 'day' },
      ...{ body: { max: { amount: 0 }, reason: 'a thief' }, headers: headersAt(2, 'joe') },
    });
    expect((await check(3, 'o-1', 130)).body.decision).toBe('refused');
  });
});

const DAILY = { ...DAY, id: 'daily' } as const;
const WIDE = { amount: 500 } as const;
const LIFE = { ...DAY, window: 'lifetime' } as const;

describe.each([
  { rules: [DAILY], by: 'daily', code: 'NO_SUCH_RULE', old: 'is free' },
  {
    rules: [DAILY, { ...LIFE, max: WIDE }],
    by: 'daily',
    code: 'RULE_CHANGED',
    old: 'is of a wide rule',
  },
  {
    rules: [{ ...DAILY, max: WIDE }, LIFE],
    by: 'day',
    code: 'RULE_CHANGED',
    old: 'is of a rule that refuses',
  },
])('a rule that gets a new id, where its old one $old', ({ rules, by, code }) => {
  const again = async (second: number) => (await check(second, 'o-1', 130)).body;

  it('leaves an open review, of which Joe sees why he cannot approve it', async () => {
    const id = await asked(0, 'o-1', 130);
    await replaceRules(database.db, rules);
    expect(await look(1, id)).toMatchObject({
      ...{ state: 'open', refused: { code } },
      refusals: [{ rule: 'day', upTo: { amount: 130 } }],
    });
    expect((await decide(2, id, 'approve')).body.code).toBe(code);
    expect((await look(3, id)).state).toBe('open');
  });

  it('gets a new review by the next check, which takes back the old one', async () => {
    const id = await asked(0, 'o-1', 130);
    await replaceRules(database.db, rules);
    const body = await again(1);
    expect(body).toMatchObject({ reason: 'review', refusedBy: [by] });
    expect((await look(2, id)).state).toBe('withdrawn');
    const next = await look(3, reviewIn(body));
    expect(next).toMatchObject({ state: 'open', refusals: [{ rule: by }], refused: null });
    await decide(4, reviewIn(body), 'approve');
    expect((await again(5)).decision).toBe('allowed');
  });

  it.each([{ way: 'approve' }, { way: 'reject' }] as const)(
    'asks again after a decision to $way before',
    async ({ way }) => {
      const id = await asked(0, 'o-1', 130);
      await decide(1, id, way);
      await replaceRules(database.db, rules);
      const body = await again(2);
      expect(body).toMatchObject({ reason: 'review', refusedBy: [by], review: { state: 'open' } });
      expect(reviewIn(body)).not.toBe(id);
    },
  );

  it('can be rejected as it was, which decides nothing now', async () => {
    const id = await asked(0, 'o-1', 130);
    await replaceRules(database.db, rules);
    expect((await decide(1, id, 'reject')).body.state).toBe('rejected');
    expect(await again(2)).toMatchObject({ reason: 'review', review: { state: 'open' } });
  });
});

describe('answers', () => {
  it('tell the room that the next order finds, not that of the approval', async () => {
    const first = await check(0, 'o-0', 90);
    await approved(1, 'o-1', 30);
    await callRoute(handlers.rollback, {
      ...{ method: 'POST', route: '/v1/rollback', headers: headersAt(3, 'till-1') },
      body: { orderId: 'o-0', reservation: first.body.reservation },
    });
    await check(4, 'o-2', 80);
    const { body } = await check(5, 'o-1', 30);
    expect(body).toMatchObject({ decision: 'allowed', headroom: { amount: 0 } });
  });

  it('of all or none do not call an approved review open', async () => {
    const orders = [order('o-1', 130), order('o-2', 140, { subjects: { user: 'u-2' } })];
    const [first = {}] = await atomic(0, orders);
    await decide(1, reviewIn(first), 'approve');
    const [again = {}] = await atomic(2, orders);
    expect(again.review ?? {}).not.toMatchObject({ state: 'open' });
  });

  it('of a dry run do not call an approved review open', async () => {
    await approved(0, 'o-1', 130);
    await check(2, 'o-2', 50);
    const { body } = await check(3, 'o-1', 130, { dryRun: true });
    expect(body.review ?? {}).not.toMatchObject({ state: 'open' });
  });

  it('of all or none leave the approvals of each order', async () => {
    await approved(0, 'o-1', 120);
    await approved(2, 'o-2', 120);
    await atomic(4, [order('o-1', 120), order('o-2', 120)]);
    expect((await check(5, 'o-2', 120)).body).toMatchObject({ decision: 'allowed' });
  });

  it('say why an approval would do nothing, as of a change that no longer fits', async () => {
    const id = await asked(0, 'o-1', 130);
    await replaceRules(database.db, [{ ...DAY, max: { amount: 90 } }]);
    expect((await look(1, id)).refused).not.toBeNull();
  });

  it('about a closed review of an order do not advise to make a change', async () => {
    const id = await approved(0, 'o-1', 130);
    expect((await decide(2, id, 'reject')).body.detail).not.toContain('make the change again');
  });
});
