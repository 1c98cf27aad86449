import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import { OPERATIONS } from '../lib/domain/app.ts';
import { APPS_MAX } from '../lib/domain/bounds.ts';
import { APPS_KEY_EXPECTED, openSecret, readAppsKey } from '../lib/edge/sealed-secret.ts';
import { isAppId } from '../lib/edge/signature.ts';
import { insertApp, readApps, replaceApp } from '../lib/store/apps.ts';
import type { StoredApp } from '../lib/store/apps.ts';
import {
  ApplicationError,
  makeApplication,
  withNewSecret,
  withoutOldSecret,
} from './applications.ts';

/** Reaching a cluster for the first time takes a second or two; longer is a wrong address. */
const TIMEOUT_MS = 5_000;

const USAGE = `npm run apps -- <command>

  list                      every application, its operations and its secrets' ages
  add <id> [operations]     a new application; prints its secret, this once
  allow <id> <operations>   what it may call: all, or a list such as check,confirm,rollback
  rotate <id>               a second secret beside the first; prints it, this once
  retire <id>               takes the older of two secrets away
  disable <id>              none of its calls is taken any more
  enable <id>               its calls are taken again

Settings: MONGODB_URI, MONGODB_DATABASE (headroom), APPS_KEY (${APPS_KEY_EXPECTED}).
Operations: ${OPERATIONS.join(', ')}. Functions notice a change within APPS_CACHE_SECONDS (10).`;

function setting(name: string): string {
  const text = process.env[name];
  if (text !== undefined && text !== '') return text;
  throw new ApplicationError(`${name} is not set.\n\n${USAGE}`);
}

function appsKey(): Uint8Array {
  const text = setting('APPS_KEY');
  const key = readAppsKey(text);
  if (key !== undefined) return key;
  throw new ApplicationError(
    `APPS_KEY is a text of ${text.length} characters; expected ${APPS_KEY_EXPECTED}.`,
  );
}

function readOperations(text = 'all'): readonly string[] {
  if (text === 'all') return OPERATIONS;
  const named = text.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !OPERATIONS.some((operation) => operation === name));
  if (unknown === undefined) return OPERATIONS.filter((operation) => named.includes(operation));
  throw new ApplicationError(
    `"${unknown}" is no operation; expected all, or some of ${OPERATIONS.join(', ')}.`,
  );
}

function readId(id: string | undefined): string {
  if (id !== undefined && isAppId(id)) return id;
  throw new ApplicationError(
    `${id === undefined ? 'The application is missing' : `"${id}" is no application's id`}; expected 1 to 64 lower-case letters, digits and hyphens.\n\n${USAGE}`,
  );
}

async function add(db: Db, id: string, operations: readonly string[]): Promise<void> {
  if ((await readApps(db, TIMEOUT_MS)).length >= APPS_MAX)
    throw new ApplicationError(`There are ${APPS_MAX} applications, which is the most.`);
  const { app, secret } = makeApplication(appsKey(), id, operations, new Date());
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

async function rotate(db: Db, id: string): Promise<void> {
  const key = appsKey();
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
  const text = process.env.APPS_KEY ?? '';
  const key = text === '' ? undefined : appsKey();
  for (const { id, status, operations, secrets } of await readApps(db, TIMEOUT_MS)) {
    const ages = secrets.map((secret) => {
      const opened = key && openSecret(key, { appId: id, secretId: secret.id }, secret.sealed);
      const note = key !== undefined && opened === undefined ? ' (not of this APPS_KEY)' : '';
      return `${secret.id} of ${secret.createdAt.toISOString().slice(0, 10)}${note}`;
    });
    console.log([id, status, operations.join(',') || 'nothing', ages.join(', ')].join('  '));
  }
}

async function run(db: Db, [command = '', given, operations]: readonly string[]): Promise<void> {
  if (command === 'list') return list(db);
  const id = readId(given);
  switch (command) {
    case 'add':
      return add(db, id, readOperations(operations));
    case 'rotate':
      return rotate(db, id);
    case 'retire':
      await change(db, id, withoutOldSecret);
      console.log(`Application ${id} has one secret, the newer one.`);
      return;
    case 'allow': {
      if (operations === undefined) throw new ApplicationError(`Which operations?\n\n${USAGE}`);
      const allowed = readOperations(operations);
      await change(db, id, (app) => ({ ...app, operations: allowed }));
      console.log(`Application ${id} may call ${allowed.join(', ')}.`);
      return;
    }
    case 'disable':
      await change(db, id, (app) => ({ ...app, status: 'disabled' }));
      console.log(`Application ${id} is disabled.`);
      return;
    case 'enable':
      await change(db, id, (app) => ({ ...app, status: 'active' }));
      console.log(`Application ${id} is active.`);
      return;
    default:
      throw new ApplicationError(USAGE);
  }
}

async function connectAndRun(parameters: readonly string[]): Promise<void> {
  if (parameters.length === 0) throw new ApplicationError(USAGE);
  const client = new MongoClient(setting('MONGODB_URI'), { serverSelectionTimeoutMS: TIMEOUT_MS });
  try {
    await client.connect(); // by itself, so that a wrong address is told as one
    await run(client.db(process.env.MONGODB_DATABASE ?? 'headroom'), parameters);
  } finally {
    await client.close();
  }
}

try {
  await connectAndRun(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : 'unknown';
  console.error(error instanceof ApplicationError ? message : `The command failed: ${message}`);
  process.exit(1);
}
