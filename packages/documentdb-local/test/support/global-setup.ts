import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDocumentDB } from 'documentdb-local';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server that all test files share. */
    mongodbUri: string;
  }
}

/**
 * One server for the whole run: the one at MONGODB_URI, so that MongoDB itself can be asked the same,
 * or a new one of this package's. Without one the run fails here.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.MONGODB_URI ?? '';
  if (given !== '') {
    project.provide('mongodbUri', given);
    return () => Promise.resolve();
  }
  const folder = await mkdtemp(join(tmpdir(), 'documentdb-local-test-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const started = await startDocumentDB({
      folder,
      ttlSweepSeconds: 'never',
      report: (line) => process.stderr.write(`${line}\n`),
    });
    if (started.kind === 'unavailable')
      throw new Error(`${started.reason}; set MONGODB_URI to the address of a replica set.`);
    project.provide('mongodbUri', started.server.uri);
    return async () => {
      await started.server.stop();
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
