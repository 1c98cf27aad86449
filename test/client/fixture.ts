import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Actor } from '../../lib/shared/actor.ts';
import type { ProposedAnswer } from '../../packages/client/src/index.ts';
import { HeadroomClient, ProblemError } from '../../packages/client/src/index.ts';
import { lambdaTransport } from '../../packages/client/src/lambda.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { startHttpService, type HttpService } from './http-service.ts';
import { startLambdaService, type LambdaService } from './lambda-service.ts';

/** At most 5.00 CNY in a user's life. */
export const RULES = [
  { id: 'user-life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: 500 } },
];

/** 3.00 CNY of a user's. */
export const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 300, currency: 'CNY' };

/** Names the order again. */
export const HOME = { orderId: 'o-1', subjects: { user: 'u-1' } };

export const ACTOR_KINDS: readonly Actor['kind'][] = [
  ...(['application', 'principal', 'command', 'invocation', 'local'] as const),
];

/** A client over HTTP that says what time it is. */
export function clientAt({ url }: HttpService, now: () => string): HeadroomClient {
  const headers = () => ({ 'x-headroom-now': now() });
  return new HeadroomClient({ url, headers, deadlineMs: 20_000 });
}

/** A client that invokes the functions directly. */
export function directClient({ client, InvokeCommand }: LambdaService): HeadroomClient {
  const functionName = (call: string) => `headroom-test-${call}`;
  const transport = lambdaTransport({ client, InvokeCommand, functionName });
  return new HeadroomClient({ transport, firstDelayMs: 10, deadlineMs: 20_000 });
}

/** The error that a call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('it was answered'),
    (error: unknown) => error,
  );
}

/** The code of the problem that a call ends with. */
export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  const error = await failureOf(call);
  return error instanceof ProblemError ? error.code : error;
}

/** The answer of a change that needs no second person. */
export async function made<Answer extends object>(
  change: Promise<Answer | ProposedAnswer>,
): Promise<Answer> {
  const answer = await change;
  if ('proposal' in answer) throw new Error('it waits for a second person');
  return answer;
}

/** The way between a client and the handlers, whichever way it reaches them. */
type Service = {
  readonly faults: unknown[];
  readonly arrived?: unknown[];
  readonly lost?: Set<unknown>;
  stop(): unknown;
};

/**
 * The real handlers behind HTTP. Nothing is stored, has arrived or is to go wrong when a test begins.
 * Call it at the top of the file; read the result inside tests and hooks.
 */
export function useHttpService(
  database: TestDatabase,
  handlers: () => Promise<Handlers> = () => auditedHandlersOn(database),
): HttpService {
  const service = useService(database, async () => startHttpService(await handlers()));
  return {
    get url() {
      return service().url;
    },
    get arrived() {
      return service().arrived;
    },
    get faults() {
      return service().faults;
    },
    get lost() {
      return service().lost;
    },
    stop: () => service().stop(),
  };
}

/** The handlers behind Lambda's own protocol. */
export function useLambdaService(database: TestDatabase): LambdaService {
  const start = async () => startLambdaService(await auditedHandlersOn(database));
  const service = useService(database, start);
  return {
    get client() {
      return service().client;
    },
    get InvokeCommand() {
      return service().InvokeCommand;
    },
    get faults() {
      return service().faults;
    },
    stop() {
      service().stop();
    },
  };
}

function auditedHandlersOn(database: TestDatabase): Promise<Handlers> {
  return handlersOn(database, RULES, { AUDIT: 'best-effort' });
}

function useService<Kind extends Service>(
  database: TestDatabase,
  start: () => Promise<Kind>,
): () => Kind {
  let service: Kind | undefined;
  const current = (): Kind => {
    if (service === undefined) throw new Error('a service is read inside a test or a hook');
    return service;
  };
  beforeAll(async () => {
    service = await start();
  });
  afterAll(async () => {
    await service?.stop();
  });
  beforeEach(async () => {
    for (const name of ['counters', 'audit', 'refunds', 'near'])
      await database.db.collection(name).deleteMany({});
    const { arrived = [], faults, lost } = current();
    arrived.length = 0;
    faults.length = 0;
    lost?.clear();
  });
  return current;
}
