import { describe, expect, it } from 'vitest';
import { listPackages, readDependencies, readPackage } from '../src/packages.ts';

const postgres = `Package: postgresql-18
Version: 18.6-3
Depends: locales | locales-all, postgresql-client-18 (= 18.6-3), libc6 (>= 2.43), libpq5:any (>= 17~~), tzdata
Pre-Depends: libicu78 (>= 78.1-1~)
Size: 7430980
`;

const records: Readonly<Record<string, string>> = {
  'postgresql-19-documentdb':
    'Package: postgresql-19-documentdb\nVersion: 1.1-0-1\nDepends: postgresql-19, postgresql-19-rum, libbson2-2\nSize: 5\n',
  'postgresql-19':
    'Package: postgresql-19\nVersion: 19.1-1\nDepends: libc6, libperl5.42\nSize: 7\n',
  'libbson2-2': 'Package: libbson2-2\nVersion: 2.5-1\nDepends: libc6\nSize: 2\n',
  libc6: 'Package: libc6\nVersion: 2.43-1\nDepends: libgcc-s1\nSize: 3\n',
  'libgcc-s1': 'Package: libgcc-s1\nVersion: 16-1\nDepends: libc6\nSize: 1\n',
};

function aptWith(names: readonly string[]) {
  return {
    cache: ([action, ...rest]: readonly string[]) =>
      Promise.resolve(
        action === 'pkgnames'
          ? names.join('\n')
          : rest.flatMap((name) => records[name] ?? []).join('\n'),
      ),
    download: () => Promise.resolve(),
  };
}

describe('a record of the package index', () => {
  it('names a package, its version and its size', () => {
    expect(readPackage(postgres)).toEqual({
      name: 'postgresql-18',
      version: '18.6-3',
      downloadBytes: 7430980,
    });
    expect(readPackage('\n')).toBeUndefined();
  });

  it('names the libraries it needs; programs and data are not followed', () => {
    expect(readDependencies(postgres)).toEqual(['libc6', 'libpq5', 'libicu78']);
  });
});

describe('the list of packages', () => {
  it('is the newest PostgreSQL with DocumentDB and what it needs, each once', async () => {
    const apt = aptWith(['postgresql-18', 'postgresql-18-documentdb', 'postgresql-19-documentdb']);
    const list = await listPackages(apt);
    expect(list?.major).toBe(19);
    expect(list?.packages.map((entry) => entry.name)).toEqual([
      'postgresql-19-documentdb',
      'postgresql-19',
      'libbson2-2',
      'libc6',
      'libgcc-s1',
    ]);
  });

  it('is missing where the index has no DocumentDB', async () => {
    expect(await listPackages(aptWith(['postgresql-18']))).toBeUndefined();
  });
});
