import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../cli/process-identity.ts';
import type { Process } from '../support/processes.ts';
import { descendantsOf } from '../support/processes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const READY = /^Headroom is ready at (http:\/\/127\.0\.0\.1:\d+)$/m;

export interface Program {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly code: Promise<number | null>;
}

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
      // Its build would go on beside each test.
      CONSOLE: 'off',
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

export async function urlOf(program: Program): Promise<string> {
  for (;;) {
    const [, url] = READY.exec(program.output()) ?? [];
    if (url !== undefined) return url;
    if (program.process.exitCode !== null) throw new Error(program.output());
    await delay(50);
  }
}

/** Longer than processes take to end on a busy machine. */
const ENDING_MS_MAX = 60_000;

async function survivors(processes: readonly Process[]): Promise<readonly Process[]> {
  const running = () => processes.filter(({ pid }) => isAlive(pid));
  const deadline = Date.now() + ENDING_MS_MAX;
  while (running().length > 0 && Date.now() < deadline) await delay(50);
  return running();
}

/** How a program ended: its exit code, null where a signal ended it, and what it left running. */
type End = { readonly code: number | null; readonly left: readonly Process[] };

/**
 * Ends a program in some way, and waits for it and for everything that it started.
 *
 * @param end is given the program and what it started
 * @throws Error where it started nothing, of which nothing could be left
 */
export async function endOf(
  { process: { pid }, code }: Program,
  end: (pid: number, below: readonly Process[]) => void,
): Promise<End> {
  const below = await descendantsOf(pid);
  if (pid === undefined || below.length === 0) throw new Error('it runs nothing');
  end(pid, below);
  return { code: await code, left: await survivors(below) };
}
