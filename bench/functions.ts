import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Db } from 'mongodb';
import { z } from 'zod';
import { loadRules } from '../cli/rules/load-rules.ts';
import { bundleSettingsOf } from './bytes.ts';
import { figureOf } from './figures.ts';
import type { Figure } from './measure.ts';
import { AMOUNT_MINOR, AMPLE_MINOR, FIVE_UNITS } from './workload.ts';

/** The size of one deployed function, and the time to its first answer. */
export type FunctionRow = {
  readonly name: string;
  readonly bundleBytes: number;
  readonly zipBytes: number;
  readonly coldStartMs: Figure;
  /** In times of a function that only loads the driver, started in the same round. */
  readonly toDriverOnly: Figure;
};

/** The functions as they are deployed. */
export type Functions = {
  readonly rows: readonly FunctionRow[];
  readonly driverOnly: { readonly bundleBytes: number; readonly coldStartMs: Figure };
  /** Time of a warm handler, in times of the library's call inside it. */
  readonly handlerToLibrary: Figure;
};

const ROOT = join(import.meta.dirname, '..');
const BUNDLES = join(ROOT, '.esbuild', 'package', '.build', 'functions');
const ARTIFACTS = join(ROOT, '.serverless');

/** Messages of a queue are answered without a status. */
const started = z.object({ answeredMs: z.number(), statusCode: z.number().default(200) });
const figure = z.object({ median: z.number(), least: z.number(), most: z.number() });

/**
 * Packages the functions as a deployment does, and measures the bundles that come of it.
 *
 * @param uri the database that the functions talk to; their rules are stored in `db`
 * @throws Error where packaging fails, or a function does not answer 200
 */
export async function measureFunctions(
  db: Db,
  uri: string,
  effort: { readonly rounds: number; readonly sliceMs: number },
  report: (line: string) => void,
): Promise<Functions> {
  report('functions: packaging…');
  packageFunctions();
  const author = { at: new Date(), by: { kind: 'command', id: 'bench' } } as const;
  await loadRules(db, storedRules(), 'bench', author);
  const folder = await mkdtemp(join(tmpdir(), 'headroom-bench-'));
  const environment = {
    ...process.env,
    MONGODB_URI: uri,
    MONGODB_DATABASE: db.databaseName,
    AUDIT: 'best-effort', // without it, status and refund have nothing to do
  };
  try {
    const driverOnly = join(folder, 'driver-only.cjs');
    await bundleDriverOnly(driverOnly);
    report('functions: cold starts…');
    const names = (await readdir(BUNDLES))
      .filter((file) => file.endsWith('.cjs'))
      .map((file) => file.slice(0, -'.cjs'.length));
    const starts = await coldStarts([...names, driverOnly], effort.rounds, environment);
    report('functions: handler and library…');
    const handlerToLibrary = await warmRatio(effort, environment);
    const base = starts.get(driverOnly) ?? [];
    return {
      rows: await Promise.all(names.map((name) => rowOf(name, starts.get(name) ?? [], base))),
      driverOnly: {
        bundleBytes: (await stat(driverOnly)).size,
        coldStartMs: figureOf(base),
      },
      handlerToLibrary,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function packageFunctions(): void {
  const program = join(ROOT, 'tools', 'package.ts');
  const packaged = spawnSync(process.execPath, ['--import', 'tsx', program], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (packaged.status !== 0) throw new Error(`packaging failed: ${packaged.stderr}`);
}

/** Bundled with the settings of the deployment, so that only what is loaded differs. */
async function bundleDriverOnly(outfile: string): Promise<void> {
  await build({
    ...(await bundleSettingsOf(ROOT)),
    entryPoints: [join(import.meta.dirname, 'driver-only.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    logLevel: 'error',
  });
}

function storedRules(): readonly (Readonly<Record<string, unknown>> & { readonly id: string })[] {
  return FIVE_UNITS.map((unit) => ({
    id: `user-${unit}`,
    per: ['user'],
    currency: 'CNY',
    window: { unit, timeZone: 'Asia/Shanghai' },
    max: { amount: AMPLE_MINOR, count: 1_000_000 },
  }));
}

/** Starts every function once a round, in turns; milliseconds by function. The first round warms. */
async function coldStarts(
  names: readonly string[],
  rounds: number,
  environment: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const starts = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++)
    for (const name of names) {
      const bundle = name.endsWith('.cjs') ? name : join(BUNDLES, `${name}.cjs`);
      const event = JSON.stringify(firstEvent(name, round));
      const child = fork(join(import.meta.dirname, 'cold-start.mjs'), [bundle, event], {
        env: environmentOf(name, environment),
        execArgv: [],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const { answeredMs, statusCode } = started.parse(await messageOf(child));
      if (statusCode >= 500) throw new Error(`${name} answered ${statusCode} when it started`);
      if (round >= 0) starts.get(name)?.push(answeredMs);
    }
  return starts;
}

/** Applications are there only where they sign. */
function environmentOf(name: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (name !== 'apps') return environment;
  return { ...environment, AUTH: 'hmac', APPS_KEY: Buffer.alloc(32).toString('base64') };
}

/**
 * The first call of a function: checks are of new orders; whatever is about an order that is not
 * there is answered so after the same work.
 */
function firstEvent(name: string, round: number): object {
  const orderId = `cold-${name.length}-${round}`;
  const order = { orderId, subjects: { user: 'cold' } };
  const asked = { ...order, amount: AMOUNT_MINOR, currency: 'CNY' };
  const ended = { ...order, status: 'SUCCESS' };
  switch (name) {
    case 'apps':
      return { operation: 'list' };
    case 'check':
      return requestWith(asked);
    case 'checks':
      return requestWith({ orders: [asked] });
    case 'settlements':
      return requestWith({ settlements: [ended] });
    case 'refund':
      return requestWith({ orderId, refundId: 'cold' });
    case 'status':
      return {
        ...requestWith(undefined),
        requestContext: { http: { method: 'GET' } },
        pathParameters: { orderId },
      };
    case 'settle':
      return {
        Records: [{ messageId: 'cold', eventSource: 'aws:sqs', body: JSON.stringify(ended) }],
      };
    default:
      return requestWith(order);
  }
}

/** A request as API Gateway tells it. */
function requestWith(body: object | undefined): object {
  return {
    version: '2.0',
    requestContext: {},
    headers: {},
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

async function warmRatio(
  { rounds, sliceMs }: { readonly rounds: number; readonly sliceMs: number },
  environment: NodeJS.ProcessEnv,
): Promise<Figure> {
  const child = fork(
    join(import.meta.dirname, 'warm-function.ts'),
    [String(rounds), String(sliceMs)],
    {
      env: environment,
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  return figure.parse(await messageOf(child));
}

/** The first message of a child, which then ends by itself. */
async function messageOf(child: ReturnType<typeof fork>): Promise<unknown> {
  const ended = once(child, 'exit');
  const told = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`a measured process ended with ${String(code)} and told nothing`);
    }),
  ]);
  await ended;
  return told[0];
}

async function rowOf(
  name: string,
  startsMs: readonly number[],
  baseMs: readonly number[],
): Promise<FunctionRow> {
  return {
    name,
    bundleBytes: (await stat(join(BUNDLES, `${name}.cjs`))).size,
    zipBytes: (await stat(join(ARTIFACTS, `${name}.zip`))).size,
    coldStartMs: figureOf(startsMs),
    toDriverOnly: figureOf(startsMs.map((startMs, round) => startMs / (baseMs[round] ?? NaN))),
  };
}
