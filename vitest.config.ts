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
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
});
