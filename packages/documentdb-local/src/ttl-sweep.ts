/** Whole seconds from 1 to 59, or 60 (a minute, as MongoDB does by itself), or no sweep at all. */
export type TtlSweep = number | 'never';

/** MongoDB sweeps every minute by itself. Source: MongoDB manual, "TTL Indexes". */
export const TTL_SWEEP_SECONDS = 60;

/** @throws RangeError where it is none */
export function checkSweep(ttlSweep: TtlSweep): TtlSweep {
  const valid =
    ttlSweep === 'never' ||
    (Number.isInteger(ttlSweep) && ttlSweep >= 1 && ttlSweep <= TTL_SWEEP_SECONDS);
  if (valid) return ttlSweep;
  throw new RangeError(
    `ttlSweepSeconds is ${ttlSweep}; expected a whole number from 1 to ${TTL_SWEEP_SECONDS}, or 'never'.`,
  );
}
