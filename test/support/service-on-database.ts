import type { CommandStartedEvent, Db, MongoClient } from 'mongodb';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { readSettings } from '../../lib/edge/settings.ts';
import type { Telemetry } from '../../lib/http/telemetry.ts';
import type { Service } from '../../functions/service.ts';
import { serviceOver } from '../../functions/service.ts';
import type { TestDatabase } from './database.ts';
import type { Handlers } from './handlers.ts';
import { handlersOf } from './handlers.ts';
import { replaceRules } from './stored-rules.ts';
import { SILENT } from './telemetry.ts';
import type { Settings } from '../../lib/edge/settings.ts';
import { callRoute } from './routed-call.ts';

export async function serviceOn(
  { client, db }: TestDatabase,
  rules: readonly StoredRule[],
  set: Readonly<Record<string, string>> = {},
  telemetry: Telemetry = SILENT,
): Promise<Service> {
  await replaceRules(db, rules);
  return serviceOver(client, settingsOn(db, set), telemetry);
}

export function settingsOn(db: Db, set: Readonly<Record<string, string>>): Settings {
  const settings = readSettings({
    MONGODB_URI: 'mongodb://127.0.0.1/',
    MONGODB_DATABASE: db.databaseName,
    RULES_CACHE_SECONDS: '300',
    AUDIT: 'off', // tests that are about its rows turn it on
    NEAR: 'off', // likewise
    // Where nothing breaks no call and no row is given up, however busy the machine is.
    STORE_TIMEOUT_MS: '20000',
    ...set,
  });
  return { ...settings, auditWaitMs: settings.storeTimeoutMs };
}

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
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const sent = { method: 'POST', route: '/v1/check', body, headers } as const;
  const { status, body: answer } = await callRoute(handler, sent);
  return { status, body: answer };
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
  parameters: Readonly<Record<string, string>>,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const route = '/v1/transactions/{orderId}';
  const sent = { method: 'GET', route, parameters, query, headers } as const;
  const { status, body } = await callRoute(handler, sent);
  return { status, body };
}

/** Notes the commands that a client sends to one database, in order. */
export function watchCommands(client: MongoClient, databaseName: string): string[] {
  const commands: string[] = [];
  client.on('commandStarted', (event: CommandStartedEvent) => {
    if (event.databaseName === databaseName) commands.push(event.commandName);
  });
  return commands;
}
