import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DocumentDBError } from './documentdb-error.ts';
import { runProgram } from './run-program.ts';

/** As whom PostgreSQL runs, and what stands before its command line for that. */
export type ServerUser = {
  /** Its number. */
  readonly id: number;
  /** Program and parameters that start the rest of a command line as this user. */
  readonly prefix: readonly [string, ...string[]];
  /** Makes a file or folder belong to this user. */
  own(path: string): Promise<void>;
};

/** The user that Unix systems keep for services without files of their own. */
const NOBODY = 'nobody';

/**
 * Decides as whom PostgreSQL runs: it refuses root, so root gives way to `nobody`.
 *
 * Where `nobody` cannot walk to one of the folders (root's home is closed), the server keeps one
 * of root's capabilities, to pass closed folders. In every case the kernel ends the server when the
 * process that started it is gone.
 *
 * @param folders what the server has to reach; they exist
 */
export async function chooseServerUser(folders: readonly string[]): Promise<ServerUser> {
  const parentDeath = ['--pdeathsig', 'INT'];
  // Undefined on Windows alone, where none of this runs.
  const own = process.getuid?.() ?? -1;
  if (own !== 0)
    return { id: own, prefix: ['setpriv', ...parentDeath], own: () => Promise.resolve() };
  const [user, group] = [await readId('-u'), await readId('-g')];
  const open = await Promise.all(folders.map(isOpenToAll));
  const capability = open.every(Boolean)
    ? []
    : [
        '--inh-caps=+dac_override',
        '--ambient-caps=+dac_override',
        // initdb asks with access(2), which forgets the capabilities of users other than root.
        '--securebits=+no_setuid_fixup',
      ];
  return {
    id: user,
    prefix: [
      'setpriv',
      `--reuid=${user}`,
      `--regid=${group}`,
      '--clear-groups',
      ...capability,
      ...parentDeath,
    ],
    own: (path) => chown(path, user, group),
  };
}

async function readId(flag: '-u' | '-g'): Promise<number> {
  const id = Number(await runProgram('id', [flag, NOBODY], { timeoutSeconds: 10 }));
  if (Number.isInteger(id) && id > 0) return id;
  throw new DocumentDBError(`PostgreSQL does not run as root, and there is no user ${NOBODY}`);
}

/** Whether everybody may pass the folder and all folders above it. */
async function isOpenToAll(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    const { mode } = await stat(path);
    if ((mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
