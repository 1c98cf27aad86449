import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { bundledProgram } from '../bundled-programs.mjs';
import { LocalDatabaseError, type Engine, type EngineSettings } from './engine.ts';
import { StartError } from './start-error.ts';

/** The caller's messages to the process that owns the engine. */
export type Order =
  | ({ readonly kind: 'start' } & Omit<EngineSettings, 'report' | 'signal'>)
  | { readonly kind: 'stop' };

/** The messages of that process. */
export type News =
  | { readonly kind: 'report'; readonly line: string }
  | ({ readonly kind: 'ready' } & Pick<Engine, 'uri' | 'engine' | 'version'>)
  | { readonly kind: 'failed'; readonly message: string }
  /** The engine ended although nobody asked for it. */
  | { readonly kind: 'lost' };

/** As for an engine; nobody has to be able to give up. */
type SupervisedOptions = Omit<EngineSettings, 'signal'> & { readonly signal?: AbortSignal };

/** An engine, and the process that owns it. */
type SupervisedEngine = Engine & { readonly processId: number | undefined };

/** Longer than every engine's own limit for stopping. */
const STOP_SECONDS_MAX = 40;

/**
 * Starts an engine in a process of its own, so that it outlives no caller: the channel between the two
 * closes with the caller, however that ends, and then that process stops the engine.
 *
 * @throws LocalDatabaseError when no engine can be started
 * @throws StartError where the JavaScript of that process cannot be made in this clone
 */
export async function startSupervised(options: SupervisedOptions): Promise<SupervisedEngine> {
  const { report, signal, ...settings } = options;
  const child = spawnSupervisor(settings.folder, report);
  const send = (order: Order): void => {
    // A message to an ending process may fail; `ended` reports the end.
    if (child.connected) child.send(order, () => undefined);
  };
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (code, how) => {
      resolve(how ?? `exit code ${code ?? 'unknown'}`);
    });
  });
  const ready = new Promise<Extract<News, { kind: 'ready' }>>((resolve, reject) => {
    child.on('message', (news: News) => {
      if (news.kind === 'ready') resolve(news);
      else if (news.kind === 'failed') reject(new LocalDatabaseError(news.message));
      else report(news.kind === 'report' ? news.line : 'The local database ended unexpectedly.');
    });
    void ended.then((how) => {
      const message = `The local database's process ended (${how}) during its start.`;
      reject(new LocalDatabaseError(message));
    });
  });
  const giveUp = (): void => {
    send({ kind: 'stop' });
  };
  signal?.addEventListener('abort', giveUp);
  send({ kind: 'start', ...settings });
  if (signal?.aborted === true) giveUp();
  try {
    const { uri, engine, version } = await ready;
    const stop = async (): Promise<void> => {
      giveUp();
      const insist = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS_MAX * 1000);
      await ended;
      clearTimeout(insist);
    };
    const gone = ended.then(() => undefined);
    return { uri, engine, version, processId: child.pid, ended: gone, stop };
  } catch (error) {
    // Said whatever was being done when the start was given up.
    if (signal?.aborted === true)
      throw new LocalDatabaseError('The start of the local database was stopped.');
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** @param folder stands in the list of processes; the work comes as a message */
function spawnSupervisor(folder: string, report: (line: string) => void) {
  const program = bundledProgram('supervisor');
  if (program === undefined)
    throw new StartError(
      'The folder .esbuild of this clone cannot be written. Start as the user that owns the clone, with room on the disk.',
    );
  const child = spawn(process.execPath, ['--enable-source-maps', program, folder], {
    env: { ...process.env, NODE_OPTIONS: '' },
    // In a group of its own: Ctrl-C in a terminal reaches the caller, and through it this process.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', report);
  return child;
}
