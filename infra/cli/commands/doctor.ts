import { DATABASE_HELP, ending, JSON_OPTION, type Register } from '../command.ts';

/** `headroom doctor`. */
export const doctor: Register = (program) => {
  program
    .command('doctor')
    .summary('is the database fit for it, and what to do')
    .description(
      'Looks at the server, its clock, indexes, sizes and rules, plays one payment on a subject of its own, which it takes away afterwards, and prints a line for each, with what to do. Set what the functions have set: AUDIT, CONSISTENCY and others.',
    )
    .option('--url <address>', 'ask a deployment, which plays no payment: everything before /v1')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Ends with 0 where all is well, 1 after a warning, 2 after a fault.`,
    )
    .action(
      ending(async ({ url, json = false }: { readonly url?: string; readonly json?: boolean }) => {
        const { readSettings } = await import('../../../lib/http/settings.ts');
        const { onDatabase, requiredSetting } = await import('../../database-command.ts');
        const { askHealth, examineAll } = await import('../../doctor/doctor.ts');
        if (url !== undefined) return askHealth(url, json);
        requiredSetting('MONGODB_URI'); // in the sentence of every other command
        // Nobody signs here, whatever the functions ask of their callers.
        const settings = readSettings({ ...process.env, AUTH: 'none', LOCAL_CLOCK: 'off' });
        return onDatabase('Not examined', (db) => examineAll(db, settings, json));
      }),
    );
};
