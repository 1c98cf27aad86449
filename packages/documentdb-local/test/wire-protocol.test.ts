import { BSON } from 'bson';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../src/command.ts';
import { encodeReply, FrameReader, parseRequest, ProtocolError } from '../src/wire-protocol.ts';

const OP_QUERY = 2004;
const OP_MSG = 2013;

function frame(operation: number, requestId: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + body.length, 0);
  header.writeInt32LE(requestId, 4);
  header.writeInt32LE(operation, 12);
  return Buffer.concat([header, body]);
}

function flags(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function documentSection(document: Record<string, unknown>): Buffer {
  return Buffer.concat([Buffer.from([0]), BSON.serialize(document)]);
}

function sequenceSection(name: string, documents: readonly Record<string, unknown>[]): Buffer {
  const content = Buffer.concat([
    Buffer.from(`${name}\0`),
    ...documents.map((document) => BSON.serialize(document)),
  ]);
  return Buffer.concat([Buffer.from([1]), flags(4 + content.length), content]);
}

const ping = frame(
  OP_MSG,
  7,
  Buffer.concat([flags(0), documentSection({ ping: 1, $db: 'admin' })]),
);

describe('a stream of bytes', () => {
  it.each([1, 3, 15, 16, 17, 1000])('cut every %i bytes gives the same messages', (size) => {
    const stream = Buffer.concat([ping, ping, ping]);
    const reader = new FrameReader();
    const frames: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size)
      frames.push(...reader.push(stream.subarray(at, at + size)).map((each) => Buffer.from(each)));
    expect(frames).toEqual([ping, ping, ping]);
  });

  it.each([0, 15, -1, 48_000_001])('that announces %i bytes is no message', (length) => {
    const head = Buffer.from(ping);
    head.writeInt32LE(length, 0);
    expect(() => new FrameReader().push(head)).toThrow(ProtocolError);
  });
});

describe('a message', () => {
  it('has its command, and the documents that came beside it', () => {
    const body = Buffer.concat([
      flags(0),
      sequenceSection('documents', [{ _id: 1 }, { _id: 2 }]),
      documentSection({ insert: 'things', $db: 'shop', txnNumber: 5n }),
    ]);
    const request = parseRequest(frame(OP_MSG, 9, body));
    expect(request).toMatchObject({ requestId: 9, kind: 'message', unanswered: false });
    const documents = request.sequences.get('documents');
    expect(documents).toEqual(
      Buffer.concat([BSON.serialize({ _id: 1 }), BSON.serialize({ _id: 2 })]),
    );
    expect(readCommand(request)).toMatchObject({
      name: 'insert',
      database: 'shop',
      collection: 'things',
      number: 5n,
      inTransaction: false,
    });
  });

  it('with a checksum is read without it', () => {
    const body = Buffer.concat([flags(1), documentSection({ ping: 1 }), flags(0xdeadbeef)]);
    expect(readCommand(parseRequest(frame(OP_MSG, 1, body))).name).toBe('ping');
  });

  it('may want no answer', () => {
    const body = Buffer.concat([flags(2), documentSection({ insert: 'x' })]);
    expect(parseRequest(frame(OP_MSG, 1, body)).unanswered).toBe(true);
  });

  it('may allow more answers than one, and gets one', () => {
    const body = Buffer.concat([flags(1 << 16), documentSection({ hello: 1 })]);
    expect(parseRequest(frame(OP_MSG, 1, body)).unanswered).toBe(false);
  });

  it.each([
    {
      why: 'a flag that has to be understood',
      body: Buffer.concat([flags(4), documentSection({})]),
    },
    {
      why: 'a section of an unknown kind',
      body: Buffer.concat([flags(0), Buffer.from([9, 5, 0, 0, 0, 0])]),
    },
    { why: 'no document', body: Buffer.concat([flags(0), sequenceSection('documents', [])]) },
    {
      why: 'a document that is cut off',
      body: Buffer.concat([flags(0), documentSection({ ping: 1 }).subarray(0, 8)]),
    },
  ])('is refused: $why', ({ body }) => {
    expect(() => parseRequest(frame(OP_MSG, 1, body))).toThrow(ProtocolError);
  });

  it('of another protocol is refused', () => {
    expect(() => parseRequest(frame(2012, 1, Buffer.alloc(8)))).toThrow(ProtocolError);
  });
});

describe('the first question of an old driver', () => {
  it('is understood, and answered in its own form', () => {
    const body = Buffer.concat([
      flags(0),
      Buffer.from('admin.$cmd\0'),
      flags(0),
      flags(0xffffffff),
      BSON.serialize({ isMaster: 1, helloOk: true }),
    ]);
    const request = parseRequest(frame(OP_QUERY, 3, body));
    expect(request.kind).toBe('query');
    expect(readCommand(request).name).toBe('isMaster');
    const document = BSON.serialize({ ok: 1 });
    const reply = encodeReply(request, 1, document);
    expect(reply.readInt32LE(0)).toBe(reply.length);
    expect(reply.readInt32LE(8)).toBe(3); // the question's number
    expect(reply.readInt32LE(12)).toBe(1); // OP_REPLY
    expect(reply.readInt32LE(32)).toBe(1); // one document
    expect(reply.subarray(36)).toEqual(Buffer.from(document));
  });
});

describe('an answer', () => {
  it('names the request and carries the document', () => {
    const document = BSON.serialize({ ok: 1 });
    const reply = encodeReply(parseRequest(ping), 42, document);
    expect(reply.readInt32LE(4)).toBe(42);
    expect(reply.readInt32LE(8)).toBe(7);
    expect(parseRequest(reply).document).toEqual(Buffer.from(document));
  });
});

describe('a command', () => {
  it('knows its session and whether it begins a transaction', () => {
    const document = Buffer.from(
      BSON.serialize({
        find: 'things',
        lsid: { id: new BSON.UUID('01234567-89ab-cdef-0123-456789abcdef') },
        txnNumber: 3n,
        startTransaction: true,
        autocommit: false,
      }),
    );
    const command = readCommand({ document, sequences: new Map() });
    expect(command).toMatchObject({ inTransaction: true, startsTransaction: true, number: 3n });
    expect(command.sessionId).toContain('0123456789abcdef0123456789abcdef');
  });
});
