import { describe, expect, it } from 'vitest';
import { NotFoundError, UndecidedError } from '../../lib/shared/errors.ts';
import type { RollbackAnswer } from '../../lib/limits/answer.ts';
import type { RollbackRequest } from '../../lib/shared/request.ts';
import { rollbackCall } from '../../lib/edge/calls.ts';
import { unsignedCaller } from '../../lib/callers/caller.ts';
import { createHandler } from '../../lib/http/handler.ts';
import type { CallRecord, Telemetry } from '../../lib/http/telemetry.ts';
import { telemetryOf } from '../support/telemetry.ts';

const BODY = '{"orderId":"o-1","subjects":{"user":"u-1"}}';
const CONTEXT = { awsRequestId: 'r-1' };

/** A handler of rollback that notes what it was asked and what it told. */
function observed(
  options: {
    localClock?: boolean;
    run?: () => Promise<RollbackAnswer>;
    record?: Telemetry['record'];
  } = {},
): {
  invoke: (event: unknown) => Promise<unknown>;
  asked: { request: RollbackRequest; at: Date | undefined }[];
  told: CallRecord[];
} {
  const asked: { request: RollbackRequest; at: Date | undefined }[] = [];
  const told: CallRecord[] = [];
  const run = options.run ?? (() => Promise.resolve(BACK));
  const handler = createHandler(
    rollbackCall((request, at) => {
      asked.push({ request, at });
      return run();
    }),
    {
      settings: { localClock: options.localClock ?? false, storeTimeoutMs: 2_000 },
      telemetry: telemetryOf(options.record ?? ((record) => told.push(record))),
      callerOf: unsignedCaller,
    },
  );
  return { invoke: (event) => handler(event, CONTEXT), asked, told };
}

const BACK: RollbackAnswer = { state: 'rolledBack', repeated: false };
const BACK_AGAIN: RollbackAnswer = { ...BACK, repeated: true };

/** An event of an HTTP API, payload 2.0, as far as it matters. */
function http(body: unknown, more: object = {}): object {
  const requestContext = { http: { method: 'POST', path: '/v1/rollback' } };
  return { version: '2.0', requestContext, headers: {}, body, isBase64Encoded: false, ...more };
}

function base64(bytes: string | Uint8Array): object {
  return http(Buffer.from(bytes).toString('base64'), { isBase64Encoded: true });
}

const DONE = {
  statusCode: 200,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': CONTEXT.awsRequestId,
  },
  body: '{"state":"rolledBack","repeated":false}\n',
};

describe('how a function is called', () => {
  it.each([
    { event: http(BODY), why: 'API Gateway, payload 2.0' },
    { event: base64(BODY), why: 'API Gateway encodes bodies whose type it does not know' },
    {
      event: { httpMethod: 'POST', requestContext: {}, headers: null, body: BODY },
      why: 'API Gateway, payload 1.0',
    },
  ])('by HTTP: $why', async ({ event }) => {
    expect(await observed().invoke(event)).toEqual(DONE);
  });

  it('directly, with the same JSON and no envelope', async () => {
    expect(await observed().invoke(JSON.parse(BODY))).toEqual({
      state: 'rolledBack',
      repeated: false,
    });
  });

  it('directly, with a mistake: the problem itself is returned', async () => {
    expect(await observed().invoke({ orderId: 1 })).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      requestId: 'r-1',
    });
  });
});

describe('an answer over HTTP', () => {
  it.each([
    { body: BODY, status: 200, why: 'an answer' },
    { body: '{}', status: 400, why: 'a problem' },
  ])(
    'ends with one newline, so that a terminal goes on below it: $why',
    async ({ body, status }) => {
      const reply = (await observed().invoke(http(body))) as { statusCode: number; body: string }; // over HTTP
      expect(reply.statusCode).toBe(status);
      expect(reply.body).toMatch(/^[^\n]*\}\n$/);
    },
  );
});

