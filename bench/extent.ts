import type { GrowthSizes } from './growth.ts';
import { GOAL_CALLERS } from './goals.ts';
import type { Effort } from './measure.ts';
import type { ThroughputSizes } from './throughput.ts';

/** How much a run measures. */
export type Extent = {
  readonly throughput: ThroughputSizes;
  readonly growth: GrowthSizes & Omit<Effort, 'callers'>;
  /** Rising numbers of subjects. */
  readonly subjects: readonly number[];
  readonly functions: { readonly rounds: number; readonly sliceMs: number } | undefined;
};

const ROUNDS = 5;

/** With the number of callers for which goals are set, what is reached should not be chance. */
const GOAL_ROUNDS = 9;

/**
 * V8 has compiled a call after a second or two; what is not steady by then is not getting faster. Where goals
 * are set, and in moods, it has twice the time.
 */
export const WARM_MS = 1_500;

/** A slice is longer than a hold lasts that nobody settles. */
function moodEffort(callers: number): Effort {
  return { callers, rounds: ROUNDS, sliceMs: 2_500, warmMs: 2 * WARM_MS };
}

/** The extent of a published run. */
export const FULL: Extent = {
  throughput: {
    subjects: 1_000,
    efforts: [1, 16, 64, 256].map((callers) => ({
      callers,
      rounds: callers === GOAL_CALLERS ? GOAL_ROUNDS : ROUNDS,
      sliceMs: 250,
      warmMs: callers === GOAL_CALLERS ? 2 * WARM_MS : WARM_MS,
    })),
    moods: [moodEffort(GOAL_CALLERS)],
  },
  growth: {
    openHolds: [0, 10, 100, 500],
    settled: [1, 16, 64],
    rules: [1, 5, 20, 50],
    buckets: [1, 50, 100, 250, 500],
    rounds: 7,
    sliceMs: 100,
    warmMs: WARM_MS,
  },
  subjects: [1_000, 10_000, 100_000],
  functions: { rounds: 10, sliceMs: 500 },
};

/** As published, with moods of 256 callers and a million subjects: some gigabytes and many minutes. */
export const LONG: Extent = {
  ...FULL,
  throughput: { ...FULL.throughput, moods: [GOAL_CALLERS, 256].map(moodEffort) },
  subjects: [...FULL.subjects, 1_000_000],
};

/** As published, of some contenders alone. */
export function onlyOf(names: readonly string[]): Extent {
  return {
    throughput: { ...FULL.throughput, only: names },
    growth: { ...FULL.growth, openHolds: [], settled: [], rules: [], buckets: [] },
    subjects: [],
    functions: undefined,
  };
}

/** A minute or two. */
export const SHORT: Extent = {
  throughput: {
    subjects: 1_000,
    efforts: [{ callers: GOAL_CALLERS, rounds: ROUNDS, sliceMs: 100, warmMs: 500 }],
    moods: [],
  },
  growth: {
    openHolds: [0, 100],
    settled: [],
    rules: [1, 20],
    buckets: [1, 100],
    rounds: ROUNDS,
    sliceMs: 20,
    warmMs: 100,
  },
  subjects: [],
  functions: undefined,
};
