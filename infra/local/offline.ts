import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { FRAMEWORK_PROGRAM, frameworkEnvironment, ROOT } from '../framework.ts';
import { LOCALHOST } from './ports.ts';
import { StartError } from './start-error.ts';

/** How long the framework may take to bundle the functions and listen; a slow disk needs 20 s. */
const START_TIMEOUT_MS = 90_000;
/** How long it may take to stop before it is killed; it gives open requests 5 s by itself. */
const STOP_TIMEOUT_MS = 8_000;
const POLL_MS = 100;
/** Enough of the framework's last words to see why it ended. */
const LINES_KEPT = 30;

/** The functions of serverless.yml, served over HTTP and for direct invocation. */
export interface Offline {
  /** Settles, with how it ended, when the process is gone, whoever ended it. */
  readonly ended: Promise<string>;
  /** What it printed last and nobody has seen. */
  readonly lastLines: () => string;
  readonly stop: () => Promise<void>;
}

/** What the functions' server is started with. */
export interface OfflineOptions {
  readonly port: number;
  /** Where AWS's own clients can invoke the functions. */
  readonly lambdaPort: number;
  /** The functions' settings. */
  readonly environment: Readonly<Record<string, string>>;
  /** Show everything that the framework and the functions print. */
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

/** Hands every line to `keep`, and prints the ones that the newcomer should see. */
function relay(stream: Readable, keep: (line: string) => void, shows: (line: string) => boolean) {
  createInterface({ input: stream }).on('line', (line) => {
    if (shows(line)) console.log(line);
    else keep(line);
  });
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(signal ?? `exit code ${code ?? 'unknown'}`);
    });
  });
}

/** Waits until the port answers HTTP; any answer will do, for no route exists at `/`. */
async function waitForAnswer(options: OfflineOptions, ended: Promise<string>): Promise<void> {
  let end: string | undefined;
  void ended.then((how) => (end = how));
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadlineMs) {
    options.signal.throwIfAborted();
    if (end !== undefined) throw new StartError(`The functions' server ended with ${end}.`);
    try {
      await fetch(`http://${LOCALHOST}:${options.port}/`, {
        signal: AbortSignal.timeout(POLL_MS * 20),
      });
      return;
    } catch {
      await delay(POLL_MS);
    }
  }
  throw new StartError(`The functions' server did not answer within ${START_TIMEOUT_MS / 1000} s.`);
}

function spawnFramework(options: OfflineOptions, buildFolder: string): ChildProcess {
  const { port, lambdaPort, environment, verbose } = options;
  return spawn(
    process.execPath,
    [
      ...['--import', pathToFileURL(join(import.meta.dirname, 'offline-guard.mjs')).href],
      ...[FRAMEWORK_PROGRAM, 'offline', '--stage', 'local', '--host', LOCALHOST],
      ...['--httpPort', String(port), '--lambdaPort', String(lambdaPort)],
      // The caller is this machine, which signs nothing; deployed routes ask for a signature.
      ...['--noAuth', '--noSponsor'],
      // Gives the functions this environment; serverless.yml alone cannot name LOCAL_CLOCK.
      '--localEnvironment',
      ...['--terminateIdleLambdaTime', '3600'],
    ],
    {
      cwd: ROOT,
      env: frameworkEnvironment({
        ...environment,
        HEADROOM_BUILD_FOLDER: buildFolder,
        POWERTOOLS_METRICS_DISABLED: 'true', // lines for CloudWatch, which is not here
        ...(verbose ? {} : { SLS_LOG_LEVEL: 'warning' }),
      }),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
}

/** Asks the process to end, and insists when it does not. */
async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(insist);
}

/**
 * Runs the functions of serverless.yml through serverless-offline, as a process of their own, and
 * resolves when they answer. A change of their code is bundled and served without a new start.
 *
 * @throws StartError when the process ends or stays silent; `stop` need not be called then
 */
export async function startOffline(options: OfflineOptions): Promise<Offline> {
  // Its own folder: another start, or packaging, at the same time must not take the files away.
  const buildFolder = `.esbuild/local-${options.port}`;
  const lines: string[] = [];
  const keep = (line: string): void => {
    if (isChatter(line)) return;
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
  };
  const child = spawnFramework(options, buildFolder);
  const ended = endOf(child);
  if (child.stdout !== null) relay(child.stdout, keep, options.verbose ? () => true : isWarning);
  // Quiet as it is set to be, what it says here matters: wrong settings, a mistake in edited code, a
  // library's warning about how it is used.
  if (child.stderr !== null) relay(child.stderr, keep, () => true);
  const stop = async (): Promise<void> => {
    await stopChild(child, ended);
    await rm(join(ROOT, buildFolder), { recursive: true, force: true });
  };
  try {
    await waitForAnswer(options, ended);
  } catch (error) {
    await stop();
    if (error instanceof StartError && lines.length > 0) {
      throw new StartError(`${error.message} Its last words:\n${lines.join('\n')}`);
    }
    throw error;
  }
  return { ended, lastLines: () => lines.join('\n'), stop };
}
