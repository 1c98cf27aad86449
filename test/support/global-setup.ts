import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDatabase, type EngineName } from '../../infra/local/database.ts';
import { AGAIN, IS_LONG } from './extent.ts';
import { findOneServer } from './given-server.ts';
import { leftOut, leftOutLine } from './local-engine-tests.ts';
import { bundleTestPrograms } from './test-programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the database that all test files share. */
    mongodbUri: string;
    mongodbEngine: EngineName;
    mongodbVersion: string;
    /** The database is a cluster whose collections are split among shards. */
    isSharded: boolean;
    /** The folder of the programs that tests start; see test-programs.ts. */
    testPrograms: string;
  }
}

/**
 * One throw-away database for the whole run. Its TTL monitor is off: every answer has to be right
 * without it. A run without a database fails here, before the first test. A server that MONGODB_URI
 * names is used as it is.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  if (IS_LONG) process.stderr.write(`Long tests; the same again: ${AGAIN}\n`);
  const programs = await bundleTestPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'headroom-test-'));
  const remove = async () => {
    await programs.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const database = await startDatabase({
      folder,
      keepsData: false,
      ttlSweepSeconds: 'never',
      report: (line) => process.stderr.write(`${line}\n`),
    });
    const own = { uri: database.uri, isSharded: false };
    const { uri, isSharded } = database.isOwn ? own : await findOneServer(database.uri);
    if (!database.isOwn) process.stderr.write(`${leftOutLine(leftOut(process.argv))}\n`);
    project.provide('testPrograms', programs.folder);
    project.provide('mongodbUri', uri);
    project.provide('isSharded', isSharded);
    project.provide('mongodbEngine', database.engine);
    project.provide('mongodbVersion', database.version);
    return async () => {
      await database.stop();
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
