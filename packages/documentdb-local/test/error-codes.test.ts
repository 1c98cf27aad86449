import { BSON } from 'bson';
import { describe, expect, it } from 'vitest';
import {
  CommandError,
  encodeFailure,
  failureOf,
  labelsFor,
  readFailure,
  readSqlState,
  unpackSqlState,
} from '../src/errors.ts';

describe("PostgreSQL's and DocumentDB's errors become MongoDB's", () => {
  it.each([
    {
      state: '23505',
      outside: 11000,
      inside: 112,
      why: 'a key that is there, or comes up meanwhile',
    },
    {
      state: '23P01',
      outside: 11000,
      inside: 112,
      why: 'the same, found by an exclusion constraint',
    },
    { state: '40001', outside: 112, inside: 112, why: 'two writes of one document' },
    { state: '40P01', outside: 112, inside: 112, why: 'two writes that wait for each other' },
    { state: '55P03', outside: 112, inside: 112, why: 'a document is held for too long' },
    { state: '57014', outside: 50, inside: 50, why: 'the time limit has passed' },
    { state: '57P01', outside: 91, inside: 91, why: 'the server goes down' },
    { state: '08006', outside: 91, inside: 91, why: 'the server is gone' },
    { state: '42P01', outside: 26, inside: 26, why: 'the collection is not there' },
    { state: 'M0001', outside: 2, inside: 2, why: "DocumentDB's first own error" },
    {
      state: 'M001C',
      outside: 11000,
      inside: 11000,
      why: 'a duplicate key, as DocumentDB says it',
    },
    { state: 'M0009', outside: 27, inside: 27, why: 'no such index' },
    { state: 'M0037', outside: 17276, inside: 17276, why: 'a variable that is not defined' },
  ])('$state: $outside, in a transaction $inside ($why)', ({ state, outside, inside }) => {
    expect(failureOf(state, 'x', false).code).toBe(outside);
    expect(failureOf(state, 'x', true).code).toBe(inside);
  });

  it('the message names an unknown one', () => {
    expect(failureOf('XX000', 'broken', false)).toEqual({
      code: 1,
      codeName: 'InternalError',
      message: 'broken (XX000)',
    });
  });

  it('a lost race to insert may be repeated as a whole transaction', () => {
    const message = 'The $$NOW operator cannot be used in this context';
    expect(failureOf('M0003', message, true).code).toBe(112);
  });

  it.each([{ inside: true }, { inside: false }])(
    'a collection that a connection does not find is asked for once more, in a transaction: $inside',
    ({ inside }) => {
      const { code } = failureOf('M0000', 'Unable to create the specified collection', inside);
      expect(code).toBe(112);
    },
  );

  it('a connection that breaks is a server that is gone', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(readFailure(refused, false).code).toBe(91);
    expect(readFailure(new Error('Connection terminated unexpectedly'), false).code).toBe(91);
  });

  it('a bug of the adapter is an internal error', () => {
    expect(readFailure(new TypeError('x is undefined'), false).code).toBe(1);
  });

  it.each([
    { packed: 83_906_754, state: '23505' },
    { packed: 319_029_277, state: 'M001C' },
  ])('the number $packed stands for the state $state', ({ packed, state }) => {
    expect(unpackSqlState(packed)).toBe(state);
  });
});

describe('labels', () => {
  it.each([
    { code: 112, inTransaction: true, retryable: false, labels: ['TransientTransactionError'] },
    { code: 251, inTransaction: true, retryable: false, labels: ['TransientTransactionError'] },
    { code: 24, inTransaction: true, retryable: false, labels: ['TransientTransactionError'] },
    { code: 11000, inTransaction: true, retryable: false, labels: [] },
    { code: 91, inTransaction: true, retryable: true, labels: ['TransientTransactionError'] },
    { code: 91, inTransaction: false, retryable: true, labels: ['RetryableWriteError'] },
    { code: 91, inTransaction: false, retryable: false, labels: [] },
    { code: 112, inTransaction: false, retryable: true, labels: [] },
  ])('of $code (transaction $inTransaction, retryable $retryable): $labels', (row) => {
    expect(labelsFor(row.code, row.inTransaction, row.retryable)).toEqual(row.labels);
  });

  it.each([
    { code: 91, labels: ['RetryableWriteError'], why: 'it may be committed' },
    { code: 112, labels: ['TransientTransactionError'], why: 'it is not committed' },
    { code: 251, labels: ['TransientTransactionError'], why: 'it is not committed' },
  ])('of $code, to a commit: $labels, because $why', ({ code, labels }) => {
    expect(labelsFor(code, true, false, true)).toEqual(labels);
  });

  it('are sent only where there are some', () => {
    const failure = new CommandError(59, "no such command: 'x'");
    const plain = { ok: 0, errmsg: "no such command: 'x'", code: 59, codeName: 'CommandNotFound' };
    expect(BSON.deserialize(encodeFailure(failure, []))).toEqual(plain);
    expect(BSON.deserialize(encodeFailure(failure, ['A']))).toEqual({
      ...plain,
      errorLabels: ['A'],
    });
  });
});

describe('the SQL state of an error', () => {
  it.each([
    { error: Object.assign(new Error('duplicate'), { code: '23505' }), state: '23505' },
    { error: Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), state: '08006' },
    { error: Object.assign(new Error('read'), { code: 'ECONNRESET' }), state: '08006' },
    { error: new Error('Connection terminated unexpectedly'), state: '08006' },
    { error: new Error('something else'), state: '' },
  ])('$error is "$state"', ({ error, state }) => {
    expect(readSqlState(error)).toBe(state);
  });
});
