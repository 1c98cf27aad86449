import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..', '..');
const READY = /^Headroom is ready at (http:\/\/127\.0\.0\.1:\d+)$/m;

/** The real program, as npm start runs it. */
export interface Program {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly code: Promise<number | null>;
}

/** Another place than the repository, and what follows `npm start --`. */
type ProgramOptions = { readonly folder?: string; readonly parameters?: readonly string[] };

/** Starts it on a free port, with settings of its own on top of this process's. */
export function startProgram(
  settings: Readonly<Record<string, string>>,
  { folder = ROOT, parameters = [] }: ProgramOptions = {},
): Program {
  const program = ['bin/headroom.mjs', 'start', ...parameters];
  const child = spawn(process.execPath, program, {
    cwd: folder,
    env: {
      ...process.env,
      PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, as a terminal gives to what it starts.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()));
  }
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { process: child, output: () => output, code };
}

/** Waits for the line that says that everything runs. */
export async function urlOf(program: Program): Promise<string> {
  for (;;) {
    const [, url] = READY.exec(program.output()) ?? [];
    if (url !== undefined) return url;
    if (program.process.exitCode !== null) throw new Error(program.output());
    await delay(50);
  }
}

/** Every process below one, from the table of processes. */
export function descendantsOf(pid: number | undefined): readonly number[] {
  const table = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout;
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number | undefined): number[] =>
    rows.flatMap(([child, of]) =>
      of === parent && child !== undefined ? [child, ...below(child)] : [],
    );
  return below(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits a moment for processes to end, and returns those that do not. */
export async function survivors(pids: readonly number[]): Promise<readonly number[]> {
  for (let tries = 0; tries < 100 && pids.some(isAlive); tries += 1) await delay(50);
  return pids.filter(isAlive);
}
