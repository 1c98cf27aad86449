import type { Db } from 'mongodb';
import type { App, AppSecret } from '../lib/shared/app.ts';
import { RIGHTS } from '../lib/shared/app.ts';
import { APPS_MAX } from '../lib/shared/bounds.ts';
import { APPS_KEY_EXPECTED, openSecret, readAppsKey } from '../lib/http/sealed-secret.ts';
import { insertApp, readApps, replaceApp } from '../lib/http/mongo-callers.ts';
import type { StoredApp } from '../lib/http/mongo-callers.ts';
import {
  ApplicationError,
  listed,
  makeApplication,
  sealedUnderAnother,
  withNewSecret,
  withoutOldSecret,
} from './applications.ts';
import { printJson } from './cli/output.ts';
import { handOver } from './cli/printing.ts';
import { requiredSetting, setting } from './database-command.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

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
    `APPS_KEY does not open the secrets of ${listed(ids)}, because another key made them. Set APPS_KEY to the key of the functions. If that key is lost or you replace it, add --new-key, and give each application a new secret.`,
  );
}

/** How a command tells what it did: one JSON value, or lines for people. */
export type Telling = { readonly isJson: boolean };

/** An application as JSON for programs. `opens`: whether APPS_KEY opens the secret. */
function applicationJson({ id, status, operations, rights = [], secrets }: App, key?: Uint8Array) {
  return {
    ...{ id, status, operations, rights },
    secrets: secrets.map((secret) => ({
      id: secret.id,
      createdAt: secret.createdAt.toISOString(),
      ...(key === undefined ? {} : { opens: isOpened(key, id, secret) }),
    })),
  };
}

function isOpened(key: Uint8Array, appId: string, { id, sealed }: AppSecret): boolean {
  return openSecret(key, { appId, secretId: id }, sealed) !== undefined;
}

function tell({ isJson }: Telling, app: App, text: string): void {
  if (isJson) printJson(applicationJson(app));
  else console.log(text);
}

/** The options of `add`. */
type Added = Telling & {
  readonly operations: readonly string[];
  readonly rights: readonly string[];
  readonly isNewKey: boolean;
};

/**
 * Makes an application, and prints its secret.
 *
 * @throws ApplicationError where it is there, or there are as many as can be
 */
export async function add(db: Db, id: string, added: Added): Promise<void> {
  const { operations, rights, isNewKey, isJson } = added;
  const key = appsKey();
  const apps = await readApps(db, TIMEOUT_MS);
  if (apps.length >= APPS_MAX)
    throw new ApplicationError(
      `There are ${APPS_MAX} applications, the most that Headroom allows.`,
    );
  refuseOtherKey(key, apps, isNewKey);
  if (apps.some((app) => app.id === id)) throw taken(id);
  const { app, secret } = makeApplication(key, id, operations, new Date(), rights);
  await handOverSecret(added, app, secret);
  if (!(await insertApp(db, app))) throw taken(id);
  if (isJson) return;
  console.log(`Application ${id} may call ${app.operations.join(', ')}.`);
  if (rights.length > 0) console.log(rightsText(app));
}

function taken(id: string): ApplicationError {
  return new ApplicationError(
    `There is an application ${id} already. For a new secret: npm run apps -- rotate ${id}`,
  );
}

/** Before anything is stored: a secret that is stored and that nobody has is good for nothing. */
async function handOverSecret({ isJson }: Telling, app: App, secret: string): Promise<void> {
  const text = isJson
    ? JSON.stringify({ ...applicationJson(app), secret }, undefined, 2)
    : `The new secret of application ${app.id}, shown this once: ${secret}`;
  const why = await handOver(text);
  if (why === undefined) return;
  throw new ApplicationError(
    `Not done: the secret of ${app.id} could not be printed (${why}). Nothing was stored: run it again, and read what it prints.`,
  );
}

function rightsText({ id, rights = [] }: App): string {
  const named = rights.length === 0 ? 'no right' : `the rights ${rights.join(', ')}`;
  return `Application ${id} has ${named}.`;
}

/** Reads an application, changes it, and stores it unless somebody else changed it meanwhile. */
async function change(
  db: Db,
  id: string,
  next: (app: StoredApp) => StoredApp | Promise<StoredApp>,
): Promise<StoredApp> {
  const app = (await readApps(db, TIMEOUT_MS)).find((each) => each.id === id);
  if (app === undefined)
    throw new ApplicationError(`There is no application ${id}; npm run apps -- list shows all.`);
  const changed = await next(app);
  if (!(await replaceApp(db, changed)))
    throw new ApplicationError(`Application ${id} was changed by another command. Try again.`);
  return changed;
}

/** Gives an application a second secret, and prints it. */
export async function rotate(
  db: Db,
  id: string,
  rotated: Telling & { readonly isNewKey: boolean },
): Promise<void> {
  const key = appsKey();
  refuseOtherKey(key, await readApps(db, TIMEOUT_MS), rotated.isNewKey);
  await change(db, id, async (app) => {
    const { app: next, secret } = withNewSecret(key, app, new Date());
    await handOverSecret(rotated, next, secret);
    return next;
  });
  if (rotated.isJson) return;
  console.log(`Both work. When every caller has the new one: npm run apps -- retire ${id}`);
}

/** One line an application; says which secrets the functions could not open with this key. */
export async function listAll(db: Db, { isJson }: Telling): Promise<void> {
  const key = setting('APPS_KEY') === undefined ? undefined : appsKey();
  const apps = await readApps(db, TIMEOUT_MS);
  if (isJson) {
    printJson({ apps: apps.map((app) => applicationJson(app, key)) });
    return;
  }
  if (apps.length === 0)
    console.log('There is no application; npm run apps -- add <id> makes one.');
  for (const { id, status, operations, rights = [], secrets } of apps) {
    const ages = secrets.map((secret) => {
      const note = key === undefined || isOpened(key, id, secret) ? '' : ' (not of this APPS_KEY)';
      return `${secret.id} of ${secret.createdAt.toISOString().slice(0, 10)}${note}`;
    });
    const may = [...operations, ...rights].join(',') || 'nothing';
    console.log([id, status, may, ages.join(', ')].join('  '));
  }
}

/** Stops the calls of an application, or takes them again. */
export async function changeStatus(
  db: Db,
  id: string,
  { status, ...telling }: Telling & Pick<StoredApp, 'status'>,
): Promise<void> {
  const app = await change(db, id, (before) => ({ ...before, status }));
  tell(telling, app, `Application ${id} is ${status}.`);
}

/** Takes the older of two secrets of an application away. */
export async function retire(db: Db, id: string, telling: Telling): Promise<void> {
  const app = await change(db, id, withoutOldSecret);
  tell(telling, app, `Application ${id} has one secret, the newer one.`);
}

/** Says what an application may call, in place of what it may call now. */
export async function allow(
  db: Db,
  id: string,
  { operations, ...telling }: Telling & { readonly operations: readonly string[] },
): Promise<void> {
  const app = await change(db, id, (before) => ({ ...before, operations }));
  tell(telling, app, `Application ${id} may call ${operations.join(', ')}.`);
}

/** Changes the rights of an application. */
export async function changeRights(
  db: Db,
  id: string,
  telling: Telling,
  next: (rights: readonly string[]) => readonly string[],
): Promise<void> {
  const app = await change(db, id, (before) => {
    const wanted = next(before.rights ?? []);
    return { ...before, rights: RIGHTS.filter((right) => wanted.includes(right)) };
  });
  tell(telling, app, rightsText(app));
}
