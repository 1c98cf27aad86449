import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build as bundle } from 'esbuild';
import type { Db } from 'mongodb';
import { BSON, MongoClient } from 'mongodb';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ConfirmRequest } from '../lib/shared/request.ts';
import { documentId } from '../lib/shared/subject.ts';
import { COUNTERS } from '../lib/document/mongo-counter-store.ts';
import { OWN_REPEAT } from '../lib/mongo/client.ts';
import type { Build } from './builds.ts';
import { besideOf, buildOf, ownBuild } from './builds.ts';
import type { Revision } from './revision.ts';
import { FIVE_RULES, FULL_RULES, MERCHANT_RULES, checkOf, hold, orderOf } from './workload.ts';

/** The requests of one call: its statements, and the bytes of all of them as BSON. */
export type RequestRow = {
  readonly call: string;
  readonly statements: number;
  readonly bytes: number;
};

/** The stored bytes, as BSON. */
export type StoredRow = { readonly document: string; readonly bytes: number };

/** A function's bundle, as it is deployed, without its source map. */
export type BundleRow = { readonly name: string; readonly bytes: number };

/** The bytes that one build sends, stores and weighs. */
export type Bytes = {
  /** Absent for this build. */
  readonly revision?: string;
  readonly requests: readonly RequestRow[];
  readonly stored: readonly StoredRow[];
  readonly bundles: readonly BundleRow[];
};

const ROOT = join(import.meta.dirname, '..');

/** Measures this build, and another revision beside it where one is given. */
export async function measureBytes(
  uri: string,
  databaseName: string,
  revision: Revision | undefined,
  report: (line: string) => void,
): Promise<readonly Bytes[]> {
  report('bytes…');
  const client = new MongoClient(uri, {
    monitorCommands: true,
    writeConcern: { w: 'majority' },
    ...OWN_REPEAT,
  });
  try {
    const db = client.db(databaseName);
    const own = await measureBuild(await ownBuild(db), db, ROOT);
    if (revision === undefined) return [own];
    const beside = await measureBuild(await buildOf(revision, db), besideOf(db), revision.folder);
    return [own, { revision: revision.name, ...beside }];
  } finally {
    await client.close();
  }
}

async function measureBuild(
  build: Build,
  db: Db,
  folder: string,
): Promise<Omit<Bytes, 'revision'>> {
  return {
    requests: await requestsOf(build, db),
    stored: await storedBy(build, db),
    bundles: await bundlesOf(folder),
  };
}

/** Runs a call and adds up what it sends. */
async function sentBy(db: Db, name: string, call: () => Promise<unknown>): Promise<RequestRow> {
  let statements = 0;
  let bytes = 0;
  const count = ({ command }: { readonly command: BSON.Document }): void => {
    statements += 1;
    bytes += BSON.calculateObjectSize(command);
  };
  db.client.on('commandStarted', count);
  try {
    await call();
  } finally {
    db.client.off('commandStarted', count);
  }
  return { call: name, statements, bytes };
}

async function requestsOf(build: Build, db: Db): Promise<readonly RequestRow[]> {
  const limits = build.serve(FIVE_RULES);
  const both = build.serve([...FIVE_RULES, ...MERCHANT_RULES]);
  const user = { user: 'bytes' };
  const two = { user: 'bytes-two', merchant: 'bytes' };
  // The documents are there, and so are their buckets: what is counted is the ordinary call.
  await limits.confirm(orderOf(await hold(limits, checkOf('first', user))));
  await both.confirm(orderOf(await hold(both, checkOf('first', two))));
  const many = Array.from({ length: 64 }, (_, order) => checkOf(`many-${order}`, user));
  const rows: RequestRow[] = [];
  const add = async (name: string, call: () => Promise<unknown>): Promise<void> => {
    rows.push(await sentBy(db, name, call));
  };
  const add2 = async (name: string, orderId: string, subjects: typeof user): Promise<void> => {
    const serving = 'merchant' in subjects ? both : limits;
    let confirm: ConfirmRequest | undefined;
    await add(`check, ${name}`, async () => {
      confirm = orderOf(await hold(serving, checkOf(orderId, subjects)));
    });
    await add(`confirm, ${name}`, async () => confirm && serving.confirm(confirm));
  };
  await add2('five rules of a user', 'second', user);
  await add2('a user and a merchant', 'second', two);
  const full = build.serve(FULL_RULES);
  await hold(full, checkOf('first', { user: 'bytes-full' }));
  await add('check that is refused', () => full.check(checkOf('second', { user: 'bytes-full' })));
  await add('check of a new user', () => limits.check(checkOf('first', { user: 'bytes-new' })));
  await add('confirm without a reservation', () =>
    limits.confirm({
      appId: 'default',
      orderId: 'first',
      whereabouts: { kind: 'subjects', subjects: { user: 'bytes-new' } },
    }),
  );
  await add('checks of 64 orders', () => limits.checkMany(many, false));
  return rows;
}

/** Documents of five rules, with so many outcomes and open holds. */
const STORED: readonly { readonly outcomes: number; readonly holds: number }[] = [
  { outcomes: 0, holds: 1 },
  { outcomes: 20, holds: 1 },
  { outcomes: 64, holds: 16 },
];

async function storedBy(build: Build, db: Db): Promise<readonly StoredRow[]> {
  const limits = build.serve(FIVE_RULES);
  const rows: StoredRow[] = [];
  for (const { outcomes, holds } of STORED) {
    const user = `stored-${outcomes}-${holds}`;
    for (let order = 0; order < outcomes; order++)
      await limits.confirm(orderOf(await hold(limits, checkOf(`order-${order}`, { user }))));
    for (let order = 0; order < holds; order++)
      await hold(limits, checkOf(`held-${order}`, { user }));
    const found = await db
      .collection<{ readonly _id: string }>(COUNTERS)
      .findOne({ _id: documentId('user', user) }, { promoteLongs: false });
    rows.push({
      document: `${outcomes} outcomes, ${holds} open ${holds === 1 ? 'hold' : 'holds'}`,
      bytes: found === null ? NaN : BSON.calculateObjectSize(found),
    });
  }
  return rows;
}

/** The parts of the deployment's bundle settings that esbuild takes; a deployment minifies. */
const settingsSchema = z.object({
  minify: z.union([z.boolean(), z.literal('${param:bundleMinified}')]).transform(() => true),
  format: z.enum(['cjs', 'esm']),
  mainFields: z.array(z.string()),
  alias: z.record(z.string(), z.string()),
  external: z.array(z.string()),
});

/** How a checkout's functions are bundled, so that what is compared differs by its code alone. */
export async function bundleSettingsOf(
  folder: string,
): Promise<z.infer<typeof settingsSchema> & { readonly absWorkingDir: string }> {
  const text = await readFile(join(folder, 'infra', 'serverless', 'bundle.yml'), 'utf8');
  return { ...settingsSchema.parse(parse(text)), absWorkingDir: folder };
}

async function bundlesOf(folder: string): Promise<readonly BundleRow[]> {
  const sources: string[] = [];
  for (const file of (await readdir(join(folder, 'functions'))).toSorted()) {
    const source = join(folder, 'functions', file);
    if (/^export const handler\b/m.test(await readFile(source, 'utf8'))) sources.push(source);
  }
  const { outputFiles } = await bundle({
    ...(await bundleSettingsOf(folder)),
    entryPoints: sources,
    outdir: 'bundles',
    bundle: true,
    write: false,
    platform: 'node',
    logLevel: 'error',
  });
  return outputFiles.map(({ path, contents }) => ({
    name: basename(path, '.js'),
    bytes: contents.length,
  }));
}
