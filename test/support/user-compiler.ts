import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { writeFileSync } from 'node:fs';

export type Mistake = { readonly file: string; readonly says: string };

export type CompilerOptions = Readonly<Record<string, boolean | string | readonly string[]>>;

const require = createRequire(import.meta.url);
const TSC = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');

/**
 * Checks the types of programs as a user's own compiler does, with every strictness.
 *
 * @param folder of a project that has installed what the programs import; they are written there
 * @param programs by their names
 * @returns the first line of each mistake
 */
export function compile(
  folder: string,
  programs: Readonly<Record<string, string>>,
  options: CompilerOptions,
): readonly Mistake[] {
  const names = Object.keys(programs);
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ module: 'nodenext', noEmit: true, skipDefaultLibCheck: true },
    ...options,
  };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: names }));
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [TSC, '--project', project, '--pretty', 'false'],
    { cwd: folder, encoding: 'utf8' },
  );
  const found = [...stdout.matchAll(/^(\S.*?)\(\d+,\d+\): error TS\d+: (.*)$/gm)];
  if ((status === 0) !== (found.length === 0)) throw new Error(`tsc said: ${stdout}${stderr}`);
  return found.map(([, file = '', says = '']) => ({ file: basename(file), says }));
}
