import type { Collection, Db } from 'mongodb';
import type { App, AppStore, StoredApp } from '../shared/app.ts';
import { APPS_MAX } from '../shared/bounds.ts';
import { asking } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, insertIfNew } from '../mongo/failure.ts';

type AppDocument = Omit<StoredApp, 'id'> & { readonly _id: string };

/** The collection of applications. */
export const APPS = 'apps';

const WRITTEN = { writeConcern: { w: 'majority' } } as const;

function collectionOf(db: Db): Collection<AppDocument> {
  return db.collection<AppDocument>(APPS);
}

/** Reads all applications, one more than there may be at most; a function parses them. */
export async function readApps(
  db: Db,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
): Promise<readonly StoredApp[]> {
  const options = { sort: { _id: 1 }, limit: APPS_MAX + 1, readPreference: 'primary' } as const;
  const found = await asking(db, timeoutMs)(() => collectionOf(db).find({}, options).toArray());
  return found.map(({ _id, ...app }) => ({ id: _id, ...app }));
}

/** Stores a new application; false where there is one of this id. */
export async function insertApp(db: Db, { id, ...app }: App): Promise<boolean> {
  return insertIfNew(() => collectionOf(db).insertOne({ _id: id, ...app, version: 1 }, WRITTEN));
}

/** Stores the next state of an application; false where it was changed since it was read. */
export async function replaceApp(db: Db, { id, version, ...app }: StoredApp): Promise<boolean> {
  const { matchedCount } = await collectionOf(db).replaceOne(
    { _id: id, version },
    { ...app, version: version + 1 },
    { ...WRITTEN, upsert: false },
  );
  return matchedCount === 1;
}

/** The applications of a database, as `app-changes.ts` reads and changes them. */
export function appStore(db: Db, timeoutMs: number): AppStore {
  return {
    read: () => readApps(db, timeoutMs),
    insert: (app) => insertApp(db, app),
    replace: (app) => replaceApp(db, app),
  };
}

/** The collection of signatures that were taken. */
export const SIGNATURES = 'signatures';

/** Remembers a signature; false where it was taken before. */
export async function takeSignature(
  db: Db,
  signature: string,
  expireAt: Date,
  timeoutMs: number,
): Promise<boolean> {
  const collection = db.collection<{ readonly _id: string; readonly expireAt: Date }>(SIGNATURES);
  const insert = asking(db, timeoutMs);
  return insertIfNew(() =>
    insert(() => collection.insertOne({ _id: signature, expireAt }, WRITTEN)),
  );
}
