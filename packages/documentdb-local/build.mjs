// Builds dist/, the package as it is published (`npm publish dist`), with the TypeScript that the
// project installs at its root: `npm run build`, or `node build.mjs FOLDER` to build elsewhere.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(folder, 'dist'));
const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
const tsc = join(dirname(typescript), 'bin', 'tsc');

// What was taken away from src must not stay.
rmSync(output, { recursive: true, force: true });
const project = join(folder, 'tsconfig.build.json');
const built = spawnSync(process.execPath, [tsc, '--project', project, '--outDir', output], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);

// TypeScript rewrites the names of files in JavaScript, not in declarations.
for (const name of readdirSync(output).filter((each) => each.endsWith('.d.ts'))) {
  const path = join(output, name);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(/((?:from |import\()['"]\.\/[\w-]+)\.ts(?=['"])/g, '$1.js'));
}

// Here the exports are TypeScript, so that nothing has to be built; Node reads none below node_modules. At
// the registry the name has a scope, so that nobody else's package can be installed by mistake.
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
manifest.name = `@headroom-limits/${manifest.name}`;
manifest.publishConfig = { access: 'public' };
for (const field of ['private', 'scripts', 'devDependencies']) delete manifest[field];
for (const [name, source] of Object.entries(manifest.exports)) {
  const file = /^\.\/src\/([\w-]+)\.ts$/.exec(source)?.[1];
  if (file !== undefined)
    manifest.exports[name] = { types: `./${file}.d.ts`, default: `./${file}.js` };
}
writeFileSync(join(output, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
for (const name of ['LICENSE', 'README.md']) cpSync(join(folder, name), join(output, name));
