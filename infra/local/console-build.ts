import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../framework.ts';
import { consoleFolder } from './console-files.ts';

/** Enough of what it printed to see why it failed. */
const LINES_KEPT = 20;

/** A build that may still run. */
type ConsoleBuild = { readonly stop: () => Promise<void> };

/**
 * Builds the console where it is not there, beside everything else and after it: what only it needs is
 * installed first. A build that fails stops nothing.
 *
 * @param report gets lines for people
 */
export function buildConsole(report: (line: string) => void): ConsoleBuild {
  const folder = consoleFolder();
  if (existsSync(join(folder, 'index.html'))) return { stop: () => Promise.resolve() };
  const program = join(ROOT, 'packages', 'console', 'build.mjs');
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  const lines: string[] = [];
  child.stderr?.on('data', (data: Buffer) => {
    lines.push(...data.toString().split('\n').filter(Boolean));
    lines.splice(0, lines.length - LINES_KEPT);
  });
  if (child.pid !== undefined) yieldTo(child.pid);
  let isStopped = false;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      report(`The console was not built: ${error.message}`);
      resolve();
    });
    child.once('close', (code) => {
      if (code !== 0 && !isStopped) report(lines.join('\n'));
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    child.kill();
    await ended;
  };
  return { stop };
}

/** Calls of the functions go first. */
function yieldTo(processId: number): void {
  try {
    setPriority(processId, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or this system lets nobody: it is as quick as everything else then.
  }
}
