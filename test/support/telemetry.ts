import type { Telemetry } from '../../lib/http/telemetry.ts';

/** Telemetry that keeps silent about everything but calls. */
export function telemetryOf(
  record: (told: Parameters<Telemetry['record']>[0]) => unknown,
): Telemetry {
  return {
    record: (told) => void record(told),
    staleRules: () => undefined,
    staleApps: () => undefined,
    lostRows: () => undefined,
    lostNear: () => undefined,
    crowded: () => undefined,
  };
}

export const SILENT = telemetryOf(() => undefined);
