import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MongoClient } from 'mongodb';
import { APPS_KEY_EXPECTED, readAppsKey } from '../../lib/callers/sealed-secret.ts';
import { readApps } from '../../lib/callers/mongo-callers.ts';
import { listed, sealedUnderAnother } from '../../lib/callers/applications.ts';
import { StartError } from './start-error.ts';

const KEY_BYTES = 32;
const TIMEOUT_MS = 15_000;

/** The key under which the applications' secrets are encrypted, and where it comes from. */
export interface AppsKey {
  /** As APPS_KEY has it. */
  readonly text: string;
  readonly key: Uint8Array;
  /** The file that keeps it; undefined where APPS_KEY was set. */
  readonly file?: string;
}

/**
 * Gives the key of `npm start`: the one of APPS_KEY, or else the one that an earlier start kept in a file,
 * or else a new one, kept there. So secrets that were made under it are good after the next start, too.
 *
 * @param given APPS_KEY; empty where it is not set
 * @param file absolute path, readable for its owner alone once it is made
 * @throws StartError where either is no key
 */
export async function appsKeyOf(given: string, file: string): Promise<AppsKey> {
  if (given !== '')
    return { text: given, key: keyIn(given, 'APPS_KEY is', 'set one, or none at all') };
  await mkdir(dirname(file), { recursive: true });
  // If two starts come at once, one makes the file, and both read it.
  await writeFile(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
    flag: 'wx',
    mode: 0o600,
  }).catch(ignoreExisting);
  const text = (await readFile(file, 'utf8')).trim();
  return { text, key: keyIn(text, `The file ${file} has`, 'delete it, and start again'), file };
}

function keyIn(text: string, where: string, remedy: string): Uint8Array {
  const key = readAppsKey(text);
  if (key !== undefined) return key;
  throw new StartError(
    `${where} a text of ${text.length} characters; expected ${APPS_KEY_EXPECTED}: ${remedy}.`,
  );
}

function ignoreExisting(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
  throw error;
}

/**
 * Makes sure that the functions can open the secrets that are there.
 *
 * @param ownId an application whose secret is made again by each start
 * @throws StartError naming the applications that every call of would be answered 401
 */
export async function refuseOtherAppsKey(
  client: MongoClient,
  databaseName: string,
  { key, file }: AppsKey,
  ownId: string,
): Promise<void> {
  const apps = await readApps(client.db(databaseName), TIMEOUT_MS);
  const ids = sealedUnderAnother(
    key,
    apps.filter(({ id }) => id !== ownId),
  );
  if (ids.length === 0) return;
  const which = file === undefined ? 'APPS_KEY' : `The key in ${file}`;
  throw new StartError(
    `${which} does not open the secrets of ${listed(ids)} in the database ${databaseName}, because another key made them. Every call of these applications would get 401. Start with APPS_KEY set to that key. If it is lost, make new secrets (npm run apps -- rotate ${ids[0] ?? ''} --new-key), or disable them (npm run apps -- disable ${ids[0] ?? ''}).`,
  );
}
