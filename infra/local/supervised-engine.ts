import { startChild } from './child-program.ts';
import { LocalDatabaseError, type Engine, type TtlSweep } from './engine.ts';
import type { News, Order } from './supervision.ts';

/** Longer than every engine's own limit for stopping. */
const STOP_SECONDS_MAX = 40;

/** The questions to the process that owns the engine. */
export type SupervisedOptions = {
  readonly folder: string;
  readonly keepsData: boolean;
  readonly ttlSweep: TtlSweep;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
};

/** An engine, and the process that owns it. */
export type SupervisedEngine = Engine & { readonly processId: number | undefined };

type Ready = Extract<News, { kind: 'ready' }>;

/** Said whatever was being done when the start was given up. */
const GIVEN_UP = 'The start of the local database was stopped.';

/**
 * Starts an engine in a process of its own, so that it outlives no caller: when the caller is
 * gone, killed even, that process notices at once and stops the engine.
 *
 * @throws LocalDatabaseError when no engine can be started
 */
export async function startSupervised(options: SupervisedOptions): Promise<SupervisedEngine> {
  const { folder, keepsData, ttlSweep, report, signal } = options;
  let tellOutcome: (outcome: Ready | Error) => void;
  const outcome = new Promise<Ready | Error>((resolve) => (tellOutcome = resolve));
  const child = startChild<Order, News>({
    program: 'supervisor',
    parameters: [folder],
    // In a group of its own: Ctrl-C in a terminal reaches the caller, and through it this process.
    detached: true,
    environment: { ...process.env, NODE_OPTIONS: '' },
    onLine: report,
    onNews(news) {
      switch (news.kind) {
        case 'report':
          report(news.line);
          break;
        case 'ready':
          tellOutcome(news);
          break;
        case 'failed':
          tellOutcome(new LocalDatabaseError(news.message));
          break;
        case 'lost':
          report('The local database ended unexpectedly.');
          break;
      }
    },
    stopSecondsMax: STOP_SECONDS_MAX,
  });
  void child.ended.then((how) => {
    const message = `The local database's process ended (${how}) during its start.`;
    tellOutcome(new LocalDatabaseError(message));
  });
  const giveUp = (): void => {
    child.send({ kind: 'stop' });
  };
  signal?.addEventListener('abort', giveUp);
  child.send({ kind: 'start', folder, keepsData, ttlSweep });
  if (signal?.aborted === true) giveUp();
  const ready = await outcome;
  signal?.removeEventListener('abort', giveUp);
  if (ready instanceof Error)
    throw signal?.aborted === true ? new LocalDatabaseError(GIVEN_UP) : ready;
  const { uri, engine, version } = ready;
  const ended = child.ended.then(() => undefined);
  return { uri, engine, version, processId: child.processId, ended, stop: child.stop };
}
