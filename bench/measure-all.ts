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
import type { RatioRow } from './ratios.ts';
import { measureRatios } from './ratios.ts';

/** Where and when it was measured. */
export type Circumstances = {
  readonly measuredAt: string;
  readonly machine: string;
  /** Processes that wanted a processor, on average over the last minute, before it began. */
  readonly loadBefore: number;
  readonly engine: string;
  /** The revision that was measured beside this one. */
  readonly beside?: string;
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
  revision: Revision | undefined,
  report: (line: string) => void,
): Promise<Results> {
  const circumstances = circumstancesOf(server, revision);
  const meter = meterOf(server);
  const builds = [
    await ownBuild(db),
    ...(revision === undefined ? [] : [await buildOf(revision, db)]),
  ];
  await ensureIndexes(db);
  if (revision !== undefined) await ensureIndexes(besideOf(db));
  return {
    circumstances,
    rows: await measureRatios({ db, builds, meter }, extent, report),
    bytes: await measureBytes(server.uri, db.databaseName, revision, report),
    ...(extent.only === undefined
      ? { backtest: await measureBacktest(extent.pastRows, report) }
      : {}),
    // Last: from now on V8 compiles so that it can count.
    profiles: await measureProfile(db, revision, report),
  };
}

function circumstancesOf(
  { engine, version }: BenchDatabase['server'],
  revision: Revision | undefined,
): Circumstances {
  const processors = cpus();
  return {
    measuredAt: new Date().toISOString(),
    machine: `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${arch()}`,
    loadBefore: loadavg()[0] ?? NaN,
    engine: `${engine} ${version}`,
    ...(revision === undefined ? {} : { beside: revision.name }),
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
