import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDatabase, type EngineName } from '../../infra/local/database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the database that all test files share. */
    mongodbUri: string;
    mongodbEngine: EngineName;
    mongodbVersion: string;
  }
}

/**
 * One throw-away database for the whole run. Its TTL monitor is off: every answer has to be right
 * without it. A run without a database fails here, before the first test.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'headroom-test-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const database = await startDatabase({
      folder,
      keepsData: false,
      ttlSweepSeconds: 'never',
      report: (line) => process.stderr.write(`${line}\n`),
    });
    project.provide('mongodbUri', database.uri);
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
