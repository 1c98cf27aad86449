import { vi } from 'vitest';

/** How a command ended, and what it said. */
export type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** The commands of infra, by their npm script: each runs where its file is imported. */
const COMMANDS = {
  apps: () => import('../../infra/apps.ts'),
  indexes: () => import('../../infra/indexes.ts'),
  reconcile: () => import('../../infra/reconcile.ts'),
  rules: () => import('../../infra/rules.ts'),
  verify: () => import('../../infra/verify.ts'),
  bench: () => import('../../bench/main.ts'),
} as const;

/** A command that can be run in this process. */
export type CommandName = keyof typeof COMMANDS;

/**
 * Runs a command in this process, which takes milliseconds where a process of its own takes most of a
 * second. One at a time; what else goes on in this process goes on, and must not print.
 *
 * @param set what is set of MONGODB_URI, MONGODB_DATABASE and APPS_KEY; the others are not
 */
export async function runCommand(
  name: CommandName,
  parameters: readonly string[],
  set: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { argv } = process;
  let out = '';
  let err = '';
  const note = [
    vi.spyOn(console, 'log').mockImplementation((line) => (out += `${String(line)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => (err += `${String(line)}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    }),
  ];
  for (const setting of ['MONGODB_URI', 'MONGODB_DATABASE', 'APPS_KEY'])
    vi.stubEnv(setting, set[setting]);
  process.argv = [process.execPath, name, ...parameters];
  vi.resetModules();
  try {
    await COMMANDS[name]();
    return { code: Number(process.exitCode ?? 0), out, err };
  } finally {
    process.argv = argv;
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    for (const spy of note) spy.mockRestore();
  }
}
