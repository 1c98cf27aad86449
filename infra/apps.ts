import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import type { App } from '../lib/domain/app.ts';
import { OPERATIONS, RIGHTS } from '../lib/domain/app.ts';
import { APPS_MAX } from '../lib/domain/bounds.ts';
import { APPS_KEY_EXPECTED, openSecret, readAppsKey } from '../lib/edge/sealed-secret.ts';
import { insertApp, readApps, replaceApp } from '../lib/store/apps.ts';
import type { StoredApp } from '../lib/store/apps.ts';
import {
  ApplicationError,
  listed,
  makeApplication,
  sealedUnderAnother,
  withNewSecret,
  withoutOldSecret,
} from './applications.ts';
import { readId, readOperations, readRights } from './apps-words.ts';
import type { DatabaseCommand } from './database-command.ts';
import { requiredSetting, setting, UsageError } from './database-command.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

const USAGE = `npm run apps -- <command>

  list                      every application, its operations, its rights and its secrets' ages
  add <id> [operations]     a new application; prints its secret, this once; --rights gives it some
  allow <id> <operations>   what it may call: all, or a list such as check,confirm,rollback
  grant <id> <rights>       rights that it gets beside those that it has
  revoke <id> <rights>      rights that it has no more
  rotate <id>               a second secret beside the first; prints it, this once
  retire <id>               takes the older of two secrets away
  disable <id>              none of its calls is taken any more
  enable <id>               its calls are taken again

Operations: ${OPERATIONS.join(', ')}. Rights, to what is not its own orders, none where nothing is
said: ${RIGHTS.join(', ')}. Functions notice a change within
APPS_CACHE_SECONDS (10).

Secrets are encrypted under APPS_KEY: ${APPS_KEY_EXPECTED}.
add and rotate refuse another key than the one of the secrets that are there, unless --new-key says
that it is meant: all applications then need new secrets, for functions have one key.`;

function appsKey(): Uint8Array {
  const text = requiredSetting('APPS_KEY');
  const key = readAppsKey(text);
  if (key !== undefined) return key;
  throw new ApplicationError(
    `APPS_KEY is a text of ${text.length} characters; expected ${APPS_KEY_EXPECTED}.`,
  );
}

/** Functions have one key: a secret under another one than the others' would be good for nothing. */
function refuseOtherKey(key: Uint8Array, apps: readonly StoredApp[], isNewKey: boolean): void {
  const ids = sealedUnderAnother(key, apps);
  if (isNewKey || ids.length === 0) return;
  throw new ApplicationError(
    `APPS_KEY does not open the secrets of ${listed(ids)}, which were made under another key: set APPS_KEY to that key, which is the one that the functions have; where it is lost or is to go, add --new-key, and give each application a new secret.`,
  );
}

async function add(
  db: Db,
  id: string,
  operations: readonly string[],
  rights: readonly string[],
  isNewKey: boolean,
): Promise<void> {
  const key = appsKey();
  const apps = await readApps(db, TIMEOUT_MS);
  if (apps.length >= APPS_MAX)
    throw new ApplicationError(`There are ${APPS_MAX} applications, which is the most.`);
  refuseOtherKey(key, apps, isNewKey);
  const { app, secret } = makeApplication(key, id, operations, new Date(), rights);
  if (!(await insertApp(db, app)))
    throw new ApplicationError(
      `There is an application ${id} already; for a new secret: npm run apps -- rotate ${id}`,
    );
  console.log(`Application ${id} may call ${app.operations.join(', ')}.`);
  if (rights.length > 0) tellRights(app);
  tellSecret(secret);
}

function tellSecret(secret: string): void {
  console.log(`Its new secret, shown this once: ${secret}`);
}

function tellRights({ id, rights = [] }: App): void {
  const named = rights.length === 0 ? 'no right' : `the rights ${rights.join(', ')}`;
  console.log(`Application ${id} has ${named}.`);
}

/** Reads an application, changes it, and stores it unless somebody else changed it meanwhile. */
async function change(db: Db, id: string, next: (app: StoredApp) => StoredApp): Promise<void> {
  const app = (await readApps(db, TIMEOUT_MS)).find((each) => each.id === id);
  if (app === undefined)
    throw new ApplicationError(`There is no application ${id}; npm run apps -- list names all.`);
  if (!(await replaceApp(db, next(app))))
    throw new ApplicationError(`Application ${id} was changed by somebody else; try again.`);
}

async function rotate(db: Db, id: string, isNewKey: boolean): Promise<void> {
  const key = appsKey();
  refuseOtherKey(key, await readApps(db, TIMEOUT_MS), isNewKey);
  let made = '';
  await change(db, id, (app) => {
    const { app: next, secret } = withNewSecret(key, app, new Date());
    made = secret;
    return next;
  });
  tellSecret(made);
  console.log(`Both are good. When every caller has the new one: npm run apps -- retire ${id}`);
}

