import { describe, expect, it } from 'vitest';
import type { CheckData, CheckKind } from '../../lib/pipeline/check-data.ts';
import { completePipeline, settlePipeline } from '../../lib/pipeline/settle-pipeline.ts';
import { checkManyPipeline } from '../../lib/pipeline/check-many-pipeline.ts';
import { completeManyPipeline } from '../../lib/pipeline/complete-many-pipeline.ts';
import { settleManyPipeline } from '../../lib/pipeline/settle-many-pipeline.ts';
import { mendPipeline } from '../../lib/pipeline/mend-pipeline.ts';
import { giveBackPipeline, refundPipeline } from '../../lib/pipeline/refund-pipeline.ts';
import { checkPipeline } from '../../lib/pipeline/check-pipeline.ts';
import { SERVER_NOW } from '../../lib/pipeline/expression.ts';
import { viewProjection } from '../../lib/pipeline/view-projection.ts';

/** Update stages and expression operators that MongoDB's manual documents for version 5.0. */
const DOCUMENTED_IN_5_0 = new Set([
  ...['$set', '$unset'],
  ...['$add', '$subtract', '$mod', '$max', '$min', '$sum', '$toLong'],
  ...['$and', '$or', '$not', '$eq', '$ne', '$gt', '$lte', '$cond', '$ifNull'],
  ...['$map', '$filter', '$concatArrays', '$slice', '$first', '$in', '$size'],
  ...['$arrayElemAt', '$reduce'], // since 3.2 and 3.4
  ...['$anyElementTrue', '$mergeObjects', '$let', '$literal'],
]);

/** A request in which every text could be taken for an expression. */
const check: CheckData = {
  own: { id: '$$ROOT', nonce: '$nonce', digest: '$where', amount: 1n, count: 1n },
  share: { usedAmount: 0n, usedCount: 0n, heldAmount: 1n, heldCount: 1n },
  holdMs: 1_000n,
  openHoldsMax: 500,
  plans: [
    {
      from: new Date(0),
      until: new Date(1),
      open: true,
      counters: [
        {
          name: { counter: '$function' },
          roomAmount: 1n,
          roomCount: 1n,
          stepMs: 1n,
          keepMs: 1n,
        },
      ],
    },
  ],
};
const settle = { id: '$where', amount: null, nonce: '$$NOW' } as const;

const SWITCHES = [
  ...(['captures', 'pending', 'takesOver', 'renews', 'again', 'stepped', 'shadowed'] as const),
] as const;

/** Every kind of check: each switch on or off. */
const CHECK_KINDS = Array.from({ length: 2 ** SWITCHES.length }, (_, bits) => {
  const isOn = (name: (typeof SWITCHES)[number]): boolean =>
    Math.floor(bits / 2 ** SWITCHES.indexOf(name)) % 2 === 1;
  const kind: CheckKind = {
    captures: isOn('captures'),
    pending: isOn('pending'),
    takesOver: isOn('takesOver'),
    renews: isOn('renews'),
    again: isOn('again'),
    stepped: isOn('stepped'),
    shadowed: isOn('shadowed'),
  };
  return { name: ['check', ...SWITCHES.filter(isOn)].join(' '), kind };
});

/** Every kind of settlement. */
const SETTLE_KINDS = (['confirmed', 'rolledBack', 'withdrawn'] as const).flatMap((to) =>
  [true, false].flatMap((remembers) =>
    [true, false].map((ofOneCall) => ({ to, remembers, ofOneCall })),
  ),
);

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
  takenOver: ['$where'],
  onlyPending: ['$a'],
  finals: [{ id: '$expr', amount: 1n }],
  remembers: true,
};

const BUCKET = { counter: '$c', start: new Date(0), until: new Date(1) };

const BUILT = {
  checkMany: checkManyPipeline(checkMany, SERVER_NOW),
  settleMany: settleManyPipeline(settleMany, SERVER_NOW),
  completeMany: completeManyPipeline([{ id: '$a', nonce: '$b' }]),
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
      mends: [{ name: BUCKET, usedAmount: 1n, usedCount: 1n, heldAmount: 1n, heldCount: 1n }],
    },
    SERVER_NOW,
  ),
  complete: completePipeline({ id: '$a', nonce: '$b' }),
  view: viewProjection({ ids: ['$expr'], counters: ['$c'], countsLive: true }, SERVER_NOW),
  'view of many': viewProjection(
    { ids: ['$expr', '$a'], counters: ['$c'], countsLive: false },
    SERVER_NOW,
  ),
  ...Object.fromEntries(
    CHECK_KINDS.map(({ name, kind }) => [name, checkPipeline(check, kind, SERVER_NOW)]),
  ),
  ...Object.fromEntries(
    SETTLE_KINDS.map((kind) => [
      `settle ${JSON.stringify(kind)}`,
      settlePipeline(settle, kind, SERVER_NOW),
    ]),
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
  it.each(CHECK_KINDS)('is a constant but for its literal: $name', ({ kind }) => {
    const other = { ...check, own: { ...check.own, id: 'x' }, plans: [] };
    const withoutLiteral = (data: CheckData): string =>
      JSON.stringify(checkPipeline(data, kind, SERVER_NOW), (key, inner: unknown) =>
        key === '$literal' ? 'data' : typeof inner === 'bigint' ? Number(inner) : inner,
      );
    expect(withoutLiteral(other)).toBe(withoutLiteral(check));
  });
});
