import { setTimeout } from 'node:timers/promises';
import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb';
import { LostAnswerError, UndecidedError } from '../shared/errors.ts';
import { within } from '../shared/within.ts';

/**
 * Codes of the server that say nothing about the request. Each of the categories RetriableError, Interruption,
 * NetworkError, NotPrimaryError, ShutdownError, ExceededTimeLimitError, WriteConcernError, SnapshotError,
 * NeedRetargettingError and SystemOverloadedError is here whole, without codes that never leave the server.
 * Source: mongodb/mongo, src/mongo/base/error_codes.yml.
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  // A server is not reached, goes down, or is not the primary any more or yet.
  6, 7, 89, 91, 133, 145, 189, 202, 9001, 10058, 10107, 11600, 11602, 13435, 13436,
  // Time was over, for the operation, for what it waited for, or for a place in a pool.
  24, 50, 262, 290, 407,
  // Somebody or something ended the operation, its session or its cursor meanwhile.
  43, 90, 175, 206, 237, 279, 281, 282, 310, 355, 453, 11601, 46841, 91331, 10045600,
  // The server is overloaded.
  261, 365, 402, 433, 449, 450, 462,
  // Another operation was in the way, or data moved between shards.
  46, 112, 117, 150, 215, 239, 246, 249, 250, 267, 272, 343, 358, 363, 406, 412, 12586, 12587,
  13388, 50915,
  // The write was done here; how many members have it is not known.
  64, 75, 79, 100, 134,
  // A repeat of a write of which the server no longer knows what it answered, or that came too late.
  217,
  225, 251, 256, 356, 40613, 5637601, 5637602,
  // The disk is full. Nothing is written until there is room.
  14031,
  // The config servers, or keys that servers share, are not there yet.
  149, 203, 211, 56846,
]);

/** Such an `_id` is there already. */
const DUPLICATE_KEY = 11_000;

/** Says whether an error has DUPLICATE_KEY. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Inserts a document; false where there is one of its `_id`. */
export async function insertIfNew(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Longest wait for the store's answer to one call. */
export const STORE_TIMEOUT_MS_DEFAULT = 2_000;

/**
 * What became of a batch of which some writes, by their places in it, met an `_id` that is there already.
 *
 * @throws the error itself if anything else failed, too
 */
export function withDuplicates(error: unknown) {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const { result } = error;
  const failures = [error.writeErrors].flat();
  const areDuplicates = failures.length > 0 && failures.every(({ code }) => code === DUPLICATE_KEY);
  if (!areDuplicates || isUnacknowledged(error)) throw error;
  return { result, places: failures.map(({ index }) => index) };
}

/** The server gives up a little before its caller does, so that the answer says why. */
const SERVER_SHARE = 0.9;

/**
 * How long the server may work on a statement whose caller waits so long: its `maxTimeMS`.
 *
 * Every write has this bound. Without it a write that meets a document of a commit waits for the end of the commit,
 * and is done then, up to 90 s later, even if its caller is gone.
 * Source: mongodb/mongo, src/mongo/db/query/plan_executor_impl.cpp, `_handleNeedYield`; exec/update_stage.cpp,
 * `prepareToRetryWSM`.
 */
export function serverMs(waitMs: number): number {
  return Math.max(1, Math.floor(waitMs * SERVER_SHARE));
}

/** Waits at most `timeoutMs`. @throws UndecidedError without an answer in time, or if `isPassing` */
export async function decided<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  try {
    return await within(answer, timeoutMs, () => {
      throw new UndecidedError(`no answer within ${timeoutMs} ms`);
    });
  } catch (error) {
    throw named(error);
  }
}

/** An UndecidedError in place of what says nothing about the request; all else is as it was. */
export function named(error: unknown): unknown {
  if (!isPassing(error)) return error;
  return new UndecidedError((wrappedBy(error) ?? error).name, { cause: error });
}

/** Pause before a write is sent again, in milliseconds: the driver looks for its server meanwhile. */
const SENT_AGAIN_MS = 20;

/**
 * Sends a write that must not be done twice. What proves that it did nothing is sent again as it is, until its time
 * is over.
 *
 * @param endsAtMs when its time is over, by the clock of the process
 * @param isAgain whether it follows a write that failed, so that the driver may have to wait for a server
 * @throws LostAnswerError if it may have been done, and time is left; UndecidedError if none is; what is about the request
 */
export async function sentOnce<T>(write: Write<T>, endsAtMs: number, isAgain = false): Promise<T> {
  const waiting = isAgain ? new AbortController() : undefined;
  const waitMs = endsAtMs - performance.now();
  try {
    return await decided(write(serverMs(waitMs), waiting?.signal), waitMs);
  } catch (error) {
    waiting?.abort();
    const leftMs = endsAtMs - performance.now();
    if (!(error instanceof UndecidedError) || leftMs <= SENT_AGAIN_MS) throw error;
    const proof = proofOf(error.cause);
    if (proof === 'time is over') throw error;
    if (proof !== 'not done')
      throw new LostAnswerError('the answer was lost', endsAtMs, { cause: error.cause });
    await setTimeout(SENT_AGAIN_MS);
    return sentOnce(write, endsAtMs, true);
  }
}

/**
 * @param maxTimeMS the bound that the server keeps
 * @param signal ends the wait for a server: what is sent again is not sent once its time is over
 */
type Write<T> = (maxTimeMS: number, signal: AbortSignal | undefined) => Promise<T>;

/** Sends a write that may be done twice, until it is answered or its time is over. @throws as `decided` */
export async function sentUntilDone<T>(write: Write<T>, endsAtMs: number): Promise<T> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await sentOnce(write, endsAtMs, isAgain);
    } catch (error) {
      if (!(error instanceof LostAnswerError)) throw error;
      await setTimeout(SENT_AGAIN_MS);
    }
  }
}

