import { BSON } from 'bson';
import type { WireRequest } from './wire-protocol.ts';

/** The plain values among a command's own fields; what is nested stays raw. */
export type FieldValue = string | number | bigint | boolean | Buffer | undefined;

/** One command, with what decides how it is run; its body stays raw BSON. */
export type Command = {
  readonly name: string;
  readonly database: string;
  /** The collection it is about; empty for commands about none. */
  readonly collection: string;
  readonly document: Buffer;
  readonly sequences: ReadonlyMap<string, Buffer>;
  readonly fields: ReadonlyMap<string, FieldValue>;
  /** The logical session, in hexadecimal digits; empty where there is none. */
  readonly sessionId: string;
  /** Counts the retryable writes and transactions of a session. */
  readonly number: bigint | undefined;
  readonly inTransaction: boolean;
  readonly startsTransaction: boolean;
};

/** Reads what decides how a command is run. The first field's name is the command's name. */
export function readCommand(request: Pick<WireRequest, 'document' | 'sequences'>): Command {
  const fields = readFields(request.document);
  const name = fields.keys().next().value ?? '';
  const target = fields.get(name);
  const database = fields.get('$db');
  const session = fields.get('lsid');
  const number = fields.get('txnNumber');
  return {
    name,
    database: typeof database === 'string' ? database : 'admin',
    collection: readCollection(target, fields),
    document: request.document,
    sequences: request.sequences,
    fields,
    sessionId: Buffer.isBuffer(session) ? session.toString('hex') : '',
    number: typeof number === 'bigint' ? number : undefined,
    inTransaction: fields.get('autocommit') === false,
    startsTransaction: fields.get('startTransaction') === true,
  };
}

/** Commands name their collection as their own value; getMore has a field for it. */
function readCollection(target: FieldValue, fields: ReadonlyMap<string, FieldValue>): string {
  if (typeof target === 'string') return target;
  const field = fields.get('collection');
  return typeof field === 'string' ? field : '';
}

/**
 * The fields of a raw document, without decoding what is nested: a command may hold thousands of
 * documents that only the engine reads.
 */
function readFields(document: Buffer): ReadonlyMap<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  for (const [type, nameAt, nameLength, at, length] of BSON.onDemand.parseToElements(document)) {
    const name = document.toString('utf8', nameAt, nameAt + nameLength);
    fields.set(name, readValue(document, type, at, length));
  }
  return fields;
}

/** Types are numbered as in the specification of BSON (bsonspec.org). */
function readValue(document: Buffer, type: number, at: number, length: number): FieldValue {
  switch (type) {
    case 1:
      return document.readDoubleLE(at);
    case 2:
      return document.toString('utf8', at + 4, at + length - 1);
    case 3:
    case 4:
      return document.subarray(at, at + length);
    case 8:
      return document[at] !== 0;
    case 16:
      return document.readInt32LE(at);
    case 18:
      return document.readBigInt64LE(at);
    default:
      return undefined;
  }
}

/** Decodes a document whole; numbers keep their BSON types. */
export function decodeDocument(document: Uint8Array): Record<string, unknown> {
  return BSON.deserialize(document, {
    promoteLongs: false,
    promoteValues: false,
    bsonRegExp: true,
  });
}

/** An answer that says nothing but that it went well. */
export const OK: Uint8Array = BSON.serialize({ ok: 1 });
