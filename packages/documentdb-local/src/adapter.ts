import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { CollectionMemories } from './collection-memories.ts';
import { readCommand, type Command } from './command.ts';
import { Connections, type Connection } from './connections.ts';
import { Dispatcher } from './dispatcher.ts';
import { encodeFailure, labelsFor, readFailure } from './errors.ts';
import { ENDING } from './refusals.ts';
import { RetryableWrites } from './retryable-writes.ts';
import { REPLICA_SET } from './server-commands.ts';
import {
  encodeReply,
  FrameReader,
  parseRequest,
  ProtocolError,
  type WireRequest,
} from './wire-protocol.ts';

const HOST = '127.0.0.1';

/** Best for 64 callers on two cores; more connections only wait for the same locks. */
const CONNECTIONS_MAX = 8;

/**
 * Writes keep connections of their own: one that waits for a document keeps its connection until it has it, and its
 * first `$$NOW`, as on MongoDB.
 * Source: mongodb/mongo, src/mongo/db/query/plan_executor_impl.cpp, `_handleNeedYield`; exec/update_stage.cpp,
 * `prepareToRetryWSM`: the executor tries the same document again, and the command does not begin again.
 */
const WRITING_CONNECTIONS_MAX = 24;

/** Transactions keep a connection each, apart, so that writes waiting for them cannot starve them. */
const TRANSACTION_CONNECTIONS_MAX = 32;

/**
 * A statement of a transaction that meets another write conflicts at once, and waits this long for other
 * locks, in milliseconds; PostgreSQL has one limit for both.
 * Source: mongodb/mongo, transaction_participant.idl, `maxTransactionLockRequestTimeoutMillis`.
 */
const TRANSACTION_LOCK_MS = 5;

const TIDY_SECONDS = 60;

/** A server for MongoDB's drivers, on a port of 127.0.0.1 that was free. */
type Adapter = { readonly uri: string; stop(): Promise<void> };

/** The engine behind the adapter. */
type AdapterOptions = {
  readonly connection: Connection;
  /** DocumentDB's and PostgreSQL's. */
  readonly version: string;
  /** Whether another adapter may serve the same data later. */
  /** Whether the TTL monitor is on. */
  readonly isSweeping: boolean;
};

/** Starts the adapter. It holds no data: everything is in PostgreSQL, cursors and repeats aside. */
export async function startAdapter(options: AdapterOptions): Promise<Adapter> {
  const memories = new CollectionMemories();
  const connections = new Connections(options.connection, CONNECTIONS_MAX, memories);
  const writing = new Connections(options.connection, WRITING_CONNECTIONS_MAX, memories);
  const inTransactions = new Connections(
    options.connection,
    TRANSACTION_CONNECTIONS_MAX,
    memories,
    TRANSACTION_LOCK_MS,
  );
  const sockets = new Set<Socket>();
  const server = createServer();
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = `${HOST}:${portOf(server)}`;
  const dispatcher = new Dispatcher(
    { ordinary: connections, writing, inTransactions },
    {
      address,
      version: options.version,
      isSweeping: options.isSweeping,
      connectionCount: () => sockets.size,
    },
  );
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, dispatcher);
  });
  const timer = setInterval(() => {
    dispatcher.tidy().catch(() => undefined);
  }, TIDY_SECONDS * 1000);
  return {
    uri: `mongodb://${address}/?replicaSet=${REPLICA_SET}`,
    async stop() {
      clearInterval(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
      await dispatcher.stop();
      await Promise.allSettled([connections, writing, inTransactions].map((each) => each.end()));
    },
  };
}

function portOf(server: Server): number {
  // A server that listens on TCP has an address with a port; only Unix sockets have a string.
  return (server.address() as AddressInfo).port;
}

/** Answers one client, in the order in which it asks. */
function serve(socket: Socket, dispatcher: Dispatcher): void {
  const reader = new FrameReader();
  let last = Promise.resolve();
  let replies = 0;
  socket.setNoDelay(true);
  // A client that goes away is no news.
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    try {
      for (const frame of reader.push(chunk)) {
        const request = parseRequest(frame);
        last = last.then(async () => {
          const document = await carryOut(request, dispatcher);
          replies += 1;
          if (!request.unanswered && !socket.destroyed)
            socket.write(encodeReply(request, replies, document));
        });
      }
    } catch (error) {
      // A message in another protocol cannot be answered in this one.
      socket.destroy(error instanceof ProtocolError ? undefined : new Error(String(error)));
    }
  });
}

async function carryOut(request: WireRequest, dispatcher: Dispatcher): Promise<Uint8Array> {
  let command: Command | undefined;
  try {
    command = readCommand(request);
    return (await dispatcher.dispatch(command)).document;
  } catch (error) {
    const inTransaction = command?.inTransaction === true;
    const failure = readFailure(error, inTransaction);
    const retryable = command !== undefined && RetryableWrites.isRetryable(command);
    const isEnding = command !== undefined && ENDING.has(command.name);
    return encodeFailure(failure, labelsFor(failure.code, inTransaction, retryable, isEnding));
  }
}
