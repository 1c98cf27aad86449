import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { onDatabase } from '../../bench/database.ts';
import type { Extent } from '../../bench/extent.ts';
import { measureAll } from '../../bench/measure-all.ts';
import { shortFigures } from '../../bench/short-figures.ts';

/** Every part of the short mode, as little of each as there can be. */
const SMALLEST: Extent = {
  throughput: [{ callers: 2, rounds: 1, sliceMs: 1 }],
  growth: {
    openHolds: [0, 2],
    settled: [1],
    rules: [1, 2],
    buckets: [1, 2],
    rounds: 1,
    sliceMs: 1,
  },
  subjects: [20],
  functions: undefined,
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the benchmark', () => {
  it('compares Headroom with everything it names, and every ratio is a number', async () => {
    vi.stubEnv('MONGODB_URI', inject('mongodbUri'));
    const results = await onDatabase(
      () => undefined,
      (database) => measureAll(database, SMALLEST, () => undefined),
    );
    const { ratios } = shortFigures(results);
    expect(Object.keys(ratios)).toEqual(
      expect.arrayContaining([
        'check to findOneAndUpdate, distinct, 2 callers',
        'check to five limiters, hot, 2 callers',
        'check to textbook commit, hot, 2 callers',
        'refusal to check, distinct, 2 callers',
        'time of a check, 2 open holds',
      ]),
    );
    const figures = Object.values(ratios).flatMap(({ median, least, most }) => [
      median,
      least,
      most,
    ]);
    expect(figures.filter((value) => !Number.isFinite(value) || value <= 0)).toEqual([]);
    for (const { documentBytes } of results.growth.flatMap(({ points }) => points))
      expect(documentBytes).toBeGreaterThan(100);
  });
});
