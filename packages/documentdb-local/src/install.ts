import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DocumentDBError, messageOf } from './documentdb-error.ts';
import { runProgram } from './run-program.ts';
import { withGrowth } from './growth.ts';
import { useOwnLibraries } from './own-libraries.ts';
import { listPackages, type PackageList } from './packages.ts';
import { openPrivateApt, readDebianMirrors, type PrivateApt } from './private-apt.ts';

/** Debian's suites that ship DocumentDB, in the order of preference. */
const SUITES = ['forky', 'sid'];

/** Counts up when the layout of an installation changes, so that an old one is not taken for a new one. */
const LAYOUT = 1;

/** About as much as the index of a suite is, compressed. */
const INDEX_BYTES = 10_000_000;

/** Parts of packages that no server reads. */
const UNREAD = [
  './usr/share/doc*',
  './usr/share/man*',
  './usr/share/locale*',
  './usr/share/i18n*',
].concat(['*/bitcode*', '*/gconv/*', './usr/share/bug*', './usr/share/lintian*']);

/** PostgreSQL with DocumentDB in one folder; it may be moved as a whole. */
export type Installation = {
  readonly folder: string;
  readonly programs: string;
  /** "1.0-0 on PostgreSQL 18.6". */
  readonly version: string;
};

type Manifest = { readonly major: number; readonly version: string };

/** Where an installation goes, who hears of it, and how it is given up. */
type InstallOptions = {
  readonly cacheFolder: string;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Gives the installation from the cache, or fetches it: 62 MB, a few seconds on a good line.
 *
 * Everything happens in a folder beside the final place and is renamed when complete, so two
 * processes may install at once (the second finds the first's) and an interrupted one leaves only
 * a folder that the next start removes.
 *
 * @throws DocumentDBError when no mirror has the packages or a library is missing
 */
export async function installDocumentDB(
  codename: string,
  { cacheFolder, report, signal }: InstallOptions,
): Promise<Installation> {
  const final = join(cacheFolder, `documentdb-${LAYOUT}-${process.arch}`);
  const present = await readInstallation(final);
  if (present !== undefined) return present;

  await mkdir(dirname(final), { recursive: true });
  await removeAbandoned(final);
  const partial = `${final}.partial-${process.pid}`;
  try {
    await mkdir(partial, { mode: 0o755 });
    await fillFolder(partial, codename, report, signal);
    await rename(partial, final);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process may have been faster: its installation is as good.
    if ((await readInstallation(final)) === undefined) throw error;
  }
  const installed = await readInstallation(final);
  if (installed === undefined)
    throw new DocumentDBError(`${final} vanished after its installation`);
  return installed;
}

async function readInstallation(folder: string): Promise<Installation | undefined> {
  const text = await readFile(join(folder, 'installation.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // Written by fillFolder alone, and by a rename only when complete.
  const manifest = JSON.parse(text) as Manifest;
  return { folder, programs: programsFolder(folder, manifest.major), version: manifest.version };
}

function programsFolder(folder: string, major: number): string {
  return join(folder, 'usr/lib/postgresql', String(major), 'bin');
}

async function removeAbandoned(final: string): Promise<void> {
  for (const name of await readdir(dirname(final))) {
    const owner = new RegExp(`^${basename(final)}\\.partial-(\\d+)$`).exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner)))
      await rm(join(dirname(final), name), { recursive: true, force: true });
  }
}

/** Whether a process with this number runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs and belongs to somebody else. Node's errors of system calls carry a code.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function fillFolder(
  folder: string,
  codename: string,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const aptFolder = join(folder, 'apt');
  await mkdir(aptFolder);
  report("Fetching the index of Debian's packages (10 MB)…");
  const { apt, list } = await withGrowth(
    { folder: join(aptFolder, 'lists'), bytes: INDEX_BYTES, report },
    () => findPackages(aptFolder, codename, report, signal),
  );
  const bytes = list.packages.reduce((sum, entry) => sum + entry.downloadBytes, 0);
  report(
    `Fetching PostgreSQL ${list.major} with DocumentDB: ${list.packages.length} packages, ${Math.round(bytes / 1e6)} MB…`,
  );
  const downloads = join(aptFolder, 'packages');
  await withGrowth({ folder: downloads, bytes, report }, () =>
    apt.download(
      list.packages.map((entry) => entry.name),
      downloads,
    ),
  );
  report('Unpacking…');
  for (const file of await readdir(downloads)) await unpack(join(downloads, file), folder, signal);
  await rm(aptFolder, { recursive: true });
  await finishInstallation(folder, list);
}

async function findPackages(
  folder: string,
  codename: string,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly apt: PrivateApt; readonly list: PackageList }> {
  const mirrors = await readDebianMirrors(codename);
  const reasons: string[] = [];
  for (const mirror of mirrors) {
    for (const suite of SUITES) {
      try {
        const apt = await openPrivateApt(folder, { mirror, suite }, report, signal);
        const list = await listPackages(apt);
        if (list !== undefined) return { apt, list };
        reasons.push(`${suite} has no postgresql-*-documentdb`);
      } catch (error) {
        reasons.push(`${suite}: ${messageOf(error)}`);
        // Only what a mirror does not have may be in another suite; a mirror that cannot be reached
        // has to be waited for once.
        if (!/Release file|404/.test(messageOf(error))) break;
      }
    }
  }
  throw new DocumentDBError(reasons.join('; ') || "apt's sources name no Debian mirror");
}

async function unpack(file: string, folder: string, signal: AbortSignal): Promise<void> {
  const excludes = UNREAD.map((pattern) => `--exclude='${pattern}'`).join(' ');
  const script = `set -e; dpkg-deb --fsys-tarfile "$1" | tar -x --no-same-owner -C "$2" ${excludes}`;
  await runProgram('sh', ['-c', script, 'unpack', file, folder], { timeoutSeconds: 120, signal });
}

async function finishInstallation(folder: string, list: PackageList): Promise<void> {
  await useOwnLibraries(folder, list.major, programsFolder(folder, list.major));
  // Debian does this with update-alternatives when the package is configured.
  await symlink(
    'postgis-3.control',
    join(folder, 'usr/share/postgresql', String(list.major), 'extension/postgis.control'),
  );
  const versionOf = (name: string) =>
    list.packages.find((entry) => entry.name === name)?.version.replace(/-[^-]*$/, '') ?? '?';
  const root = `postgresql-${list.major}`;
  const manifest: Manifest = {
    major: list.major,
    version: `${versionOf(`${root}-documentdb`)} on PostgreSQL ${versionOf(root)}`,
  };
  await writeFile(join(folder, 'installation.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
