import { BSON } from 'bson';
import { decodeDocument, type Command } from './command.ts';

/**
 * MongoDB answers a repeated findAndModify with the whole document as it was before, or after, the
 * first one: it keeps that image, and `fields` is not applied to it. The engine gives only what
 * `fields` says, so the image is asked for as one more field, and taken out of the answer again.
 */
const IMAGE = '__documentdb_local_image';

/** `IMAGE: '$$ROOT'`, as one BSON element. */
const IMAGE_ELEMENT = BSON.serialize({ [IMAGE]: '$$ROOT' }).subarray(4, -1);

const EMPTY_BYTES = 5;

/** One element of a document: where its bytes begin and end, and where its value begins. */
type Element = {
  readonly type: number;
  readonly name: string;
  readonly from: number;
  readonly valueFrom: number;
  readonly to: number;
};

/** How the image of a findAndModify is had. */
export type ImageAsk =
  | { readonly kind: 'asked'; readonly command: Command }
  | { readonly kind: 'whole answer' }
  /** It leaves fields out, or takes parts of arrays alone: the engine adds no field to that. */
  | { readonly kind: 'not to be had' };

/** Asks for the image beside what the command asks for. */
export function askForImage(command: Command): ImageAsk {
  const { document } = command;
  const fields = elementsOf(document).find(({ name }) => name === 'fields');
  if (fields === undefined || fields.to - fields.valueFrom <= EMPTY_BYTES)
    return { kind: 'whole answer' };
  const given = document.subarray(fields.valueFrom, fields.to);
  if (!elementsOf(given).some((element) => includes(given, element)))
    return { kind: 'not to be had' };
  const extended = withLength([given.subarray(0, -1), IMAGE_ELEMENT, Buffer.of(0)]);
  const body = [document.subarray(0, fields.valueFrom), extended, document.subarray(fields.to)];
  return { kind: 'asked', command: { ...command, document: withLength(body) } };
}

/** The answer of a findAndModify, and the image that came with it. */
export type ImageAnswer = { readonly document: Buffer; readonly image?: Buffer };

/** Takes the image out of an answer; where nothing was found, there is none. */
export function takeImage(reply: Buffer): ImageAnswer {
  const value = elementsOf(reply).find(({ name }) => name === 'value');
  if (value?.type !== DOCUMENT) return { document: reply };
  const given = reply.subarray(value.valueFrom, value.to);
  const image = elementsOf(given).find(({ name }) => name === IMAGE);
  if (image === undefined) return { document: reply, image: given };
  const rest = withLength([given.subarray(0, image.from), given.subarray(image.to)]);
  return {
    document: withLength([reply.subarray(0, value.valueFrom), rest, reply.subarray(value.to)]),
    image: given.subarray(image.valueFrom, image.to),
  };
}

/** The outcome of a findAndModify, decoded without the document beside it, which may be large. */
export function lastErrorObjectIn(reply: Buffer): unknown {
  const last = elementsOf(reply).find(({ name }) => name === 'lastErrorObject');
  return last?.type === DOCUMENT
    ? decodeDocument(reply.subarray(last.valueFrom, last.to))
    : undefined;
}

/**
 * Says of a findAndModify that found its document and left it as it was what MongoDB says: n 1,
 * updatedExisting true. The engine says 0 and false.
 * Source: mongodb/mongo, find_and_modify.cpp, `buildResponse`.
 *
 * @returns whether anything was changed
 */
export function correctNoOp(reply: Buffer): boolean {
  const elements = elementsOf(reply);
  const found = elements.find(({ name }) => name === 'value')?.type === DOCUMENT;
  const last = elements.find(({ name }) => name === 'lastErrorObject');
  if (last === undefined) return false;
  const said = elementsOf(reply.subarray(last.valueFrom, last.to));
  const n = said.find(({ name }) => name === 'n');
  if (n === undefined) return false;
  const changed = reply.readInt32LE(last.valueFrom + n.valueFrom) > 0;
  if (changed || !found) return changed;
  reply.writeInt32LE(1, last.valueFrom + n.valueFrom);
  const existing = said.find(({ name }) => name === 'updatedExisting');
  if (existing !== undefined) reply.writeUInt8(1, last.valueFrom + existing.valueFrom);
  return false;
}

/** Types are numbered as in the specification of BSON (bsonspec.org). */
const DOUBLE = 1;
const DOCUMENT = 3;
const BOOLEAN = 8;
const INT = 16;
const LONG = 18;

function elementsOf(document: Buffer): readonly Element[] {
  return [...BSON.onDemand.parseToElements(document)].map(
    ([type, nameAt, nameBytes, at, bytes]) => ({
      type,
      name: document.toString('utf8', nameAt, nameAt + nameBytes),
      from: nameAt - 1,
      valueFrom: at,
      to: at + bytes,
    }),
  );
}

/** Whether an element of `fields` makes it a list of what is wanted. */
function includes(fields: Buffer, { type, name, valueFrom, to }: Element): boolean {
  switch (type) {
    case DOUBLE:
      return fields.readDoubleLE(valueFrom) !== 0;
    case BOOLEAN:
      return fields[valueFrom] !== 0;
    case INT:
      return fields.readInt32LE(valueFrom) !== 0;
    case LONG:
      return fields.readBigInt64LE(valueFrom) !== 0n;
    case DOCUMENT:
      return elementsOf(fields.subarray(valueFrom, to))[0]?.name !== '$slice';
    default:
      return name !== '';
  }
}

/** The bytes as a buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Joins the parts of a document, and says how long it is now. */
function withLength(parts: readonly Uint8Array[]): Buffer {
  const joined = Buffer.concat(parts);
  joined.writeInt32LE(joined.length, 0);
  return joined;
}
