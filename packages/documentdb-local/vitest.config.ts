import { defineConfig } from 'vitest/config';

/** The package's tests by themselves, on a server that it starts; `npm test` of the project runs them on its own. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
