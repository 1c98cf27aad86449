import { createRequire } from 'node:module';
import { MongoBulkWriteError, MongoError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { decided } from '../../lib/mongo/failure.ts';
import { connect, useDatabase } from '../support/database.ts';

const database = useDatabase();

/** The fate of a store's failure: the class of what a caller of the store sees. */
async function outcomeOf(failure: unknown): Promise<string> {
  const reason = failure as Error;
  return decided(Promise.reject(reason), 1_000).then(
    () => 'answered',
    (error: unknown) => (error instanceof UndecidedError ? 'undecided' : 'thrown as it is'),
  );
}

describe('an error of the server is UNDECIDED where the request is not to blame', () => {
  it.each([
    [6, 'HostUnreachable', 'another server was not reached'],
    [7, 'HostNotFound', 'another server was not found'],
    [89, 'NetworkTimeout', 'another server did not answer'],
    [91, 'ShutdownInProgress', 'the server goes down'],
    [133, 'FailedToSatisfyReadPreference', 'a router found no primary'],
    [145, 'PooledConnectionsDropped', 'a router lost its connections'],
    [189, 'PrimarySteppedDown', 'an election'],
    [202, 'NetworkInterfaceExceededTimeLimit', 'another server did not answer in time'],
    [9001, 'SocketException', 'a connection broke'],
    [10058, 'LegacyNotPrimary', 'an election'],
    [10107, 'NotWritablePrimary', 'an election'],
    [11600, 'InterruptedAtShutdown', 'the server goes down'],
    [11602, 'InterruptedDueToReplStateChange', 'an election'],
    [13435, 'NotPrimaryNoSecondaryOk', 'an election'],
    [13436, 'NotPrimaryOrSecondary', 'a member that recovers'],
    [24, 'LockTimeout', 'a lock was held too long'],
    [50, 'MaxTimeMSExpired', 'the time limit passed'],
    [262, 'ExceededTimeLimit', 'a time limit passed'],
    [290, 'TransactionExceededLifetimeLimitSeconds', 'a commit took longer than a minute'],
    [407, 'PooledConnectionAcquisitionExceededTimeLimit', 'a router waited for a connection'],
    [43, 'CursorNotFound', 'a cursor was lost between pages'],
    [90, 'CallbackCanceled', 'the server goes down'],
    [175, 'QueryPlanKilled', 'an index was dropped meanwhile'],
    [206, 'NoSuchSession', 'the session was ended'],
    [237, 'CursorKilled', 'a cursor was ended'],
    [279, 'ClientDisconnect', 'the connection went away under the operation'],
    [281, 'TransactionCoordinatorSteppingDown', 'an election'],
    [282, 'TransactionCoordinatorReachedAbortDecision', 'another shard ended the commit'],
    [310, 'PeriodicJobIsStopped', 'the server goes down'],
    [355, 'InterruptedDueToStorageChange', 'the storage was restarted'],
    [453, 'InterruptedDueToReshardingCriticalSection', 'data moves'],
    [11601, 'Interrupted', 'somebody ended the operation'],
    [46841, 'ClientMarkedKilled', 'somebody ended the connection'],
    [91331, 'RetriableRemoteCommandFailure', 'another server failed'],
    [10045600, 'InterruptedDueToFCVChange', 'an upgrade'],
    [14031, 'OutOfDiskSpace', 'nothing is written until there is room'],
    [261, 'TooManyLogicalSessions', 'too much at once'],
    [365, 'TemporarilyUnavailable', 'the cache is under pressure'],
    [402, 'ResourceExhausted', 'too much at once'],
    [433, 'AdmissionQueueOverflow', 'too much at once'],
    [449, 'RateLimitExceeded', 'too much at once'],
    [450, 'PooledConnectionAcquisitionRejected', 'too much at once'],
    [462, 'IngressRequestRateLimitExceeded', 'too much at once'],
    [46, 'LockBusy', 'another operation was in the way'],
    [112, 'WriteConflict', 'another write came first'],
    [117, 'ConflictingOperationInProgress', 'another operation was in the way'],
    [150, 'StaleEpoch', 'data moved'],
    [215, 'DatabaseDropPending', 'another operation was in the way'],
    [239, 'SnapshotTooOld', 'the snapshot is gone'],
    [246, 'SnapshotUnavailable', 'the snapshot is not there yet'],
    [249, 'StaleDbVersion', 'data moved'],
    [250, 'StaleChunkHistory', 'data moved'],
    [267, 'PreparedTransactionInProgress', 'another commit was in the way'],
    [272, 'MigrationConflict', 'data moves'],
    [343, 'ShardCannotRefreshDueToLocksHeld', 'data moved'],
    [358, 'InternalTransactionNotSupported', 'an upgrade'],
    [363, 'RetryableTransactionInProgress', 'the first try still runs'],
    [406, 'MigrationBlockingOperationCoordinatorCleaningUp', 'data moves'],
    [412, 'UpdatesStillPending', 'another operation was in the way'],
    [12586, 'BackgroundOperationInProgressForDatabase', 'another operation was in the way'],
    [12587, 'BackgroundOperationInProgressForNamespace', 'another operation was in the way'],
    [13388, 'StaleConfig', 'data moved'],
    [50915, 'BackupCursorOpenConflictWithCheckpoint', 'a backup was in the way'],
    [64, 'WriteConcernTimeout', 'written, and not known to be everywhere'],
    [75, 'WriteConcernLegacyOK', 'written, and not known to be everywhere'],
    [79, 'UnknownReplWriteConcern', 'written, and not known to be everywhere'],
    [100, 'UnsatisfiableWriteConcern', 'written, and too few members have it'],
    [134, 'ReadConcernMajorityNotAvailableYet', 'a member that has just started'],
    [217, 'IncompleteTransactionHistory', 'written, and its answer is not there any more'],
    [225, 'TransactionTooOld', 'a repeat that came after its session had gone on'],
    [251, 'NoSuchTransaction', 'a commit was ended by the server'],
    [256, 'TransactionCommitted', 'a statement that came after its commit'],
    [356, 'TxnRetryCounterTooOld', 'a repeat that came after its session had gone on'],
    [40613, 'Location40613', 'written, and its image is not in the oplog any more'],
    [5637601, 'Location5637601', 'written, and its image is not there any more'],
    [5637602, 'Location5637602', 'written, and the image there is of a later write'],
    [149, 'NoConfigPrimary', 'the config servers hold an election'],
    [203, 'ShardingStateNotInitialized', 'a shard that has just started'],
    [211, 'KeyNotFound', 'a router that has just started'],
    [56846, 'ConfigServerUnreachable', 'the config servers were not reached'],
  ])('%i %s: %s', async (code, codeName) => {
    const failure = new MongoServerError({ message: codeName, code, codeName });
    expect(await outcomeOf(failure)).toBe('undecided');
  });

  it.each([
    [1, 'InternalError', 'a fault, which repeats'],
    [2, 'BadValue', 'what was sent is wrong'],
    [9, 'FailedToParse', 'what was sent is wrong'],
    [13, 'Unauthorized', 'somebody has to allow it'],
    [14, 'TypeMismatch', 'what is stored is wrong'],
    [18, 'AuthenticationFailed', 'somebody has to set the password'],
    [26, 'NamespaceNotFound', 'nothing of that name is there'],
    [59, 'CommandNotFound', 'the server is too old'],
    [66, 'ImmutableField', 'what was sent is wrong'],
    [72, 'InvalidOptions', 'what was sent is wrong'],
    [115, 'CommandNotSupported', 'the server cannot do it'],
    [121, 'DocumentValidationFailure', 'somebody set a validator'],
    [263, 'OperationNotSupportedInTransaction', 'what was sent is wrong'],
    [10334, 'BSONObjectTooLarge', 'the document is full'],
    [11000, 'DuplicateKey', 'it is there'],
    [40415, 'IDLUnknownField', 'the server is too old'],
    [50768, 'NotARetryableWriteCommand', 'what was sent is wrong'],
  ])('but not %i %s: %s', async (code, codeName) => {
    const failure = new MongoServerError({ message: codeName, code, codeName });
    expect(await outcomeOf(failure)).toBe('thrown as it is');
  });

  it.each([
    'RetryableWriteError',
    'TransientTransactionError',
    'UnknownTransactionCommitResult',
    'SystemOverloadedError',
    'RetryableError',
  ])('whatever its code, where it is labelled %s', async (label) => {
    const failure = new MongoServerError({ message: 'x', code: 2, errorLabels: [label] });
    expect(await outcomeOf(failure)).toBe('undecided');
  });

  it('whatever its code, where it is about the write concern alone', async () => {
    const writeConcernError = { code: 2, errmsg: 'x', errInfo: {} };
    const failure = new MongoWriteConcernError({ ok: 1, writeConcernError });
    expect(await outcomeOf(failure)).toBe('undecided');
  });

  it.each([
    { fails: 'as a whole', more: { code: 91, writeErrors: [] } },
    { fails: 'in one write', more: { code: 91, writeErrors: [{ code: 91 }] } },
    {
      fails: 'in one write, and is there in another',
      more: { code: 11000, writeErrors: [{ code: 11000 }, { code: 91 }] },
    },
    {
      fails: 'in its write concern alone',
      more: { code: 2, writeErrors: [], writeConcernErrors: [{ code: 2 }] },
    },
  ])('where a batch $fails', async ({ more }) => {
    expect(await outcomeOf(batchError(more))).toBe('undecided');
  });

  it('but not where every write of a batch is there', async () => {
    const writeErrors = [{ code: 11000 }, { code: 11000 }];
    expect(await outcomeOf(batchError({ code: 11000, writeErrors }))).toBe('thrown as it is');
  });
});

type BatchFailure = {
  readonly code: number;
  readonly writeErrors: readonly { readonly code: number }[];
  readonly writeConcernErrors?: readonly { readonly code: number }[];
};

/** The driver's error of a batch. */
function batchError({ code, writeErrors, writeConcernErrors = [] }: BatchFailure) {
  const result = { getWriteConcernError: () => writeConcernErrors[0] } as never; // as much of it as is read
  return new MongoBulkWriteError({ message: 'x', code, writeErrors: writeErrors as never }, result);
}

const load = createRequire(import.meta.url);

/** An error of each class that the driver has, by its name: it exports some of them. */
const CLASSES = new Map(
  ['mongodb/lib/error.js', 'mongodb/lib/cmap/errors.js'].flatMap((file) =>
    Object.values(load(file) as Record<string, unknown>).flatMap((one) => {
      const prototype: unknown = typeof one === 'function' ? one.prototype : undefined;
      if (!(prototype instanceof MongoError)) return [];
      // As much of it as is read: no two classes are made from the same arguments.
      const error = Object.create(prototype) as MongoError;
      return [[error.name, Object.assign(error, { errorLabelSet: new Set() })] as const];
    }),
  ),
);

/** Those of which the call may be to blame: `about the request`. */
const BLAMED = [
  ...['MongoDriverError', 'MongoAPIError', 'MongoRuntimeError', 'MongoSystemError'],
  ...['MongoInvalidArgumentError', 'MongoParseError', 'MongoCompatibilityError'],
  ...['MongoMissingCredentialsError', 'MongoMissingDependencyError', 'MongoTransactionError'],
  ...['MongoKerberosError', 'MongoAWSError', 'MongoOIDCError', 'MongoAzureError', 'MongoGCPError'],
  ...['MongoBatchReExecutionError', 'MongoCursorInUseError', 'MongoTailableCursorError'],
  ...['MongoClientBulkWriteError', 'MongoClientBulkWriteCursorError'],
  ...['MongoClientBulkWriteExecutionError', 'MongoChangeStreamError'],
  ...['MongoGridFSStreamError', 'MongoGridFSChunkError'],
] as const;

const PASSING = [
  ['MongoNetworkError', 'a connection broke'],
  ['MongoNetworkTimeoutError', 'a connection is silent'],
  ['MongoServerSelectionError', 'no primary in time'],
  ['MongoStalePrimaryError', 'an election'],
  ['MongoNotConnectedError', 'not connected'],
  ['MongoPoolClearedError', 'the server is away'],
  ['PoolClearedOnNetworkError', 'the server is away'],
  ['MongoPoolClosedError', 'closed under the call'],
  ['MongoWaitQueueTimeoutError', 'no connection in time'],
  ['MongoOperationTimeoutError', 'no answer in time'],
  ['MongoUnexpectedServerResponseError', 'an answer that nobody can read'],
  ['MongoDecompressionError', 'an answer that nobody can read'],
  ['MongoClientClosedError', 'closed under the call'],
  ['MongoServerClosedError', 'closed under the call'],
  ['MongoTopologyClosedError', 'closed under the call'],
  ['MongoExpiredSessionError', 'closed under the call'],
  ['MongoCursorExhaustedError', 'closed under the call'],
] as const;

describe('an error of the driver is UNDECIDED where the call is not to blame', () => {
  it.each(PASSING)('%s: %s', async (name) => {
    expect(await outcomeOf(CLASSES.get(name))).toBe('undecided');
  });

  it.each(PASSING)('%s under a batch', async (name) => {
    const { result } = batchError({ code: 0, writeErrors: [] });
    const inner = CLASSES.get(name);
    const batch = new MongoBulkWriteError(inner as never, result); // as the driver makes it
    const failure = await decided(Promise.reject(batch), 1_000).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UndecidedError);
    expect(String(failure)).toContain(`(${name})`);
  });

  it.each(BLAMED)('but not %s', async (name) => {
    expect(await outcomeOf(CLASSES.get(name))).toBe('thrown as it is');
  });

  it('and every other one is an answer of a server', () => {
    const named = new Set<string>([...BLAMED, ...PASSING.map(([name]) => name)]);
    const others = [...CLASSES.keys()].filter((name) => !named.has(name));
    expect(others.toSorted()).toEqual(['MongoServerError', 'MongoWriteConcernError']);
  });

  it.each([new TypeError('x'), new RangeError('x'), 'x'])('nor %s', async (failure) => {
    expect(await outcomeOf(failure)).toBe('thrown as it is');
  });
});

describe('work in flight', () => {
  it('is UNDECIDED when its client is closed', async () => {
    const { db: there } = database;
    const { client } = await connect();
    const counters = client.db(there.databaseName).collection<CounterDocument>(COUNTERS);
    await there.collection<CounterDocument>(COUNTERS).insertOne({ _id: 'user:held' });
    await database.client.withSession(async (session) => {
      session.startTransaction();
      const held = there.collection<CounterDocument>(COUNTERS);
      await held.updateOne({ _id: 'user:held' }, { $set: { n: 1 } }, { session });
      // It waits for the commit before it, until its client goes away.
      const changing = patientCounters(counters, { timeoutMs: 10_000 }).changeTerms(
        'user:held',
        { expected: undefined, terms: { version: 'v-1', overrides: [] } },
        new Date(),
      );
      const outcome = changing.catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await client.close(true);
      expect(await outcome).toBeInstanceOf(UndecidedError);
      await session.abortTransaction();
    });
  });
});
