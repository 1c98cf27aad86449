import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocumentDBError, messageOf } from './documentdb-error.ts';
import { runProgram } from './run-program.ts';

/** Both names under which Debian ships its archive's keys. */
const KEYRINGS = [
  '/usr/share/keyrings/debian-archive-keyring.gpg',
  '/usr/share/keyrings/debian-archive-keyring.pgp',
];

const UPDATE_SECONDS_MAX = 120;
const DOWNLOAD_SECONDS_MAX = 600;

/** An apt of its own, in one folder; the host's package lists, cache and database are not touched. */
export type PrivateApt = {
  /** Runs apt-cache and gives what it prints. */
  cache(parameters: readonly string[]): Promise<string>;
  /** Downloads packages into the folder and verifies them against the signed index. */
  download(packages: readonly string[], into: string): Promise<void>;
};

/** Where packages come from: a mirror of Debian and one of its suites. */
type PackageSource = { readonly mirror: string; readonly suite: string };

/** Names under which apt's sources may speak of the release, besides its code name. */
const RELEASE_NAMES = ['stable', 'oldstable', 'testing', 'unstable', 'sid'];

/**
 * The mirrors of Debian that this machine's apt is set to use, in its order.
 *
 * Known by their main component for the release that runs here; `--print-uris` names them even
 * where no package list was ever fetched.
 */
export async function readDebianMirrors(codename: string): Promise<readonly string[]> {
  const printed = await runProgram('apt-get', ['update', '--print-uris'], { timeoutSeconds: 30 });
  const release = [codename, ...RELEASE_NAMES].join('|');
  const pattern = new RegExp(`^'([^']+?)/*/dists/(?:${release})/main/binary-[^/']+/Packages`, 'gm');
  return [...new Set([...printed.matchAll(pattern)].flatMap((match) => match[1] ?? []))];
}

/**
 * Sets an apt up in the folder and fetches the index of the source (10 MB).
 *
 * Where the mirror's release file is older than its validity, the check of its age (not of its
 * signature) is left out, and reported.
 *
 * @throws DocumentDBError when there is no keyring or the index cannot be fetched
 */
export async function openPrivateApt(
  folder: string,
  source: PackageSource,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<PrivateApt> {
  const configuration = await writeConfiguration(folder, source);
  const environment = { APT_CONFIG: configuration };
  const run = (
    program: string,
    parameters: readonly string[],
    timeoutSeconds: number,
    at = folder,
  ) => runProgram(program, parameters, { timeoutSeconds, folder: at, environment, signal });
  try {
    await run('apt-get', ['-qq', 'update'], UPDATE_SECONDS_MAX);
  } catch (error) {
    if (!/expired|no longer valid|not valid anymore/.test(messageOf(error))) throw error;
    report(`The mirror's index of ${source.suite} is older than its validity: used all the same.`);
    await run(
      'apt-get',
      ['-qq', '-o', 'Acquire::Check-Valid-Until=false', 'update'],
      UPDATE_SECONDS_MAX,
    );
  }
  return {
    cache: (parameters) => run('apt-cache', parameters, 60),
    async download(packages, into) {
      await mkdir(into, { recursive: true });
      const parameters = ['-qq', '-o', 'Acquire::Retries=3', 'download', ...packages];
      await run('apt-get', parameters, DOWNLOAD_SECONDS_MAX, into);
    },
  };
}

async function writeConfiguration(folder: string, source: PackageSource): Promise<string> {
  const path = (name: string) => join(folder, name);
  for (const name of ['lists/partial', 'archives/partial', 'nothing'])
    await mkdir(path(name), { recursive: true });
  const keyring = await findKeyring();
  await writeFile(path('status'), '');
  await writeFile(
    path('sources.list'),
    `deb [signed-by=${keyring}] ${source.mirror} ${source.suite} main\n`,
  );
  const settings: Record<string, string> = {
    'Dir::Etc::main': path('nothing/none'),
    'Dir::Etc::parts': path('nothing'),
    'Dir::Etc::sourcelist': path('sources.list'),
    'Dir::Etc::sourceparts': path('nothing'),
    'Dir::Etc::preferences': path('nothing/none'),
    'Dir::Etc::preferencesparts': path('nothing'),
    'Dir::State': folder,
    'Dir::State::status': path('status'),
    'Dir::Cache': folder,
    'Acquire::Languages': 'none',
    // A mirror that is not there is to be found out soon, and is an error.
    'Acquire::Retries': '0',
    'APT::Update::Error-Mode': 'any',
    'Acquire::http::Timeout': '8',
    'Acquire::https::Timeout': '8',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'APT::Sandbox::User': '',
  };
  const own = Object.entries(settings).map(([name, value]) => `${name} "${value}";`);
  await writeFile(path('apt.conf'), [...(await readHostTransport()), ...own, ''].join('\n'));
  return path('apt.conf');
}

/** How the host's apt reaches the network (proxies, certificates): that is taken over, no hooks. */
async function readHostTransport(): Promise<readonly string[]> {
  const dump = await runProgram('apt-config', ['dump'], { timeoutSeconds: 30 });
  return dump.split('\n').filter((line) => /^Acquire::(https?|ftp|tor)(::|\s)/.test(line));
}

async function findKeyring(): Promise<string> {
  for (const keyring of KEYRINGS) {
    const readable = await access(keyring).then(
      () => true,
      () => false,
    );
    if (readable) return keyring;
  }
  throw new DocumentDBError(`no keyring of Debian's archive at ${KEYRINGS.join(' or ')}`);
}
