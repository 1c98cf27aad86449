import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useEventBridge } from '../support/event-bridge.ts';
import type { Handlers } from '../support/handlers.ts';
import { callRoute } from '../support/routed-call.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const DAY = { ...USER_DAY, id: 'day', max: { amount: 100 }, onExceed: 'review' } as const;

const database = useDatabase({ withIndexes: true });
const bridge = useEventBridge();
let handlers: Handlers;
beforeEach(async () => {
  handlers = await handlersOn(database, [DAY], { NEAR_BUS: 'limits', NEAR: 'off' });
});

const check = (orderId: string, amount = 150) =>
  callRoute(handlers.check, {
    ...{ method: 'POST', route: '/v1/check' },
    body: { orderId, amount, currency: 'CNY', subjects: { user: `of-${orderId}` } },
    headers: { 'x-actor': 'till' },
  });
const opened = async (orderId: string): Promise<string> => {
  const { body } = await check(orderId);
  return (body.review as { readonly proposal: string }).proposal;
};
const decide = (id: string, way: 'approve' | 'reject') =>
  callRoute(handlers.proposals, {
    ...{ method: 'POST', route: `/v1/proposals/{id}/${way}`, parameters: { id } },
    ...{ body: { reason: 'he called' }, headers: { 'x-actor': 'joe' } },
  });
/** In the order of their types: a busy machine may send them in another. */
const toldOnce = async (count: number) => {
  await vi.waitFor(() => {
    expect(told()).toHaveLength(count);
  }, 10_000);
  return told().sort((one, other) => compared(one.type, other.type));
};
const compared = (one: string, other: string): number => (one < other ? 1 : -1);
const told = () =>
  bridge.requests.flatMap(({ entries }) =>
    entries.map(({ DetailType, EventBusName, Detail }) => ({
      type: DetailType,
      bus: EventBusName,
      ...(JSON.parse(Detail) as { readonly id: string; readonly state: string }),
    })),
  );

describe('a review', () => {
  it('is an event on the bus when it is opened, and when it is decided, once', async () => {
    const id = await opened('o-1');
    await check('o-1');
    await decide(id, 'approve');
    await decide(id, 'approve');
    await check('o-1');
    const order = { app: 'default', orderId: 'o-1', amount: 150 };
    expect(await toldOnce(2)).toMatchObject([
      { type: 'Review opened', bus: 'limits', id, state: 'open', about: 'order', order },
      {
        type: 'Review decided',
        bus: 'limits',
        id,
        state: 'approved',
        decided: { reason: 'he called' },
      },
    ]);
  });

  it('is told as withdrawn where a check has larger sums', async () => {
    const id = await opened('o-2');
    await check('o-2', 160);
    const all = await toldOnce(3);
    expect(all.map(({ type, state }) => [type, state])).toEqual([
      ['Review opened', 'open'],
      ['Review opened', 'open'],
      ['Review decided', 'withdrawn'],
    ]);
    expect(all.at(-1)?.id).toBe(id);
  });

  it('is decided, and the order answered, though the bus refuses the event', async () => {
    bridge.refuses = true;
    const id = await opened('o-3');
    expect((await decide(id, 'reject')).status).toBe(200);
    expect((await check('o-3')).body).toMatchObject({ reason: 'rejected' });
  });

  it('tells nothing of other proposals', async () => {
    await handlersOn(database, [DAY], { NEAR_BUS: 'limits', FOUR_EYES: 'all' });
    const all = await handlersOn(database, [DAY], { NEAR_BUS: 'limits', FOUR_EYES: 'all' });
    const { status } = await callRoute(all.rules, {
      ...{ method: 'PUT', route: '/v1/rules/{id}', parameters: { id: 'other' } },
      ...{ body: { rule: { ...USER_DAY, id: undefined }, reason: 'new' } },
      headers: { 'x-actor': 'jane' },
    });
    expect(status).toBe(202);
    expect(told()).toEqual([]);
  });
});
