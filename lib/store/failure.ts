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

/**
 * Waits for the store's answer.
 *
 * @throws UndecidedError where there is none in time, or the server could not take the call just now
 */
export async function decided<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isPassing(error)) throw new UndecidedError(error.name, { cause: error });
    throw error;
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
