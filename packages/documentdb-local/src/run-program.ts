import { execFile } from 'node:child_process';
import { DocumentDBError } from './documentdb-error.ts';

/** Room for the longest output that is read: a package index's records. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** How a program is run: where, with which environment, and how long it may take. */
type RunOptions = {
  readonly timeoutSeconds: number;
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The text that it reads from its standard input; nothing by default. */
  readonly input?: string;
};

/**
 * Runs a program to its end and gives its standard output.
 *
 * @throws DocumentDBError with what the program complained of, when it fails, cannot be
 *   started, or takes longer than it may
 */
export function runProgram(
  program: string,
  parameters: readonly string[],
  options: RunOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      parameters,
      {
        cwd: options.folder,
        env: { ...process.env, LC_ALL: 'C', ...options.environment },
        timeout: options.timeoutSeconds * 1000,
        killSignal: 'SIGKILL',
        maxBuffer: OUTPUT_BYTES_MAX,
        signal: options.signal,
      },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve(stdout);
          return;
        }
        const why =
          error.killed === true
            ? `took longer than ${options.timeoutSeconds} s`
            : firstErrors(stderr) || error.message;
        reject(new DocumentDBError(`${program}: ${why}`, { cause: error }));
      },
    );
    // A program that ends without having read all of it says why by its end.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

/** The first complaint of a program, without warnings and consequences. */
function firstErrors(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^E: /, '').trim());
  return lines
    .filter((line) => line !== '' && !/^(W: |Some index files failed)/.test(line))
    .slice(0, 2)
    .join('; ');
}
