import type { Register } from '../command.ts';
import { fromClone } from '../from-clone.ts';

const SETTINGS = `
Settings, beside every setting of the functions:
  PORT              the port of the functions (3000; 0 takes a free one)
  LAMBDA_PORT       the port for AWS clients to invoke them (0, a free one)
  RULES_FILE        the rules, reloaded when they change (examples/rules.yaml)
  MONGODB_URI       your replica set instead of the local server
  MONGODB_DATABASE  the database (headroom_local)
  CONSOLE           off: no console (on)
  VERBOSE           1: shows all output of the functions and the framework
  AUTH              hmac: calls are signed (none)
  APPS_KEY          32 random bytes in base64, with AUTH=hmac (made and kept)

Example: PORT=3001 npm start. It ends with 0 when you stop it, and with 1 if it
cannot start or its database ends.`;

/** `headroom start`. */
export const start: Register = (program) => {
  program
    .command('start')
    .summary('run everything on this machine')
    .description(
      'Finds or downloads a database, makes its indexes and loads the rules. Serves the functions of serverless.yml over HTTP on 127.0.0.1. With the example rules, sends itself sample payments. Ctrl-C stops everything. Data stay in .headroom/, in a folder for each port.',
    )
    .addHelpText('after', SETTINGS)
    .action(async () => {
      const { start: run } = await fromClone(
        'headroom start serves the functions from their sources',
        () => import('../../infra/local/start.ts'),
      );
      // Whatever a library left open must not keep the terminal.
      process.exit(await run());
    });
};
