import { createRequire } from 'node:module';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { z } from 'zod';
import { ensureIndexes } from '../lib/health/mongo-indexes.ts';
import { besideOf, buildOf, ownBuild } from './builds.ts';
import type { BacktestRow } from './backtest.ts';
import { measureBacktest } from './backtest.ts';
import type { Bytes } from './bytes.ts';
import { measureBytes } from './bytes.ts';
import type { BenchDatabase } from './database.ts';
import type { Extent } from './extent.ts';
import { meterOf } from './processor-time.ts';
import type { Profile } from './profile.ts';
import { measureProfile } from './profile.ts';
import type { Revision } from './revision.ts';
import { commitHere } from './revision.ts';
import type { RatioRow } from './ratios.ts';
import { measureRatios } from './ratios.ts';

/** Where and when it was measured. */
export type Circumstances = {
  readonly measuredAt: string;
  readonly machine: string;
  /** Processes that wanted a processor, on average over the last minute, before it began. */
  readonly loadBefore: number;
  readonly engine: string;
  /** The commit that was measured; absent where git does not know it. */
  readonly commit?: string;
  /** The revisions that were measured beside this one. */
  readonly beside: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
};

/** Everything that one run measured. */
export type Results = {
  readonly circumstances: Circumstances;
  readonly rows: readonly RatioRow[];
  /** First this build's, then another revision's if one was measured beside it. */
  readonly bytes: readonly Bytes[];
  /** Absent where rows are measured alone. */
  readonly backtest?: BacktestRow;
  readonly profiles: readonly Profile[];
};

/** Measures everything that an extent asks for, one thing after another. */
export async function measureAll(
  { server, db }: BenchDatabase,
  extent: Extent,
  revisions: readonly Revision[],
  report: (line: string) => void,
): Promise<Results> {
  const circumstances = circumstancesOf(server, revisions);
  const meter = meterOf(server);
  const builds = [await ownBuild(db)];
  await ensureIndexes(db);
  for (const revision of revisions) {
    builds.push(await buildOf(revision, db));
    await ensureIndexes(besideOf(db, revision));
  }
  const rows = await measureRatios({ db, builds, meter }, extent, report);
  // Before anything else may fail.
  for (const line of besideLines(rows, revisions)) report(line);
  return {
    circumstances,
    rows,
    bytes: await measureBytes(server.uri, db.databaseName, revisions, report),
    ...(extent.only === undefined
      ? { backtest: await measureBacktest(extent.pastRows, report) }
      : {}),
    // Last: from now on V8 compiles so that it can count.
    profiles: await measureProfile(db, revisions, report),
  };
}

/** How fast each row was beside other revisions. */
function besideLines(rows: readonly RatioRow[], revisions: readonly Revision[]) {
  return rows.flatMap(({ name, placement, ratios }) =>
    revisions.flatMap((revision) => {
      const found = ratios.find(({ to }) => to === revision.name);
      if (found === undefined) return [];
      const speed = `${found.ratio.median.toFixed(2)} of ${revision.name}`;
      const client = `${(found.client ?? NaN).toFixed(2)} of its processor time in the client`;
      return [`  ${name}, ${placement}: ${speed}, ${client}`];
    }),
  );
}

function circumstancesOf(
  { engine, version }: BenchDatabase['server'],
  revisions: readonly Revision[],
): Circumstances {
  const processors = cpus();
  const commit = commitHere();
  return {
    measuredAt: new Date().toISOString(),
    machine: `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${arch()}`,
    loadBefore: loadavg()[0] ?? NaN,
    engine: `${engine} ${version}`,
    ...(commit === undefined ? {} : { commit }),
    beside: revisions.map(({ name }) => name),
    versions: {
      node: process.version,
      mongodb: versionOf('mongodb'),
      'rate-limiter-flexible': versionOf('rate-limiter-flexible'),
    },
  };
}

function versionOf(name: string): string {
  const manifest: unknown = createRequire(import.meta.url)(`${name}/package.json`);
  return z.object({ version: z.string() }).parse(manifest).version;
}
