/**
 * The program of `npm run release`, for the release workflow: `--check` says whether the tag may be released,
 * `--pack FOLDER` packs the packages, with a list of them for tools/publish.mjs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { buildCdk, runProgram } from '../infra/cdk.ts';
import { CommandError } from '../cli/command-error.ts';
import { ROOT } from '../infra/framework.ts';
import { checkCommit } from './release-commit.ts';
import { withAbsoluteLinks } from './readme-links.ts';

/**
 * A published package: the folder that is packed, and the program that makes it. Others are made by
 * their `prepack`.
 */
const PACKAGES = [
  { folder: '.', make: () => undefined },
  { folder: 'packages/client', make: () => undefined },
  {
    folder: 'packages/documentdb-local/dist',
    make: () => {
      runProgram(
        join(ROOT, 'packages/documentdb-local'),
        process.env,
        process.execPath,
        'build.mjs',
      );
    },
  },
  { folder: 'packages/cdk', make: buildCdk },
] as const;

const manifestSchema = z.object({ version: z.string() });

function versionOf(folder: string): string {
  const text = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
  return manifestSchema.parse(JSON.parse(text)).version;
}

/** @throws CommandError where a tag, a package or the changelog has another version */
function checkVersions(tag: string): void {
  const version = versionOf('.');
  if (tag !== `v${version}`)
    throw new CommandError(
      `Not released: the tag is ${tag}, expected v${version}, the version of package.json. Tag the commit that has the version.`,
    );
  for (const { folder } of PACKAGES)
    if (versionOf(folder.replace('/dist', '')) !== version)
      throw new CommandError(
        `Not released: ${folder} has the version ${versionOf(folder.replace('/dist', ''))}, expected ${version}. Give every package the same.`,
      );
  if (!readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version}, 20`))
    throw new CommandError(
      `Not released: CHANGELOG.md has no heading "## ${version}, <date>". Replace "unreleased" by the date.`,
    );
}

/** Provenance names the repository, which only the place that publishes knows. */
function nameRepository(folder: string, repository: string): void {
  const [url, directory] = [
    `git+https://github.com/${repository}.git`,
    folder.replace('/dist', ''),
  ];
  const words = ['pkg', 'set', 'repository.type=git', `repository.url=${url}`];
  const within = folder === '.' ? [] : [`repository.directory=${directory}`];
  runProgram(join(ROOT, folder), process.env, 'npm', ...words, ...within);
}

/** The READMEs of the other packages have no link to a file: each stands alone. */
function nameFiles(repository: string): void {
  const path = join(ROOT, 'README.md');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, withAbsoluteLinks(text, repository, `v${versionOf('.')}`));
}

const packedSchema = z.tuple([
  z.object({ name: z.string(), version: z.string(), filename: z.string() }),
]);

/** Packs every package. @returns the paths of the archives */
function packAll(output: string): readonly string[] {
  mkdirSync(output, { recursive: true });
  const repository = process.env.GITHUB_REPOSITORY;
  const packed = PACKAGES.map(({ folder, make }) => {
    make();
    if (repository !== undefined) nameRepository(folder, repository);
    if (repository !== undefined && folder === '.') nameFiles(repository);
    const words = ['pack', '--json', '--pack-destination', output];
    const said = runProgram(join(ROOT, folder), process.env, 'npm', ...words);
    // Programs that prepare a package may print before npm does.
    const [archive] = packedSchema.parse(JSON.parse(said.slice(said.search(/^\[$/m))));
    return archive;
  });
  writeFileSync(join(output, 'packed.json'), `${JSON.stringify(packed, undefined, 2)}\n`);
  return packed.map(({ filename }) => join(output, filename));
}

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: { pack: { type: 'string' }, check: { type: 'boolean', default: false } },
  });
  if (values.pack !== undefined) {
    for (const path of packAll(resolve(values.pack))) console.log(path);
    return;
  }
  if (!values.check)
    throw new CommandError(
      'Nothing was released: neither --check nor --pack FOLDER is given, expected one. Push a tag such as v0.1.0, and the workflow releases it.',
    );
  const { GITHUB_REF_NAME: tag } = process.env;
  if (tag === undefined)
    throw new CommandError(
      'Not released: GITHUB_REF_NAME is not set, expected a tag such as v0.1.0. Push a tag, and the workflow releases it; --pack FOLDER only packs.',
    );
  checkVersions(tag);
  await checkCommit(ROOT, process.env);
}

try {
  await release();
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
