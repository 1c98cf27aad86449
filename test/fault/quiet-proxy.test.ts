import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { BSON } from 'bson';
import { expect, it } from 'vitest';
import { listening } from '../support/listening.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** A request or an answer, as OP_MSG. */
function messageOf(id: number, responseTo: number, document: object): Buffer {
  const body = BSON.serialize(document);
  const message = Buffer.alloc(21 + body.length);
  for (const [index, word] of [message.length, id, responseTo, 2013, 0].entries())
    message.writeInt32LE(word, 4 * index);
  message.set(body, 21);
  return message;
}

it('a proxy is quiet once the server has done what a caller wrote as it gave up', async () => {
  let isDone = false;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {
      setTimeout(() => {
        isDone = true;
        socket.write(messageOf(2, 1, { ok: 1 }));
      }, 50);
    });
  });
  const proxy = await startTcpProxy(`mongodb://127.0.0.1:${await listening(server)}/`);
  const accepted = once(server, 'connection');
  const caller = connect(Number(new URL(proxy.uri).port), '127.0.0.1');
  await Promise.all([once(caller, 'connect'), accepted]);
  caller.write(messageOf(1, 0, { find: 'counters', $db: 'any' }));
  caller.destroy();
  await proxy.quiet();
  expect(isDone).toBe(true);
  proxy.stop();
  server.close();
});
