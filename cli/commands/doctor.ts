import { DATABASE_HELP, ending, JSON_OPTION, type Register } from '../command.ts';

/** `headroom doctor`. */
export const doctor: Register = (program) => {
  program
    .command('doctor')
    .summary('find problems of the database, and what to do')
    .description(
      'Checks the server, its clock, indexes, sizes and rules. Plays one payment on a subject of its own, and deletes it afterwards. Prints a line for each, with what to do. Use the settings of the functions: AUDIT, CONSISTENCY and others.',
    )
    .option('--url <address>', 'ask a deployment, which plays no payment: everything before /v1')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Ends with 0 if all is well, 1 after a warning, 2 after a fault.`,
    )
    .action(
      ending(async ({ url, json = false }: { readonly url?: string; readonly json?: boolean }) => {
        const { readSettings } = await import('../../lib/edge/settings.ts');
        const { onDatabase, requiredSetting } = await import('../database-command.ts');
        const { askHealth, examineAll } = await import('../doctor/doctor.ts');
        if (url !== undefined) return askHealth(url, json);
        requiredSetting('MONGODB_URI'); // in the sentence of every other command
        // Nobody signs here, whatever the functions ask of their callers.
        const settings = readSettings({ ...process.env, AUTH: 'none', LOCAL_CLOCK: 'off' });
        return onDatabase('Not examined', (db) => examineAll(db, settings, json));
      }),
    );
};
