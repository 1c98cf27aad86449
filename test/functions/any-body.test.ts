import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import type { Handlers } from '../support/handlers.ts';
import { callDirectly, callOverHttp, handlersOn } from '../support/service-on-database.ts';

const RUNS = times('anyBodies');
const KNOWN_CODES = [400, 404, 409, 410, 422];

const RULES = [
  {
    id: 'user-life',
    per: ['user'],
    currency: 'CNY',
    window: 'lifetime',
    max: { amount: 1_000, count: 3 },
  },
];

/** The values that may stand anywhere: all of JSON, and what has hurt parsers before. */
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom(
    ...[
      '',
      '$NOW',
      '$$ROOT',
      'a.b',
      '\u0000',
      '\ud800',
      '\ufffd',
      '__proto__',
      'PT15M',
      'P1M',
      'x',
    ],
  ),
  fc.constantFrom(0, -0, -1, 1.5, 2 ** 53, 10 ** 15, 10 ** 15 + 1, 1e308, 5),
  fc.constant({ $ne: null }),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

const names = ['orderId', 'type', 'subjects', 'amount', 'currency', 'count', 'attributes', 'hold'];
const otherNames = [
  'capture',
  'dryRun',
  'reservation',
  'reason',
  '__proto__',
  'constructor',
  '$set',
];

const right = fc.record({
  orderId: fc.constantFrom('o-1', 'o-2', 'o-3'),
  subjects: fc.constantFrom({ user: 'u-1' }, { user: 'u-2' }, { merchant: 'm-1', user: 'u-1' }),
  amount: fc.constantFrom(0, 1, 600),
  currency: fc.constantFrom('CNY', 'EUR'),
});

/** A request that is right but for some fields, written as text so that any name can stand in it. */
const nearlyRight = fc
  .tuple(
    right,
    fc.array(fc.tuple(fc.constantFrom(...names, ...otherNames), anything), { maxLength: 2 }),
    fc.subarray(names, { maxLength: 1 }),
  )
  .map(([body, changes, without]) => {
    const fields = new Map<string, unknown>([...Object.entries(body), ...changes]);
    for (const name of without) fields.delete(name);
    const written = [...fields].map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    );
    return `{${written.join(',')}}`;
  });

/** How an order ended, which is right but for some fields. */
const nearlyRightEnd = fc
  .tuple(
    fc.record({
      orderId: fc.constantFrom('o-1', 'o-2', 'o-3'),
      subjects: fc.constantFrom({ user: 'u-1' }, { user: 'u-2' }, { merchant: 'm-1', user: 'u-1' }),
      status: fc.constantFrom('SUCCESS', 'FAIL'),
    }),
    fc.array(fc.tuple(fc.constantFrom(...names, ...otherNames), anything), { maxLength: 1 }),
  )
  .map(([end, changes]) => JSON.stringify({ ...end, ...Object.fromEntries(changes) }));

/** A payment that happened, which is right but for some fields. */
const nearlyRightPayment = fc
  .tuple(
    right,
    fc.constantFrom('2026-01-02T09:30:00+08:00', '1970-01-01T00:00:00Z', '2999-01-01T00:00:00Z'),
    fc.array(fc.tuple(fc.constantFrom(...names, ...otherNames, 'at'), anything), { maxLength: 1 }),
  )
  .map(([payment, at, changes]) =>
    JSON.stringify({ ...payment, at, ...Object.fromEntries(changes) }),
  );

const bodies = fc.oneof(
  { weight: 6, arbitrary: nearlyRight },
  { weight: 2, arbitrary: anything.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  handlers = await handlersOn(database, RULES);
});
afterAll(async () => {
  await database.db.collection('counters').deleteMany({});
});

function stored(): Promise<unknown[]> {
  return database.db
    .collection('counters')
    .find({}, { sort: { _id: 1 } })
    .toArray();
}

describe.each(['check', 'confirm', 'rollback'] as const)('whatever %s is sent', (name) => {
  it('it answers, never fails, and stores nothing where it is the caller who is wrong', async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(bodies, fc.boolean(), async (text, direct) => {
        const before = await stored();
        const parsed = direct ? parse(text) : undefined;
        const { status, body } =
          parsed === undefined
            ? await callOverHttp(handlers[name], text)
            : await callDirectly(handlers[name], parsed.value);
        seen.add(status);
        if (status === 200) return;
        expect(KNOWN_CODES, JSON.stringify(body)).toContain(status);
        expect(await stored()).toEqual(before);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(seen).toContain(400);
  });
});

describe.each([
  { name: 'checks', field: 'orders', item: nearlyRight },
  { name: 'settlements', field: 'settlements', item: nearlyRightEnd },
  { name: 'record', field: 'orders', item: nearlyRightPayment },
] as const)('whatever $name is sent', ({ name, field, item }) => {
  it('each order has an answer or a problem, and a rejected call stores nothing', async () => {
    const seen = new Set<number>();
    const lists = fc.array(item, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(lists, async (items) => {
        const before = await stored();
        const { status, body } = await callOverHttp(
          handlers[name],
          `{"${field}":[${items.join(',')}]}`,
        );
        seen.add(status);
        if (status !== 200) {
          expect(status, JSON.stringify(body)).toBe(400);
          expect(await stored()).toEqual(before);
          return;
        }
        // Of a call that is answered.
        const results = body.results as readonly {
          readonly problem?: { readonly status: number };
        }[];
        expect(results).toHaveLength(items.length);
        for (const { problem } of results)
          expect([...KNOWN_CODES, undefined], JSON.stringify(body)).toContain(problem?.status);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect([...seen].sort()).toEqual([200, 400]);
  });
});

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
