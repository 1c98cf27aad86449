// Builds dist/ with what the project installs at its root: the construct, the code of each function, and
// what serverless.yml says of them. `npm run build`, or `node --import tsx build.mts FOLDER` elsewhere.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { z } from 'zod';
import { ROOT } from '../../infra/framework.ts';
import { thirdPartyOf } from '../../tools/third-party.mjs';
import { HISTORY_CALLS_MAX, STORE_CALLS_MAX } from '../../infra/store-calls.ts';
import { readServiceDescription } from '../../infra/local/service-description.ts';

const output = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));
/** Stands where a stage's name belongs; src/description.ts puts it there. */
const STAGE_PLACE = '--stage--';
/** Of the framework's own; the others are esbuild's. */
const OF_FRAMEWORK = ['packages', 'outputFileExtension', 'outputWorkFolder', 'keepOutputDirectory'];

const text = z.union([z.string(), z.number()]).transform(String);
const eventSchema = z.object({
  httpApi: z.object({ method: z.string(), path: z.string() }).optional(),
});
const serviceSchema = z.object({
  params: z.object({
    default: z.object({
      requestsPerSecond: z.number(),
      requestsBurst: z.number(),
      queueReceivesMax: z.number(),
      queueVisibilitySeconds: z.number(),
      settleAtOnce: z.number(),
      storeTimeoutMs: z.number(),
      historyTimeoutMs: z.number(),
      timeoutSeconds: z.number(),
      quietSeconds: z.number(),
      refusedPercentMax: z.number(),
      eventSource: z.string(),
      eventDetailType: z.string(),
      indexesRevision: z.string(),
    }),
  }),
  provider: z.object({
    logs: z.object({ httpApi: z.object({ format: z.string() }) }),
    environment: z.record(z.string(), text),
    memorySize: z.number(),
    timeout: z.number(),
  }),
  functions: z.record(
    z.string(),
    z.object({
      handler: z.string(),
      description: z.string(),
      timeout: z.number().optional(),
      memorySize: z.number().optional(),
      environment: z.record(z.string(), text).optional(),
      events: z.array(eventSchema),
    }),
  ),
  resources: z.array(z.looseObject({ Resources: z.record(z.string(), z.unknown()).optional() })),
  custom: z.object({ esbuild: z.record(z.string(), z.unknown()) }),
});

const service = serviceSchema.parse(await readServiceDescription(STAGE_PLACE));

rmSync(output, { recursive: true, force: true });
compile();
writeFileSync(join(output, 'description.json'), JSON.stringify(describe(), undefined, 1));
const bundled = Object.entries(service.functions).map(([name, each]) => bundle(name, each));
writeFileSync(join(output, 'THIRD-PARTY.txt'), thirdPartyOf(await Promise.all(bundled)));

/** The construct itself. */
function compile(): void {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = join(dirname(typescript), 'bin', 'tsc');
  const compiled = spawnSync(
    process.execPath,
    [tsc, '--project', import.meta.dirname, '--outDir', output],
    { stdio: 'inherit' },
  );
  if (compiled.status !== 0) process.exit(compiled.status ?? 1);
}

/** What the construct reads of serverless.yml. */
function describe(): object {
  const { provider, functions, params, resources } = service;
  const board = resources.flatMap(({ Resources }) => Resources?.Dashboard ?? []);
  const [dashboard] = z
    .tuple([
      z.object({ Properties: z.object({ DashboardBody: z.object({ 'Fn::Sub': z.string() }) }) }),
    ])
    .parse(board);
  return {
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, each]) => [
        name,
        {
          handler: each.handler,
          description: each.description,
          routes: each.events.flatMap(({ httpApi }) =>
            httpApi === undefined ? [] : [`${httpApi.method} ${httpApi.path}`],
          ),
          timeoutSeconds: each.timeout ?? provider.timeout,
          memoryMegabytes: each.memorySize,
          environment: each.environment ?? {},
        },
      ]),
    ),
    environment: provider.environment,
    accessLogFormat: provider.logs.httpApi.format,
    memoryMegabytes: provider.memorySize,
    ...params.default,
    storeCallsMax: STORE_CALLS_MAX,
    historyCallsMax: HISTORY_CALLS_MAX,
    dashboard: dashboard.Properties.DashboardBody['Fn::Sub'],
  };
}

/** The code of a function, as infra/serverless/bundle.yml says it, in a folder that is its artifact. */
async function bundle(name: string, { handler }: { readonly handler: string }): Promise<Metafile> {
  const asked = Object.entries(service.custom.esbuild).filter(
    ([option]) => !OF_FRAMEWORK.includes(option) && option !== 'exclude',
  );
  const source = handler.replace(/\.\w+$/, '');
  const folder = join(output, 'functions', name, dirname(source));
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    ...(Object.fromEntries(asked) as BuildOptions), // bundle.yml has options of esbuild's alone
    absWorkingDir: ROOT,
    entryPoints: [`${source}.ts`],
    outfile: join(output, 'functions', name, `${source}.cjs`),
    platform: 'node',
    target: 'node24',
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}
