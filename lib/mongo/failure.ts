import { MongoError, MongoNetworkError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { UndecidedError } from '../shared/errors.ts';
import { within } from '../shared/within.ts';

/**
 * Codes of the server that are about the moment, not about the request; see `isPassing`.
 * Source: mongodb/mongo, src/mongo/base/error_codes.yml, of which the categories RetriableError,
 * Interruption, NetworkError, NotPrimaryError, ShutdownError, ExceededTimeLimitError,
 * WriteConcernError, SnapshotError, NeedRetargettingError and SystemOverloadedError are here whole,
 * but for codes that never leave the server (InternalOnly).
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  // A server is not reached, goes down, or is not the primary any more or yet.
  ...[6, 7, 89, 91, 133, 145, 189, 202, 9001, 10058, 10107, 11600, 11602, 13435, 13436],
  // Time was over, for the operation, for what it waited for, or for a place in a pool.
  ...[24, 50, 262, 290, 407],
  // Somebody or something ended the operation, its session or its cursor meanwhile.
  ...[43, 90, 175, 206, 237, 279, 281, 282, 310, 355, 453, 11601, 46841, 91331, 10045600],
  // The server is overloaded.
  ...[261, 365, 402, 433, 449, 450, 462],
  // Another operation was in the way, or data moved between shards.
  ...[46, 112, 117, 150, 215, 239, 246, 249, 250, 267, 272, 343, 358, 363, 406, 412, 12586, 12587],
  ...[13388, 50915],
  // The write was done here; how many members have it is not known.
  ...[64, 75, 79, 100, 134],
  // A repeat of a write of which the server no longer knows what it answered, or that came too late.
  ...[217, 225, 251, 256, 356, 40613, 5637601, 5637602],
  // The config servers, or keys that servers share, are not there yet.
  ...[149, 203, 211, 56846],
]);

/** Such an `_id` is there already. */
export const DUPLICATE_KEY = 11_000;

/** Such an `_id` is there already. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Longest wait for the store's answer to one call. */
export const STORE_TIMEOUT_MS_DEFAULT = 2_000;

/**
 * Waits for the store's answer, at most for a time: no option of the driver bounds its own repeat, too.
 *
 * @throws UndecidedError where there is none in time, or the server could not take the call just now
 */
export async function decided<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  try {
    return await within(answer, timeoutMs, () => {
      throw new UndecidedError(`no answer within ${timeoutMs} ms`);
    });
  } catch (error) {
    if (isPassing(error)) throw new UndecidedError(error.name, { cause: error });
    throw error;
  }
}

/**
 * Whether a failure says nothing about the request, so that the call is UNDECIDED.
 *
 * It does where at least one of these holds, and is an error of ours or of the request otherwise:
 *
 * - **Nobody knows whether the write stands.** It was sent and its answer did not come, could not be
 *   read, came without the image that the server no longer has, or says only that not enough members
 *   have it yet. The caller has to repeat the same call or roll back, whatever the reason.
 * - **The same request can succeed a moment later without anybody mending it**, the program or the
 *   configuration: another operation was in the way, a server was away, busy, voting or going down, a
 *   time limit passed, someone closed the client under the call.
 *
 * An error about the request's own content (parsing, types, sizes, keys that are there, commands and
 * options, permissions) is neither: the server will say it again. An unknown code is taken
 * for that; the server's own labels count before any code, since they are newer than any list.
 */
function isPassing(error: unknown): error is MongoError {
  if (!(error instanceof MongoError)) return false;
  if (PASSING_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  if (error instanceof MongoServerError)
    return (
      error instanceof MongoWriteConcernError ||
      (typeof error.code === 'number' && PASSING_CODES.has(error.code))
    );
  return error instanceof MongoNetworkError || PASSING_NAMES.has(error.name);
}

/**
 * Source: mongodb/mongo, src/mongo/db/error_labels.h; mongodb 7.8.0, `MongoErrorLabel`, which has the
 * last two of a server that sheds load.
 */
const PASSING_LABELS = [
  ...['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'],
  ...['SystemOverloadedError', 'RetryableError'],
] as const;

/**
 * The driver's own errors of that kind: no server, no connection, no answer in time or none that can
 * be read, and work in flight when its client, session or cursor is closed.
 * Source: mongodb 7.8.0, `error` and `cmap/errors`.
 */
const PASSING_NAMES: ReadonlySet<string> = new Set([
  ...['MongoServerSelectionError', 'MongoStalePrimaryError', 'MongoNotConnectedError'],
  ...['MongoPoolClearedError', 'MongoPoolClearedOnNetworkError', 'MongoPoolClosedError'],
  ...['MongoWaitQueueTimeoutError', 'MongoOperationTimeoutError'],
  ...['MongoUnexpectedServerResponseError', 'MongoDecompressionError'],
  ...['MongoClientClosedError', 'MongoServerClosedError', 'MongoTopologyClosedError'],
  ...['MongoExpiredSessionError', 'MongoCursorExhaustedError'],
]);
