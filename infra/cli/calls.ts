import { randomUUID } from 'node:crypto';
import { historyBookOf } from '../../functions/history-book.ts';
import type { Service } from '../../functions/service.ts';
import { serviceOver } from '../../functions/service.ts';
import { checkCall, nearCall, statusCall, usageCall } from '../../lib/edge/calls.ts';
import { recordCall } from '../../lib/edge/record-call.ts';
import { DEFAULT_APP_ID } from '../../lib/edge/caller.ts';
import type { LambdaHandler } from '../../lib/edge/handler.ts';
import { createHandler } from '../../lib/edge/handler.ts';
import { createHistoryHandler } from '../../lib/edge/history-handler.ts';
import { readSettings } from '../../lib/edge/settings.ts';
import { isAppId } from '../../lib/edge/signature.ts';
import type { Telemetry } from '../../lib/edge/telemetry.ts';
import { createClient } from '../../lib/store/client.ts';
import type { Application } from '../../packages/client/src/index.ts';
import { HeadroomClient, HeadroomError } from '../../packages/client/src/index.ts';
import { lambdaTransport } from '../../packages/client/src/lambda.ts';
import { CommandError } from '../command-error.ts';
import { requiredSetting, setting, UsageError } from '../database-command.ts';

/** Where calls go, and whose orders they are about. */
export type CallOptions = {
  readonly url?: string;
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
      : call(overHttp(url, app, deadlineMs)),
  );
}

/** Does something, and says in one sentence why it was not done. @throws CommandError */
export async function orNotDone<T>(notDone: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    const cause = error instanceof HeadroomError ? causeOf(error) : '';
    throw new CommandError(`${notDone}: ${error.message}${cause}`, { cause: error });
  }
}

function causeOf({ cause }: HeadroomError): string {
  return cause instanceof Error ? ` (${cause.message})` : '';
}

function overHttp(url: string, app: string | undefined, deadlineMs: number): HeadroomClient {
  if (app !== undefined)
    throw new UsageError(
      `--app is ${JSON.stringify(app)} beside --url: there HEADROOM_APP_ID and HEADROOM_SECRET say who asks.`,
    );
  const signing = signingApplication();
  return new HeadroomClient({
    url,
    deadlineMs,
    ...(signing === undefined ? {} : { app: signing }),
  });
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
  if (app !== undefined && !isAppId(app))
    throw new UsageError(
      `--app is ${JSON.stringify(app)}, expected 1 to 64 lower-case letters, digits and hyphens.`,
    );
  requiredSetting('MONGODB_URI'); // in the sentence of every other command
  // Nobody signs here, whatever the functions ask of their callers.
  const settings = readSettings({
    STORE_TIMEOUT_MS: storeTimeoutMs,
    ...process.env,
    ...{ AUTH: 'none', LOCAL_CLOCK: 'off' },
  });
  const database = createClient(settings.mongodbUri, settings.storeTimeoutMs);
  try {
    await database.connect();
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
};

/** Asks the handlers as a direct invocation does. */
function inThisProcess(service: Service, app: string, deadlineMs: number): HeadroomClient {
  const surroundings = { ...service, callerOf: () => Promise.resolve(app) };
  const { limits } = service;
  const handlers: Readonly<Record<string, LambdaHandler>> = {
    check: createHandler(checkCall(limits.check), surroundings),
    status: createHandler(statusCall(limits.status), surroundings),
    usage: createHandler(usageCall(limits.usage), surroundings),
    near: createHandler(nearCall(service.near), surroundings),
    history: createHistoryHandler(historyBookOf(service), surroundings),
    record: createHandler(recordCall(limits.recordMany), surroundings),
  };
  const transport = lambdaTransport({
    functionName: (name) => name,
    async invoke({ FunctionName, Payload }) {
      const handler = handlers[FunctionName];
      if (handler === undefined) throw new TypeError(`no command calls ${FunctionName}`);
      const request: unknown = JSON.parse(new TextDecoder().decode(Payload));
      const answer = await handler(request, { awsRequestId: randomUUID() });
      return { Payload: new TextEncoder().encode(JSON.stringify(answer)) };
    },
  });
  return new HeadroomClient({ transport, deadlineMs, attemptMs: deadlineMs });
}
