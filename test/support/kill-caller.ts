import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';
import { startTcpProxy, type Fault } from './tcp-proxy.ts';
import { argumentsOf, type TestProgram } from './test-programs.ts';

export type Killing = {
  readonly databaseUri: string;
  /** Its first argument is the database's address. */
  readonly program: Exclude<TestProgram, 'database'>;
  readonly args: readonly string[];
  /** Requests that pass before the one at which it is killed. */
  readonly after: number;
  /** `request-late`: before the database hears of it; `answer-swallowed`: once it has done it. */
  readonly fault: Fault;
};

export type Killed = { readonly isMet: boolean; readonly output: string };

/** Starts a caller of its own, behind a proxy, and kills it with SIGKILL at one of its requests. */
export async function killCaller(killing: Killing): Promise<Killed> {
  const { databaseUri, program, args, after, fault } = killing;
  const proxy = await startTcpProxy(databaseUri);
  proxy.set({ fault, after, times: 1 });
  const child = spawn(
    process.execPath,
    [...argumentsOf(inject('testPrograms'), program), proxy.uri, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  const exited = once(child, 'exit');
  const isMet = await Promise.race([proxy.met().then(() => true), exited.then(() => false)]);
  child.kill('SIGKILL');
  await exited;
  proxy.stop();
  return { isMet, output };
}
