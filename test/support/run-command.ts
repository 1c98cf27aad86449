import { vi } from 'vitest';
import { runHeadroom, runProgram } from '../../cli/run.ts';
import { start } from '../../infra/local/start.ts';

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

const SETTINGS = [
  'MONGODB_URI',
  'MONGODB_DATABASE',
  'APPS_KEY',
  'HEADROOM_APP_ID',
  'HEADROOM_SECRET',
  'HEADROOM_IAM_REGION',
  'AUDIT',
  'AUTH',
  'CONSISTENCY',
  'FOUR_EYES',
  'NEAR',
  'ON_NO_RULE',
  'PORT',
  'RULES_FILE',
  'STORE_TIMEOUT_MS',
] as const;

/** Runs what the words name: a command of the command line, or the benchmark, which is none. */
async function run(name: string, parameters: readonly string[]): Promise<void> {
  if (name === 'start' && parameters.length === 0) {
    process.exitCode = await start(); // the command itself ends the process with that
    return;
  }
  if (name !== 'bench') return runHeadroom([...(name === '' ? [] : [name]), ...parameters]);
  vi.resetModules(); // it runs where its file is taken in
  await import('../../bench/main.ts');
}

/**
 * Runs a command in this process, which takes milliseconds where a process of its own takes most of a
 * second. One at a time; what else goes on in this process goes on, and must not print.
 *
 * @param name the command's; empty for none
 * @param set what is set of SETTINGS; the others are not
 */
export async function runCommand(
  name: string,
  parameters: readonly string[],
  set: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { argv } = process;
  let out = '';
  let err = '';
  const note = [
    vi.spyOn(console, 'log').mockImplementation((line) => (out += `${String(line)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => (err += `${String(line)}\n`)),
    noteWrites(process.stdout, (text) => (out += text)),
  ];
  const restore = setOnly(set);
  process.argv = [process.execPath, name, ...parameters];
  try {
    await run(name, parameters);
    return { code: Number(process.exitCode ?? 0), out, err };
  } finally {
    process.argv = argv;
    process.exitCode = undefined;
    restore();
    for (const spy of note) spy.mockRestore();
  }
}

/**
 * Runs the command line as a process does, whose output is made visible, and gives all that it prints.
 *
 * @param words what stands behind `headroom`
 * @param set what is set of SETTINGS; the others are not
 */
export async function printedBy(
  words: readonly string[],
  set: Readonly<Record<string, string>>,
): Promise<string> {
  const { console: own } = globalThis;
  let all = '';
  const streams = [process.stdout, process.stderr].map((stream) => ({
    stream,
    listeners: stream.listeners('error'),
    spy: noteWrites(stream, (text) => (all += text)),
  }));
  const restore = setOnly(set);
  try {
    await runProgram(words, '');
    return all;
  } finally {
    globalThis.console = own;
    process.exitCode = undefined;
    restore();
    for (const { stream, listeners, spy } of streams) {
      spy.mockRestore();
      stream.removeAllListeners('error');
      for (const each of listeners) stream.on('error', each as () => void); // as they were
    }
  }
}

/** Gives what puts the environment back as it was: commands set variables of their process, too. */
function setOnly(set: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  for (const setting of SETTINGS) vi.stubEnv(setting, set[setting]);
  return () => {
    vi.unstubAllEnvs();
    for (const name of Object.keys(process.env))
      if (!(name in before)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, before);
  };
}

function noteWrites(stream: NodeJS.WriteStream, note: (text: string) => void) {
  return vi.spyOn(stream, 'write').mockImplementation((text, ...more) => {
    note(String(text));
    for (const each of more) if (typeof each === 'function') each();
    return true;
  });
}
