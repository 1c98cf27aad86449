import { MongoError, MongoNetworkError, MongoServerError } from 'mongodb';
import { UndecidedError } from '../domain/errors.ts';

/**
 * Server errors after which nobody knows, or nothing happened, though the call was right: time limits,
 * elections, shutdowns, write concerns that were not met.
 * Source: MongoDB manual, "Error Codes"; specification "Retryable Writes", section "Terms".
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  6, 7, 24, 50, 64, 89, 91, 112, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/** Longest wait for the store's answer to one call, in milliseconds, where nothing else is said. */
export const STORE_TIMEOUT_MS_DEFAULT = 2_000;

/**
 * Waits for the store's answer, at most for a time: the driver repeats a lost call once by itself,
 * and no option of it bounds both tries together.
 *
 * @throws UndecidedError where there is none in time, or the server could not take the call just now
 */
export async function decided<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new UndecidedError(`no answer within ${timeoutMs} ms`));
    }, timeoutMs);
  });
  answer.catch(() => undefined); // late failures of a call that is given up
  try {
    return await Promise.race([answer, silence]);
  } catch (error) {
    if (isPassing(error)) throw new UndecidedError(error.name, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function isPassing(error: unknown): error is MongoError {
  if (!(error instanceof MongoError)) return false;
  if (error instanceof MongoServerError)
    return (
      (typeof error.code === 'number' && PASSING_CODES.has(error.code)) ||
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('TransientTransactionError')
    );
  return error instanceof MongoNetworkError || UNREACHABLE.has(error.name);
}

/** The driver's names for a server that is not there, or does not answer in time. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoPoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
]);