describe('edge-3: a body that cannot be read', () => {
  it.each([
    { event: http(undefined), value: undefined, why: 'there is none' },
    { event: http(''), value: undefined, why: 'it is empty' },
    { event: http(5), value: undefined, why: 'API Gateway gives text' },
    { event: base64(''), value: undefined, why: 'it is empty in base64 too' },
    { event: base64(Uint8Array.of(0x22, 0xff, 0x22)), value: 'not UTF-8', why: '0xFF is no UTF-8' },
    { event: base64(Uint8Array.of(0xed, 0xa0, 0x80)), value: 'not UTF-8', why: 'half a pair' },
    { event: base64('x'.repeat(65_537)), value: '65537 bytes', why: 'it is too long' },
    { event: http('x'.repeat(1_048_576)), value: '1048576 bytes', why: 'it is a megabyte' },
    { event: undefined, value: undefined, why: 'nothing was invoked with' },
    { event: [], value: 'a list of 0', why: 'a list is no object' },
    { event: 'text', value: '"text"', why: 'a text is no object' },
    { event: null, value: 'null', why: 'null is no object' },
  ])('is a mistake of the caller: $why', async ({ event, value }) => {
    const { invoke, asked } = observed();
    const reply = (await invoke(event)) as { body?: string; errors?: unknown }; // one of the two forms
    const problem: unknown = reply.body === undefined ? reply : JSON.parse(reply.body);
    expect(problem).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      errors: [{ path: '', ...(value === undefined ? {} : { value }) }],
    });
    expect(asked).toEqual([]);
  });

  it.each([40, 100_000])('is refused when nested %i deep, however it came', async (levels) => {
    let event: unknown = 1;
    for (let level = 0; level < levels; level++) event = [event];
    const detail =
      'the request is nested more than 32 deep, expected at most 32 levels of objects and lists';
    expect(await observed().invoke(event)).toMatchObject({ code: 'INVALID_REQUEST', detail });
    const body = '['.repeat(levels) + ']'.repeat(levels);
    expect(await observed().invoke(http(body))).toMatchObject({ statusCode: 400 });
  });
});

describe('the header X-Headroom-Now', () => {
  const tomorrow = '2026-03-02T10:00:00+08:00';

  it.each(['X-Headroom-Now', 'x-headroom-now'])('as %s is the time in local mode', async (name) => {
    const { invoke, asked } = observed({ localClock: true });
    await invoke(http(BODY, { headers: { [name]: tomorrow } }));
    expect(asked[0]?.at).toEqual(new Date('2026-03-02T02:00:00.000Z'));
  });

  it.each([tomorrow, 'nonsense'])('as %s is ignored by a deployed function', async (value) => {
    const { invoke, asked } = observed({ localClock: false });
    expect(await invoke(http(BODY, { headers: { 'x-headroom-now': value } }))).toEqual(DONE);
    expect(asked).toMatchObject([{ at: undefined }]);
  });

  it('is refused in local mode where it is no instant', async () => {
    const { invoke, asked } = observed({ localClock: true });
    const reply = await invoke(http(BODY, { headers: { 'x-headroom-now': 'tomorrow' } }));
    expect(reply).toMatchObject({ statusCode: 400 });
    expect(JSON.stringify(reply)).toContain('X-Headroom-Now');
    expect(asked).toEqual([]);
  });

  it('is not there in local mode: the database says what time it is', async () => {
    const { invoke, asked } = observed({ localClock: true });
    await invoke(http(BODY));
    expect(asked).toMatchObject([{ at: undefined }]);
  });
});

describe('what goes wrong', () => {
  it('is answered with its status', async () => {
    const { invoke } = observed({ run: () => Promise.reject(new NotFoundError('o-1')) });
    expect(await invoke(http(BODY))).toMatchObject({
      statusCode: 404,
      headers: {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'x-request-id': CONTEXT.awsRequestId,
      },
      body: expect.stringContaining('"code":"NOT_FOUND"') as string,
    });
  });

  it('is answered with Retry-After where the same call may succeed', async () => {
    const { invoke } = observed({ run: () => Promise.reject(new UndecidedError('away')) });
    expect(await invoke(http(BODY))).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '6' },
    });
  });

  it('is answered even where nobody expected it', async () => {
    const { invoke, told } = observed({ run: () => Promise.reject(new Error('boom')) });
    expect(await invoke(http(BODY))).toMatchObject({ statusCode: 500 });
    expect(told).toMatchObject([{ outcome: 'failed', code: 'INTERNAL', fault: new Error('boom') }]);
  });

  it('is no error where only the log cannot be written', async () => {
    const { invoke } = observed({
      record() {
        throw new Error('the disk is full');
      },
    });
    expect(await invoke(http(BODY))).toEqual(DONE);
  });
});

describe('what is told of a call', () => {
  // prettier-ignore
  it.each([
    { run: () => Promise.resolve(BACK_AGAIN),        told: { outcome: 'rolledBack', repeated: true } },
    { run: () => Promise.reject(new NotFoundError('o-1')),   told: { outcome: 'rejected', code: 'NOT_FOUND' } },
    { run: () => Promise.reject(new UndecidedError('away')), told: { outcome: 'undecided', code: 'UNDECIDED' } },
  ])('is $told', async ({ run, told }) => {
    const { invoke, told: records } = observed({ run });
    await invoke(http(BODY));
    expect(records).toMatchObject([{ call: 'rollback', requestId: 'r-1', ...told }]);
    expect(records[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });
});
