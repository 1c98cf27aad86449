import { createServer, type Server } from 'node:net';
import { BSON } from 'bson';
import {
  decodeDocument,
  encodeReply,
  FrameReader,
  parseRequest,
  readCommand,
} from 'documentdb-local/wire';

type Fields = Readonly<Record<string, unknown>>;

/** A server that speaks MongoDB's protocol, and answers each command with what is said. */
export function wireServer(answer: (name: string, command: Fields) => Fields): Server {
  return createServer((socket) => {
    const reader = new FrameReader();
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      for (const frame of reader.push(chunk)) {
        const request = parseRequest(frame);
        const { name } = readCommand(request);
        const reply = answer(name, decodeDocument(request.document));
        socket.write(encodeReply(request, 1, BSON.serialize(reply)));
      }
    });
  });
}
