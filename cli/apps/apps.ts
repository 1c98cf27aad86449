import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import { OPERATIONS, RIGHTS } from '../../lib/shared/app.ts';
import { ApplicationError } from '../../lib/callers/applications.ts';
import { APPS_KEY_EXPECTED } from '../../lib/callers/sealed-secret.ts';
import { readId, readOperations, readRights } from './apps-words.ts';
import type { Telling } from './apps-work.ts';
import { add, allow, changeRights, changeStatus, listAll, retire, rotate } from './apps-work.ts';
import type { DatabaseCommand } from '../database-command.ts';
import { CommandError, UsageError } from '../database-command.ts';

const USAGE = `npm run apps -- <command>

  list                      lists every application, its operations, its rights, and the age of its secrets
  add <id> [operations]     adds an application, and prints its secret only now; --rights gives it rights
  allow <id> <operations>   sets its operations: all, or a list such as check,confirm,rollback
  grant <id> <rights>       adds rights
  revoke <id> <rights>      removes rights
  rotate <id>               adds a second secret, and prints it only now
  retire <id>               removes the older of two secrets
  disable <id>              Headroom refuses its calls
  enable <id>               Headroom accepts its calls again

Operations: ${OPERATIONS.join(', ')}.
Rights, for more than its own orders: ${RIGHTS.join(', ')}.
A new application has no rights. Functions notice a change within APPS_CACHE_SECONDS (10).
--json prints JSON, for programs. With add and rotate it contains the secret.

APPS_KEY encrypts the secrets: ${APPS_KEY_EXPECTED}.
add and rotate refuse another key than that of the stored secrets. With --new-key they use it.
All applications then need new secrets, because functions have only one key.`;

/** The words and options of a command beside its name and the application's id. */
type Said = Telling & {
  readonly isNewKey: boolean;
  readonly list?: string;
  readonly rights?: string;
};

type Work = (db: Db) => Promise<void>;

/** The changes of an application, by the command's name. */
const CHANGES: Readonly<Record<string, (id: string, said: Said) => Work>> = {
  add(id, { isNewKey, isJson, list = 'all', rights: named }) {
    const operations = readOperations(list);
    const rights = named === undefined ? [] : readRights(named);
    return (db) => add(db, id, { operations, rights, isNewKey, isJson });
  },
  allow(id, { isJson, list }) {
    if (list === undefined) throw new UsageError('Which operations?');
    const operations = readOperations(list);
    return (db) => allow(db, id, { operations, isJson });
  },
  grant(id, { isJson, list: rights }) {
    if (rights === undefined) throw new UsageError('Which rights?');
    const given = readRights(rights);
    return (db) => changeRights(db, id, { isJson }, (had) => [...had, ...given]);
  },
  revoke(id, { isJson, list: rights }) {
    if (rights === undefined) throw new UsageError('Which rights?');
    const taken = readRights(rights);
    return (db) =>
      changeRights(db, id, { isJson }, (had) => had.filter((right) => !taken.includes(right)));
  },
  rotate: (id, said) => (db) => rotate(db, id, said),
  retire: (id, said) => (db) => retire(db, id, said),
  disable:
    (id, { isJson }) =>
    (db) =>
      changeStatus(db, id, { status: 'disabled', isJson }),
  enable:
    (id, { isJson }) =>
    (db) =>
      changeStatus(db, id, { status: 'active', isJson }),
};

/** The words that a command takes, with its own name. Default: two. */
const WORDS: Readonly<Record<string, number>> = { list: 1, add: 3, allow: 3, grant: 3, revoke: 3 };

/** Commands that make secrets. */
const SEALING: ReadonlySet<string> = new Set(['add', 'rotate']);
const options = {
  'new-key': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  rights: { type: 'string' },
} as const;

function readCommand(words: readonly string[]): Work {
  const { values, positionals } = parseArgs({ args: [...words], allowPositionals: true, options });
  const { 'new-key': isNewKey, json: isJson, rights } = values;
  const [command, given, list] = positionals;
  if (command === undefined) throw new UsageError('Which command?');
  const read = Object.hasOwn(CHANGES, command) ? CHANGES[command] : undefined;
  if (read === undefined && command !== 'list') throw new UsageError(`"${command}" is no command.`);
  const surplus = positionals[WORDS[command] ?? 2];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
  if (isNewKey && !SEALING.has(command))
    throw new UsageError(`--new-key is for ${[...SEALING].join(' and ')} alone.`);
  if (rights !== undefined && command !== 'add')
    throw new UsageError('--rights is only for add; use grant for an application that exists.');
  if (read === undefined) return (db) => listAll(db, { isJson });
  return read(readId(given), {
    isNewKey,
    isJson,
    ...(list === undefined ? {} : { list }),
    ...(rights === undefined ? {} : { rights }),
  });
}

/** `headroom apps`. */
export const appsCommand: DatabaseCommand = {
  usage: USAGE,
  notDone: 'Not done',
  read(parameters) {
    const work = readCommand(parameters);
    return async (db) => {
      try {
        await work(db);
      } catch (error) {
        if (!(error instanceof ApplicationError)) throw error;
        throw new CommandError(error.message, { cause: error });
      }
      return 0;
    };
  },
};
