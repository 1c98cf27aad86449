import type { CommandStartedEvent, MongoClient } from 'mongodb';
import type { Reply } from '../../lib/http/envelope.ts';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { StoredRule } from '../../lib/rules/rule-set.ts';
import { readSettings } from '../../lib/http/settings.ts';
import type { Telemetry } from '../../lib/http/telemetry.ts';
import type { Service } from '../../functions/service.ts';
import { serviceOver } from '../../functions/service.ts';
import type { TestDatabase } from './database.ts';
import type { Handlers } from './handlers.ts';
import { handlersOf } from './handlers.ts';
import { replaceRules } from './stored-rules.ts';
import { SILENT } from './telemetry.ts';

/** Puts the service over a database that holds these rules. */
export async function serviceOn(
  { client, db }: TestDatabase,
  rules: readonly StoredRule[],
  set: Readonly<Record<string, string>> = {},
  telemetry: Telemetry = SILENT,
): Promise<Service> {
  await replaceRules(db, rules);
  const settings = readSettings({
    MONGODB_URI: 'mongodb://unused/',
    MONGODB_DATABASE: db.databaseName,
    RULES_CACHE_SECONDS: '300',
    AUDIT: 'off', // tests that are about its rows turn it on
    NEAR: 'off', // likewise
    ...set,
  });
  return serviceOver(client, settings, telemetry);
}

/** Puts the handlers over a database that holds these rules. */
export async function handlersOn(
  database: TestDatabase,
  rules: readonly StoredRule[],
  set: Readonly<Record<string, string>> = {},
): Promise<Handlers> {
  return handlersOf(await serviceOn(database, rules, set));
}

/** A status and a body, whichever way a call came. */
export type Answered = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Calls a handler over HTTP. A text is sent as it is, anything else as JSON. */
export async function callOverHttp(
  handler: LambdaHandler,
  body: unknown,
  headers: object = {},
): Promise<Answered> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return opened(await handler(httpEvent(text, headers), { awsRequestId: 'request-1' }));
}

/** Calls a handler by direct invocation, with the values that JSON would bring. */
export async function callDirectly(handler: LambdaHandler, body: unknown): Promise<Answered> {
  const answer = await handler(body, { awsRequestId: 'request-1' });
  const json = JSON.parse(JSON.stringify(answer)) as Answered['body']; // an answer is an object
  return { status: typeof json.status === 'number' ? json.status : 200, body: json };
}

/** Gets what a path with these parameters names, and a query; parameters arrive decoded. */
export async function getOverHttp(
  handler: LambdaHandler,
  pathParameters: Readonly<Record<string, string>>,
  rawQueryString = '',
): Promise<Answered> {
  const event = {
    version: '2.0',
    rawQueryString,
    headers: {},
    isBase64Encoded: false,
    requestContext: { http: { method: 'GET' }, requestId: 'gateway-1' },
    pathParameters,
  };
  return opened(await handler(event, { awsRequestId: 'request-1' }));
}

function opened(reply: Reply): Answered {
  if (typeof reply.body !== 'string' || typeof reply.statusCode !== 'number')
    throw new Error('an answer over HTTP has a status and a text');
  const body = JSON.parse(reply.body) as Answered['body']; // an answer is an object
  return { status: reply.statusCode, body };
}

/** An event as an HTTP API sends it, payload 2.0. */
function httpEvent(body: string, headers: object): object {
  return {
    version: '2.0',
    routeKey: 'POST /v1/check',
    rawPath: '/v1/check',
    rawQueryString: '',
    headers: { 'content-type': 'application/json', ...headers },
    requestContext: { http: { method: 'POST', path: '/v1/check' }, requestId: 'gateway-1' },
    body,
    isBase64Encoded: false,
  };
}

/** Notes the commands that a client sends to one database, in order. */
export function watchCommands(client: MongoClient, databaseName: string): string[] {
  const commands: string[] = [];
  client.on('commandStarted', (event: CommandStartedEvent) => {
    if (event.databaseName === databaseName) commands.push(event.commandName);
  });
  return commands;
}
