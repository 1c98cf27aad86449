import type { App, AppBounds, AppSecret, AppStore, StoredApp } from '../http/app.ts';
import { RIGHTS } from '../../contract/calls.ts';
import { APPS_MAX } from '../shared/bounds.ts';
import { durationText } from '../shared/duration.ts';
import { present } from '../shared/present.ts';
import {
  ApplicationError,
  listed,
  makeApplication,
  sealedUnderAnother,
  withNewSecret,
  withoutOldSecret,
} from './applications.ts';
import { openSecret } from './sealed-secret.ts';

/** Gets a new secret before it is stored: one that nobody has is good for nothing. */
type HandOver = (app: App, secret: string) => Promise<void>;

/** What makes a secret. */
export type Sealing = {
  readonly key: Uint8Array;
  /** Whether the key replaces the one of the others' secrets. */
  readonly isNewKey: boolean;
  readonly now: Date;
  readonly handOver: HandOver;
};

/** Functions have one key: a secret under another one than the others' would be good for nothing. */
function refuseOtherKey({ key, isNewKey }: Sealing, apps: readonly StoredApp[]): void {
  const ids = sealedUnderAnother(key, apps);
  if (isNewKey || ids.length === 0) return;
  throw new ApplicationError(
    `APPS_KEY does not open the secrets of ${listed(ids)}, because another key made them. Set APPS_KEY to the key of the functions. If that key is lost or you replace it, add --new-key, and give each application a new secret.`,
  );
}

/**
 * Makes an application.
 *
 * @throws ApplicationError where it is there, or there are as many as can be
 */
export async function addApp(
  store: AppStore,
  { id, operations, rights }: Pick<App, 'id' | 'operations'> & Required<Pick<App, 'rights'>>,
  sealing: Sealing,
): Promise<App> {
  const apps = await store.read();
  if (apps.length >= APPS_MAX)
    throw new ApplicationError(
      `There are ${APPS_MAX} applications, the most that Headroom allows.`,
    );
  refuseOtherKey(sealing, apps);
  const taken = new ApplicationError(
    `There is an application ${id} already. For a new secret: npm run apps -- rotate ${id}`,
  );
  if (apps.some((app) => app.id === id)) throw taken;
  const { app, secret } = makeApplication(sealing.key, id, operations, sealing.now, rights);
  await sealing.handOver(app, secret);
  if (!(await store.insert(app))) throw taken;
  return app;
}

/** Reads an application, changes it, and stores it unless somebody else changed it meanwhile. */
async function change(
  store: AppStore,
  id: string,
  next: (app: StoredApp) => StoredApp | Promise<StoredApp>,
): Promise<StoredApp> {
  const app = (await store.read()).find((each) => each.id === id);
  if (app === undefined)
    throw new ApplicationError(`There is no application ${id}; npm run apps -- list shows all.`);
  const changed = await next(app);
  if (!(await store.replace(changed)))
    throw new ApplicationError(`Application ${id} was changed by another command. Try again.`);
  return changed;
}

/** Gives an application a second secret. */
export async function rotateApp(store: AppStore, id: string, sealing: Sealing): Promise<App> {
  refuseOtherKey(sealing, await store.read());
  return change(store, id, async (app) => {
    const { app: next, secret } = withNewSecret(sealing.key, app, sealing.now);
    await sealing.handOver(next, secret);
    return next;
  });
}

/** Takes the older of two secrets of an application away. */
export function retireSecret(store: AppStore, id: string): Promise<App> {
  return change(store, id, withoutOldSecret);
}

/** Stops the calls of an application, or takes them again. */
export function changeStatus(store: AppStore, id: string, status: App['status']): Promise<App> {
  return change(store, id, (before) => ({ ...before, status }));
}

/** Says what an application may call, in place of what it may call now. */
export function allowOperations(
  store: AppStore,
  id: string,
  operations: readonly string[],
): Promise<App> {
  return change(store, id, (before) => ({ ...before, operations }));
}

/** Changes the rights of an application. */
export function changeRights(
  store: AppStore,
  id: string,
  next: (rights: readonly string[]) => readonly string[],
): Promise<App> {
  return change(store, id, (before) => {
    const wanted = next(before.rights ?? []);
    return { ...before, rights: RIGHTS.filter((right) => wanted.includes(right)) };
  });
}

/** Bounds as an administrator gives them: null takes one away, and one that is not given stays. */
type BoundsChange = {
  readonly [Name in keyof AppBounds]?: number | null | undefined;
};

/** Changes what an application may take of what all share. */
export function changeBounds(
  store: AppStore,
  id: string,
  { longestHoldMs, openPercent }: BoundsChange,
): Promise<App> {
  return change(store, id, (before) => {
    const { longestHoldMs: longest, openPercent: percent, ...app } = before;
    return {
      ...app,
      ...present({
        longestHoldMs: (longestHoldMs === undefined ? longest : longestHoldMs) ?? undefined,
        openPercent: (openPercent === undefined ? percent : openPercent) ?? undefined,
      }),
    };
  });
}

/** An application as JSON, without what its secrets are. `opens`: whether the key opens the secret. */
export function applicationJson(
  { id, status, operations, rights = [], secrets, longestHoldMs, openPercent }: App,
  key?: Uint8Array,
) {
  return {
    id,
    status,
    operations,
    rights,
    ...present({
      longestHold: longestHoldMs === undefined ? undefined : durationText(longestHoldMs),
      openPercent,
    }),
    secrets: secrets.map((secret) => ({
      id: secret.id,
      createdAt: secret.createdAt.toISOString(),
      ...(key === undefined ? {} : { opens: isOpened(key, id, secret) }),
    })),
  };
}

/** Whether a key opens a secret of an application. */
export function isOpened(key: Uint8Array, appId: string, { id, sealed }: AppSecret): boolean {
  return openSecret(key, { appId, secretId: id }, sealed) !== undefined;
}
