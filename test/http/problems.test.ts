import { describe, expect, it } from 'vitest';
import {
  AlreadyConfirmedError,
  AlreadyRolledBackError,
  ClockSkewError,
  ForgottenError,
  InternalError,
  InvalidConfigurationError,
  InvalidRequestError,
  NotAllAllowedError,
  NotFoundError,
  OrderReusedError,
  ReservationReplacedError,
  SubjectFullError,
  UndecidedError,
} from '../../lib/shared/errors.ts';
import { OrderAmbiguousError } from '../../lib/audit/order-status.ts';
import { IncompleteOrderError } from '../../lib/rule/require.ts';
import { problemOf, retryAfterSeconds } from '../../lib/http/problems.ts';

const SECRET = 'mongodb://root:secret@db.internal:27017';

describe('an error becomes a problem', () => {
  // prettier-ignore
  it.each([
    { error: new NotFoundError('o-1'),                                    status: 404, code: 'NOT_FOUND' },
    { error: new OrderReusedError('o-1'),                                 status: 409, code: 'ORDER_REUSED' },
    { error: new OrderAmbiguousError('o-1', ['user:u-1', 'user:u-2'], 0), status: 409, code: 'ORDER_AMBIGUOUS' },
    { error: new AlreadyConfirmedError('o-1', 5),                         status: 409, code: 'ALREADY_CONFIRMED' },
    { error: new AlreadyRolledBackError('o-1'),                           status: 409, code: 'ALREADY_ROLLED_BACK' },
    { error: new ReservationReplacedError('o-1'),                         status: 409, code: 'RESERVATION_REPLACED' },
    { error: new NotAllAllowedError('o-1', 'o-2'),                        status: 409, code: 'NOT_ALL_ALLOWED' },
    { error: new ForgottenError('o-1'),                                   status: 410, code: 'FORGOTTEN' },
    { error: new SubjectFullError('TOO_MANY_OPEN_HOLDS', 'full'),         status: 422, code: 'TOO_MANY_OPEN_HOLDS' },
    { error: new SubjectFullError('TOO_MANY_BUCKETS', 'full'),            status: 422, code: 'TOO_MANY_BUCKETS' },
    { error: new SubjectFullError('COUNTER_FULL', 'full'),                status: 422, code: 'COUNTER_FULL' },
    { error: new IncompleteOrderError([]),                                status: 422, code: 'INCOMPLETE_ORDER' },
    { error: new SubjectFullError('TOO_MANY_RULES', 'full'),              status: 422, code: 'TOO_MANY_RULES' },
  ])('$code is $status, and says what happened', ({ error, status, code }) => {
    expect(problemOf(error, 'r-1')).toMatchObject({
      status,
      code,
      body: { status, code, requestId: 'r-1', detail: error.message },
    });
  });

  it('is written as RFC 9457 describes', () => {
    expect(problemOf(new NotFoundError('o-1'), 'r-1').body).toEqual({
      type: 'urn:headroom:problem:not-found',
      title: 'The order is not known',
      status: 404,
      detail: 'order "o-1" is not known for these subjects: no check was allowed under it',
      code: 'NOT_FOUND',
      requestId: 'r-1',
    });
  });

  it('lists every mistake of a request', () => {
    const first = { path: 'amount', value: '1.5', expected: 'a whole number' };
    const second = { path: 'currency', expected: 'a currency' };
    const { status, body } = problemOf(new InvalidRequestError([first, second]), 'r-1');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'INVALID_REQUEST',
      detail: 'amount is 1.5, expected a whole number; and 1 more, see errors',
      errors: [first, second],
    });
  });

  it.each([
    { value: undefined, says: 'the request is missing, expected a JSON object' },
    { value: 'not JSON: "{"', says: 'the request is not JSON: "{", expected a JSON object' },
  ])('says of a request without a path: $says', ({ value, says }) => {
    const mistake = { path: '', ...(value === undefined ? {} : { value }) };
    const error = new InvalidRequestError([{ ...mistake, expected: 'a JSON object' }]);
    expect(problemOf(error, 'r-1').body.detail).toBe(says);
    expect(error.message).toBe(says);
  });

  it.each([
    {
      error: new UndecidedError(SECRET, { cause: new Error(SECRET) }),
      code: 'UNDECIDED',
      afterSeconds: 6,
    },
    { error: new ClockSkewError(new Date(0)), code: 'CLOCK_SKEW', afterSeconds: 1 },
  ])('$code is 503, to be repeated after $afterSeconds s', ({ error, code, afterSeconds }) => {
    const problem = problemOf(error, 'r-1');
    expect(problem).toMatchObject({ status: 503, code });
    expect(retryAfterSeconds(problem, 2_000)).toBe(afterSeconds);
    expect(JSON.stringify(problem)).not.toMatch(/secret|1970/);
  });

  it.each([
    { error: new Error(SECRET), why: 'nobody expected it' },
    { error: new InternalError(SECRET), why: 'the service contradicts itself' },
    {
      error: new InvalidConfigurationError('x', [{ path: SECRET, expected: 'y' }]),
      why: 'configuration is no business of callers',
    },
    { error: SECRET, why: 'anything can be thrown' },
    { error: undefined, why: 'anything can be thrown' },
    { error: { code: 'NOT_FOUND' }, why: 'only our own errors have our codes' },
  ])('$error is 500 and tells only its code and an id, because $why', ({ error }) => {
    expect(problemOf(error, 'r-1')).toEqual({
      status: 500,
      code: 'INTERNAL',
      body: {
        type: 'urn:headroom:problem:internal',
        title: 'Something is wrong on our side',
        status: 500,
        detail:
          'Headroom does not know whether the call took effect: send the same call again, which is safe',
        code: 'INTERNAL',
        requestId: 'r-1',
      },
    });
  });
});
