import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { build, buildSync, type BuildOptions, type Metafile } from 'esbuild';
import { ROOT } from '../framework.ts';
import type { ServiceDescription } from './service-description.ts';

const require = createRequire(import.meta.url);
const { cache } = require;

/** The functions' code, made from their sources. */
type FunctionBundles = {
  /** Loads the packages that the functions use, so that no call has to wait for that. */
  readonly warm: () => void;
  /** Makes the bundles again where a source has changed since, and has Node load them again. */
  readonly refresh: () => void;
};

/**
 * Makes a bundle of each function, as custom.esbuild of serverless.yml says.
 *
 * @param folder of the bundles, from the repository's root
 * @throws esbuild's BuildFailure; what is wrong was printed then
 */
export async function makeBundles(
  description: ServiceDescription,
  folder: string,
): Promise<FunctionBundles> {
  const options = optionsOf(description, folder);
  const startedMs = Date.now();
  let { metafile } = await build(options);
  let made = madeOf(metafile, new Map(), startedMs);
  const loaded = join(ROOT, folder) + sep;
  return {
    warm() {
      for (const name of packagesOf(metafile)) require(name);
    },
    refresh() {
      const seen = stateOf(metafile);
      if (textOf(seen) === made) return;
      try {
        const beganMs = Date.now();
        ({ metafile } = buildSync(options));
        made = madeOf(metafile, seen, beganMs);
      } catch {
        // It was printed what is wrong. The last bundles serve, and the next call tries again.
        made = '';
      }
      for (const file of Object.keys(cache))
        if (file.startsWith(loaded)) Reflect.deleteProperty(cache, file);
    },
  };
}

/** Options that esbuild does not know: of serverless-esbuild, which makes what is deployed. */
const OF_SERVERLESS_ESBUILD = new Set(['outputWorkFolder', 'keepOutputDirectory', 'exclude']);

type Options = BuildOptions & { readonly metafile: true };

function optionsOf({ functions, custom }: ServiceDescription, outdir: string): Options {
  const entryPoints = Object.values(functions).map(({ handler }) =>
    handler.replace(/\.\w+$/, '.ts'),
  );
  const { outputFileExtension, ...options } = custom.esbuild;
  const ofEsbuild = Object.entries(options).filter(([name]) => !OF_SERVERLESS_ESBUILD.has(name));
  return {
    ...Object.fromEntries(ofEsbuild),
    absWorkingDir: ROOT,
    entryPoints,
    outbase: ROOT,
    outdir,
    outExtension: { '.js': outputFileExtension },
    platform: 'node',
    target: `node${process.versions.node}`,
    logLevel: 'error',
    metafile: true,
  };
}

/**
 * The packages that the bundles leave outside. All bundles run in this process, and share them.
 * Packages that are loaded with their first use are not among them.
 */
function packagesOf({ outputs }: Metafile): ReadonlySet<string> {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const used = imports.filter(
    ({ external, kind }) => external === true && kind !== 'dynamic-import',
  );
  return new Set(used.map(({ path }) => path));
}

/** When each source of bundles was written; undefined of one that is gone. */
type State = ReadonlyMap<string, number | undefined>;

function stateOf({ inputs }: Metafile): State {
  return new Map(
    Object.keys(inputs).map((file) => [
      file,
      statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs,
    ]),
  );
}

/** A text that is another one whenever a source was written, or is gone. */
function textOf(state: State): string {
  return [...state.values()].join();
}

/**
 * The text of the sources as bundles were made of them. A file that was written since they were
 * begun may be in them or not: it counts as unseen.
 *
 * @param seen the state before they were begun, of the sources that were known then
 */
function madeOf(metafile: Metafile, seen: State, begunMs: number): string {
  const made = [...stateOf(metafile)].map(([file, writtenMs]): [string, number | undefined] => [
    file,
    seen.has(file)
      ? seen.get(file)
      : writtenMs === undefined || writtenMs < begunMs
        ? writtenMs
        : -1,
  ]);
  return textOf(new Map(made));
}
