import { describe, expect, it } from 'vitest';
import type { SettlementAnswer } from '../../lib/limits/answer.ts';
import { AlreadyConfirmedError, NotFoundError, UndecidedError } from '../../lib/shared/errors.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import { settleBatch } from '../../lib/edge/settlement-batch.ts';
import { readSettlementMessage } from '../../lib/edge/settle-handler.ts';

const DONE: ManyResult<SettlementAnswer> = {
  kind: 'answered',
  answer: { state: 'confirmed', repeated: false, late: false, amount: 5 },
};

const end = (order: string, status = 'SUCCESS', appId = 'default'): string =>
  JSON.stringify({ appId, orderId: order, status, subjects: { user: 'u-1' } });

/** Settles messages; each order fails with what is given for it. Notes which orders each call had. */
async function settled(
  bodies: readonly (string | readonly [group: string, body: string])[],
  failures: Readonly<Record<string, Error>> = {},
) {
  const calls: string[][] = [];
  const messages = bodies.map((one) =>
    typeof one === 'string' ? { body: one } : { group: one[0], body: one[1] },
  );
  const ends = await settleBatch(messages, readSettlementMessage, (settlements) => {
    calls.push(settlements.map(({ orderId, to }) => `${orderId} ${to}`));
    return Promise.resolve(
      settlements.map(({ orderId }) => {
        const error = failures[orderId];
        return error === undefined ? DONE : { kind: 'failed', error };
      }),
    );
  });
  const failed = ends.flatMap((one, index) => (one.kind === 'failed' ? [index] : []));
  return { calls, failed, ends };
}

const AWAY = new UndecidedError('away');

describe('the messages of a batch', () => {
  it('are one call, each order once', async () => {
    const { calls, failed } = await settled([end('a'), end('b', 'FAIL'), end('a'), end('c')]);
    expect(calls).toEqual([['a confirmed', 'b rolledBack', 'c confirmed']]);
    expect(failed).toEqual([]);
  });

  it('are later calls where they say something else about an order, in the order of arrival', async () => {
    const { calls } = await settled([end('a'), end('a', 'FAIL'), end('b'), end('a', 'FAIL')]);
    expect(calls).toEqual([['a confirmed', 'b confirmed'], ['a rolledBack']]);
  });

  it('keep the orders of two applications apart', async () => {
    const { calls } = await settled([end('a'), end('a', 'FAIL', 'wallet')]);
    expect(calls).toEqual([['a confirmed', 'a rolledBack']]);
  });

  it('are several calls where they are more than a hundred', async () => {
    const { calls } = await settled(Array.from({ length: 250 }, (_, index) => end(`o-${index}`)));
    expect(calls.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  it('fail alone: poison, and what is refused, in nobody’s way', async () => {
    const failures = { b: new NotFoundError('b'), c: new AlreadyConfirmedError('c', 5) };
    const { calls, failed } = await settled(['{', end('a'), end('b'), end('c', 'FAIL')], failures);
    expect(calls).toEqual([['a confirmed', 'b confirmed', 'c rolledBack']]);
    expect(failed).toEqual([0, 2, 3]);
  });

  it('wait where nobody knows what became of an earlier one about their order', async () => {
    const { calls, failed, ends } = await settled([end('a'), end('b'), end('a', 'FAIL')], {
      a: AWAY,
    });
    expect(calls).toEqual([['a confirmed', 'b confirmed']]);
    expect(failed).toEqual([0, 2]);
    expect(ends[2]).toMatchObject({ error: { code: 'HELD_BACK' } });
  });

  it('all fail where the call as a whole does', async () => {
    const ends = await settleBatch(
      [{ body: end('a') }, { body: end('b') }],
      readSettlementMessage,
      () => Promise.reject(AWAY),
    );
    expect(ends).toEqual([
      { kind: 'failed', error: AWAY },
      { kind: 'failed', error: AWAY },
    ]);
  });

  it('are none in an empty batch, and no call', async () => {
    expect(await settled([])).toEqual({ calls: [], failed: [], ends: [] });
  });
});

describe('a message group', () => {
  it('stops at poison; what was before it, and other groups, go on', async () => {
    const { calls, failed } = await settled([
      ['g', end('a')],
      ['g', '{'],
      ['h', end('b')],
      ['g', end('c')],
    ]);
    expect(calls).toEqual([['a confirmed', 'b confirmed']]);
    expect(failed).toEqual([1, 3]);
  });

  it('that stops at poison stops its orders in other groups, too', async () => {
    const { calls, failed, ends } = await settled([
      ['g', '{'],
      ['g', end('a')],
      ['h', end('a', 'FAIL')],
      ['h', end('b')],
    ]);
    // Order a may be confirmed yet. It must not be rolled back first.
    expect(calls).toEqual([]);
    expect(failed).toEqual([0, 1, 2, 3]);
    expect(ends[2]).toMatchObject({ error: { code: 'HELD_BACK' } });
  });

  it('says of each of its messages that cannot be read what is wrong there', async () => {
    const { ends } = await settled([
      ['g', '{'],
      ['g', '[]'],
      ['g', end('a')],
    ]);
    expect(ends).toMatchObject([
      { error: { code: 'INVALID_REQUEST' } },
      { error: { code: 'INVALID_REQUEST' } },
      { error: { code: 'HELD_BACK' } },
    ]);
  });

  it('settles in later calls what came before its poison', async () => {
    const { calls, failed } = await settled([
      ['g', end('a')],
      ['g', end('a', 'FAIL')],
      ['g', '{'],
      ['g', end('c')],
    ]);
    expect(calls).toEqual([['a confirmed'], ['a rolledBack']]);
    expect(failed).toEqual([2, 3]);
  });

  it('stops where an order was refused before a later call', async () => {
    const { calls, failed } = await settled(
      [
        ['g', end('a')],
        ['g', end('a', 'FAIL')],
        ['h', end('b')],
        ['h', end('b', 'FAIL')],
      ],
      { a: new NotFoundError('a') },
    );
    expect(calls).toEqual([['a confirmed', 'b confirmed'], ['b rolledBack']]);
    expect(failed).toEqual([0, 1]);
  });
});
