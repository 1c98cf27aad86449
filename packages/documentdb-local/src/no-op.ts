import { BSON } from 'bson';

/** One element of a document, and where the bytes of its value begin and end. */
type Element = {
  readonly type: number;
  readonly name: string;
  readonly valueFrom: number;
  readonly to: number;
};

/**
 * Says of a findAndModify that found its document and left it as it was what MongoDB says: n 1,
 * updatedExisting true. The engine says 0 and false.
 * Source: mongodb/mongo, find_and_modify.cpp, `buildResponse`.
 */
export function correctNoOp(reply: Buffer): void {
  const elements = elementsOf(reply);
  const found = elements.find(({ name }) => name === 'value')?.type === DOCUMENT;
  const last = elements.find(({ name }) => name === 'lastErrorObject');
  if (last === undefined) return;
  const said = elementsOf(reply.subarray(last.valueFrom, last.to));
  const n = said.find(({ name }) => name === 'n');
  if (n === undefined) return;
  const isChanged = reply.readInt32LE(last.valueFrom + n.valueFrom) > 0;
  if (isChanged || !found) return;
  reply.writeInt32LE(1, last.valueFrom + n.valueFrom);
  const existing = said.find(({ name }) => name === 'updatedExisting');
  if (existing !== undefined) reply.writeUInt8(1, last.valueFrom + existing.valueFrom);
}

/** Types are numbered as in the specification of BSON (bsonspec.org). */
const DOCUMENT = 3;

function elementsOf(document: Buffer): readonly Element[] {
  return [...BSON.onDemand.parseToElements(document)].map(
    ([type, nameAt, nameBytes, at, bytes]) => ({
      type,
      name: document.toString('utf8', nameAt, nameAt + nameBytes),
      valueFrom: at,
      to: at + bytes,
    }),
  );
}

/** The bytes as a buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
