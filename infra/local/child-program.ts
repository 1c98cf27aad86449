import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { bundledProgram } from '../../tools/bundled-programs.mjs';
import { StartError } from './start-error.ts';

/** How a program of ours is started beside this one. */
export type ChildOptions<News> = {
  readonly program: 'supervisor' | 'functions-server';
  /** The name in the list of processes. The program gets its work as messages. */
  readonly parameters: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** In a process group of its own, which a terminal's Ctrl-C does not reach. */
  readonly detached: boolean;
  /** Gets each line that it prints. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
  /** Gets each message that it sends. */
  readonly onNews: (news: News) => void;
  /** How long it may take to stop before it is killed. */
  readonly stopSecondsMax: number;
};

/** The messages that every child program understands. A parent may send more. */
export type StopOrder = { readonly kind: 'stop' };

/** A program that was started here. It watches the channel to this process, and ends when that closes. */
export type ChildProgram<Order> = {
  readonly processId: number | undefined;
  /** Resolves, with how it ended, when the process is gone and its last line was read. */
  readonly ended: Promise<string>;
  /** Sends a message; to a program that is gone, nothing. */
  readonly send: (order: Order | StopOrder) => void;
  /** Asks it to stop, insists where it does not, and resolves when it is gone. */
  readonly stop: () => Promise<void>;
};

/**
 * Starts a Node program that outlives no caller: it has a channel to this process, which closes with
 * this process however that ends, and the program's part is to end then.
 *
 * @throws StartError where its JavaScript cannot be made in this clone
 */
export function startChild<Order, News>(options: ChildOptions<News>): ChildProgram<Order> {
  const program = bundledProgram(options.program);
  if (program === undefined)
    throw new StartError(
      'The folder .esbuild of this clone cannot be written. Start as the user that owns the clone, with room on the disk.',
    );
  const parameters = ['--enable-source-maps', program, ...options.parameters];
  const child = spawn(process.execPath, parameters, {
    env: options.environment,
    detached: options.detached,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name];
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      options.onLine(line, name);
    });
  }
  // Our own program sent the messages of the channel.
  child.on('message', (news) => {
    options.onNews(news as News);
  });
  const ended = endOf(child);
  const send = (order: Order | StopOrder): void => {
    // A message to an ending program may fail; `ended` reports the end.
    if (child.connected) child.send(order as object, () => undefined);
  };
  const stop = async (): Promise<void> => {
    send({ kind: 'stop' });
    const insist = setTimeout(() => child.kill('SIGKILL'), options.stopSecondsMax * 1000);
    await ended;
    clearTimeout(insist);
  };
  return { processId: child.pid, ended, send, stop };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (code, signal) => {
      resolve(signal ?? `exit code ${code ?? 'unknown'}`);
    });
  });
}
