/**
 * The process that serves the functions of serverless.yml: started by `startOffline`, it makes
 * their bundles, serves them with serverless-offline over HTTP and for direct invocation, and ends
 * when it is asked to, or when the process that started it is gone, for whatever reason.
 */
import { subscribe } from 'node:diagnostics_channel';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from 'serverless-offline';
import { ROOT } from '../framework.ts';
import { answerLikeApiGateway, boundCalls } from './api-gateway.ts';
import { serveApiPage } from './api-page.ts';
import { consoleFolder } from './console-files.ts';
import { serveConsole } from './console-page.ts';
import type { StopOrder } from './child-program.ts';
import { messageOf } from './engine.ts';
import { makeBundles } from './function-bundles.ts';
import type { FunctionsOrder, Listening, Serving } from './functions-supervision.ts';
import { refuseForeignCallers } from './own-callers.ts';
import { LOCALHOST } from './ports.ts';
import { readServiceDescription } from './service-description.ts';
import type { ServiceDescription } from './service-description.ts';

const STAGE = 'local';

/** Enough to keep two processors and a local database busy. */
const CALLS_AT_ONCE = 8;

/** The functions' names as deployed, `service-stage-function`. */
function namedFunctions({
  service,
  functions,
}: ServiceDescription): ServiceDescription['functions'] {
  return Object.fromEntries(
    Object.entries(functions).map(([key, each]) => [
      key,
      { ...each, name: each.name ?? `${service}-${STAGE}-${key}` },
    ]),
  );
}

/** The members of the framework that serverless-offline, its plugin, uses. */
function frameworkOf(
  description: ServiceDescription,
  environment: Readonly<Record<string, string>>,
): object {
  const functions = namedFunctions(description);
  const { provider } = description;
  return {
    serviceDir: ROOT,
    config: { servicePath: ROOT, serverlessPath: ROOT },
    service: {
      service: description.service,
      provider: { ...provider, environment: { ...provider.environment, ...environment } },
      functions,
      custom: {},
      getAllFunctions: () => Object.keys(functions),
      getFunction: (key: string) => functions[key],
      getAllEventsInFunction: (key: string) => functions[key]?.events,
    },
  };
}

function logFor(verbose: boolean): Log {
  const quiet = () => undefined;
  const print = (...words: readonly unknown[]) => {
    console.log(...words);
  };
  const complain = (...words: readonly unknown[]) => {
    if (words.length > 0) console.error(...words);
  };
  const notice = verbose ? print : quiet;
  const details = { debug: quiet, info: quiet, verbose: quiet };
  return { ...details, notice, warning: complain, error: complain };
}

function optionsOf({ port, lambdaPort }: Listening, location: string): object {
  return {
    location,
    stage: STAGE,
    host: LOCALHOST,
    httpPort: port,
    lambdaPort,
    // The caller is this machine, which signs nothing; deployed routes ask for a signature.
    noAuth: true,
    noSponsor: true,
    // Otherwise each call that meets another one has a thread of its own, which loads everything.
    useInProcess: true,
    // API Gateway hands on whatever a caller sends as a cookie.
    disableCookieValidation: true,
  };
}

/** Makes the bundles and loads what serves them; gives what starts to listen. */
async function prepare(listening: Listening) {
  const folder = join(listening.buildFolder);
  await mkdir(join(ROOT, folder), { recursive: true });
  const description = await readServiceDescription(STAGE);
  const [bundles, { default: ServerlessOffline }] = await Promise.all([
    makeBundles(description, folder),
    import('serverless-offline'),
  ]);
  bundles.warm();
  return async ({ environment, application }: Serving) => {
    const framework = frameworkOf(description, environment);
    const log = logFor(listening.verbose);
    const offline = new ServerlessOffline(framework, optionsOf(listening, folder), { log });
    // For both servers: the next call loads an edited function, however it is called.
    subscribe('http.server.request.start', bundles.refresh);
    refuseForeignCallers();
    await offline.start();
    const server = offline.internals().getApiGatewayServer();
    answerLikeApiGateway(server);
    boundCalls(server, CALLS_AT_ONCE);
    serveApiPage(server);
    serveConsole(server, consoleFolder(), application);
    process.setSourceMapsEnabled(true);
    return () => offline.end(true);
  };
}

let prepared: ReturnType<typeof prepare> | undefined;
let end: (() => Promise<void>) | undefined;

async function stop(code: number): Promise<never> {
  await end?.();
  process.exit(code);
}

async function serve(serving: Serving): Promise<void> {
  const start = await prepared;
  end = await start?.(serving);
  process.send?.({ kind: 'ready' });
}

function fail(error: unknown): void {
  console.error(messageOf(error));
  void stop(1);
}

process.on('message', (order: FunctionsOrder | StopOrder) => {
  switch (order.kind) {
    case 'prepare':
      prepared = prepare(order);
      prepared.catch(fail);
      break;
    case 'serve':
      serve(order).catch(fail);
      break;
    case 'stop':
      void stop(0);
      break;
  }
});
process.on('disconnect', () => void stop(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop(0));
