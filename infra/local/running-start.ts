import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { CommandError } from '../../cli/command-error.ts';
import { isAlive, readStart } from '../../cli/process-identity.ts';

/** A `npm start` that runs with a database of its own, for the commands that are run beside it. */
const schema = z.object({
  port: z.number(),
  /** Whose it is; of a process that is gone, the file stays. */
  pid: z.number(),
  start: z.string(),
  /** Variables that a command beside it has where it is given no others. */
  environment: z.record(z.string(), z.string()),
  /** Where the key is that APPS_KEY would have. */
  appsKeyFile: z.optional(z.string()),
});

export type RunningStart = z.infer<typeof schema>;

/** Settings of the functions by which a command would answer otherwise. */
const SHARED = [
  'AUDIT',
  'AUDIT_DAYS',
  'CONSISTENCY',
  'FOUR_EYES',
  'FOUR_EYES_ABOVE',
  'FREEZABLE_KINDS',
  'HOME_KINDS',
  'MAX_OPEN_HOLDS',
  'MAX_OPEN_SHARES',
  'MONGODB_TLS',
  'NEAR',
  'ON_NO_RULE',
  'REMEMBERED_OUTCOMES',
];

const ENDING = '.running.json';
const PORT_DEFAULT = 3000;

/** Notes that this process runs, with which database. @returns what takes the note away */
export function noteRunning(
  folder: string,
  { port, ...others }: Pick<RunningStart, 'port' | 'environment' | 'appsKeyFile'>,
): () => Promise<void> {
  const file = join(folder, `port-${port}${ENDING}`);
  const shared = SHARED.flatMap((name) => {
    const value = process.env[name] ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const { pid } = process;
  const environment = { ...Object.fromEntries(shared), ...others.environment };
  const running: RunningStart = { ...others, port, pid, start: readStart(pid), environment };
  writeFileSync(file, `${JSON.stringify(running, undefined, 2)}\n`, { mode: 0o600 });
  return () => {
    rmSync(file, { force: true });
    return Promise.resolve();
  };
}

/**
 * Finds the `npm start` whose database is meant where nobody says which: the one of the port, or else
 * that of 3000, or else the only one.
 *
 * @param folder where they keep their data
 * @param port of PORT, where it is set
 * @throws CommandError where several run, and none is named
 */
export function findRunning(folder: string, port?: string): RunningStart | undefined {
  const running = filesIn(folder).flatMap((file) => readRunning(join(folder, file)) ?? []);
  const of = (wanted: number) => running.find((each) => each.port === wanted);
  if (port !== undefined && port !== '') return of(Number(port));
  const [first, second] = running;
  const found = of(PORT_DEFAULT) ?? first;
  if (second === undefined || found?.port === PORT_DEFAULT) return found;
  const ports = running.map((each) => each.port).toSorted((a, b) => a - b);
  throw new CommandError(
    `MONGODB_URI is not set, and npm start runs several times here, on the ports ${ports.join(', ')}: choose one with PORT=${ports[0] ?? ''}.`,
  );
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ENDING));
  } catch {
    return []; // nothing was ever started here
  }
}

function readRunning(file: string): RunningStart | undefined {
  try {
    const running = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const { pid, start } = running;
    const now = isAlive(pid) ? readStart(pid) : undefined;
    return now === undefined || (now !== '' && start !== '' && now !== start) ? undefined : running;
  } catch {
    return undefined; // half written, or of another version
  }
}

/** Has this process work on the database of a `npm start`, as its functions do. */
export function workBeside({ environment, appsKeyFile }: RunningStart): void {
  const unset = (name: string): boolean => (process.env[name] ?? '') === '';
  for (const [name, value] of Object.entries(environment))
    if (unset(name)) process.env[name] = value;
  if (appsKeyFile !== undefined && unset('APPS_KEY'))
    process.env.APPS_KEY = readFileSync(appsKeyFile, 'utf8').trim();
}
