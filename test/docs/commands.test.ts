import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GivenClock } from '../support/given-clock.ts';
import { startGivenClock } from '../support/given-clock.ts';
import { environmentOf, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { endOf, startProgram, urlOf } from '../infra/start-program.ts';
import type { Program } from '../infra/start-program.ts';
import { asPrinted, commandsOn } from './commands.ts';
import { ROOT } from './pages.ts';

/** The pages for those who call, in the order in which a reader meets them. */
const PATHS = [
  'README.md',
  'calls',
  'many-orders',
  'messages',
  'problems',
  'rules-over-http',
  'terms',
  'near',
  'history',
].map((name) => (name.endsWith('.md') ? name : `docs/${name}.md`));
const COMMANDS = PATHS.flatMap(commandsOn);

/** As the pages print it. A window that ended between two commands would be told as over. */
const PRINTED_AT = new Date('2026-11-21T10:10:57.782Z');

const database = useDatabase();
const folder = useFolder();
let program: Program;
let clock: GivenClock;
let addresses: Readonly<Record<string, string>>;

beforeAll(async () => {
  // Where it is put does not change what is printed: each answer is followed by its status.
  folder.write('.curlrc', 'write-out = "\\n%{http_code}\\n"\n');
  program = startProgram({ ...environmentOf(database), LAMBDA_PORT: '0' });
  const url = await urlOf(program);
  const [, direct] = /--endpoint-url (http:\/\/127\.0\.0\.1:\d+)/.exec(program.output()) ?? [];
  if (direct === undefined) throw new Error(program.output());
  clock = await startGivenClock(url, PRINTED_AT);
  addresses = { 'http://127.0.0.1:3000': clock.url, 'http://127.0.0.1:3002': direct };
});

afterAll(() => {
  clock.stop();
});

type Answer = { readonly status: number; readonly body: unknown };

/** Runs a block as it is printed, but at the addresses of this test's own start. */
async function run(script: string): Promise<readonly Answer[]> {
  const here = Object.entries(addresses).reduce(
    (whole, [printed, actual]) => whole.replaceAll(printed, actual),
    script,
  );
  const shell = spawn('bash', ['-euc', here], {
    cwd: ROOT,
    env: { ...process.env, CURL_HOME: folder.path('') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  expect(errors).toBe('');
  return [...output.matchAll(/(.*?)\n(\d{3})\n/gs)].map(([, body = '', status]) => ({
    status: Number(status),
    body: JSON.parse(body) as unknown,
  }));
}

/** A problem says its status, a rule that was added is 201; everything else is 200. */
function statusOf(body: unknown): number {
  const { code, status, changes } = body as Readonly<Record<string, unknown>>; // an answer is an object
  if (typeof code === 'string' && typeof status === 'number') return status;
  const [change] = Array.isArray(changes) ? (changes as readonly { change: unknown }[]) : [];
  return change?.change === 'added' ? 201 : 200;
}

describe('the commands of the pages, in the order in which they are printed', () => {
  it('are all there', () => {
    const blocks = PATHS.map((path) => COMMANDS.filter(({ page }) => page === path).length);
    expect(blocks).toEqual([3, 7, 3, 1, 1, 5, 2, 1, 3]);
    const printed = COMMANDS.flatMap(({ answers }) => answers).length;
    expect(printed).toBe(20);
  });

  it.each(COMMANDS)('$page: $script', async ({ script, answers: printed }) => {
    const answers = await run(script);
    expect(answers.length).toBeGreaterThanOrEqual(printed.length);
    const [unprinted, last] = [
      answers.slice(0, answers.length - printed.length),
      answers.slice(answers.length - printed.length),
    ];
    expect(unprinted.map(({ status }) => status)).toEqual(unprinted.map(() => 200));
    const adapted = last.map(({ status, body }, index) => ({
      status,
      body: asPrinted(body, printed[index]?.body, printed[index]?.isPart ?? false),
    }));
    expect(adapted).toEqual(printed.map(({ body }) => ({ status: statusOf(body), body })));
  });
});

it('npm start ends on SIGTERM and leaves no process and no file behind', async () => {
  const url = await urlOf(program);
  const end = await endOf(program, (pid) => process.kill(pid, 'SIGTERM'));
  expect(end).toEqual({ code: 0, left: [] });
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(join(ROOT, '.esbuild', `local-${new URL(url).port}`))).toBe(false);
});
