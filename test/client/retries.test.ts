import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Attempt, ClientOptions, Transport } from '../../packages/client/src/index.ts';
import {
  HeadroomClient,
  NoAnswerError,
  ProblemError,
  UnexpectedAnswerError,
} from '../../packages/client/src/index.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { problemOf } from '../../lib/http/problems.ts';
import { useDatabase } from '../support/database.ts';
import { CHECK, failureOf, HOME, useHttpService } from './fixture.ts';
import type { Fault } from './http-service.ts';

const UNAVAILABLE = { status: 503, headers: { 'retry-after': '1' }, body: '{"message":"no"}' };

const database = useDatabase();
const service = useHttpService(database);

/** A client whose waiting is short, and that begins with these faults on its way. */
function clientThrough(faults: readonly Fault[], options: Partial<ClientOptions> = {}) {
  service.faults.push(...faults);
  const { url } = service;
  return new HeadroomClient({ firstDelayMs: 10, ...options, url } as ClientOptions); // over HTTP
}

describe('a call whose answer is lost after it took effect', () => {
  it('check: is sent again unchanged, and holds once', async () => {
    const answer = await clientThrough(['answer-lost', 'answer-lost']).check(CHECK);
    expect(answer).toMatchObject({ decision: 'allowed', repeated: true, state: 'held' });
    expect(answer.rules).toMatchObject([{ held: { amount: 300, count: 1 } }]);
    const [first, ...others] = service.arrived.map(({ body }) => body);
    expect(others).toEqual([first, first]);
  });

  it('confirm: is sent again, and counts once', async () => {
    const { reservation } = (await clientThrough([]).check(CHECK)) as { reservation: string };
    const confirm = { orderId: 'o-1', reservation };
    expect(await clientThrough(['answer-lost']).confirm(confirm)).toMatchObject({ repeated: true });
    const next = await clientThrough([]).check({ ...CHECK, orderId: 'o-2', amount: 200 });
    expect(next).toMatchObject({
      decision: 'allowed',
      rules: [{ used: { amount: 300, count: 1 } }],
    });
  });

  it('checks and settlements: each order is what it was', async () => {
    const orders = [CHECK, { ...CHECK, orderId: 'o-2', amount: 200 }];
    const checked = await clientThrough(['answer-lost']).checks({ orders });
    expect(checked).toMatchObject({
      allAllowed: true,
      results: [{ repeated: true }, { repeated: true }],
    });
    const settlements = [
      { ...HOME, status: 'SUCCESS' },
      { ...HOME, orderId: 'o-2', status: 'FAIL' },
    ] as const;
    expect(await clientThrough(['answer-lost']).settlements({ settlements })).toMatchObject({
      results: [
        { state: 'confirmed', repeated: true },
        { state: 'rolledBack', repeated: true },
      ],
    });
  });
});

describe('what is sent again', () => {
  it.each([
    { fault: 'request-lost', why: 'nothing came back' },
    { fault: { status: 429 }, why: 'the gateway was asked too much' },
    { fault: { status: 500, body: '{"message":"Internal Server Error"}' }, why: 'a function died' },
    { fault: { status: 502 }, why: 'a function was cut off' },
    { fault: { status: 504 }, why: 'so was the gateway' },
  ] as const)('$fault, because $why', async ({ fault }) => {
    expect(await clientThrough([fault]).check(CHECK)).toMatchObject({ decision: 'allowed' });
    expect(service.arrived).toHaveLength(2);
  });

  it('an attempt that takes too long', async () => {
    const answer = await clientThrough(['silent'], { attemptMs: 2_000 }).check(CHECK);
    expect(answer).toMatchObject({ decision: 'allowed' });
    expect(service.arrived).toHaveLength(2);
  });

  it('nothing that will be the same next time: 400 with every mistake, once', async () => {
    const error = await failureOf(clientThrough([]).check({ ...CHECK, amount: 1.5 }));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      status: 400,
      attempts: 1,
      retryable: false,
      requestId: 'request-1',
      message: expect.stringMatching(/^check: amount is 1\.5, expected a whole number/) as string,
      problem: { errors: [{ path: 'amount', value: '1.5' }] },
    });
    expect(service.arrived).toHaveLength(1);
  });

  it('nor a wrong address, which says what came back', async () => {
    const { url } = service;
    const error = await failureOf(new HeadroomClient({ url: `${url}/elsewhere` }).check(CHECK));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ status: 404, attempts: 1, retryable: false });
    expect((error as Error).message).toBe(
      'check: HTTP 404 with {"message":"Not Found"}, expected an answer or a problem of Headroom: check the address, and any proxy in front of it',
    );
  });

  it('nor a page that is answered in its place', async () => {
    const page = { status: 200, body: '<html>Sign in</html>' };
    const error = await failureOf(clientThrough([page]).check(CHECK));
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200, attempts: 1 });
  });
});

