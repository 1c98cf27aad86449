import { GOAL_CALLERS } from './goals.ts';
import type { ThroughputSizes } from './throughput.ts';

/** How much a run measures. */
export type Extent = {
  readonly throughput: ThroughputSizes;
};

const ROUNDS = 5;

/** With the number of callers for which goals are set, what is reached should not be chance. */
const GOAL_ROUNDS = 9;

/**
 * V8 has compiled a call after a second or two; what is not steady by then is not getting faster. Where goals
 * are set it has twice the time.
 */
export const WARM_MS = 1_500;

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
  },
};

/** As published, of some contenders alone. */
export function onlyOf(names: readonly string[]): Extent {
  return {
    throughput: { ...FULL.throughput, only: names },
  };
}

/** A minute or two. */
export const SHORT: Extent = {
  throughput: {
    subjects: 1_000,
    efforts: [{ callers: GOAL_CALLERS, rounds: ROUNDS, sliceMs: 100, warmMs: 500 }],
  },
};
