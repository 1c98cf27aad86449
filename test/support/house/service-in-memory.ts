import { FIVE_RULES } from '../../../bench/workload.ts';
import { createLimits } from '../../../lib/edge/limits.ts';
import { mingoStore } from '../mingo-store.ts';

let nonces = 0;

/** The service over documents in memory, under five rules of a user. By these nonces no add looks at all buckets. */
export const limits = createLimits({
  counters: mingoStore(),
  rules: () => Promise.resolve(FIVE_RULES),
  openHoldsMax: 2_000,
  nonce: () => `nonce-${nonces++}`,
});

export { checkOf, hold } from '../../../bench/workload.ts';