describe('Retry-After', () => {
  it.each([
    { name: 'of 503, in seconds', fault: UNAVAILABLE, leastMs: 1000 },
    { name: 'of 429', fault: { ...UNAVAILABLE, status: 429 }, leastMs: 1000 },
    {
      name: 'as an instant, which says whole seconds',
      get fault() {
        const at = new Date(Date.now() + 3000).toUTCString();
        return { status: 503, headers: { 'retry-after': at } };
      },
      leastMs: 1500,
    },
  ])('$name, is waited for', async ({ fault, leastMs }) => {
    const told: Attempt[] = [];
    await clientThrough([fault], { onAttempt: (each) => told.push(each) }).check(CHECK);
    const [first, second] = service.arrived;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(leastMs - 5);
    expect(told).toMatchObject([
      { call: 'check', attempt: 1, status: fault.status },
      { call: 'check', attempt: 2, status: 200, requestId: 'request-1' },
    ]);
    expect(told[1]).not.toHaveProperty('nextInMs');
  });

  it('beyond the deadline is not waited for', async () => {
    const later = { status: 503, headers: { 'retry-after': '60' } };
    const started = performance.now();
    const error = await failureOf(clientThrough([later], { deadlineMs: 5000 }).check(CHECK));
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 503, attempts: 1 });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('the deadline', () => {
  it('ends a call that nobody answers, and says that its effect is unknown', async () => {
    const faults: Fault[] = ['answer-lost', 'silent'];
    const error = await failureOf(clientThrough(faults, { deadlineMs: 700 }).check(CHECK));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ code: 'NO_ANSWER', attempts: 2, retryable: true });
    expect((error as Error).message).toBe(
      'check: no answer within 700 ms, after 2 attempts, so nobody knows whether the call took effect: send the same call again, which is safe',
    );
    expect((error as Error).cause).toMatchObject({ name: 'TimeoutError' });
    expect(await clientThrough([]).check(CHECK)).toMatchObject({ repeated: true });
  });

  it('tells the last problem where there was one', async () => {
    const problem = problemOf(new UndecidedError('no answer within 2000 ms'), 'request-9');
    const fault = { status: 503, body: JSON.stringify(problem.body) };
    const faults = Array.from({ length: 50 }, () => fault);
    // The third attempt would begin after the deadline, and the second has half a second.
    const times = { deadlineMs: 1_000, firstDelayMs: 500, random: () => 0.99 };
    const error = await failureOf(clientThrough(faults, times).check(CHECK));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'UNDECIDED', requestId: 'request-9', retryable: true });
    expect((error as ProblemError).attempts).toBe(service.arrived.length);
    expect(service.arrived.length).toBeGreaterThan(1);
  });

  it('of one call stands in place of the client’s', async () => {
    const client = clientThrough(['silent']);
    const error = await failureOf(client.check(CHECK, { deadlineMs: 200 }));
    expect(error).toMatchObject({ code: 'NO_ANSWER', attempts: 1 });
  });

  it('leaves no attempt that has no time to be answered', async () => {
    const transport: Transport = () => async () => {
      const endsMs = performance.now() + 197;
      await sleep(150);
      while (performance.now() < endsMs);
      throw new Error('no way');
    };
    const client = new HeadroomClient({ transport, random: () => 0, deadlineMs: 200 });
    expect(await failureOf(client.check(CHECK))).toMatchObject({ attempts: 1 });
  });
});

