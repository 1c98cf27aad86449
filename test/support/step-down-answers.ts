import { BSON } from 'bson';
import { decodeDocument, encodeReply, parseRequest, readCommand } from 'documentdb-local/wire';

/**
 * How members answer while the primary changes.
 * Source: mongodb/mongo, src/mongo/base/error_codes.yml; src/mongo/db/error_labels.cpp.
 */
export const STEP_DOWNS = {
  'not-primary': 'a member that is not the primary says so, and does nothing',
  interrupted: 'a member is interrupted by stepping down before it did anything',
  'interrupted-after': 'a member is interrupted by stepping down, and has done it',
  'stepped-down': 'a member does it, and steps down before it knows that a majority has it',
} as const;

export type StepDown = keyof typeof STEP_DOWNS;

const NOT_PRIMARY = { code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const INTERRUPTED = {
  code: 11602,
  codeName: 'InterruptedDueToReplStateChange',
  errmsg: 'operation was interrupted',
};
const STEPPED_DOWN = {
  code: 189,
  codeName: 'PrimarySteppedDown',
  errmsg: 'Primary stepped down while waiting for replication',
};

/** The answer to a request in place of the server's. @param given the server's own, where it did it */
export function stepDownAnswer(fault: StepDown, request: Buffer, given?: Buffer): Buffer {
  const asked = parseRequest(request);
  const { name, inTransaction } = readCommand(asked);
  const isEnd = name === 'commitTransaction';
  const says = fault === 'not-primary' ? NOT_PRIMARY : INTERRUPTED;
  if (
    fault === 'stepped-down' &&
    given !== undefined &&
    name !== 'find' &&
    (!inTransaction || isEnd)
  ) {
    const own = decodeDocument(parseRequest(given).document);
    return encodeReply(asked, 1, BSON.serialize({ ...own, writeConcernError: STEPPED_DOWN }));
  }
  const labels = inTransaction && !isEnd ? ['TransientTransactionError'] : ['RetryableWriteError'];
  return encodeReply(asked, 1, BSON.serialize({ ok: 0, ...says, errorLabels: labels }));
}
