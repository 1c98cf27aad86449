import { BSON } from 'bson';

/** The answer of a failed command. Source of the codes: MongoDB manual, "Error Codes". */
type CommandFailure = {
  readonly code: number;
  readonly codeName: string;
  readonly message: string;
};

/** A command failed, and the client gets this error. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: number;
  readonly codeName: string;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.codeName = CODE_NAMES[code] ?? `Location${code}`;
  }
}

const CODE_NAMES: Readonly<Record<number, string>> = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  14: 'TypeMismatch',
  15: 'Overflow',
  20: 'IllegalOperation',
  24: 'LockTimeout',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  56: 'EmptyFieldName',
  57: 'DottedFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  68: 'IndexAlreadyExists',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  117: 'ConflictingOperationInProgress',
  121: 'DocumentValidationFailure',
  146: 'ExceededMemoryLimit',
  167: 'OptionNotSupportedOnView',
  197: 'InvalidIndexSpecificationOption',
  217: 'IncompleteTransactionHistory',
  224: 'QueryFeatureNotAllowed',
  225: 'TransactionTooOld',
  241: 'ConversionFailure',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  263: 'OperationNotSupportedInTransaction',
  50768: 'NotARetryableWriteCommand',
  10107: 'NotWritablePrimary',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  14031: 'OutOfDiskSpace',
};

/**
 * The codes behind DocumentDB's own SQL states, which number its errors in base 36; the ones that
 * drivers meet here. Source: the table of errors that the DocumentDB project publishes.
 */
const DOCUMENTDB_CODES: Readonly<Record<string, number>> = {
  M0001: 2,
  M0003: 9,
  M0004: 14,
  M0005: 15,
  M0006: 20,
  M0008: 26,
  M0009: 27,
  M000A: 28,
  M000D: 40,
  M000E: 43,
  M000F: 48,
  M000G: 52,
  M000J: 56,
  M000K: 57,
  M000M: 66,
  M000N: 67,
  M000O: 68,
  M000P: 72,
  M000Q: 73,
  M000R: 85,
  M000S: 86,
  M000U: 115,
  M000W: 146,
  M0010: 167,
  M0012: 197,
  M0013: 224,
  M0015: 241,
  M0016: 263,
  M001B: 10334,
  M001C: 11000,
  M001X: 6045000,
  M0024: 16610,
  M0037: 17276,
  M003A: 17419,
  M003B: 17420,
  M006F: 40068,
  M006M: 40081,
  M007U: 40324,
  M0088: 40415,
  M00CO: 121,
  M00EW: 24,
  M00EX: 50,
  M00F1: 112,
};

/** PostgreSQL's SQL states. Source: PostgreSQL manual, "PostgreSQL Error Codes". */
function codeOfSqlState(state: string, inTransaction: boolean): number | undefined {
  switch (state) {
    case '23505': // unique violation
    case '23P01': // exclusion violation
      return inTransaction ? 112 : 11000;
    case '40001': // serialization failure
    case '40P01': // deadlock
    case '55P03': // lock not available in time
      return 112;
    case '57014': // canceled, by a time limit
      return 50;
    case '42P01': // no such table
      return 26;
    case '0A000': // not supported
      return 115;
    case '22P02': // invalid text
    case '22023': // invalid parameter
      return 2;
    case '53100': // disk full
      return 14031;
    case '08006': // connection lost, and the server going down, gone, or not yet there
    case '57P01':
    case '57P02':
    case '57P03':
      return 91;
    default:
      return DOCUMENTDB_CODES[state];
  }
}

/** MongoDB's error for one of the engine's. The message names an unknown SQL state. */
export function failureOf(state: string, message: string, inTransaction: boolean): CommandFailure {
  const isConflict = missesCollection(message) || (lostUpsertRace(message) && inTransaction);
  const code = isConflict ? 112 : codeOfSqlState(state, inTransaction);
  if (code === undefined)
    return { code: 1, codeName: 'InternalError', message: `${message} (${state})` };
  return { code, codeName: CODE_NAMES[code] ?? `Location${code}`, message };
}

/**
 * Whether the engine says that an upsert lost the race to insert its document. DocumentDB 1.0
 * redoes such an upsert as an update without `$$NOW` and without the variables of `let`, and fails.
 * Nothing has been written, so it can be repeated.
 */
export function lostUpsertRace(message: string): boolean {
  return /^(The \$\$NOW operator cannot be used|Attempting to use an undefined variable)/.test(
    message,
  );
}

/**
 * Whether a connection does not find the collection that it has just made sure of: what it remembers of
 * it is outdated. Nothing has been written, so it can be repeated, once the connection has forgotten.
 * Source: documentdb/documentdb, pg_documentdb/src/commands/insert.c, `CreateCollectionForInsert`.
 */
export function missesCollection(message: string): boolean {
  return message.startsWith('Unable to create the specified collection');
}

/** The SQL state behind a number in `writeErrors`: five characters of 6 bits, counted from "0". */
export function unpackSqlState(packed: number): string {
  const codes = Array.from({ length: 5 }, (_, index) => ((packed >> (6 * index)) & 0x3f) + 48);
  return String.fromCharCode(...codes);
}

/** The failure that a client gets, whatever was thrown. */
export function readFailure(error: unknown, inTransaction: boolean): CommandFailure {
  if (error instanceof CommandError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return failureOf(readSqlState(error), message, inTransaction);
}

/** The SQL state of an error of PostgreSQL or of the connection to it. */
export function readSqlState(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // pg puts the SQL state, and Node the name of a system error, under `code`.
  const { code } = error as Error & { readonly code?: unknown };
  // Node's names begin with E, as no SQL state does; EPIPE has as many characters as one.
  if (typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code)) return code;
  // pg has no code for a connection that ended under a query.
  return typeof code === 'string' || /connection/i.test(error.message) ? '08006' : '';
}

/** After these a transaction can be begun again. Source: drivers' specification "Transactions". */
const TRANSIENT = new Set([24, 91, 112, 251, 10107]);

/** After these a write can be repeated: the server goes down, or is not the primary. */
const ELSEWHERE = new Set([91, 10107]);

/**
 * The labels by which the driver knows what may be repeated. A transaction whose commit did not come
 * through may be committed: its commit is repeated, and what it did is not begun again.
 * Source: mongodb/mongo, error_labels.cpp, `isTransientTransactionError`.
 */
export function labelsFor(
  code: number,
  inTransaction: boolean,
  retryable: boolean,
  isEnding = false,
): readonly string[] {
  if (isEnding && ELSEWHERE.has(code)) return ['RetryableWriteError'];
  if (inTransaction) return TRANSIENT.has(code) ? ['TransientTransactionError'] : [];
  return retryable && ELSEWHERE.has(code) ? ['RetryableWriteError'] : [];
}

/** The answer of a failed command. */
export function encodeFailure(failure: CommandFailure, labels: readonly string[]): Uint8Array {
  return BSON.serialize({
    ok: 0,
    errmsg: failure.message,
    code: failure.code,
    codeName: failure.codeName,
    ...(labels.length > 0 ? { errorLabels: labels } : {}),
  });
}
