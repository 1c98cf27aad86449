import type { Register } from '../command.ts';
import { fromClone } from '../from-clone.ts';

/** `headroom start`, whose words `infra/local/start.ts` reads itself. */
export const start: Register = (program) => {
  program
    .command('start')
    .summary('run everything on this machine')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { start: run } = await fromClone(
        'headroom start serves the functions from their sources',
        () => import('../../infra/local/start.ts'),
      );
      const code = await run(words);
      // Whatever a library left open must not keep the terminal.
      process.exit(code);
    });
};
