/**
 * Tests that are about the local engine alone: how it is found, fetched, started, kept, killed and
 * ended, and what the adapter does with bytes and errors. They start engines of their own. On the
 * server at MONGODB_URI they would say nothing about that server, so they are not run there; without
 * MONGODB_URI every test is. Other tests of `test/infra/local` and of `packages/documentdb-local` say
 * what MongoDB does, through the driver, and run on any server.
 */
export const LOCAL_ENGINE_TESTS = [
  'packages/documentdb-local/test/broken-connections.test.ts',
  'packages/documentdb-local/test/collection-memories.test.ts',
  'packages/documentdb-local/test/data-directory.test.ts',
  'packages/documentdb-local/test/error-codes.test.ts',
  'packages/documentdb-local/test/full-disk.test.ts',
  'packages/documentdb-local/test/growth.test.ts',
  'packages/documentdb-local/test/package.test.ts',
  'packages/documentdb-local/test/packages.test.ts',
  'packages/documentdb-local/test/postgres-settings.test.ts',
  'packages/documentdb-local/test/server-parameter.test.ts',
  'packages/documentdb-local/test/wire-protocol.test.ts',
  'test/fault/killed-database.long.test.ts',
  'test/infra/console-page.test.ts',
  'test/infra/local/choosing.long.test.ts',
  'test/infra/local/edited-while-built.test.ts',
  'test/infra/local/folder-lock.test.ts',
  'test/infra/local/full-disk.test.ts',
  'test/infra/local/gate.test.ts',
  'test/infra/local/left-processes.test.ts',
  'test/infra/local/lifetime.test.ts',
  'test/infra/local/mongod-download.test.ts',
  'test/infra/local/never-sweeping.test.ts',
  'test/infra/local/quiet-functions.test.ts',
  'test/infra/start-in-clone.test.ts',
] as const;

/**
 * Tests after which the given server has another primary. Others reach the one server through a proxy,
 * which does not follow. So on a given server each of these runs only where it is named, and nothing else.
 */
export const ALONE_TESTS = ['test/fault/step-down.test.ts'] as const;

/** Of those tests, which a run on a given server leaves out. */
export function leftOut(commandLine: readonly string[]): readonly string[] {
  const named = commandLine.slice(2).filter((word) => word !== 'run' && !word.startsWith('-'));
  return ALONE_TESTS.filter((file) => named.length !== 1 || named[0] !== file);
}

/** Says in one line which tests a run on a given server leaves out, and why. */
export function leftOutLine(alone: readonly string[]): string {
  const engine = `${LOCAL_ENGINE_TESTS.length} files, for they are about the local engine alone (${LOCAL_ENGINE_TESTS.join(', ')})`;
  const further = alone.map(
    (file) => `${file}, for it changes the primary: npm run vitest -- run ${file}`,
  );
  return `Left out: ${[engine, ...further].join('; ')}`;
}

/** Whether tests run on a server that somebody set up, and none is started. */
export const IS_GIVEN = (process.env.MONGODB_URI ?? '') !== '';
