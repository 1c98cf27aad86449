import { isDeepStrictEqual } from 'node:util';
import type { Collection, Db } from 'mongodb';
import type { App, AppStore, StoredApp } from '../http/app.ts';
import { APPS_MAX } from '../shared/bounds.ts';
import { asking, writing } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, insertIfNew } from '../mongo/failure.ts';

type AppDocument = Omit<StoredApp, 'id'> & { readonly _id: string };

/** The collection of applications. */
export const APPS = 'apps';

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
  const document = { _id: id, ...app, version: 1 };
  const isInserted = await writingSecrets(db)((bounded) =>
    insertIfNew(() => collectionOf(db).insertOne({ ...document }, bounded())),
  );
  return isInserted || isAsSent(db, document);
}

/** Stores the next state of an application; false where it was changed since it was read. */
export async function replaceApp(db: Db, { id, version, ...app }: StoredApp): Promise<boolean> {
  const next = { ...app, version: version + 1 };
  const { matchedCount } = await writingSecrets(db)((bounded) =>
    collectionOf(db).replaceOne({ _id: id, version }, next, { upsert: false, ...bounded() }),
  );
  return matchedCount === 1 || isAsSent(db, { _id: id, ...next });
}

const writingSecrets = (db: Db) => writing(db, STORE_TIMEOUT_MS_DEFAULT, 'as often as it takes');

/** Whether an application is there as it was sent: the answer to the first time may have been lost. */
async function isAsSent(db: Db, document: AppDocument): Promise<boolean> {
  const found = await collectionOf(db).findOne({ _id: document._id });
  return isDeepStrictEqual(found, document);
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
  // A second time it would be found taken, as that of somebody who sends it again is.
  const insert = writing(db, timeoutMs, 'once');
  return insertIfNew(() =>
    insert((bounded) => collection.insertOne({ _id: signature, expireAt }, bounded())),
  );
}
