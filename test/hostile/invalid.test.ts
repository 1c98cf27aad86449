import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../lib/http/envelope.ts';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import { callDirectly, handlersOn, watchCommands } from '../support/service-on-database.ts';
import type { Handlers } from '../support/handlers.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { NAMES, bytesLike, nearlyRight } from './nonsense.ts';
import { USER_LIFE } from '../support/stored-rules.ts';

/** Of each of 7 calls, and a third as many whose bytes are no JSON. None of them reaches the database. */
const RUNS = times('invalidRequests');
const RUNS_OF_BYTES = Math.ceil(RUNS / 3);

const database = useDatabase({ monitorCommands: true });
const unhandled: unknown[] = [];
const note = (error: unknown): void => {
  unhandled.push(error);
};
let handlers: Handlers;
let commands: string[];

beforeAll(async () => {
  handlers = await handlersOn(database, [USER_LIFE]);
  commands = watchCommands(database.client, database.db.databaseName);
  process.on('unhandledRejection', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
});

/** Sends a body over HTTP, as text or in base64. */
function send(handler: LambdaHandler, body: string | Uint8Array): Promise<Reply> {
  const isText = typeof body === 'string';
  const event = {
    version: '2.0',
    headers: {},
    requestContext: { http: { method: 'POST' } },
    body: isText ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: !isText,
  };
  return handler(event, { awsRequestId: 'r-1' });
}

async function rejects(handler: LambdaHandler, body: string | Uint8Array): Promise<void> {
  const { statusCode, body: answer } = await send(handler, body);
  const text = typeof answer === 'string' ? answer : '{}';
  const { code } = JSON.parse(text) as { readonly code?: unknown }; // a problem is an object
  expect({ statusCode, code }).toEqual({ statusCode: 400, code: 'INVALID_REQUEST' });
}

/** The value that a text is, where all of it is in that value: nothing stands twice, nothing is rounded. */
function valueOf(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? { value } : undefined;
  } catch {
    return undefined;
  }
}

async function rejectsEitherWay(handler: LambdaHandler, text: string): Promise<void> {
  await rejects(handler, text);
  const direct = valueOf(text);
  if (direct === undefined) return;
  const { body } = await callDirectly(handler, direct.value);
  expect(body).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
}

describe.each(NAMES)('an invalid request of %s', (name) => {
  it('is answered with 400 over HTTP and directly, whatever is wrong with it, and the database never hears of it', async () => {
    commands.splice(0);
    const sent = fc.asyncProperty(nearlyRight(name), (text) =>
      rejectsEitherWay(handlers[name], text),
    );
    await fc.assert(sent, { numRuns: RUNS, seed: SEED });
    const bytes = fc.asyncProperty(bytesLike(name), (body) => rejects(handlers[name], body));
    await fc.assert(bytes, { numRuns: RUNS_OF_BYTES, seed: SEED });
    expect(commands).toEqual([]);
    expect(await database.db.collection('counters').countDocuments()).toBe(0);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(unhandled).toEqual([]);
  });
});
