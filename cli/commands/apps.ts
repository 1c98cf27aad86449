import { ending, type Register } from '../command.ts';

/** `headroom apps`, whose words `cli/apps/apps.ts` reads itself. */
export const apps: Register = (program) => {
  program
    .command('apps')
    .summary('the applications that may call, and their secrets')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[words...]')
    .action(
      ending(async (words: readonly string[]) => {
        const { runDatabaseCommand } = await import('../database-command.ts');
        const { appsCommand } = await import('../apps/apps.ts');
        return runDatabaseCommand(appsCommand, words);
      }),
    );
};
