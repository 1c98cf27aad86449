import { subscribe } from 'node:diagnostics_channel';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from 'serverless-offline';
import { ROOT } from '../framework.ts';
import { answerLikeApiGateway, boundCalls } from './api-gateway.ts';
import { serveApiPage } from './api-page.ts';
import { consoleFolder } from './console-files.ts';
import { serveConsole } from './console-page.ts';
import { messageOf } from './engine.ts';
import { makeBundles } from './function-bundles.ts';
import { refuseForeignCallers } from './own-callers.ts';
import { LOCALHOST } from './ports.ts';
import type { Application } from '../../packages/client/src/index.ts';
import { readServiceDescription, type ServiceDescription } from './service-description.ts';
import { StartError } from './start-error.ts';

/** Where and how the functions are served. */
type Listening = {
  readonly port: number;
  /** Where AWS's own clients can invoke the functions. */
  readonly lambdaPort: number;
  /** Print each call as well. */
  readonly verbose: boolean;
};

/** With what the functions are served. */
type Serving = {
  /** Settings on top of those of serverless.yml. */
  readonly environment: Readonly<Record<string, string>>;
  /** Who signs the calls of the console, where they are signed. */
  readonly application?: Application | undefined;
};

/** The functions of serverless.yml, over HTTP and for direct invocation. */
export type Functions = {
  /** Resolves when they answer. */
  readonly serve: (serving: Serving) => Promise<void>;
  /** Lets open requests end, for 5 s at most. */
  readonly stop: () => Promise<void>;
};

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

/** serverless-offline prints a table of its routes by itself. */
async function withoutTable(start: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = (...words: readonly unknown[]) => {
    if (!String(words[0]).includes('┌')) log(...words);
  };
  try {
    await start();
  } finally {
    console.log = log;
  }
}

/** The settings of functions that write what somebody sees: a level of the caller's own stays. */
export function quietly(environment: NodeJS.ProcessEnv, verbose: boolean): NodeJS.ProcessEnv {
  const isSilent = !verbose && (environment.LOG_LEVEL ?? '') === '';
  return {
    ...(isSilent ? { LOG_LEVEL: 'WARN' } : {}),
    POWERTOOLS_METRICS_DISABLED: 'true', // lines for CloudWatch, which is not here
  };
}

/**
 * Bundles the functions of serverless.yml, and loads what serves them through serverless-offline. The next
 * call after a change of their code runs the new code.
 *
 * @throws StartError where they cannot be bundled; esbuild has printed why
 */
export async function prepareFunctions(listening: Listening): Promise<Functions> {
  Object.assign(process.env, quietly(process.env, listening.verbose));
  // Its own folder: another start, or packaging, at the same time must not take the files away.
  const folder = `.esbuild/local-${listening.port}`;
  await mkdir(join(ROOT, folder), { recursive: true });
  const description = await readServiceDescription(STAGE);
  const [bundles, { default: ServerlessOffline }] = await Promise.all([
    makeBundles(description, folder).catch((error: unknown) => {
      throw new StartError(messageOf(error), { cause: error });
    }),
    import('serverless-offline'),
  ]);
  bundles.warm();
  let end: (() => Promise<void>) | undefined;
  return {
    async serve({ environment, application }) {
      const framework = frameworkOf(description, environment);
      const log = logFor(listening.verbose);
      const offline = new ServerlessOffline(framework, optionsOf(listening, folder), { log });
      // As Lambda does: a function that nobody waits for fails alone.
      process.on('unhandledRejection', (error) => {
        console.error('A function failed:', error);
      });
      // For both servers: the next call loads an edited function, however it is called.
      subscribe('http.server.request.start', bundles.refresh);
      refuseForeignCallers();
      end = () => offline.end(true);
      await withoutTable(() => offline.start());
      const server = offline.internals().getApiGatewayServer();
      answerLikeApiGateway(server);
      boundCalls(server, CALLS_AT_ONCE);
      serveApiPage(server);
      serveConsole(server, consoleFolder(), application);
      process.setSourceMapsEnabled(true);
    },
    async stop() {
      await end?.();
      await rm(join(ROOT, folder), { recursive: true, force: true });
    },
  };
}
