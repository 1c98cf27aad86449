import { createRequire } from 'node:module';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { z } from 'zod';
import type { BenchDatabase } from './database.ts';
import type { Extent } from './extent.ts';
import type { Functions } from './functions.ts';
import { measureFunctions } from './functions.ts';
import type { GrowthCurve } from './growth.ts';
import { measureGrowth } from './growth.ts';
import type { ManySubjectsPoint } from './many-subjects.ts';
import { measureManySubjects } from './many-subjects.ts';
import type { Throughput } from './throughput.ts';
import { measureThroughput } from './throughput.ts';

/** Where and when it was measured. */
export type Circumstances = {
  readonly measuredAt: string;
  readonly machine: string;
  /** Processes that wanted a processor, on average over the last minute, before it began. */
  readonly loadBefore: number;
  readonly engine: string;
  readonly versions: Readonly<Record<string, string>>;
};

/** Everything that one run measured. */
export type Results = {
  readonly circumstances: Circumstances;
  readonly throughput: Throughput;
  readonly growth: readonly GrowthCurve[];
  readonly manySubjects: readonly ManySubjectsPoint[];
  readonly functions?: Functions;
};

/** Measures everything that an extent asks for, one thing after another. */
export async function measureAll(
  { server, db }: BenchDatabase,
  { throughput, growth, subjects, functions }: Extent,
  report: (line: string) => void,
): Promise<Results> {
  const circumstances = circumstancesOf(server);
  const { rounds, sliceMs, ...sizes } = growth;
  const results = {
    circumstances,
    throughput: await measureThroughput(db, throughput, report),
    growth: await measureGrowth(db, sizes, { rounds, sliceMs }, report),
    manySubjects: await measureManySubjects(db, subjects, { rounds, sliceMs }, report),
  };
  if (functions === undefined) return results;
  return { ...results, functions: await measureFunctions(db, server.uri, functions, report) };
}

function circumstancesOf({ engine, version }: BenchDatabase['server']): Circumstances {
  const processors = cpus();
  return {
    measuredAt: new Date().toISOString(),
    machine: `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${arch()}`,
    loadBefore: loadavg()[0] ?? NaN,
    engine: `${engine} ${version}`,
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