describe('a signal', () => {
  it('that is aborted ends a call with its reason', async () => {
    const controller = new AbortController();
    const call = clientThrough(['silent']).check(CHECK, { signal: controller.signal });
    await vi.waitUntil(() => service.arrived.length === 1);
    controller.abort(new Error('the payer left'));
    await expect(call).rejects.toThrow('the payer left');
  });

  it('ends the waiting between attempts', async () => {
    const controller = new AbortController();
    const onAttempt = () => {
      setTimeout(() => {
        controller.abort();
      }, 50);
    };
    const call = clientThrough([{ status: 503, headers: { 'retry-after': '20' } }], { onAttempt });
    const error = await failureOf(call.check(CHECK, { signal: controller.signal }));
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(service.arrived).toHaveLength(1);
  });

  it('that was aborted before sends nothing', async () => {
    const call = clientThrough([]).check(CHECK, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(service.arrived).toHaveLength(0);
  });
});

describe('between attempts', () => {
  /** The waits of a client between attempts that all fail. */
  async function waitsOf(random: number): Promise<readonly number[]> {
    vi.useFakeTimers();
    try {
      const transport: Transport = () => () => Promise.reject(new Error('no way'));
      const waits: number[] = [];
      const onAttempt = ({ nextInMs }: Attempt) => waits.push(nextInMs ?? -1);
      const options = { transport, random: () => random, onAttempt, deadlineMs: 20_000 };
      const failed = failureOf(new HeadroomClient(options).check(CHECK));
      await vi.runAllTimersAsync();
      expect(await failed).toMatchObject({ code: 'NO_ANSWER', attempts: waits.length });
      return waits;
    } finally {
      vi.useRealTimers();
    }
  }

  it('it waits up to 200 ms, then up to twice as long each time, up to 5 s, within the deadline', async () => {
    expect(await waitsOf(0.999_999)).toEqual(
      [200, 400, 800, 1600, 3200, 5000, 5000].map((ms) => ms * 0.999_999).concat(-1),
    );
  });

  it('full jitter takes any part of it', async () => {
    expect((await waitsOf(0.5)).slice(0, 4)).toEqual([100, 200, 400, 800]);
  });

  it('chance is its own where none is given: no two clients wait alike', async () => {
    const waits: number[] = [];
    const onAttempt = ({ nextInMs }: Attempt) => waits.push(nextInMs ?? -1);
    const all = Array.from({ length: 5 }, () =>
      clientThrough([{ status: 503 }], { onAttempt }).check({ ...CHECK, dryRun: true }),
    );
    await Promise.all(all);
    expect(new Set(waits.filter((ms) => ms >= 0)).size).toBe(5);
  });
});

describe('what cannot be sent', () => {
  it.each([
    { url: 'limits.example.com', why: 'it has no scheme' },
    { url: 'ftp://limits.example.com', why: 'it is not of HTTP' },
    { url: 'https://limits.example.com/?stage=prod', why: 'a query would stand before the path' },
  ])('an address such as $url, because $why', ({ url }) => {
    expect(() => new HeadroomClient({ url })).toThrow(
      `url is "${url}", expected an address without /v1, such as https://limits.example.com`,
    );
  });

  it.each(['', '.', '..', '\uD800'])('a question about order %j over HTTP', async (orderId) => {
    await expect(clientThrough([]).status(orderId)).rejects.toThrow(/cannot stand in a path/);
    expect(service.arrived).toHaveLength(0);
  });
});

describe('a time that is none', () => {
  const TIMES = ['deadlineMs', 'attemptMs', 'firstDelayMs', 'delayMaxMs'] as const;
  const WRONG = [Number.NaN, 0, -1, 0.5, -Infinity, '1000' as unknown as number];
  const url = 'http://127.0.0.1:1';

  it.each(TIMES.flatMap((name) => WRONG.map((value) => ({ name, value }))))(
    '$name $value is refused when the client is made',
    ({ name, value }) => {
      expect(() => new HeadroomClient({ url, [name]: value })).toThrow(
        new TypeError(`${name} is ${String(value)}, expected milliseconds, a number of 1 or more`),
      );
    },
  );

  it.each(WRONG)('deadlineMs %s of one call is refused before anything is sent', async (value) => {
    const send = vi.fn<ReturnType<Transport>>();
    const client = new HeadroomClient({ transport: () => send });
    const error = await failureOf(client.check(CHECK, { deadlineMs: value }));
    expect(error).toBeInstanceOf(TypeError);
    expect(send).not.toHaveBeenCalled();
  });

  it('may be without end', () => {
    for (const name of TIMES)
      expect(() => new HeadroomClient({ url, [name]: Infinity })).not.toThrow();
  });
});
