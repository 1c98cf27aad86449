import { describe, expect, it } from 'vitest';
import { crossingPipeline, nearFilter, scanPipeline } from '../../lib/pipeline/near-pipeline.ts';
import { statementPage } from '../support/statement-page.ts';
import { ESTIMATE } from '../support/statement-asks.ts';
import { operatorsIn } from '../support/statement-operators.ts';

/** A merchant of whose day 80 % are taken. */
const NEAR_ROW = {
  ...{ rule: 'merchant-day', mode: 'enforce', kind: 'merchant', document: 'merchant:m-1' },
  ...{ subjects: { merchant: 'm-1' }, counter: 'day-amount', currency: 'CNY' },
  start: new Date('2026-03-01T16:00:00.000Z'),
  until: new Date('2026-03-02T16:00:00.000Z'),
  ...{ percent: 80, max: { amount: 5_000n }, isOverride: false, taken: { amount: 4_100n } },
  at: ESTIMATE,
};

const STATEMENTS = [
  {
    file: 'near',
    header: `
      A call notes a maximum of which it took the half, and 80 %.

      The document before it says which of these parts somebody has told in this window already: those
      that it does not have are this call's to tell. Of calls at once, each part is one call's.`,
    statement: {
      pipeline: crossingPipeline({
        ...NEAR_ROW,
        told: [50, 80].map((percent) => ({ percent, until: NEAR_ROW.until })),
      }),
    },
  },
  {
    file: 'near-scan',
    header: `
      A scan sets a row to the counters as they were at an instant.

      It changes nothing where a call wrote the row after that instant. What was told stays told.`,
    statement: { pipeline: scanPipeline(NEAR_ROW) },
  },
  {
    file: 'near-page',
    header: `
      The page after a row of those who have taken 80 % of a rule's maximum.

      Rows come nearest first, and of equal parts in the order of their ids.`,
    statement: {
      filter: nearFilter(
        {
          rule: 'merchant-day',
          percent: 80,
          after: { percent: 95, id: 'merchant-day day-amount 1772380800000 merchant:m-1' },
        },
        ESTIMATE,
      ),
    },
  },
];

/**
 * Every statement on rows of who is near, whole, in `statements/`. Statements on counters and refunds are
 * in `test/limits/`.
 */
describe('the statement', () => {
  it.each(STATEMENTS)(
    '$file stands whole, under what it proves',
    async ({ file, header, statement }) => {
      const text = statementPage(header, statement);
      expect(text.split('\n').length).toBeGreaterThan(10); // there is a statement
      await expect(text).toMatchFileSnapshot(`./statements/${file}.txt`);
    },
  );
});

/**
 * Update stages and expression operators that MongoDB's manual documents for version 5.0.
 * Source: MongoDB manual 5.0, "Aggregation Pipeline Operators".
 */
const DOCUMENTED_IN_5_0 = [
  ...['$set', '$unset', '$literal', '$cond', '$ifNull', '$max', '$gt', '$lte', '$not', '$in'],
  ...['$map', '$filter', '$concatArrays'],
];

/** Texts of a request that could be taken for expressions, fields or operators. */
const TEXTS = ['$where', '$a', '$b', '$$ROOT', '$c', '$function', '$expr'];
const HOSTILE = {
  ...{ rule: '$where', mode: '$a', kind: '$b', document: '$$ROOT', counter: '$c' },
  ...{ subjects: { user: '$function' }, currency: '$expr', until: new Date(1), at: new Date(0) },
  ...{ percent: 50, max: { amount: 1n }, isOverride: false, taken: { count: 1n } },
};
const BUILT = {
  'of a call': crossingPipeline({ ...HOSTILE, told: [{ percent: 50, until: new Date(1) }] }),
  'of a scan': scanPipeline(HOSTILE),
};

/** Keys and texts anywhere but inside of literals. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$literal' ? [key] : [key, ...textsIn(inner)],
  );
}

describe('the pipelines of rows of who is near', () => {
  it('use the operators that are documented for MongoDB 5.0, and each of them', () => {
    const used = new Set(Object.values(BUILT).flatMap(operatorsIn));
    expect([...used].sort()).toEqual([...DOCUMENTED_IN_5_0].sort());
  });

  it.each(Object.entries(BUILT))('%s have no value outside of a literal', (_whose, built) => {
    const texts = textsIn(built);
    for (const value of TEXTS) expect(texts).not.toContain(value);
    expect(texts.some((text) => text.startsWith('$'))).toBe(true); // the search does find texts
  });
});
