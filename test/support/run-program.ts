import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Runs a program of this project to its end, with nothing but PATH in its environment, and what is set.
 *
 * @param path below the project's folder
 */
export function runProgram(
  path: string,
  parameters: readonly string[],
  set: Readonly<Record<string, string>> = {},
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const result = spawnSync(process.execPath, ['--import', 'tsx', path, ...parameters], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...set },
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}
