import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { callOverHttp, handlersOn } from '../support/service-on-database.ts';

const TITLE = { en: 'Daily limit', zh: '单日累计限额' };
const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
const RULES = [
  { id: 'user-day', title: TITLE, per: ['user'], currency: 'CNY', window: DAY },
  { id: 'user-trial', title: TITLE, per: ['user'], currency: 'CNY', window: DAY },
  { id: 'user-whole', title: TITLE, per: ['user'], currency: 'CNY', window: 'lifetime' },
].map((rule, at) => ({
  ...rule,
  max: { amount: [500, 300, 10_000][at] },
  mode: at === 1 ? 'shadow' : 'enforce',
}));

const database = useDatabase();
let handlers: Handlers;
beforeEach(async () => {
  await database.db.collection('counters').deleteMany({});
  handlers = await handlersOn(database, RULES);
});

function storedCount(): Promise<number> {
  return database.db.collection('counters').countDocuments();
}

const orders = [200, 250, 100].map((amount, at) => ({
  orderId: `o-${at}`,
  subjects: { user: 'u-1' },
  amount,
  currency: 'CNY',
}));

/** The report of rules for each order: id and outcome, and which members stand beside them. */
async function toldOf(report: unknown): Promise<unknown> {
  const { status, body } = await callOverHttp(handlers.checks, { orders, report });
  expect(status).toBe(200);
  const results = body.results as readonly {
    readonly rules?: readonly Readonly<Record<string, unknown>>[];
  }[]; // of a call that is answered
  return results.map(({ rules }) =>
    rules?.map(({ rule, outcome, title, subjects }) => [
      rule,
      outcome,
      ...(title === undefined ? [] : ['title']),
      ...(subjects === undefined ? [] : ['subjects']),
    ]),
  );
}

describe('what an answer to many checks tells of rules', () => {
  const violations = [
    [],
    [['user-trial', 'exceeded-shadow']],
    [
      ['user-day', 'exceeded'],
      ['user-trial', 'exceeded-shadow'],
    ],
  ];

  it.each([undefined, 'violations'])(
    'is those that refused and those that would have, with report %j',
    async (report) => {
      expect(await toldOf(report)).toEqual(violations);
    },
  );

  it('is nothing', async () => {
    expect(await toldOf('none')).toEqual([undefined, undefined, undefined]);
  });

  it('is everything of every rule', async () => {
    const full = (...outcomes: string[]) =>
      outcomes.map((outcome, at) => [RULES[at]?.id, outcome, 'title', 'subjects']);
    expect(await toldOf('all')).toEqual([
      full('within', 'within', 'within'),
      full('within', 'exceeded-shadow', 'within'),
      full('exceeded', 'exceeded-shadow', 'within'),
    ]);
  });

  it('keeps of a rule that refused all that helps to ask again', async () => {
    const { body } = await callOverHttp(handlers.checks, { orders });
    expect(body.results).toMatchObject([
      { decision: 'allowed' },
      { decision: 'allowed' },
      {
        decision: 'refused',
        headroom: { amount: 50 },
        rules: [
          {
            rule: 'user-day',
            mode: 'enforce',
            window: { kind: 'calendar', unit: 'day' },
            max: { amount: 500 },
            held: { amount: 450 },
            remaining: { amount: 50 },
            retryAt: expect.stringMatching(/T16:00:00.000Z$/) as string,
          },
          { rule: 'user-trial' },
        ],
      },
    ]);
  });

  it.each(['some', '', 'ALL', null, true, ['all']])('is not %j', async (report) => {
    for (const [call, asked] of [
      ['checks', { orders }],
      ['check', orders[0]],
    ] as const) {
      const { status, body } = await callOverHttp(handlers[call], { ...asked, report });
      expect(status).toBe(400);
      const expected = 'one of none, violations, all';
      expect(body.errors).toMatchObject([{ path: 'report', expected }]);
    }
    expect(await storedCount()).toBe(0);
  });

  it('is said of a call, and not of one of its orders', async () => {
    const asked = [{ ...orders[0], report: 'all' }];
    const { status, body } = await callOverHttp(handlers.checks, { orders: asked });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'orders[0].report' }]);
  });
});
