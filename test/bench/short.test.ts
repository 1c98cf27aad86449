import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { onDatabase } from '../../bench/database.ts';
import type { Extent } from '../../bench/extent.ts';
import { measureAll } from '../../bench/measure-all.ts';
import { shortFigures } from '../../bench/short-figures.ts';

/** Every part of the short mode, as little of each as there can be. */
const SMALLEST: Extent = {
  throughput: { subjects: 8, efforts: [{ callers: 2, rounds: 1, sliceMs: 1 }] },
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
      (database) => measureAll(database, SMALLEST, undefined, () => undefined),
    );
    const { ratios, costs, bytes } = shortFigures(results);
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
    expect(Object.keys(costs)).toEqual(
      expect.arrayContaining([
        'merchant check, situation, 2 callers',
        'merchant pair, situation, 2 callers',
        'fresh subject, situation, 2 callers',
        'fresh bucket, situation, 2 callers',
      ]),
    );
    for (const { client } of Object.values(costs)) expect(client).toBeGreaterThan(0);
    // A document that is there takes the plain lane, one that is not must not; and a refusal never does.
    expect(costs['confirm, distinct, 2 callers']?.generalShare).toBe(0);
    expect(costs['fresh subject, situation, 2 callers']?.generalShare).toBeGreaterThan(0.5);
    expect(costs['refusal, distinct, 2 callers']?.generalShare).toBe(1);
    const [own] = bytes;
    for (const row of own?.requests ?? []) expect(row.statements).toBeGreaterThan(0);
    expect(own?.requests.map(({ call, statements }) => [call, statements])).toEqual(
      expect.arrayContaining([
        ['check, five rules of a user', 1],
        ['confirm, five rules of a user', 1],
        ['check, a user and a merchant', 3],
        ['confirm, a user and a merchant', 2],
      ]),
    );
    expect(own?.bundles.map(({ name }) => name)).toContain('check');
    for (const { documentBytes } of results.growth.flatMap(({ points }) => points))
      expect(documentBytes).toBeGreaterThan(100);
  });
});
