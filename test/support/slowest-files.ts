/** Says at the end of a run which files took longest. */
import type { Reporter, TestModule } from 'vitest/node';

const NAMED = 10;

export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ path: module.relativeModuleId, ms: timeOf(module) }))
      .sort((one, other) => other.ms - one.ms)
      .slice(0, NAMED);
    if (slowest.length < NAMED) return; // a few files, which are all listed above
    const lines = slowest.map(
      ({ path, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${path}`,
    );
    process.stdout.write(`\nThe slowest files:\n${lines.join('\n')}\n`);
  }
}

/** A worker's time for a file: its imports, hooks and tests, in milliseconds. */
function timeOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration, environmentSetupDuration, prepareDuration } =
    module.diagnostic();
  return duration + collectDuration + setupDuration + environmentSetupDuration + prepareDuration;
}
