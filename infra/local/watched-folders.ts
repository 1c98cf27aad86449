import { watch, type FSWatcher } from 'node:fs';

/** Where nobody tells of changes, as on some mounted file systems, they are looked for this often. */
const UNTOLD_MS = 1000;

/**
 * Whether files in some folders may have changed since the last time somebody asked, so that looking
 * at hundreds of files is done when there is a reason alone.
 *
 * On Linux the kernel reports a change before anything that comes over a connection after it.
 * Elsewhere it reports it later, and there everybody who asks has to look. Source: inotify(7);
 * epoll(7): an event that is ready first comes first.
 */
export class WatchedFolders {
  readonly #watchers = new Map<string, FSWatcher>();
  #mayHaveChanged = true;
  #askedAt = 0;
  #isTold = process.platform === 'linux';

  /** Watches these folders and no others. Never keeps a process alive. */
  watch(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.#watchers)
      if (!folders.has(folder)) {
        watcher.close();
        this.#watchers.delete(folder);
      }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#add(folder);
  }

  /** @param nowMs of a clock that is never set back */
  mayHaveChanged(nowMs: number): boolean {
    const mayHave = !this.#isTold || this.#mayHaveChanged || nowMs - this.#askedAt >= UNTOLD_MS;
    if (!mayHave) return false;
    this.#mayHaveChanged = false;
    this.#askedAt = nowMs;
    return true;
  }

  #add(folder: string): void {
    const change = () => {
      this.#mayHaveChanged = true;
    };
    const fail = () => {
      this.#isTold = false;
    };
    try {
      const watcher = watch(folder, { persistent: false }, change);
      watcher.on('error', fail);
      this.#watchers.set(folder, watcher);
    } catch {
      // No more watches are to be had, or the folder is gone.
      fail();
    }
  }
}
