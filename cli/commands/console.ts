import { ending, type Register } from '../command.ts';
import { fromClone } from '../from-clone.ts';
import { readNumber } from '../words.ts';

type Options = {
  readonly url: string;
  readonly port: string;
  readonly personHeader?: string;
  readonly at?: string;
  readonly by?: string;
};

/** `headroom console`. */
export const deployedConsole: Register = (program) => {
  program
    .command('console')
    .summary('serve the console of a deployment')
    .description(
      'Serves the console of a deployment on 127.0.0.1, and signs its calls. Put a login before it that names the person in a header, or serve it for yourself alone.',
    )
    .requiredOption('--url <address>', 'the deployment: everything before /v1')
    .option('--port <port>', 'where it listens; 0 for a free port', '8080')
    .option('--person-header <name>', 'the header in which the login names the person')
    .option('--at <address>', 'the login, as a browser sees it: https://limits-console.example.com')
    .option('--by <name>', 'you: without a login, for this machine alone')
    .addHelpText(
      'after',
      `
HEADROOM_APP_ID and HEADROOM_SECRET sign, or HEADROOM_IAM_REGION for IAM.
Everybody whom the login lets in has the rights of that application.`,
    )
    .action(
      ending(async ({ url, port, ...who }: Options) => {
        const { readAddress, readPerson } = await import('../../infra/console/person.ts');
        const options = {
          url: readAddress('--url', url).href,
          port: readNumber('--port', port),
          person: readPerson(who),
        };
        const { serveConsole } = await fromClone(
          'headroom console builds the console from its sources',
          () => import('../../infra/console/serve.ts'),
        );
        await serveConsole(options, (line) => {
          console.error(line);
        });
        return 0;
      }),
    );
};
