import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WatchedFolders } from '../../../infra/local/watched-folders.ts';
import { useFolder } from '../../support/folder.ts';

/** Elsewhere everybody who asks has to look: see the class. */
describe.runIf(process.platform === 'linux')('folders that are watched', () => {
  const folder = useFolder();
  let folders: WatchedFolders;
  beforeEach(() => {
    folder.write('a.ts', '1');
    folders = new WatchedFolders();
    folders.watch(new Set([folder.path('')]));
    expect(folders.mayHaveChanged(0)).toBe(true);
  });
  afterEach(() => {
    folders.watch(new Set());
  });

  it.each([
    {
      how: 'written',
      change: (name: string) => {
        writeFileSync(name, '2');
      },
    },
    {
      how: 'replaced',
      change: (name: string) => {
        writeFileSync(`${name}~`, '2');
        renameSync(`${name}~`, name);
      },
    },
    {
      how: 'removed',
      change: (name: string) => {
        rmSync(name);
      },
    },
  ])(
    'may have changed once a file of theirs is $how, and the next time no more',
    async ({ change }) => {
      expect(folders.mayHaveChanged(1)).toBe(false);
      change(folder.path('a.ts'));
      await sleep(50); // a call after an edit takes longer
      expect(folders.mayHaveChanged(2)).toBe(true);
      await sleep(50);
      expect(folders.mayHaveChanged(3)).toBe(false);
    },
  );

  it('may have changed after a second, for there are file systems that tell of nothing', () => {
    expect([999, 1000, 1001].map((ms) => folders.mayHaveChanged(ms))).toEqual([false, true, false]);
  });

  it('may have changed at any time where one of them cannot be watched', () => {
    folders.watch(new Set([folder.path(''), folder.path('none')]));
    expect([1, 2, 3].map((ms) => folders.mayHaveChanged(ms))).toEqual([true, true, true]);
  });
});
