import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { CommandError } from '../../cli/command-error.ts';
import { ROOT } from '../framework.ts';
import { consoleFolder } from '../local/console-files.ts';
import { createSigner } from '../../packages/client/src/signing.ts';
import { signingApplication, signingFetch } from '../../cli/calls.ts';
import { forwardTo } from './forward.ts';
import { createGateway } from './gateway.ts';
import type { Person } from './person.ts';

/** How the console of a deployment is served. */
export type ServeOptions = {
  /** The deployment: everything before /v1. */
  readonly url: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly person: Person;
};

/**
 * Serves the console of a deployment on 127.0.0.1, until the process gets a signal to end.
 *
 * @param report gets lines for people
 * @throws CommandError where it cannot
 */
export async function serveConsole(
  { url, port, person }: ServeOptions,
  report: (line: string) => void,
): Promise<void> {
  const app = signingApplication();
  const signer = app === undefined ? undefined : createSigner(app, () => Date.now());
  const forward = forwardTo(url, signer, await signingFetch(fetch));
  const server = createGateway({ folder: builtConsole(report), person, forward, report });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new CommandError(
      `Not served: port ${port} cannot be listened on (${String(error)}). Name another: --port 8081`,
      { cause: error },
    );
  }
  const { port: taken } = server.address() as AddressInfo; // it listens on TCP
  const own = `http://127.0.0.1:${taken}`;
  report(
    person.kind === 'always'
      ? `The console of ${url} is at ${own}/console/`
      : `The console of ${url} is at ${person.origin}/console/, through the login: it leads to ${own}`,
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        resolve();
      });
  });
  server.close();
  server.closeAllConnections();
}

/** Builds the console of these very sources, where it is not built. */
function builtConsole(report: (line: string) => void): string {
  const folder = consoleFolder();
  if (existsSync(join(folder, 'index.html'))) return folder;
  report('Builds the console …');
  const program = join(ROOT, 'packages', 'console', 'build.mjs');
  const { status } = spawnSync(process.execPath, [program, folder], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new CommandError('Not served: the console was not built; see above.');
  return folder;
}
