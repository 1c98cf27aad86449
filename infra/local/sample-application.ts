import { OPERATIONS, RIGHTS } from '../../contract/calls.ts';
import { insertApp, readApps, replaceApp } from '../../lib/callers/mongo-callers.ts';
import { makeApplication } from '../../lib/callers/applications.ts';
import { refuseOtherAppsKey, type AppsKey } from './apps-key.ts';
import type { Application } from '../../packages/client/src/index.ts';
import { StartError } from './start-error.ts';
import { withClient } from './with-client.ts';

const TIMEOUT_MS = 15_000;
const ID = 'sample';

/**
 * Makes the application `sample`, with a new secret in place of those of earlier starts.
 *
 * @throws StartError where the key does not open the secrets of other applications that are there
 */
export async function makeSampleApplication(
  uri: string,
  databaseName: string,
  appsKey: AppsKey,
  signal: AbortSignal,
): Promise<Application> {
  return withClient(uri, signal, async (client) => {
    const db = client.db(databaseName);
    await refuseOtherAppsKey(client, databaseName, appsKey, ID);
    const { app, secret } = makeApplication(appsKey.key, ID, OPERATIONS, new Date(), RIGHTS);
    const before = (await readApps(db, TIMEOUT_MS)).find(({ id }) => id === ID);
    const stored =
      before === undefined
        ? await insertApp(db, app)
        : await replaceApp(db, { ...app, version: before.version });
    if (!stored)
      throw new StartError(`Another start adds the application ${ID} at this moment. Try again.`);
    return { id: ID, secret };
  });
}
