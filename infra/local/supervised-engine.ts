import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LocalDatabaseError, type Engine, type TtlSweep } from './engine.ts';
import type { News, Order } from './supervision.ts';

/** Longer than every engine's own limit for stopping. */
const STOP_SECONDS_MAX = 40;

/** What is asked of the process that owns the engine. */
export type SupervisedOptions = {
  readonly folder: string;
  readonly keepsData: boolean;
  readonly ttlSweep: TtlSweep;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
};

/** An engine, and the process that owns it. */
export type SupervisedEngine = Engine & { readonly processId: number | undefined };

/**
 * Starts an engine in a process of its own, so that it outlives no caller: when the caller is
 * gone, killed even, that process notices at once and stops the engine.
 *
 * @throws LocalDatabaseError when no engine can be started
 */
export async function startSupervised(options: SupervisedOptions): Promise<SupervisedEngine> {
  const child = spawnSupervisor(options.folder, options.report);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  const order = (it: Order) => {
    if (child.connected) child.send(it, () => undefined);
  };
  const { folder, keepsData, ttlSweep, signal } = options;
  const giveUp = () => {
    order({ kind: 'stop' });
  };
  signal?.addEventListener('abort', giveUp);
  order({ kind: 'start', folder, keepsData, ttlSweep });
  if (signal?.aborted === true) giveUp();
  const { uri, engine, version } = await waitForStart(child, options);
  signal?.removeEventListener('abort', giveUp);
  return {
    uri,
    engine,
    version,
    processId: child.pid,
    ended,
    async stop() {
      order({ kind: 'stop' });
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS_MAX * 1000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function spawnSupervisor(folder: string, report: (line: string) => void): ChildProcess {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const program = fileURLToPath(new URL('./supervisor.ts', import.meta.url));
  // The folder is an order of its own; here it only tells whoever looks at the list of processes.
  const child = spawn(process.execPath, ['--import', loader, program, folder], {
    // In a group of its own: Ctrl-C in a terminal reaches the caller, and through it this process.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', report);
  return child;
}

/** Said whatever was being done when the start was given up. */
const GIVEN_UP = 'The local database was given up while it was being started.';

type Ready = Extract<News, { kind: 'ready' }>;

function waitForStart(child: ChildProcess, { report, signal }: SupervisedOptions): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.on('message', (news: News) => {
      switch (news.kind) {
        case 'report':
          report(news.line);
          break;
        case 'ready':
          resolve(news);
          break;
        case 'failed':
          reject(new LocalDatabaseError(signal?.aborted === true ? GIVEN_UP : news.message));
          break;
        case 'lost':
          report('The local database ended unexpectedly.');
          break;
      }
    });
    child.once('error', reject);
    child.once('exit', (code, killedBy) => {
      const how = killedBy ?? `code ${code ?? 'none'}`;
      const message =
        signal?.aborted === true
          ? GIVEN_UP
          : `The local database's process ended (${how}) while it was being started.`;
      reject(new LocalDatabaseError(message));
    });
  });
}
