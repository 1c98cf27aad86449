import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..');

/** Another revision of the project, ready to run. */
export type Revision = {
  readonly name: string;
  readonly folder: string;
  /** Which of those beside this one. */
  readonly at: number;
};

/** A revision cannot be had; the message says why, for a person. */
export class RevisionError extends Error {
  override readonly name = 'RevisionError';
}

/** Runs a task with other revisions of the project, each as `withRevision` has it. */
export async function withRevisions<T>(
  names: readonly string[],
  report: (line: string) => void,
  task: (revisions: readonly Revision[]) => Promise<T>,
): Promise<T> {
  const begin = (before: readonly Revision[]): Promise<T> => {
    const name = names[before.length];
    if (name === undefined) return task(before);
    return withRevision(name, report, ({ folder }) =>
      begin([...before, { name, folder, at: before.length }]),
    );
  };
  return begin([]);
}

/**
 * Runs a task with another revision of the project, checked out into a temporary git worktree that is
 * removed afterwards. Its dependencies are this checkout's where both have locked the same, otherwise
 * they are installed.
 *
 * @param name a commit, a tag or a branch
 * @throws RevisionError where git does not know it, or its dependencies cannot be installed
 */
async function withRevision<T>(
  name: string,
  report: (line: string) => void,
  task: (revision: Omit<Revision, 'at'>) => Promise<T>,
): Promise<T> {
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  if (commit === undefined)
    throw new RevisionError(
      `--beside ${name}: expected a commit, tag or branch that git knows in ${ROOT}`,
    );
  const outer = await mkdtemp(join(tmpdir(), 'headroom-beside-'));
  const folder = join(outer, 'worktree');
  try {
    report(`Beside ${name}: checking it out…`);
    if (git(['worktree', 'add', '--detach', folder, commit]) === undefined)
      throw new RevisionError(`--beside ${name}: git made no worktree of it in ${folder}`);
    await provideDependencies(name, folder, report);
    return await task({ name, folder });
  } finally {
    git(['worktree', 'remove', '--force', folder]);
    await rm(outer, { recursive: true, force: true });
  }
}

/** The commit that this checkout is at, its short name; undefined where git does not know. */
export function commitHere(): string | undefined {
  return git(['rev-parse', '--short=8', 'HEAD']);
}

/** @returns what git says, or undefined where it fails */
function git(parameters: readonly string[]): string | undefined {
  const done = spawnSync('git', parameters, { cwd: ROOT, encoding: 'utf8' });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

async function provideDependencies(
  name: string,
  folder: string,
  report: (line: string) => void,
): Promise<void> {
  if ((await lockedIn(ROOT)) === (await lockedIn(folder))) {
    const modules = await realpath(join(ROOT, 'node_modules'));
    await symlink(modules, join(folder, 'node_modules'), 'junction');
    return;
  }
  report(`Beside ${name}: installing its dependencies…`);
  const done = spawnSync('npm ci --no-audit --no-fund', {
    cwd: folder,
    encoding: 'utf8',
    shell: true,
  });
  if (done.status !== 0)
    throw new RevisionError(`--beside ${name}: npm ci failed there: ${done.stderr.trim()}`);
}

/** The locked packages, without the project's own name and version. */
async function lockedIn(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package-lock.json'), 'utf8');
  const { packages } = z
    .object({ packages: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(text));
  return JSON.stringify(Object.entries(packages).filter(([path]) => path !== ''));
}
