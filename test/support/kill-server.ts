import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { isAlive } from '../../cli/process-identity.ts';
import { descendantsOf } from './processes.ts';
import { startDatabaseProgram } from './test-programs.ts';

/** A database on a folder that is kept, which a test may kill. */
export type KillableDatabase = {
  readonly uri: string;
  /** Kills every process of the server with SIGKILL: no shutdown, nothing flushed, nobody told. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

/** The output of the program; see `database-program.ts`. */
type News = { readonly uri?: string; readonly error?: string; readonly ended?: boolean };

/**
 * Starts a database on a folder, in a program of its own, so that the server's processes are known:
 * they are the descendants of that program, its guard aside.
 */
export async function startKillableDatabase(folder: string): Promise<KillableDatabase> {
  const child = startDatabaseProgram(inject('testPrograms'), folder);
  const exited = once(child, 'exit');
  const uri = await readAddress(child);
  return {
    uri,
    async kill() {
      const guard = (await descendantsOf(child.pid)).find(({ line }) =>
        line.includes('supervisor.mjs'),
      );
      const servers = (await descendantsOf(guard?.pid)).filter(
        ({ line }) => !line.includes('esbuild'),
      );
      if (guard === undefined || servers.length === 0) throw new Error('no server is running');
      for (const { pid } of servers) killIfThere(pid);
      await waitUntilGone(guard.pid);
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.stdin.write('stop\n');
      await exited;
    },
  };
}

async function readAddress(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the program prints what happens');
  for await (const line of createInterface({ input: child.stdout })) {
    const { uri, error } = JSON.parse(line) as News; // the program prints nothing but its own news
    if (error !== undefined) throw new Error(error);
    if (uri !== undefined) {
      child.stdout.resume();
      return uri;
    }
  }
  throw new Error('the program ended without a database');
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with its parent.
  }
}

/** The guard frees the folder once it has seen its server end. */
async function waitUntilGone(pid: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (!isAlive(pid)) return;
    await sleep(50);
  }
  throw new Error(`process ${pid} is still there`);
}
