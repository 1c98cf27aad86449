import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from './service-on-database.ts';
import { callDirectly, callOverHttp, handlersOn } from './service-on-database.ts';

const RUNS = 500;
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

/** What may stand anywhere: all of JSON, and what has hurt parsers before. */
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
      { numRuns: RUNS },
    );
    expect(seen).toContain(400);
  });
});

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