/** One line an application; says which secrets the functions could not open with this key. */
async function listAll(db: Db): Promise<void> {
  const key = setting('APPS_KEY') === undefined ? undefined : appsKey();
  const apps = await readApps(db, TIMEOUT_MS);
  if (apps.length === 0)
    console.log('There is no application; npm run apps -- add <id> makes one.');
  for (const { id, status, operations, rights = [], secrets } of apps) {
    const ages = secrets.map((secret) => {
      const opened = key && openSecret(key, { appId: id, secretId: secret.id }, secret.sealed);
      const note = key !== undefined && opened === undefined ? ' (not of this APPS_KEY)' : '';
      return `${secret.id} of ${secret.createdAt.toISOString().slice(0, 10)}${note}`;
    });
    const may = [...operations, ...rights].join(',') || 'nothing';
    console.log([id, status, may, ages.join(', ')].join('  '));
  }
}

async function changeStatus(db: Db, id: string, status: StoredApp['status']): Promise<void> {
  await change(db, id, (app) => ({ ...app, status }));
  console.log(`Application ${id} is ${status}.`);
}

async function retire(db: Db, id: string): Promise<void> {
  await change(db, id, withoutOldSecret);
  console.log(`Application ${id} has one secret, the newer one.`);
}

async function allow(db: Db, id: string, operations: readonly string[]): Promise<void> {
  await change(db, id, (app) => ({ ...app, operations }));
  console.log(`Application ${id} may call ${operations.join(', ')}.`);
}

async function changeRights(
  db: Db,
  id: string,
  next: (rights: readonly string[]) => readonly string[],
): Promise<void> {
  await change(db, id, (app) => {
    const wanted = next(app.rights ?? []);
    const changed = { ...app, rights: RIGHTS.filter((right) => wanted.includes(right)) };
    tellRights(changed);
    return changed;
  });
}

/** What the words and options of a command say beside its name and the application's id. */
type Said = { readonly isNewKey: boolean; readonly list?: string; readonly rights?: string };

type Work = (db: Db) => Promise<void>;

/** What changes an application, by the command's name. */
const CHANGES: Readonly<Record<string, (id: string, said: Said) => Work>> = {
  add(id, { isNewKey, list: operations = 'all', rights }) {
    const allowed = readOperations(operations);
    const given = rights === undefined ? [] : readRights(rights);
    return (db) => add(db, id, allowed, given, isNewKey);
  },
  allow(id, { list: operations }) {
    if (operations === undefined) throw new UsageError('Which operations?');
    const allowed = readOperations(operations);
    return (db) => allow(db, id, allowed);
  },
  grant(id, { list: rights }) {
    if (rights === undefined) throw new UsageError('Which rights?');
    const given = readRights(rights);
    return (db) => changeRights(db, id, (had) => [...had, ...given]);
  },
  revoke(id, { list: rights }) {
    if (rights === undefined) throw new UsageError('Which rights?');
    const taken = readRights(rights);
    return (db) => changeRights(db, id, (had) => had.filter((right) => !taken.includes(right)));
  },
  rotate:
    (id, { isNewKey }) =>
    (db) =>
      rotate(db, id, isNewKey),
  retire: (id) => (db) => retire(db, id),
  disable: (id) => (db) => changeStatus(db, id, 'disabled'),
  enable: (id) => (db) => changeStatus(db, id, 'active'),
};

/** Words that a command takes, its own name among them; two where nothing is said. */
const WORDS: Readonly<Record<string, number>> = { list: 1, add: 3, allow: 3, grant: 3, revoke: 3 };

/** Commands that make secrets. */
const SEALING: ReadonlySet<string> = new Set(['add', 'rotate']);
const options = {
  'new-key': { type: 'boolean', default: false },
  rights: { type: 'string' },
} as const;

function readCommand(words: readonly string[]): Work {
  const { values, positionals } = parseArgs({ args: [...words], allowPositionals: true, options });
  const { 'new-key': isNewKey, rights } = values;
  const [command, given, list] = positionals;
  if (command === undefined) throw new UsageError('Which command?');
  const read = Object.hasOwn(CHANGES, command) ? CHANGES[command] : undefined;
  if (read === undefined && command !== 'list') throw new UsageError(`"${command}" is no command.`);
  const surplus = positionals[WORDS[command] ?? 2];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
  if (isNewKey && !SEALING.has(command))
    throw new UsageError(`--new-key is for ${[...SEALING].join(' and ')} alone.`);
  if (rights !== undefined && command !== 'add')
    throw new UsageError('--rights is for add alone; grant gives them to one that is there.');
  if (read === undefined) return listAll;
  return read(readId(given), {
    isNewKey,
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
      await work(db);
      return 0;
    };
  },
};
