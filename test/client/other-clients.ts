import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'clients');

type Command = readonly [program: string, ...parameters: readonly string[]];

/** An example of a client, and how its language builds, tests and runs it. */
export type OtherClient = {
  /** Its folder. */
  readonly name: 'python' | 'go' | 'java';
  /** The program that must be on PATH, and its answer that it is there. */
  readonly toolchain: Command;
  readonly build?: Command;
  readonly testVectors: Command;
  readonly pay: Command;
};

const CLIENTS: readonly OtherClient[] = [
  {
    name: 'python',
    toolchain: ['python3', '--version'],
    testVectors: ['python3', '-m', 'unittest'],
    pay: ['python3', 'pay.py'],
  },
  {
    name: 'go',
    toolchain: ['go', 'version'],
    build: ['go', 'build', '-o', 'pay', './cmd/pay'],
    // Its cache does not see files outside the module.
    testVectors: ['go', 'test', '-count=1', './...'],
    pay: ['./pay'],
  },
  {
    name: 'java',
    toolchain: ['javac', '-version'],
    build: [
      'javac',
      '-encoding',
      'UTF-8',
      'Headroom.java',
      'Json.java',
      'Pay.java',
      'VectorsTest.java',
    ],
    testVectors: ['java', 'VectorsTest', '../vectors.json'],
    pay: ['java', 'Pay'],
  },
];

const isFound = ({ toolchain: [program, ...parameters] }: OtherClient): boolean =>
  spawnSync(program, parameters).status === 0;

/** The clients whose toolchain is on this machine. */
export const FOUND: readonly OtherClient[] = CLIENTS.filter(isFound);

/** The names of the others. */
export const MISSING: readonly string[] = CLIENTS.filter((each) => !FOUND.includes(each)).map(
  ({ name }) => name,
);

/** How a program ended. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** A copy of the examples, in which languages may leave what they build. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'headroom-clients-'));

  constructor() {
    cpSync(EXAMPLES, this.folder, { recursive: true });
  }

  /** Runs a command of a client to its end. */
  async run(
    { name }: OtherClient,
    [program, ...parameters]: Command,
    set: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const child = spawn(program, parameters, {
      cwd: join(this.folder, name),
      // Java reads its parameters as the locale says; go downloads no other toolchain.
      env: { ...process.env, LC_ALL: 'C.UTF-8', GOTOOLCHAIN: 'local', GOFLAGS: '-p=1', ...set },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000, // a client without a deadline would stay
    });
    const code = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await code, out, err };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
