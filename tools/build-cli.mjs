// Builds dist/, what the command line is where it is installed without this repository: `npm pack` runs
// it. `node tools/build-cli.mjs FOLDER` builds elsewhere.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './programs.mjs';
import { thirdPartyOf } from './third-party.mjs';

const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const outdir = resolve(process.argv[2] ?? join(ROOT, 'dist'));

// What was taken away from the sources must not stay.
rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: { headroom: 'cli/run.ts' },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // What is bundled and not yet an ECMAScript module asks for Node's own modules by `require`.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
  // `start` serves the functions from their sources, and `console` is built, which only a clone has.
  external: [
    ...Object.keys(dependencies),
    ...Object.keys(dependencies).map((name) => `${name}/*`),
    '../../infra/local/start.ts',
    '../../infra/console/serve.ts',
  ],
});
cpSync(join(ROOT, 'packs'), join(outdir, 'packs'), { recursive: true });
writeFileSync(join(outdir, 'THIRD-PARTY.txt'), thirdPartyOf([metafile]));
