import { configDefaults, defineConfig } from 'vitest/config';
import { IS_LONG, LONG_FILES } from './test/support/extent.ts';
import { IS_GIVEN, leftOut, LOCAL_ENGINE_TESTS } from './test/support/local-engine-tests.ts';
import { SlowestFiles } from './test/support/slowest-files.ts';

const ONLY_LONG = ['test/**/*.long.test.ts', 'packages/*/test/**/*.long.test.ts'];

export default defineConfig({
  test: {
    include: IS_LONG
      ? [...ONLY_LONG, ...LONG_FILES]
      : ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(IS_GIVEN ? [...LOCAL_ENGINE_TESTS, ...leftOut(process.argv)] : []),
      ...(IS_LONG ? [] : ONLY_LONG),
    ],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new SlowestFiles()],
    pool: 'forks',
    // Half of the time would go into loading the same modules for each file anew. No file leaves anything behind.
    isolate: false,
    // Half of what they do is waiting, for clocks, for processes: twice the two cores of CI.
    maxWorkers: 4,
    // Far more than any test takes where nothing else runs; the long extent takes its time.
    testTimeout: IS_LONG ? 3_600_000 : 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
  },
});
