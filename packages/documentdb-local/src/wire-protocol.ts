/**
 * MongoDB's wire protocol as far as drivers use it: OP_MSG, and OP_QUERY for the first hello.
 * Source: MongoDB manual, "MongoDB Wire Protocol"; drivers' specification "OP_MSG".
 */

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const HEADER_BYTES = 16;

/** The longest message a driver may send, announced in hello. */
export const MESSAGE_BYTES_MAX = 48_000_000;

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const REQUIRED_FLAGS = 0xffff;

/** A client's message, cut into its parts; documents are still raw BSON. */
export type WireRequest = {
  readonly requestId: number;
  readonly kind: 'message' | 'query';
  readonly document: Buffer;
  /** Documents sent beside the command, joined, by the name of the field that they stand for. */
  readonly sequences: ReadonlyMap<string, Buffer>;
  /** The client wants no answer. */
  readonly unanswered: boolean;
};

/** The bytes are not a message of this protocol; nothing can be answered. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Cuts a stream of bytes into whole messages, however the network split them. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #byteCount = 0;

  /**
   * Takes the next bytes and gives the messages that are now complete.
   *
   * @throws ProtocolError when a length is impossible
   */
  push(chunk: Buffer): readonly Buffer[] {
    this.#chunks.push(chunk);
    this.#byteCount += chunk.length;
    const frames: Buffer[] = [];
    for (;;) {
      const length = this.#readLength();
      if (length === undefined || this.#byteCount < length) return frames;
      const joined = this.#join();
      frames.push(joined.subarray(0, length));
      this.#chunks = [joined.subarray(length)];
      this.#byteCount -= length;
    }
  }

  #readLength(): number | undefined {
    if (this.#byteCount < HEADER_BYTES) return undefined;
    const first = this.#chunks[0];
    const head = first !== undefined && first.length >= 4 ? first : this.#join();
    const length = head.readInt32LE(0);
    if (length < HEADER_BYTES || length > MESSAGE_BYTES_MAX)
      throw new ProtocolError(`a message of ${length} bytes`);
    return length;
  }

  #join(): Buffer {
    const [first, ...others] = this.#chunks;
    if (first !== undefined && others.length === 0) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

/**
 * Cuts one whole message into its parts.
 *
 * @throws ProtocolError when it is malformed or of a kind that is not spoken here
 */
export function parseRequest(frame: Buffer): WireRequest {
  const requestId = frame.readInt32LE(4);
  const operation = frame.readInt32LE(12);
  if (operation === OP_MSG) return parseMessage(requestId, frame.subarray(HEADER_BYTES));
  if (operation === OP_QUERY) return parseQuery(requestId, frame.subarray(HEADER_BYTES));
  throw new ProtocolError(`operation ${operation}`);
}

function parseMessage(requestId: number, body: Buffer): WireRequest {
  const flags = body.readUInt32LE(0);
  const unknown = flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME);
  if (unknown !== 0) throw new ProtocolError(`message flags ${unknown}`);
  const end = body.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : 4);
  const sequences = new Map<string, Buffer>();
  let document: Buffer | undefined;
  let at = 4;
  while (at < end) {
    const kind = body[at];
    const section = readSized(body, at + 1, end);
    if (kind === 0) {
      document = section;
    } else if (kind === 1) {
      const nameEnd = section.indexOf(0, 4);
      if (nameEnd < 0) throw new ProtocolError('a sequence without a name');
      sequences.set(section.toString('utf8', 4, nameEnd), section.subarray(nameEnd + 1));
    } else {
      throw new ProtocolError(`section kind ${kind ?? 'none'}`);
    }
    at += 1 + section.length;
  }
  if (document === undefined) throw new ProtocolError('a message without a document');
  return {
    requestId,
    kind: 'message',
    document,
    sequences,
    unanswered: (flags & MORE_TO_COME) !== 0,
  };
}

function parseQuery(requestId: number, body: Buffer): WireRequest {
  const nameEnd = body.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('a query without a collection');
  // Behind the name stand two numbers: how many documents to skip and to return.
  const document = readSized(body, nameEnd + 9, body.length);
  return { requestId, kind: 'query', document, sequences: new Map(), unanswered: false };
}

/** A part that begins with its own length, as documents and sequences do. */
function readSized(body: Buffer, at: number, end: number): Buffer {
  if (at + 4 > end) throw new ProtocolError('a part that is cut off');
  const length = body.readInt32LE(at);
  if (length < 5 || at + length > end) throw new ProtocolError(`a part of ${length} bytes`);
  return body.subarray(at, at + length);
}

/** The answer to a request, in the form in which it was asked. */
export function encodeReply(request: WireRequest, replyId: number, document: Uint8Array): Buffer {
  const isMessage = request.kind === 'message';
  const prefixBytes = HEADER_BYTES + (isMessage ? 5 : 20);
  const reply = Buffer.alloc(prefixBytes + document.length);
  reply.writeInt32LE(reply.length, 0);
  reply.writeInt32LE(replyId, 4);
  reply.writeInt32LE(request.requestId, 8);
  reply.writeInt32LE(isMessage ? OP_MSG : OP_REPLY, 12);
  if (!isMessage) {
    reply.writeInt32LE(8, 16); // the flag "await capable", as every server since 1.6 sets it
    reply.writeInt32LE(1, 32); // one document
  }
  reply.set(document, prefixBytes);
  return reply;
}
