import { describe, expect, it } from 'vitest';
import { completePipeline, settlePipeline } from '../../lib/pipeline/settle-pipeline.ts';
import { checkManyPipeline } from '../../lib/pipeline/check-many-pipeline.ts';
import { manyViewProjection } from '../../lib/pipeline/many-view-projection.ts';
import { completeManyPipeline } from '../../lib/pipeline/complete-many-pipeline.ts';
import { settleManyPipeline } from '../../lib/pipeline/settle-many-pipeline.ts';
import { checkPipeline } from '../../lib/pipeline/check-pipeline.ts';
import { SERVER_NOW } from '../../lib/pipeline/expression.ts';
import { viewProjection } from '../../lib/pipeline/view-projection.ts';

/** Update stages and expression operators that MongoDB's manual documents for version 5.0. */
const DOCUMENTED_IN_5_0 = new Set([
  ...['$set', '$unset'],
  ...['$add', '$subtract', '$mod', '$max', '$min', '$sum', '$toLong'],
  ...['$and', '$or', '$not', '$eq', '$ne', '$gt', '$lte', '$cond', '$ifNull'],
  ...['$map', '$filter', '$concatArrays', '$slice', '$first', '$in', '$size'],
  '$reduce', // since 3.4
  ...['$allElementsTrue', '$anyElementTrue', '$mergeObjects', '$let', '$literal'],
]);

/** A request in which every text could be taken for an expression. */
const check = {
  id: '$$ROOT',
  nonce: '$nonce',
  digest: '$where',
  amount: 1n,
  count: 1n,
  holdMs: 1_000n,
  capture: false,
  pending: false,
  takesOver: false,
  openHoldsMax: 500,
  plans: [
    {
      from: new Date(0),
      until: new Date(1),
      barred: false,
      counters: [
        {
          counter: '$function',
          amount: 1n,
          maxAmount: 1n,
          maxCount: 1n,
          shadow: false,
          stepMs: 1n,
          keepMs: 1n,
        },
      ],
    },
  ],
};
const settle = {
  id: '$where',
  to: 'confirmed',
  remembers: true,
  amount: null,
  nonce: '$$NOW',
} as const;

const checkMany = {
  orders: [
    {
      id: '$$ROOT',
      nonce: '$nonce',
      digest: '$where',
      amount: 1n,
      count: 1n,
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
  pending: false,
  openHoldsMax: 500,
  plans: [],
};
const settleMany = {
  ids: ['$where'],
  confirmed: ['$where'],
  withdrawn: ['$a'],
  anyCall: ['$b'],
  oneCall: [{ id: '$c', nonce: '$nonce' }],
  finals: [{ id: '$expr', amount: 1n }],
  remembers: true,
};

const BUILT = {
  checkMany: checkManyPipeline(checkMany, SERVER_NOW),
  settleMany: settleManyPipeline(settleMany, SERVER_NOW),
  completeMany: completeManyPipeline([{ id: '$a', nonce: '$b' }]),
  manyView: manyViewProjection(['$expr'], ['$c'], SERVER_NOW),
  check: checkPipeline(check, SERVER_NOW),
  settle: settlePipeline(settle, SERVER_NOW),
  complete: completePipeline({ id: '$a', nonce: '$b' }),
  view: viewProjection('$expr', ['$c'], SERVER_NOW),
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

/** Texts anywhere but inside of literals. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$literal' ? [] : textsIn(inner),
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
    for (const value of ['$where', '$function', '$expr', '$a', '$b', '$c', '$nonce'])
      expect(texts).not.toContain(value);
  });
});

describe('the pipeline of a check', () => {
  it('is a constant but for its literal', () => {
    const other = checkPipeline({ ...check, id: 'x', plans: [] }, SERVER_NOW);
    const withoutLiteral = (value: unknown): string =>
      JSON.stringify(value, (key, inner: unknown) =>
        key === '$literal' ? 'data' : typeof inner === 'bigint' ? Number(inner) : inner,
      );
    expect(withoutLiteral(other)).toBe(withoutLiteral(BUILT.check));
  });
});
