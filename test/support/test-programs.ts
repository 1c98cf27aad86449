import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundlingOf } from '../../infra/bundled-programs.mjs';

const ROOT = join(import.meta.dirname, '..', '..');

const PROGRAMS = {
  database: 'test/support/database-program.ts',
  'kill-caller': 'test/support/kill-caller-program.ts',
  'kill-many': 'test/support/kill-many-program.ts',
  'kill-refund': 'test/support/kill-refund-program.ts',
};

export type TestProgram = keyof typeof PROGRAMS;

/**
 * Makes the JavaScript of the programs once for a run: loading their hundred files took longer than what
 * they do.
 *
 * @returns the folder that has them, and what takes it away
 */
export async function bundleTestPrograms(): Promise<{
  readonly folder: string;
  readonly remove: () => Promise<void>;
}> {
  // If a run is killed, infra/bundled-programs.mjs takes it away, by how it is called.
  const folder = join(ROOT, '.esbuild', `programs-of-tests-${randomUUID()}`);
  await build(bundlingOf(PROGRAMS, folder));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts the program of a database on a folder; it prints its news as lines. */
export function startDatabaseProgram(bundles: string, folder: string) {
  return spawn(process.execPath, [...argumentsOf(bundles, 'database'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

export function argumentsOf(folder: string, program: TestProgram): readonly string[] {
  return ['--enable-source-maps', join(folder, `${program}.mjs`)];
}
