// Builds dist/ with the TypeScript that the project installs at its root: `npm run build`, or
// `node build.mjs FOLDER` to build elsewhere.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(folder, 'dist'));
const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
const tsc = join(dirname(typescript), 'bin', 'tsc');

// What was taken away from src must not stay.
rmSync(output, { recursive: true, force: true });
const built = spawnSync(process.execPath, [tsc, '--project', folder, '--outDir', output], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);

// TypeScript rewrites the names of files in JavaScript, not in declarations.
for (const name of readdirSync(output).filter((each) => each.endsWith('.d.ts'))) {
  const path = join(output, name);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
}
