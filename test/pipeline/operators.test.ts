import { describe, expect, it } from 'vitest';
import type { CheckData } from '../../lib/pipeline/check-data.ts';
import { checkPipeline } from '../../lib/pipeline/check-pipeline.ts';
import { SERVER_NOW } from '../../lib/pipeline/expression.ts';
import { mendPipeline } from '../../lib/pipeline/mend-pipeline.ts';
import { crossingPipeline, scanPipeline } from '../../lib/pipeline/near-pipeline.ts';
import { giveBackPipeline, refundPipeline } from '../../lib/pipeline/refund-pipeline.ts';
import type { SettleData } from '../../lib/pipeline/settle-data.ts';
import { settlePipeline } from '../../lib/pipeline/settle-pipeline.ts';
import { viewProjection } from '../../lib/pipeline/view-projection.ts';

/**
 * Update stages and expression operators that MongoDB's manual documents for version 5.0.
 * Source: MongoDB manual 5.0, "Aggregation Pipeline Operators".
 */
const DOCUMENTED_IN_5_0 = new Set([
  ...['$set', '$unset'],
  ...['$add', '$subtract', '$mod', '$max', '$min', '$sum'],
  ...['$and', '$or', '$not', '$eq', '$ne', '$gt', '$lte', '$cond', '$ifNull'],
  ...['$map', '$filter', '$reduce', '$concatArrays', '$slice', '$first', '$arrayElemAt'],
  ...['$in', '$size', '$anyElementTrue', '$objectToArray', '$arrayToObject', '$mergeObjects'],
  ...['$split', '$concat', '$toString', '$toLong', '$toDate', '$literal'],
]);

/** Texts of a request that could be taken for expressions, fields or operators. */
const TEXTS = ['$$ROOT', '$nonce', '$where', '$function', '$expr', '$a', '$b', '$c', '$$NOW.x'];

/** A request in which every text could be taken for an expression. */
const check: CheckData = {
  orders: [
    {
      own: {
        id: '$$ROOT',
        nonce: '$nonce',
        digest: '$where',
        amount: 1n,
        count: 1n,
        others: ['$a'],
        home: '$b',
      },
      amount: 1n,
      count: 1n,
      until: null,
      holdMs: 1_000n,
      capture: false,
      barred: false,
    },
  ],
  ids: ['$$ROOT'],
  noneBarred: true,
  amount: 1n,
  count: 1n,
  opens: 1,
  endsFirst: null,
  beside: false,
  rememberedMax: 70n,
  terms: '$c',
  openHoldsMax: 500,
  outcomesMax: 64,
  plans: [
    {
      from: new Date(0),
      until: new Date(1),
      open: true,
      counters: [
        {
          counter: '$function',
          sumsAmounts: true,
          maxAmount: 1n,
          maxCount: 1n,
          shadow: false,
          name: '$c',
          until: new Date(1),
          stepMs: 1n,
          keepMs: 1n,
        },
      ],
    },
  ],
};
const settle: SettleData = {
  ids: ['$where'],
  confirmed: ['$where'],
  anyCall: ['$a'],
  nonces: ['$nonce'],
  finals: [{ id: '$expr', amount: 1n }],
  beside: false,
  drops: false,
  outcomesMax: 64,
};
const BUCKET = '$c';

const near = {
  ...{ rule: '$where', mode: '$a', kind: '$b', document: '$$ROOT', counter: '$c' },
  ...{ subjects: { user: '$function' }, currency: '$expr', until: new Date(1), at: new Date(0) },
  ...{ percent: 50, max: { amount: 1n }, isOverride: false, taken: { count: 1n } },
};

const BUILT = {
  near: crossingPipeline({ ...near, told: [{ percent: 50, until: new Date(1) }] }),
  'near by a scan': scanPipeline(near),
  check: checkPipeline(check, SERVER_NOW),
  settle: settlePipeline(settle, SERVER_NOW),
  refund: refundPipeline(
    { counted: 1n, id: '$where', nonce: '$nonce', amount: null, keepUntil: new Date(0) },
    SERVER_NOW,
  ),
  giveBack: giveBackPipeline(
    { amount: 1n, amountIn: [BUCKET], count: 1n, countIn: [BUCKET], names: [BUCKET] },
    SERVER_NOW,
  ),
  mend: mendPipeline(
    {
      mendedAt: null,
      mends: [
        {
          k: BUCKET,
          until: new Date(1),
          v: { amount: 1n, count: 1n, heldAmount: 1n, heldCount: 1n },
        },
      ],
    },
    SERVER_NOW,
  ),
  view: viewProjection(
    { ids: ['$expr'], nonces: ['$nonce'], counters: ['$c'], room: true },
    SERVER_NOW,
  ),
  'view of all counters': viewProjection(
    { ids: ['$expr', '$a'], nonces: [], counters: 'all', room: false },
    SERVER_NOW,
  ),
};

/** Keys that begin with a dollar sign, anywhere but inside of literals. */
function operatorsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(operatorsIn);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key.startsWith('$') ? [key] : []),
    ...(key === '$literal' ? [] : operatorsIn(inner)),
  ]);
}

/** Texts anywhere but inside of literals, those of fields' names too. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$literal' ? [key] : [key, ...textsIn(inner)],
  );
}

describe.each(Object.entries(BUILT))('the pipeline or projection %s', (_name, built) => {
  it('uses only operators documented for MongoDB 5.0', () => {
    const operators = [...new Set(operatorsIn(built))];
    expect(operators.filter((operator) => !DOCUMENTED_IN_5_0.has(operator))).toEqual([]);
    expect(operators.length).toBeGreaterThan(3);
  });

  it('has no value of a request outside of a literal', () => {
    const texts = textsIn(built);
    for (const value of TEXTS) expect(texts).not.toContain(value);
    expect(texts.some((text) => text.startsWith('$'))).toBe(true); // the search does find texts
  });
});

it('each operator that is allowed is used', () => {
  const used = new Set(Object.values(BUILT).flatMap(operatorsIn));
  expect([...DOCUMENTED_IN_5_0].filter((operator) => !used.has(operator))).toEqual([]);
});

/** A pipeline as text without the data of the request. */
function withoutLiteral(pipeline: unknown): string {
  return JSON.stringify(pipeline, (key, inner: unknown) =>
    key === '$literal' ? 'data' : typeof inner === 'bigint' ? `${inner}n` : inner,
  );
}

describe('but for its literal a pipeline is the same for every request', () => {
  it('of checks: one order or many, at home or beside, whatever the rules', () => {
    const [order] = check.orders;
    if (order === undefined) throw new Error('there is an order');
    const own = { id: 'x', nonce: 'n', digest: 'd', amount: 0n, count: 0n };
    const other: CheckData = {
      ...check,
      orders: [order, { ...order, own, capture: true, barred: true, until: new Date(2) }],
      ids: ['x', 'y'],
      noneBarred: false,
      beside: true,
      rememberedMax: null,
      plans: [],
      endsFirst: new Date(2),
      outcomesMax: 1_000,
    };
    expect(withoutLiteral(checkPipeline(other, SERVER_NOW))).toBe(withoutLiteral(BUILT.check));
  });

  it('of settlements: confirms and rollbacks, at home or beside', () => {
    const other: SettleData = {
      ids: ['x', 'y'],
      confirmed: [],
      anyCall: [],
      nonces: ['n', 'm'],
      finals: [],
      beside: true,
      drops: true,
      outcomesMax: 1_000,
    };
    expect(withoutLiteral(settlePipeline(other, SERVER_NOW))).toBe(withoutLiteral(BUILT.settle));
  });
});
