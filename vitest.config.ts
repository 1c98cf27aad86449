import { configDefaults, defineConfig } from 'vitest/config';
import { IS_GIVEN, LOCAL_ENGINE_TESTS } from './test/support/local-engine-tests.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(IS_GIVEN ? LOCAL_ENGINE_TESTS : [])],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // The database wants a core of its own beside the tests.
    maxWorkers: 2,
    // The longest tests take half a minute where nothing else runs.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
  },
});
