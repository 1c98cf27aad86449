import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../framework.ts';
import { startChild } from './child-program.ts';
import type { FunctionsNews, FunctionsOrder, Serving } from './functions-supervision.ts';
import { StartError } from './start-error.ts';

/** How long it may take until the functions answer; a slow disk needs 20 s. */
const START_SECONDS_MAX = 90;
/** How long it may take to stop before it is killed; it gives open requests 5 s by itself. */
const STOP_SECONDS_MAX = 8;
/** Enough of its last words to see why it ended. */
const LINES_KEPT = 30;

/** The functions of serverless.yml, served over HTTP and for direct invocation. */
export interface Offline {
  /**
   * Serves the functions, with settings on top of those of serverless.yml; resolves when they answer.
   *
   * @throws StartError when the process ends or stays silent
   */
  readonly serve: (serving: Serving) => Promise<void>;
  /** Settles when the process is gone, for any reason, with the way it ended. */
  readonly ended: Promise<string>;
  /** The last lines that it printed and nobody has seen. */
  readonly lastLines: () => string;
  readonly stop: () => Promise<void>;
}

/** The options of the functions' server. */
export interface OfflineOptions {
  readonly port: number;
  /** Where AWS's own clients can invoke the functions. */
  readonly lambdaPort: number;
  /** Show everything that serverless-offline and the functions print. */
  readonly verbose: boolean;
  /** Aborted when nobody wants the server any more. */
  readonly signal: AbortSignal;
}

/** Says whether a line is a function's structured log that somebody should see unasked. */
function isWarning(line: string): boolean {
  return /^\{.*"level":"(WARN|ERROR|CRITICAL)"/.test(line);
}

/** Says whether a line explains nothing when the server ends: its table of routes, logs, metrics. */
function isChatter(line: string): boolean {
  return /^\s*([┌│└].*)?$/.test(line) || /^\{("_aws"|.*"level":"(TRACE|DEBUG|INFO)")/.test(line);
}

/** The environment of functions that write what somebody sees: a level of the caller's own stays. */
export function quietly(environment: NodeJS.ProcessEnv, verbose: boolean): NodeJS.ProcessEnv {
  const isSilent = !verbose && (environment.LOG_LEVEL ?? '') === '';
  return {
    ...environment,
    ...(isSilent ? { LOG_LEVEL: 'WARN' } : {}),
    POWERTOOLS_METRICS_DISABLED: 'true', // lines for CloudWatch, which is not here
  };
}

/**
 * Starts the functions of serverless.yml through serverless-offline, as a process of their own that
 * prepares at once and answers after `serve`. The next call after a change of their code runs the new
 * code.
 */
export function startOffline(options: OfflineOptions): Offline {
  // Its own folder: another start, or packaging, at the same time must not take the files away.
  const buildFolder = `.esbuild/local-${options.port}`;
  const lines: string[] = [];
  let tellReady: () => void;
  const ready = new Promise<void>((resolve) => (tellReady = resolve));
  const { port, lambdaPort, verbose } = options;
  const child = startChild<FunctionsOrder, FunctionsNews>({
    program: 'functions-server',
    parameters: ['--port', String(port)],
    environment: quietly(process.env, verbose),
    detached: false,
    onLine(line, stream) {
      // Quiet as it is set to be, what it complains of matters: wrong settings, a mistake in edited
      // code, a library's warning about how it is used.
      if (stream === 'stderr' || verbose || isWarning(line)) console.log(line);
      else if (!isChatter(line)) lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
    },
    onNews: () => {
      tellReady();
    },
    stopSecondsMax: STOP_SECONDS_MAX,
  });
  child.send({ kind: 'prepare', port, lambdaPort, buildFolder, verbose });
  const withLastWords = (message: string): StartError =>
    new StartError(
      lines.length === 0 ? message : `${message} Its last words:\n${lines.join('\n')}`,
    );
  return {
    async serve(serving) {
      child.send({ kind: 'serve', ...serving });
      const problem = await Promise.race([
        ready,
        child.ended.then((how) => `The functions' server ended with ${how}.`),
        silence(options.signal),
      ]);
      options.signal.throwIfAborted();
      if (problem !== undefined) throw withLastWords(problem);
    },
    ended: child.ended,
    lastLines: () => lines.join('\n'),
    async stop() {
      await child.stop();
      await rm(join(ROOT, buildFolder), { recursive: true, force: true });
    },
  };
}

/** Resolves when the server was waited for long enough, or nobody wants it any more. */
function silence(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const giveUp = (): void => {
      resolve(`The functions' server did not answer within ${START_SECONDS_MAX} s.`);
    };
    setTimeout(giveUp, START_SECONDS_MAX * 1000).unref();
    signal.addEventListener('abort', giveUp);
  });
}
