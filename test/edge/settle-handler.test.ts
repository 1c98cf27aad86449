import { describe, expect, it } from 'vitest';
import { AlreadyRolledBackError, UndecidedError } from '../../lib/shared/errors.ts';
import type { SettlementRequest } from '../../lib/shared/request.ts';
import type { SettlementAnswer } from '../../lib/limits/answer.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import { createSettleHandler } from '../../lib/edge/settle-handler.ts';
import type { CallRecord } from '../../lib/http/telemetry.ts';
import { batchOf, messageOf } from '../support/queue-events.ts';
import { telemetryOf } from '../support/telemetry.ts';

const end = (orderId: string): object => ({
  orderId,
  status: 'SUCCESS',
  subjects: { user: 'u-secret' },
});
const CONFIRMED = { state: 'confirmed', repeated: false, amount: 5 } as const;
const UNDECIDED = new UndecidedError('away');

/** The surroundings that a handler needs beside its call. */
function surroundings(record: (one: CallRecord) => unknown) {
  return {
    settings: { auth: { kind: 'none' } },
    telemetry: telemetryOf((one: CallRecord) => void record(one)),
  } as const;
}

/** A handler whose orders end by their names, and what it told. */
function observed(record?: () => void) {
  const told: CallRecord[] = [];
  const resultOf = ({ orderId }: SettlementRequest): ManyResult<SettlementAnswer> => {
    if (orderId === 'undecided') return { kind: 'failed', error: UNDECIDED };
    if (orderId === 'back') return { kind: 'failed', error: new AlreadyRolledBackError('back') };
    return { kind: 'answered', answer: { ...CONFIRMED, late: orderId === 'late' } };
  };
  const handler = createSettleHandler(
    (settlements) => Promise.resolve(settlements.map(resultOf)),
    surroundings(record ?? ((one) => told.push(one))),
  );
  return { handler, told };
}

const CONTEXT = { awsRequestId: 'r-1' };

it('takes a message whose queue is not named for one of a standard queue', async () => {
  const { handler } = observed();
  const batch = batchOf(end('a'), 'no object', end('b'));
  for (const record of batch.Records) Reflect.deleteProperty(record, 'eventSourceARN');
  expect(await handler(batch, CONTEXT)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm-1' }] });
});

it('settles the messages of a FIFO queue that somebody sends by hand, without attributes', async () => {
  const { handler } = observed();
  const Records = ['a', 'b'].map((id) => messageOf(id, end(id), 'group'));
  for (const record of Records) Reflect.deleteProperty(record, 'attributes');
  expect(await handler({ Records }, CONTEXT)).toEqual({ batchItemFailures: [] });
});

describe('what is told of a batch', () => {
  it('counts the messages behind a poison one of their group as held back, not as undecided', async () => {
    const { handler, told } = observed();
    const bodies = ['poison', end('a'), end('b')];
    await handler({ Records: bodies.map((body, at) => messageOf(`m-${at}`, body, 'g')) }, CONTEXT);
    expect(told).toMatchObject([
      { outcome: 'rejected', messageId: 'm-0', code: 'INVALID_REQUEST' },
      { outcome: 'heldBack', messageId: 'm-1', code: 'HELD_BACK' },
      { outcome: 'heldBack', messageId: 'm-2', code: 'HELD_BACK' },
    ]);
  });

  it('is one line for what was settled, and one for each message that was not', async () => {
    const { handler, told } = observed();
    const wrong = { ...end('x'), amount: 'u-secret' };
    const batch = batchOf(end('a'), end('late'), end('undecided'), end('back'), wrong, 'no object');
    await handler(batch, CONTEXT);
    const common = { call: 'settle', requestId: 'r-1' };
    expect(told).toMatchObject([
      { ...common, outcome: 'answered', orders: { confirmed: 2 }, lateOrders: 1 },
      { ...common, outcome: 'undecided', messageId: 'm-2', code: 'UNDECIDED', fault: UNDECIDED },
      { ...common, outcome: 'rejected', messageId: 'm-3', code: 'ALREADY_ROLLED_BACK' },
      {
        ...common,
        outcome: 'rejected',
        messageId: 'm-4',
        code: 'INVALID_REQUEST',
        mistakes: [expect.stringMatching(/^amount: expected a whole number/) as string],
      },
      {
        ...common,
        outcome: 'rejected',
        messageId: 'm-5',
        code: 'INVALID_REQUEST',
        mistakes: ['the message: expected a JSON object'],
      },
    ]);
    const shown = told.map(({ payload, ...line }) => ({ ...line, payload: typeof payload }));
    expect(JSON.stringify(shown)).not.toContain('u-secret');
  });

  it('is no more than 50 mistakes of a message, and how many more there are', async () => {
    const { handler, told } = observed();
    const fields = Array.from({ length: 70 }, (_, index) => [`x${index}`, 0]);
    await handler(batchOf({ ...end('a'), ...Object.fromEntries(fields) }), CONTEXT);
    expect(told[0]?.mistakes).toHaveLength(51);
    expect(told[0]?.mistakes?.at(-1)).toBe('and 20 more');
  });

  it('is no reason to have settled messages delivered again where the log cannot be written', async () => {
    const { handler } = observed(() => {
      throw new Error('the disk is full');
    });
    expect(await handler(batchOf(end('a'), end('undecided')), CONTEXT)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-1' }],
    });
  });
});

describe('a function whose time is nearly over', () => {
  it('has the messages delivered again, before Lambda ends it', async () => {
    const never = () => new Promise<never>(() => undefined);
    const handler = createSettleHandler(
      never,
      surroundings(() => undefined),
    );
    const context = { ...CONTEXT, getRemainingTimeInMillis: () => 600 };
    expect(await handler(batchOf(end('a'), end('b')), context)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-0' }, { itemIdentifier: 'm-1' }],
    });
  });
});