/**
 * What a failure proves of the statement that met it. `not done`: it was never sent, or a member refused it that is
 * not the primary. A member that was the primary when it began says so by other codes: it may have written.
 * `time is over`: the server's bound ended it, so there is none to look or to send it again. A member that says so did
 * nothing, but a router says so while its shard may write. As the error of a write concern the code says that it was done.
 * `about the request`: the same request fails again until somebody mends something. An unknown code is such. The
 * server's labels count before any code, because they are newer than any list.
 * Source: mongodb 7.8.0, `cmap/connect`, `cmap/errors`; mongodb/mongo, src/mongo/base/error_codes.yml;
 * src/mongo/s/async_requests_sender.cpp, `next`.
 */
type Proof = 'not done' | 'may be done' | 'time is over' | 'about the request';

function proofOf(error: unknown): Proof {
  if (!(error instanceof MongoError)) return 'about the request';
  if (error instanceof MongoBulkWriteError) return proofOfBatch(error);
  if (error instanceof MongoWriteConcernError) return 'may be done';
  if (error instanceof MongoServerError) return proofOfAnswer(error);
  const isPassed =
    isLabelled(error) || error instanceof MongoNetworkError || PASSING_NAMES.has(error.name);
  if (!isPassed) return 'about the request';
  return isUnsent(error) || error.hasErrorLabel('RetryableError') ? 'not done' : 'may be done';
}

function proofOfAnswer(error: MongoServerError): Proof {
  const proof = proofOfCode(error.code);
  if (proof === 'about the request') return isLabelled(error) ? 'may be done' : proof;
  return isUnsent(error) ? 'not done' : proof;
}

function proofOfCode(code: unknown): Proof {
  if (NOT_PRIMARY_CODES.has(Number(code))) return 'not done';
  if (code === TIME_IS_OVER) return 'time is over';
  return PASSING_CODES.has(Number(code)) ? 'may be done' : 'about the request';
}

const isUnsent = (error: MongoError): boolean =>
  error.hasErrorLabel('HandshakeError') || UNSENT_NAMES.has(error.name);

const isLabelled = (error: MongoError): boolean =>
  PASSING_LABELS.some((label) => error.hasErrorLabel(label));

/**
 * A batch fails as a whole, by some of its writes, or by its write concern. If some of its failures pass, it may be
 * sent again, and its next answer shows the others.
 */
function proofOfBatch(error: MongoBulkWriteError): Proof {
  if (isUnacknowledged(error)) return 'may be done';
  const ofWrites = [error.writeErrors].flat().map(({ code }) => proofOfCode(code));
  const whole = wrappedBy(error);
  const ofWhole = whole === undefined ? proofOfAnswer(error) : proofOf(whole);
  const proofs = ofWrites.length > 0 ? ofWrites : [ofWhole];
  if (proofs.every((proof) => proof === 'about the request')) return 'about the request';
  const isNothing = proofs.every((proof) => proof === 'not done') && !isPartlyDone(error);
  return isNothing ? 'not done' : 'may be done';
}

/**
 * The driver's own failure of a whole batch, which it hides in an error that has nothing of it but fields and labels.
 * That of a server gives it its code.
 * Source: mongodb 7.8.0, `executeCommands` and MongoBulkWriteError in `bulk/common`.
 */
function wrappedBy(error: MongoError): MongoError | undefined {
  if (!(error instanceof MongoBulkWriteError)) return undefined;
  const { errorResponse } = error;
  return errorResponse instanceof MongoError ? errorResponse : undefined;
}

function isUnacknowledged({ result }: MongoBulkWriteError): boolean {
  return result.getWriteConcernError() !== undefined;
}

function isPartlyDone({ result }: MongoBulkWriteError): boolean {
  const { insertedCount, matchedCount, upsertedCount, deletedCount } = result;
  return insertedCount + matchedCount + upsertedCount + deletedCount > 0;
}

/** MaxTimeMSExpired. */
export const TIME_IS_OVER = 50;

/** NotWritablePrimary, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary. */
const NOT_PRIMARY_CODES: ReadonlySet<number> = new Set([10107, 13435, 13436]);

/** Errors of the driver before it sends anything. */
const UNSENT_NAMES: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
]);

/**
 * Whether a failure says nothing about the request, so that the call is UNDECIDED: nobody knows whether the
 * write stands, or the same request can succeed a moment later without anybody mending it.
 */
export function isPassing(error: unknown): error is MongoError {
  return proofOf(error) !== 'about the request';
}

/**
 * Whether a connection broke under a statement, or was not to be had. In a commit that was not asked for its end
 * this proves that nothing of it stands. The driver's label says so only to the first who notices.
 * Source: mongodb 7.8.0, `decorateCommandError` in `sdam/server`, `connectionIsStale`.
 */
export function isCutOff(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  return (wrappedBy(error) ?? error) instanceof MongoNetworkError;
}

/** Source: mongodb/mongo, src/mongo/db/error_labels.h; mongodb 7.8.0, `MongoErrorLabel`, for the last two. */
const PASSING_LABELS = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'SystemOverloadedError',
  'RetryableError',
] as const;

/** Errors of the driver, without an answer of a server. Source: mongodb 7.8.0, `error` and `cmap/errors`. */
const PASSING_NAMES: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoStalePrimaryError',
  'MongoNotConnectedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoUnexpectedServerResponseError',
  'MongoDecompressionError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoExpiredSessionError',
  'MongoCursorExhaustedError',
]);
