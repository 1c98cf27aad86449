import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder of a test file. */
export type Folder = {
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string | Uint8Array) => string;
  readonly read: (name: string) => string;
};

/** Makes the folder, and takes it away when the file is through. Call it at the top of the file. */
export function useFolder(): Folder {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'headroom-test-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = (name: string): string => join(folder, name);
  return {
    path,
    write: (name, text) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
      return path(name);
    },
    read: (name) => readFileSync(path(name), 'utf8'),
  };
}
