import type { GrowthSizes } from './growth.ts';
import type { Effort } from './measure.ts';

/** How much a run measures. */
export type Extent = {
  /** One comparison for each, on distinct subjects and on a hot one. */
  readonly throughput: readonly Effort[];
  readonly growth: GrowthSizes & { readonly rounds: number; readonly sliceMs: number };
  /** Rising numbers of subjects. */
  readonly subjects: readonly number[];
  readonly functions: { readonly rounds: number; readonly sliceMs: number } | undefined;
};

const ROUNDS = 5;

/** What is published. */
export const FULL: Extent = {
  throughput: [1, 16, 64, 256].map((callers) => ({ callers, rounds: ROUNDS, sliceMs: 250 })),
  growth: {
    openHolds: [0, 10, 100, 500],
    settled: [1, 64, 256],
    rules: [1, 5, 20, 50],
    buckets: [1, 50, 100, 250, 500],
    rounds: 7,
    sliceMs: 100,
  },
  subjects: [1_000, 10_000, 100_000],
  functions: { rounds: 10, sliceMs: 500 },
};

/** As published, and a million subjects: some gigabytes and many minutes. */
export const LONG: Extent = { ...FULL, subjects: [...FULL.subjects, 1_000_000] };

/** Under a minute. */
export const SHORT: Extent = {
  throughput: [{ callers: 16, rounds: ROUNDS, sliceMs: 100 }],
  growth: {
    openHolds: [0, 100],
    settled: [],
    rules: [1, 20],
    buckets: [1, 100],
    rounds: ROUNDS,
    sliceMs: 20,
  },
  subjects: [],
  functions: undefined,
};
