import { beforeAll, describe, expect, it } from 'vitest';
import type { StoredRule } from '../../lib/rules/rule-set.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import type { Answered } from '../support/service-on-database.ts';
import { callDirectly, callOverHttp, handlersOn } from '../support/service-on-database.ts';

const DAY_MS = 86_400_000;
const EVER = { per: ['user'], currency: 'CNY', window: 'lifetime' } as const;
const RULES: readonly StoredRule[] = [
  { ...EVER, id: 'ever', max: { amount: 1_000, count: 2 } },
  { ...EVER, id: 'day', window: { unit: 'day', timeZone: 'Asia/Shanghai' }, max: { amount: 10 } },
];

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  handlers = await handlersOn(database, RULES);
});

/** A payment of 6.00 a week ago. */
function paymentOf(orderId: string, user: string, more: object = {}): object {
  const at = '2026-03-02T09:00:00+08:00';
  return { orderId, at, subjects: { user }, amount: 600, currency: 'CNY', ...more };
}

const WAYS = [
  { way: 'over HTTP', call: callOverHttp },
  { way: 'directly', call: callDirectly },
] as const;

describe.each(WAYS)('record, called $way', ({ way, call }) => {
  const record = (...orders: object[]): Promise<Answered> => call(handlers.record, { orders });

  it('counts each payment once, and says where, and which maxima are exceeded', async () => {
    const user = `counts ${way}`;
    const orders = [paymentOf(`a ${way}`, user), paymentOf(`b ${way}`, user, { count: 2 })];
    const counted = { counted: ['ever'], over: ['day'], state: 'confirmed', amount: 600 };
    expect(await record(...orders)).toMatchObject({
      status: 200,
      body: {
        results: [
          { orderId: `a ${way}`, repeated: false, ...counted, exceeded: [] },
          {
            ...{ orderId: `b ${way}`, repeated: false, ...counted },
            exceeded: [{ rule: 'ever', amount: 200, count: 1 }],
          },
        ],
      },
    });
    expect((await record(...orders)).body).toMatchObject({
      results: [
        { repeated: true, ...counted },
        { repeated: true, ...counted },
      ],
    });
    const check = { orderId: `c ${way}`, subjects: { user }, amount: 1, currency: 'CNY' };
    expect((await call(handlers.check, check)).body).toMatchObject({
      decision: 'refused',
      refusedBy: ['ever'],
      rules: [{ rule: 'day' }, { rule: 'ever', used: { amount: 1_200, count: 3 } }],
    });
  });

  it('tells of an order that is taken by itself, and counts the others', async () => {
    const user = `taken ${way}`;
    await record(paymentOf(`d ${way}`, user));
    const others = [paymentOf(`d ${way}`, user, { amount: 1 }), paymentOf(`e ${way}`, user)];
    expect((await record(...others)).body).toMatchObject({
      results: [
        { orderId: `d ${way}`, problem: { code: 'ORDER_REUSED', status: 409 } },
        { orderId: `e ${way}`, repeated: false },
      ],
    });
  });

  it('names every mistake, and counts nothing', async () => {
    const user = `mistakes ${way}`;
    const orders = [
      paymentOf(`f ${way}`, user),
      paymentOf(`f ${way}`, user, { at: '2026-03-02' }),
      paymentOf(`g ${way}`, user, { at: undefined, hold: 'PT1H' }),
    ];
    const { body } = await record(...orders);
    expect(body).toMatchObject({ code: 'INVALID_REQUEST', status: 400 });
    expect(JSON.stringify(body)).toContain('orders[1].at');
    expect(JSON.stringify(body)).toContain('orders[2].at');
    expect(JSON.stringify(body)).toContain('it is orders[0], too');
    expect(JSON.stringify(body)).toContain('only the fields orderId, at, type');
    const document = await database.db
      .collection<{ _id: string }>('counters')
      .findOne({ _id: `user:${user}` });
    expect(document).toBeNull();
  });

  it('refuses what has not happened yet', async () => {
    const at = new Date(Date.now() + DAY_MS).toISOString();
    const { body } = await record(paymentOf(`h ${way}`, `future ${way}`, { at }));
    expect(body).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(JSON.stringify(body)).toContain('an instant that is not after now');
  });
});
