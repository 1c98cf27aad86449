import type { Db } from 'mongodb';
import { OPERATIONS } from '../lib/domain/app.ts';
import { APPS_MAX } from '../lib/domain/bounds.ts';
import { APPS_KEY_EXPECTED, openSecret, readAppsKey } from '../lib/edge/sealed-secret.ts';
import { isAppId } from '../lib/edge/signature.ts';
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
import { requiredSetting, runDatabaseCommand, setting, UsageError } from './database-command.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

const USAGE = `npm run apps -- <command>

  list                      every application, its operations and its secrets' ages
  add <id> [operations]     a new application; prints its secret, this once
  allow <id> <operations>   what it may call: all, or a list such as check,confirm,rollback
  rotate <id>               a second secret beside the first; prints it, this once
  retire <id>               takes the older of two secrets away
  disable <id>              none of its calls is taken any more
  enable <id>               its calls are taken again

Operations: ${OPERATIONS.join(', ')}. Functions notice a change within APPS_CACHE_SECONDS (10).

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

function readOperations(text: string): readonly string[] {
  if (text === 'all') return OPERATIONS;
  const named = text.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !OPERATIONS.some((operation) => operation === name));
  if (unknown === undefined) return OPERATIONS.filter((operation) => named.includes(operation));
  throw new UsageError(
    `"${unknown}" is no operation; expected all, or some of ${OPERATIONS.join(', ')}.`,
  );
}

function readId(id: string | undefined): string {
  if (id !== undefined && isAppId(id)) return id;
  throw new UsageError(
    `${id === undefined ? 'The application is missing' : `"${id}" is no application's id`}; expected 1 to 64 lower-case letters, digits and hyphens.`,
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
  isNewKey: boolean,
): Promise<void> {
  const key = appsKey();
  const apps = await readApps(db, TIMEOUT_MS);
  if (apps.length >= APPS_MAX)
    throw new ApplicationError(`There are ${APPS_MAX} applications, which is the most.`);
  refuseOtherKey(key, apps, isNewKey);
  const { app, secret } = makeApplication(key, id, operations, new Date());
  if (!(await insertApp(db, app)))
    throw new ApplicationError(
      `There is an application ${id} already; for a new secret: npm run apps -- rotate ${id}`,
    );
  console.log(`Application ${id} may call ${app.operations.join(', ')}.`);
  tellSecret(secret);
}

function tellSecret(secret: string): void {
  console.log(`Its new secret, shown this once: ${secret}`);
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
async function list(db: Db): Promise<void> {
  const key = setting('APPS_KEY') === undefined ? undefined : appsKey();
  const apps = await readApps(db, TIMEOUT_MS);
  if (apps.length === 0)
    console.log('There is no application; npm run apps -- add <id> makes one.');
  for (const { id, status, operations, secrets } of apps) {
    const ages = secrets.map((secret) => {
      const opened = key && openSecret(key, { appId: id, secretId: secret.id }, secret.sealed);
      const note = key !== undefined && opened === undefined ? ' (not of this APPS_KEY)' : '';
      return `${secret.id} of ${secret.createdAt.toISOString().slice(0, 10)}${note}`;
    });
    console.log([id, status, operations.join(',') || 'nothing', ages.join(', ')].join('  '));
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

type Work = (db: Db) => Promise<void>;

/** What changes an application, by the command's name. */
const CHANGES: Readonly<
  Record<string, (id: string, isNewKey: boolean, operations?: string) => Work>
> = {
  add(id, isNewKey, operations = 'all') {
    const allowed = readOperations(operations);
    return (db) => add(db, id, allowed, isNewKey);
  },
  allow(id, _isNewKey, operations) {
    if (operations === undefined) throw new UsageError('Which operations?');
    const allowed = readOperations(operations);
    return (db) => allow(db, id, allowed);
  },
  rotate: (id, isNewKey) => (db) => rotate(db, id, isNewKey),
  retire: (id) => (db) => retire(db, id),
  disable: (id) => (db) => changeStatus(db, id, 'disabled'),
  enable: (id) => (db) => changeStatus(db, id, 'active'),
};

/** Words that a command takes, its own name among them; two where nothing is said. */
const WORDS: Readonly<Record<string, number>> = { list: 1, add: 3, allow: 3 };

/** Commands that make secrets. */
const SEALING: ReadonlySet<string> = new Set(['add', 'rotate']);
const NEW_KEY = '--new-key';

function readCommand(words: readonly string[]): Work {
  const isNewKey = words.includes(NEW_KEY);
  const parameters = words.filter((word) => word !== NEW_KEY);
  const [command, given, operations] = parameters;
  if (command === undefined) throw new UsageError('Which command?');
  const read = Object.hasOwn(CHANGES, command) ? CHANGES[command] : undefined;
  if (read === undefined && command !== 'list') throw new UsageError(`"${command}" is no command.`);
  const surplus = parameters[WORDS[command] ?? 2];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
  if (isNewKey && !SEALING.has(command))
    throw new UsageError(`${NEW_KEY} is for ${[...SEALING].join(' and ')} alone.`);
  return read === undefined ? list : read(readId(given), isNewKey, operations);
}

await runDatabaseCommand({
  usage: USAGE,
  notDone: 'Not done',
  read(parameters) {
    const work = readCommand(parameters);
    return async (db) => {
      await work(db);
      return 0;
    };
  },
});
