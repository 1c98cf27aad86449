import { DocumentDBError } from './documentdb-error.ts';
import type { PrivateApt } from './private-apt.ts';

/** One package of the list, as the index names it. */
type Package = {
  readonly name: string;
  readonly version: string;
  readonly downloadBytes: number;
};

/** The downloads: PostgreSQL's major version and every package, the roots included. */
export type PackageList = { readonly major: number; readonly packages: readonly Package[] };

/** Only libraries and PostgreSQL's own parts are followed: programs and data are not needed. */
const FOLLOWED = /^(lib.+|zlib1g|postgresql-\d+(-.+)?)$/;

/** Libraries of parts that are never loaded here: raster maps, 3D geometry, Perl, JIT, another index. */
const LEFT_OUT = /gdal|sfcgal|perl|llvm|^postgresql-client|-rum$|-modules|-data$|-bin$|-common$/;

/** How deep dependencies may reach; PostgreSQL's reach 7 levels. */
const LEVELS_MAX = 20;

/**
 * Finds the newest PostgreSQL that has DocumentDB, and by following the index's dependencies
 * the libraries it needs: some 70 packages, 52 MB.
 *
 * @returns undefined where the index has no such package
 */
export async function listPackages(apt: PrivateApt): Promise<PackageList | undefined> {
  const names = (await apt.cache(['pkgnames', 'postgresql-'])).split('\n');
  const majors = names.flatMap((name) => /^postgresql-(\d+)-documentdb$/.exec(name)?.[1] ?? []);
  if (majors.length === 0) return undefined;
  const major = Math.max(...majors.map(Number));

  const found = new Map<string, Package>();
  let level = [`postgresql-${major}-documentdb`];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LEVELS_MAX) throw new DocumentDBError('the package index has no end');
    const records = await apt.cache(['show', '--no-all-versions', ...level]);
    const next = new Set<string>();
    for (const record of records.split('\n\n')) {
      const entry = readPackage(record);
      if (entry === undefined) continue;
      found.set(entry.name, entry);
      for (const name of readDependencies(record)) next.add(name);
    }
    level = [...next].filter((name) => !found.has(name));
  }
  return { major, packages: [...found.values()] };
}

/** The package that one record of the index describes; undefined for an empty one. */
export function readPackage(record: string): Package | undefined {
  const name = readField(record, 'Package');
  if (name === '') return undefined;
  return {
    name,
    version: readField(record, 'Version'),
    downloadBytes: Number(readField(record, 'Size')),
  };
}

/** The packages a record needs and that are followed: of alternatives the first. */
export function readDependencies(record: string): readonly string[] {
  return [readField(record, 'Depends'), readField(record, 'Pre-Depends')]
    .flatMap((list) => list.split(','))
    .map((alternatives) => /^[^\s:|(]+/.exec(alternatives.trim())?.[0] ?? '')
    .filter((name) => FOLLOWED.test(name) && !LEFT_OUT.test(name));
}

function readField(record: string, field: string): string {
  return new RegExp(`^${field}: (.*)$`, 'm').exec(record)?.[1] ?? '';
}
