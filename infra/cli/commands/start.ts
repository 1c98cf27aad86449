import { CommandError } from '../../command-error.ts';
import type { Register } from '../command.ts';

/** `headroom start`, whose words `infra/local/start.ts` reads itself. */
export const start: Register = (program) => {
  program
    .command('start')
    .summary('run everything on this machine')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { start: run } = await fromSources();
      const code = await run(words);
      // Whatever a library left open must not keep the terminal.
      process.exit(code);
    });
};

/** @throws CommandError where the program was installed without its repository */
async function fromSources() {
  try {
    return await import('../../local/start.ts');
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new CommandError(
      'headroom start serves the functions from their sources: run it in a clone of the repository.',
      { cause: error },
    );
  }
}
