import type { Db } from 'mongodb';
import type { App, AppStore } from '../../lib/http/app.ts';
import { LONGEST_HOLD_EXPECTED, LONGEST_HOLD_MS } from '../../lib/http/app.ts';
import {
  addApp,
  allowOperations,
  applicationJson,
  changeBounds,
  changeRights as changeRightsOf,
  changeStatus,
  isOpened,
  retireSecret,
  rotateApp,
  type Sealing,
} from '../../lib/callers/app-changes.ts';
import { ApplicationError } from '../../lib/callers/applications.ts';
import { appStore } from '../../lib/callers/mongo-callers.ts';
import { APPS_KEY_EXPECTED, readAppsKey } from '../../lib/callers/sealed-secret.ts';
import { durationMs, durationText } from '../../lib/shared/duration.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { requiredSetting, setting } from '../database-command.ts';
import { printJson } from '../output.ts';
import { handOver } from '../printing.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

/** One JSON value, or lines for people. */
type Options = { readonly json?: boolean };

/** Options of a command that makes a secret. */
export type MadeOptions = Options & { readonly newKey?: boolean };
/** `none` takes a bound away. */
export type LimitOptions = Options & {
  readonly hold?: string;
  readonly open?: string;
};
export type AddOptions = MadeOptions & { readonly rights?: readonly string[] };

/** Does a change. @throws CommandError in the sentence of an ApplicationError */
export async function inItsSentence(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

const storeOf = (db: Db): AppStore => appStore(db, TIMEOUT_MS);

function appsKey(): Uint8Array {
  const text = requiredSetting('APPS_KEY');
  const key = readAppsKey(text);
  if (key !== undefined) return key;
  throw new ApplicationError(
    `APPS_KEY is a text of ${text.length} characters; expected ${APPS_KEY_EXPECTED}.`,
  );
}

function tell({ json }: Options, app: App, text: string): void {
  if (json === true) printJson(applicationJson(app));
  else console.log(text);
}

const sealingOf = (options: MadeOptions): Sealing => ({
  key: appsKey(),
  isNewKey: options.newKey ?? false,
  now: new Date(),
  handOver: (app, secret) => handOverSecret(options, app, secret),
});

async function handOverSecret({ json }: Options, app: App, secret: string): Promise<void> {
  const text =
    json === true
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
  operations: readonly string[],
  options: AddOptions,
): Promise<void> {
  const { rights = [], json } = options;
  const app = await addApp(storeOf(db), { id, operations, rights }, sealingOf(options));
  if (json === true) return;
  console.log(`Application ${id} may call ${app.operations.join(', ')}.`);
  if (rights.length > 0) console.log(rightsText(app));
}

function rightsText({ id, rights = [] }: App): string {
  const named = rights.length === 0 ? 'no right' : `the rights ${rights.join(', ')}`;
  return `Application ${id} has ${named}.`;
}

/** Gives an application a second secret, and prints it. */
export async function rotate(db: Db, id: string, options: MadeOptions): Promise<void> {
  await rotateApp(storeOf(db), id, sealingOf(options));
  if (options.json === true) return;
  console.log(`Both work. When every caller has the new one: npm run apps -- retire ${id}`);
}

/** One line an application; says which secrets the functions could not open with this key. */
export async function listAll(db: Db, { json }: Options): Promise<void> {
  const key = setting('APPS_KEY') === undefined ? undefined : appsKey();
  const apps = await storeOf(db).read();
  if (json === true) {
    printJson({ apps: apps.map((app) => applicationJson(app, key)) });
    return;
  }
  if (apps.length === 0)
    console.log('There is no application; npm run apps -- add <id> makes one.');
  for (const app of apps) {
    const { id, status, operations, rights = [], secrets, longestHoldMs, openPercent } = app;
    const ages = secrets.map((secret) => {
      const note = key === undefined || isOpened(key, id, secret) ? '' : ' (not of this APPS_KEY)';
      return `${secret.id} of ${secret.createdAt.toISOString().slice(0, 10)}${note}`;
    });
    const may = [...operations, ...rights].join(',') || 'nothing';
    const bounds = [
      ...(longestHoldMs === undefined ? [] : [`holds of ${durationText(longestHoldMs)}`]),
      ...(openPercent === undefined ? [] : [`${openPercent} % of open holds`]),
    ];
    console.log([id, status, may, ...bounds, ages.join(', ')].join('  '));
  }
}

/** Stops the calls of an application, or takes them again. */
export async function setStatus(
  db: Db,
  id: string,
  status: App['status'],
  options: Options,
): Promise<void> {
  const app = await changeStatus(storeOf(db), id, status);
  tell(options, app, `Application ${id} is ${status}.`);
}

/** Takes the older of two secrets of an application away. */
export async function retire(db: Db, id: string, options: Options): Promise<void> {
  const app = await retireSecret(storeOf(db), id);
  tell(options, app, `Application ${id} has one secret, the newer one.`);
}

/** Says what an application may call, in place of what it may call now. */
export async function allow(
  db: Db,
  id: string,
  operations: readonly string[],
  options: Options,
): Promise<void> {
  const app = await allowOperations(storeOf(db), id, operations);
  tell(options, app, `Application ${id} may call ${operations.join(', ')}.`);
}

/** Bounds what an application may take of what all share. */
export async function limit(
  db: Db,
  id: string,
  { hold, open, ...options }: LimitOptions,
): Promise<void> {
  if (hold === undefined && open === undefined)
    throw new UsageError('Neither --hold nor --open is given; expected one of them, or both.');
  const bounds = {
    longestHoldMs: hold === undefined ? undefined : readHold(hold),
    openPercent: open === undefined ? undefined : readPercent(open),
  };
  const app = await changeBounds(storeOf(db), id, bounds);
  tell(options, app, `Application ${id} ${boundsText(app)}.`);
}

function boundsText({ longestHoldMs, openPercent }: App): string {
  const holds = longestHoldMs === undefined ? 'as long as any' : durationText(longestHoldMs);
  const places = openPercent === undefined ? 'all' : `${openPercent} %`;
  return `may hold an order for ${holds} at most, and have ${places} of the open holds of a document`;
}

/** Null is no bound. */
function readHold(text: string): number | null {
  if (text === 'none') return null;
  const ms = durationMs(text);
  const [least, most] = LONGEST_HOLD_MS;
  if (ms !== undefined && ms >= least && ms <= most) return ms;
  throw new UsageError(`--hold is "${text}", expected none, or ${LONGEST_HOLD_EXPECTED}.`);
}

/** Null is no bound. */
function readPercent(text: string): number | null {
  if (text === 'none') return null;
  const percent = Number(text);
  if (/^\d{1,3}$/.test(text) && percent >= 1 && percent <= 100) return percent;
  throw new UsageError(`--open is "${text}", expected none, or a whole number from 1 to 100.`);
}

/** Changes the rights of an application. */
export async function changeRights(
  db: Db,
  id: string,
  options: Options,
  next: (rights: readonly string[]) => readonly string[],
): Promise<void> {
  const app = await changeRightsOf(storeOf(db), id, next);
  tell(options, app, rightsText(app));
}
