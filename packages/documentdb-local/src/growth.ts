import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How often it is said how far a download is. */
const REPORT_MS = 2_000;

/**
 * Says every two seconds how much of a download has arrived, while something runs.
 *
 * @param folder into which files are fetched, directly or below
 * @param bytes how many there will be
 */
export async function withGrowth<Result>(
  { folder, bytes, report }: GrowthOptions,
  run: () => Promise<Result>,
  everyMs = REPORT_MS,
): Promise<Result> {
  const timer = setInterval(() => {
    void sizeOf(folder).then((arrived) => {
      if (arrived > 0) report(`  ${megabytes(arrived)} of ${megabytes(bytes)} MB`);
    });
  }, everyMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

/** Where a download grows, and who hears of it. */
type GrowthOptions = {
  readonly folder: string;
  readonly bytes: number;
  readonly report: (line: string) => void;
};

function megabytes(bytes: number): string {
  return String(Math.round(bytes / 1e6));
}

/** The bytes that lie in a folder so far; files that are renamed just now are not counted. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      (stats) => (stats.isFile() ? stats.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
