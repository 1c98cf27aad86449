import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeData } from '../src/data-directory.ts';
import type { Installation } from '../src/install.ts';
import type { ServerUser } from '../src/server-user.ts';

/** Stands for both programs: notes that it ran, and makes or fills the directory after -D. */
const PROGRAM = `#!/bin/sh
name=\${0##*/}
echo "$name" >> "\${0%/*}/runs"
[ "$1" = --sync-only ] && { echo "$3" >> "\${0%/*}/synced"; exit 0; }
while [ "$1" != -D ]; do shift; done
case "$2" in
  *.partial-*) [ -e "\${0%/*}/full" ] && { echo 'initdb: error: no space left' >&2; exit 1; } ;;
esac
[ -e "\${0%/*}/broken" ] && { echo 'initdb: error: nothing works' >&2; exit 1; }
if [ "$name" = postgres ]; then cat > "$2/base/statements"; exit; fi
[ -z "$(ls -A "$2")" ] || { echo "initdb: error: $2 is not empty" >&2; exit 1; }
mkdir "$2/base"
echo 18 > "$2/PG_VERSION"
`;

/** An installation whose programs say when they are run, and a folder for each start. */
async function useInstallation() {
  const folder = await mkdtemp(join(tmpdir(), 'documentdb-local-data-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const installation: Installation = {
    folder: join(folder, 'installation'),
    programs: join(folder, 'programs'),
    version: '1.0-0 on PostgreSQL 18.6',
  };
  for (const each of [installation.folder, installation.programs]) await mkdir(each);
  for (const name of ['initdb', 'postgres']) {
    await writeFile(join(installation.programs, name), PROGRAM);
    await chmod(join(installation.programs, name), 0o755);
  }
  const note = (name: string) => join(installation.programs, name);
  return {
    installation,
    user: { id: 7, prefix: ['env'], own: () => Promise.resolve() } satisfies ServerUser,
    folderFor: (name: string) => mkdir(join(folder, name)).then(() => join(folder, name)),
    have: (name: 'full' | 'broken') => writeFile(note(name), ''),
    runs: async () => (await readFile(note('runs'), 'utf8')).trim().split('\n'),
    synced: async () => (await readFile(note('synced'), 'utf8')).trim().split('\n'),
    templates: () => readdir(installation.folder),
  };
}

/** The programs' work where a template is made, and where there is none. */
const MAKING = ['initdb', 'postgres', 'initdb'];
const BY_ITSELF = ['initdb', 'postgres'];

/** The files of a complete data directory, as text. */
async function readData(folder: string): Promise<readonly string[]> {
  expect(await readdir(folder)).toEqual(['data']);
  return Promise.all(
    ['PG_VERSION', 'base/statements'].map((name) => readFile(join(folder, 'data', name), 'utf8')),
  );
}

it('is made by the programs once: the next start copies, and what it writes is its own', async () => {
  const { installation, user, folderFor, runs, templates } = await useInstallation();
  const [first, second] = [await folderFor('first'), await folderFor('second')];
  await makeData(installation, first, user, false);
  expect(await readData(first)).toEqual(['18\n', expect.stringContaining('CREATE EXTENSION')]);
  await appendFile(join(first, 'data', 'base', 'statements'), 'more');
  await makeData(installation, second, user, false);
  expect(await runs()).toEqual(MAKING);
  expect(await readData(second)).toEqual(['18\n', expect.not.stringContaining('more')]);
  expect(await templates()).toEqual([expect.stringMatching(/^data-7-[0-9a-f]{12}$/)]);
});

it.each([{ keepsData: true }, { keepsData: false }])(
  'is on the disk before it has its name where it is kept ($keepsData): no log of the server has it',
  async ({ keepsData }) => {
    const { installation, user, folderFor, synced, templates } = await useInstallation();
    const folders = [await folderFor('first'), await folderFor('second')];
    for (const each of folders) await makeData(installation, each, user, keepsData);
    const [template = ''] = await templates();
    expect(await synced()).toEqual([
      expect.stringContaining(`${template}.partial-`),
      ...(keepsData ? folders.map((each) => join(each, 'data.partial')) : []),
    ]);
  },
);

it('is complete for each of several starts at once, which leave one template', async () => {
  const { installation, user, folderFor, runs, templates } = await useInstallation();
  const folders = await Promise.all(['a', 'b', 'c'].map(folderFor));
  await Promise.all(folders.map((each) => makeData(installation, each, user, false)));
  for (const each of folders) expect((await readData(each))[0]).toBe('18\n');
  expect(await templates()).toHaveLength(1);
  // None was made by itself.
  const ran = await runs();
  expect(ran.filter((each) => each === 'initdb')).toHaveLength((ran.length / 3) * 2);
});

it('is not taken from what a process that is gone has begun, and that is cleared away', async () => {
  const { installation, user, folderFor, runs, templates } = await useInstallation();
  const [first, second] = [await folderFor('first'), await folderFor('second')];
  await makeData(installation, first, user, false);
  const [template = ''] = await templates();
  const begun = `${template}.partial-${2 ** 30}-x1Y2z3`;
  await rename(join(installation.folder, template), join(installation.folder, begun));
  await rm(join(installation.folder, begun, 'base'), { recursive: true });
  await makeData(installation, second, user, false);
  expect(await runs()).toEqual([...MAKING, ...MAKING]);
  expect((await readData(second))[0]).toBe('18\n');
  expect(await templates()).toEqual([template]);
});

it('leaves alone what a living process has begun, and what is made for another user', async () => {
  const { installation, user, folderFor, templates } = await useInstallation();
  const others = [`data-7-0123456789ab.partial-${process.pid}-x1Y2z3`, 'data-70-0123456789ab'];
  for (const each of others) await mkdir(join(installation.folder, each));
  await makeData(installation, await folderFor('first'), user, false);
  expect(await templates()).toEqual(expect.arrayContaining(others));
});

it('is made again for another version, whose template takes the place of the last', async () => {
  const { installation, user, folderFor, runs, templates } = await useInstallation();
  await makeData(installation, await folderFor('first'), user, false);
  const before = await templates();
  const newer = { ...installation, version: '1.1-0 on PostgreSQL 18.7' };
  await makeData(newer, await folderFor('second'), user, false);
  expect(await runs()).toEqual([...MAKING, ...MAKING]);
  expect(await templates()).toHaveLength(1);
  expect(await templates()).not.toEqual(before);
});

it('is made by itself where a template cannot be kept, of which nothing stays', async () => {
  const { installation, user, folderFor, have, runs, templates } = await useInstallation();
  await have('full');
  const folder = await folderFor('first');
  await makeData(installation, folder, user, false);
  expect(await runs()).toEqual(['initdb', ...BY_ITSELF]);
  expect((await readData(folder))[0]).toBe('18\n');
  expect(await templates()).toEqual([]);
});

it('is made by itself where the template is taken away while it is copied', async () => {
  const { installation, user, folderFor, runs, templates } = await useInstallation();
  await makeData(installation, await folderFor('first'), user, false);
  const [template = ''] = await templates();
  const thief = join(installation.programs, 'thief');
  // Copies what it is asked to copy, of a template that has lost files, and then is gone.
  await writeFile(
    thief,
    `#!/bin/sh
[ "$1" = cp ] || exec "$@"
rm -r "$3/base"; "$@"; rm -r "\${3%/.}"
`,
  );
  await chmod(thief, 0o755);
  const folder = await folderFor('second');
  await makeData(installation, folder, { ...user, prefix: [thief] }, false);
  expect(await runs()).toEqual([...MAKING, ...BY_ITSELF]);
  expect((await readData(folder))[1]).toContain('CREATE EXTENSION');
  expect(existsSync(join(installation.folder, template))).toBe(false);
});

it('says what the programs complain of where it cannot be made at all', async () => {
  const { installation, user, folderFor, have } = await useInstallation();
  await have('broken');
  const folder = await folderFor('first');
  await expect(makeData(installation, folder, user, false)).rejects.toThrow(
    /^env: initdb: error: nothing works$/,
  );
  // A full disk has no room for what nobody uses.
  expect(await readdir(folder)).toEqual([]);
});
