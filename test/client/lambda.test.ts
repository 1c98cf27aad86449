import { InvokeCommand } from '@aws-sdk/client-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { HeadroomClient } from '../../packages/client/src/index.ts';
import { lambdaTransport } from '../../packages/client/src/lambda.ts';
import { useDatabase } from '../support/database.ts';
import { CHECK, directClient, HOME, useLambdaService } from './fixture.ts';

const database = useDatabase();
const service = useLambdaService(database);
let headroom: HeadroomClient;
beforeAll(() => {
  headroom = directClient(service);
});

describe('by direct invocation, with AWS’s own client', () => {
  it('an order is checked, confirmed, refunded and asked about', async () => {
    expect(await headroom.check(CHECK)).toMatchObject({ decision: 'allowed', state: 'held' });
    expect(await headroom.confirm(HOME)).toMatchObject({ state: 'confirmed', amount: 300 });
    expect(await headroom.refund({ ...HOME, refundId: 'r-1' })).toMatchObject({ refunded: 300 });
    expect(await headroom.status('o-1')).toMatchObject({ state: 'refunded', refunded: 300 });
  });

  it('many are checked and settled', async () => {
    expect(await headroom.checks({ orders: [CHECK] })).toMatchObject({ allAllowed: true });
    expect(
      await headroom.settlements({ settlements: [{ ...HOME, status: 'FAIL' }] }),
    ).toMatchObject({ results: [{ state: 'rolledBack' }] });
  });

  it('an order whose id cannot stand in a path is asked about', async () => {
    await headroom.check({ ...CHECK, orderId: '..' });
    expect(await headroom.status('..')).toMatchObject({ orderId: '..', state: 'held' });
  });

  it('a problem is one, with its status', async () => {
    await expect(headroom.rollback(HOME)).rejects.toMatchObject({
      name: 'ProblemError',
      code: 'NOT_FOUND',
      status: 404,
    });
  });

  it.each(['cut-off', 'too-many'] as const)('%s: is sent again', async (fault) => {
    service.faults.push(fault, fault);
    expect(await headroom.check(CHECK)).toMatchObject({ decision: 'allowed' });
    expect(service.faults).toEqual([]);
  });

  it('not-allowed: is told at once', async () => {
    service.faults.push('not-allowed');
    await expect(headroom.check(CHECK)).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      status: 403,
      attempts: 1,
      body: expect.stringMatching(/^AccessDeniedException/) as string,
    });
  });

  it('a connection that fails is no answer', async () => {
    const transport = lambdaTransport({
      invoke: () => Promise.reject(new Error('ECONNREFUSED')),
      functionName: (call) => call,
    });
    const call = new HeadroomClient({ transport, deadlineMs: 100 }).check(CHECK);
    await expect(call).rejects.toMatchObject({ code: 'NO_ANSWER', retryable: true });
  });

  it('a function of the caller’s may invoke in its place', async () => {
    const transport = lambdaTransport({
      invoke: (input, abortSignal) =>
        service.client.send(new InvokeCommand(input), { abortSignal }),
      functionName: (call) => `headroom-test-${call}`,
    });
    expect(await new HeadroomClient({ transport }).check(CHECK)).toMatchObject({
      decision: 'allowed',
    });
  });
});
