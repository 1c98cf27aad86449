import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it, vi } from 'vitest';
import { buildOf, nameIn } from '../../bench/builds.ts';
import { onDatabase } from '../../bench/database.ts';
import { withRevisions } from '../../bench/revision.ts';
import { FIVE_RULES, checkOf, hold, orderOf } from '../../bench/workload.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const worktrees = (): string =>
  spawnSync('git', ['worktree', 'list'], { cwd: ROOT, encoding: 'utf8' }).stdout;
const isRepository = worktrees() !== '';

describe('another revision beside this one', () => {
  // A checkout without git, an unpacked archive say, has no other revision.
  it.runIf(isRepository)('runs in this process, and leaves no worktree behind', async () => {
    vi.stubEnv('MONGODB_URI', inject('mongodbUri'));
    let folder = '';
    const name = await withRevisions(
      ['HEAD'],
      () => undefined,
      async ([revision]) => {
        if (revision === undefined) throw new TypeError('a revision is missing');
        folder = revision.folder;
        expect(existsSync(join(folder, 'bench', 'workload.ts'))).toBe(true);
        expect(worktrees()).toContain(folder);
        return onDatabase(
          () => undefined,
          async ({ db }) => {
            const build = await buildOf(revision, db);
            const limits = build.serve(FIVE_RULES);
            const held = await hold(limits, checkOf('order', { user: 'u' }));
            expect(await limits.confirm(orderOf(held))).toMatchObject({ repeated: false });
            return nameIn(build, 'check');
          },
        );
      },
    );
    vi.unstubAllEnvs();
    expect(name).toBe('check of HEAD');
    expect(existsSync(folder)).toBe(false);
    expect(worktrees()).not.toContain(folder);
  });
});
