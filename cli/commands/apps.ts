import type { Command } from 'commander';
import type { Db } from 'mongodb';
import { APP_ID_PATTERN } from '../../lib/http/app.ts';
import { OPERATIONS, RIGHTS } from '../../contract/calls.ts';
import { UsageError } from '../command-error.ts';
import { DATABASE_HELP, JSON_OPTION, working, type Register } from '../command.ts';
import type { AddOptions, LimitOptions, MadeOptions } from '../apps/apps.ts';

type Options = { readonly json?: boolean };

const OPERATIONS_TEXT = `all, or a list with commas: ${OPERATIONS.join(', ')}`;
const RIGHTS_TEXT = `a list with commas: ${RIGHTS.join(', ')}`;

/** `headroom apps`. */
export const apps: Register = (program) => {
  const group = program
    .command('apps')
    .summary('the applications that may call; give back the holds of one')
    .description('Lists and changes the applications that may call.')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
A new application has no rights. APPS_KEY encrypts the secrets. Functions notice
a change within APPS_CACHE_SECONDS (10).${DATABASE_HELP}`,
    );
  below(group, 'list', 'print all, with the age of their secrets').action(
    doing((apps, db, options: Options) => apps.listAll(db, options)),
  );
  sealing(named(group, 'add', 'add one, and print its secret only now'))
    .argument('[operations]', OPERATIONS_TEXT, readOperations)
    .option('--rights <rights>', RIGHTS_TEXT, readRights)
    .action(
      doing(
        (apps, db, id: string, operations: readonly string[] | undefined, options: AddOptions) =>
          apps.add(db, id, operations ?? OPERATIONS, options),
      ),
    );
  named(group, 'allow', 'set its operations')
    .argument('<operations>', OPERATIONS_TEXT, readOperations)
    .action(
      doing((apps, db, id: string, operations: readonly string[], options: Options) =>
        apps.allow(db, id, operations, options),
      ),
    );
  named(group, 'grant', 'add rights')
    .argument('<rights>', RIGHTS_TEXT, readRights)
    .action(
      doing((apps, db, id: string, given: readonly string[], options: Options) =>
        apps.changeRights(db, id, options, (had) => [...had, ...given]),
      ),
    );
  named(group, 'revoke', 'remove rights')
    .argument('<rights>', RIGHTS_TEXT, readRights)
    .action(
      doing((apps, db, id: string, taken: readonly string[], options: Options) =>
        apps.changeRights(db, id, options, (had) => had.filter((right) => !taken.includes(right))),
      ),
    );
  named(group, 'limit', 'bound what it may take of what all share')
    .option('--hold <duration>', 'the longest hold: PT15M to P7D, or none')
    .option('--open <percent>', 'its part of the open holds of a document, or none')
    .action(doing((apps, db, id: string, options: LimitOptions) => apps.limit(db, id, options)));
  sealing(named(group, 'rotate', 'add a second secret, and print it only now')).action(
    doing((apps, db, id: string, options: MadeOptions) => apps.rotate(db, id, options)),
  );
  named(group, 'retire', 'remove the older of two secrets').action(
    doing((apps, db, id: string, options: Options) => apps.retire(db, id, options)),
  );
  named(group, 'disable', 'refuse its calls').action(
    doing((apps, db, id: string, options: Options) => apps.setStatus(db, id, 'disabled', options)),
  );
  named(group, 'enable', 'accept its calls again').action(
    doing((apps, db, id: string, options: Options) => apps.setStatus(db, id, 'active', options)),
  );
};

type Work = typeof import('../apps/apps.ts');

function doing<Parameters extends readonly unknown[]>(
  work: (apps: Work, db: Db, ...parameters: Parameters) => Promise<void>,
) {
  const load = () => import('../apps/apps.ts');
  return working('Not done', load, async (loaded, db, ...parameters: Parameters) => {
    await loaded.inItsSentence(() => work(loaded, db, ...parameters));
    return 0;
  });
}

function below(group: Command, name: string, summary: string): Command {
  return group
    .command(name)
    .summary(summary)
    .description(`Applications: ${summary}.`)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP);
}

function named(group: Command, name: string, summary: string): Command {
  return below(group, name, summary).argument('<id>', 'of an application: shop', readId);
}

/** The option of commands that make a secret. */
function sealing(command: Command): Command {
  return command.option('--new-key', 'use an APPS_KEY that no stored secret has');
}

function readId(id: string): string {
  if (APP_ID_PATTERN.test(id)) return id;
  throw new UsageError(
    `"${id}" is no application's id; expected 1 to 64 lower-case letters, digits and hyphens.`,
  );
}

function readOperations(text: string): readonly string[] {
  return text === 'all' ? OPERATIONS : listOf(text, OPERATIONS, 'operation', 'all, or some');
}

function readRights(text: string): readonly string[] {
  return listOf(text, RIGHTS, 'right', 'one or more');
}

/** The names that a text lists, in their own order. */
function listOf(
  text: string,
  names: readonly string[],
  noun: string,
  expected: string,
): readonly string[] {
  const listed = text.split(',').map((name) => name.trim());
  const unknown = listed.find((name) => !names.includes(name));
  if (unknown === undefined) return names.filter((name) => listed.includes(name));
  throw new UsageError(`"${unknown}" is no ${noun}; expected ${expected} of ${names.join(', ')}.`);
}
