import { randomUUID } from 'node:crypto';
import { check, history, near, record, status, usage } from '../functions/handlers.ts';
import { serviceOver, type Service } from '../functions/service.ts';
import { DEFAULT_APP_ID } from '../lib/callers/caller.ts';
import { readSettings } from '../lib/edge/settings.ts';
import { allowedAll } from '../lib/http/caller-source.ts';
import type { Telemetry } from '../lib/http/telemetry.ts';
import { createClient } from '../lib/mongo/client.ts';
import { HeadroomClient, HeadroomError, type Application } from '../packages/client/src/index.ts';
import { lambdaTransport } from '../packages/client/src/lambda.ts';
import { CommandError, UsageError } from './command-error.ts';
import { databaseUri, requiredSetting, sayIfEmpty, setting } from './database-command.ts';
import { visible } from './output.ts';
import { APP_ID_PATTERN } from '../lib/http/app.ts';

/** Where calls go, and whose orders they are about. */
export type CallOptions = {
  readonly url?: string;
  /** Over the database alone: a deployment knows who signs. */
  readonly app?: string;
  readonly json?: boolean;
  /** Over the database, where the environment does not say it. */
  readonly storeTimeoutMs?: string;
  /** In place of DEADLINE_MS. */
  readonly deadlineMs?: number;
};

/** A call is asked again until then, where nothing answers. */
export const DEADLINE_MS = 10_000;

/**
 * Makes a call of a running service (`--url`), or of the very same handlers in this process, over the
 * database of MONGODB_URI.
 *
 * @throws CommandError where there is no answer
 */
export async function calling<T>(
  notDone: string,
  { url, app, storeTimeoutMs, deadlineMs = DEADLINE_MS }: CallOptions,
  call: (client: HeadroomClient) => Promise<T>,
): Promise<T> {
  return orNotDone(notDone, () =>
    url === undefined
      ? overDatabase(
          (service) => call(inThisProcess(service, app ?? DEFAULT_APP_ID, deadlineMs)),
          app,
          storeTimeoutMs,
        )
      : reaching(url, async (reach) => call(await overHttp(url, deadlineMs, reach))),
  );
}

/** Does something, and says in one sentence why it was not done. @throws CommandError */
export async function orNotDone<T>(notDone: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    const why =
      error instanceof HeadroomError ? visible(`${error.message}${causeOf(error)}`) : error.message;
    throw new CommandError(`${notDone}: ${why}`, { cause: error });
  }
}

function causeOf({ cause }: HeadroomError): string {
  return cause instanceof Error ? ` (${cause.message})` : '';
}

async function overHttp(url: string, deadlineMs: number, reach: Reach): Promise<HeadroomClient> {
  const signing = signingApplication();
  return new HeadroomClient({
    url,
    deadlineMs,
    fetch: await signingFetch(reach.fetch),
    ...(signing === undefined ? {} : { app: signing }),
  });
}

/** @throws Error that says that nobody is there, where that is so */
async function reaching<T>(url: string, call: (reach: Reach) => Promise<T>): Promise<T> {
  const reach = new Reach();
  try {
    return await call(reach);
  } catch (error) {
    if (reach.refusal === undefined) throw error;
    throw new Error(
      `nothing answers at ${url} (${reach.refusal}); is the address right, and does it run?`,
      { cause: error },
    );
  }
}

/** Reasons that a second attempt meets again: nobody listens, no such name, a port that `fetch` never asks, TLS. */
const LASTING = /^(ECONNREFUSED|ENOTFOUND|bad port|ERR_SSL_.*|ERR_TLS_.*|.*CERT.*)$/;

/** Node's code of a failure, or what `fetch` says in its place. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return 'code' in cause ? String(cause.code) : cause.message;
}

/** `fetch`, and why the first request reached nobody. */
class Reach {
  refusal: string | undefined;
  #isReached = false;

  /** A lasting reason at first is the reason for all the seconds in which a client asks again. */
  readonly fetch: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      this.#isReached = true;
      return response;
    } catch (error) {
      const cause: unknown = error instanceof Error ? error.cause : undefined;
      const reason = reasonOf(cause);
      if (this.#isReached || !LASTING.test(reason)) throw error;
      this.refusal = reason;
      return new Response(null, { status: 404 }); // after which a client does not ask again
    }
  };
}

/**
 * Makes a `fetch` that signs for IAM where HEADROOM_IAM_REGION says in which region; else the one given.
 *
 * @throws Error if IAM is to decide, and this machine has no credentials
 */
export async function signingFetch(send: typeof fetch): Promise<typeof fetch> {
  const region = setting('HEADROOM_IAM_REGION');
  if (region === undefined) return send;
  // The finder of credentials takes longer to load than all of the other commands.
  const { iamFetch } = await import('./iam-signature.ts');
  return iamFetch(region, send);
}

/** The application that signs calls of a deployment; undefined where none is set. */
export function signingApplication(): Application | undefined {
  const id = setting('HEADROOM_APP_ID');
  return id === undefined ? undefined : { id, secret: requiredSetting('HEADROOM_SECRET') };
}

/** Puts the service of the functions over the database of MONGODB_URI while something is asked of it. */
export async function overDatabase<T>(
  ask: (service: Service) => Promise<T>,
  app?: string,
  storeTimeoutMs?: string,
): Promise<T> {
  if (app !== undefined && !APP_ID_PATTERN.test(app))
    throw new UsageError(
      `--app is ${JSON.stringify(app)}, expected 1 to 64 lower-case letters, digits and hyphens.`,
    );
  databaseUri(); // in the sentence of every other command
  // Nobody signs here, whatever the functions ask of their callers.
  const settings = readSettings({
    STORE_TIMEOUT_MS: storeTimeoutMs,
    ...process.env,
    AUTH: 'none',
    LOCAL_CLOCK: 'off',
  });
  const database = createClient(settings.mongodbUri, settings.storeTimeoutMs);
  try {
    await database.connect();
    await sayIfEmpty(database.db(settings.mongodbDatabase));
    const service = serviceOver(database, settings, SILENT);
    return await ask(service);
  } finally {
    await database.close();
  }
}

/** Logs are a deployment's; what a command has to say it prints. */
const SILENT: Telemetry = {
  record: () => undefined,
  staleRules: () => undefined,
  lostRows: () => undefined,
  lostNear: () => undefined,
  staleApps: () => undefined,
  crowded: () => undefined,
};

/** Asks the handlers as a direct invocation does. */
function inThisProcess(service: Service, app: string, deadlineMs: number): HeadroomClient {
  const surroundings = { ...service, callerOf: () => Promise.resolve(allowedAll(app)) };
  const handlers = new Map(
    Object.entries({ check, status, usage, near, history, record }).map(([name, handlerOf]) => [
      name,
      handlerOf(surroundings),
    ]),
  );
  const transport = lambdaTransport({
    functionName: (name) => name,
    async invoke({ FunctionName, Payload }) {
      const handler = handlers.get(FunctionName);
      if (handler === undefined) throw new TypeError(`no command calls ${FunctionName}`);
      const request: unknown = JSON.parse(new TextDecoder().decode(Payload));
      const answer = await handler(request, { awsRequestId: randomUUID() });
      return { Payload: new TextEncoder().encode(JSON.stringify(answer)) };
    },
  });
  return new HeadroomClient({ transport, deadlineMs, attemptMs: deadlineMs });
}
