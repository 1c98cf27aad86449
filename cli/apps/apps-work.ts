import type { Db } from 'mongodb';
import type { App, AppStore } from '../../lib/shared/app.ts';
import {
  addApp,
  allowOperations,
  applicationJson,
  changeRights as changeRightsOf,
  changeStatus as changeStatusOf,
  isOpened,
  retireSecret,
  rotateApp,
  type Sealing,
} from '../../lib/callers/app-changes.ts';
import { ApplicationError } from '../../lib/callers/applications.ts';
import { APPS_KEY_EXPECTED, readAppsKey } from '../../lib/callers/sealed-secret.ts';
import { appStore } from '../../lib/callers/mongo-callers.ts';
import { printJson } from '../output.ts';
import { handOver } from '../printing.ts';
import { requiredSetting, setting } from '../database-command.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

const storeOf = (db: Db): AppStore => appStore(db, TIMEOUT_MS);

function appsKey(): Uint8Array {
  const text = requiredSetting('APPS_KEY');
  const key = readAppsKey(text);
  if (key !== undefined) return key;
  throw new ApplicationError(
    `APPS_KEY is a text of ${text.length} characters; expected ${APPS_KEY_EXPECTED}.`,
  );
}

/** How a command tells what it did: one JSON value, or lines for people. */
export type Telling = { readonly isJson: boolean };

function tell({ isJson }: Telling, app: App, text: string): void {
  if (isJson) printJson(applicationJson(app));
  else console.log(text);
}

/** How a command that makes a secret was called. */
type Made = Telling & { readonly isNewKey: boolean };

const sealingOf = (made: Made): Sealing => ({
  key: appsKey(),
  isNewKey: made.isNewKey,
  now: new Date(),
  handOver: (app, secret) => handOverSecret(made, app, secret),
});

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

/** Makes an application, and prints its secret. */
export async function add(
  db: Db,
  id: string,
  added: Made & { readonly operations: readonly string[]; readonly rights: readonly string[] },
): Promise<void> {
  const { operations, rights, isJson } = added;
  const app = await addApp(storeOf(db), { id, operations, rights }, sealingOf(added));
  if (isJson) return;
  console.log(`Application ${id} may call ${app.operations.join(', ')}.`);
  if (rights.length > 0) console.log(rightsText(app));
}

function rightsText({ id, rights = [] }: App): string {
  const named = rights.length === 0 ? 'no right' : `the rights ${rights.join(', ')}`;
  return `Application ${id} has ${named}.`;
}

/** Gives an application a second secret, and prints it. */
export async function rotate(db: Db, id: string, rotated: Made): Promise<void> {
  await rotateApp(storeOf(db), id, sealingOf(rotated));
  if (rotated.isJson) return;
  console.log(`Both work. When every caller has the new one: npm run apps -- retire ${id}`);
}

/** One line an application; says which secrets the functions could not open with this key. */
export async function listAll(db: Db, { isJson }: Telling): Promise<void> {
  const key = setting('APPS_KEY') === undefined ? undefined : appsKey();
  const apps = await storeOf(db).read();
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
  { status, ...telling }: Telling & Pick<App, 'status'>,
): Promise<void> {
  const app = await changeStatusOf(storeOf(db), id, status);
  tell(telling, app, `Application ${id} is ${status}.`);
}

/** Takes the older of two secrets of an application away. */
export async function retire(db: Db, id: string, telling: Telling): Promise<void> {
  const app = await retireSecret(storeOf(db), id);
  tell(telling, app, `Application ${id} has one secret, the newer one.`);
}

/** Says what an application may call, in place of what it may call now. */
export async function allow(
  db: Db,
  id: string,
  { operations, ...telling }: Telling & { readonly operations: readonly string[] },
): Promise<void> {
  const app = await allowOperations(storeOf(db), id, operations);
  tell(telling, app, `Application ${id} may call ${operations.join(', ')}.`);
}

/** Changes the rights of an application. */
export async function changeRights(
  db: Db,
  id: string,
  telling: Telling,
  next: (rights: readonly string[]) => readonly string[],
): Promise<void> {
  const app = await changeRightsOf(storeOf(db), id, next);
  tell(telling, app, rightsText(app));
}
