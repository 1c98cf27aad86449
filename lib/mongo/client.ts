import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import { decided, sentOnce, sentUntilDone, serverMs } from './failure.ts';

/** How long a server that has nothing to tell lets a heartbeat wait; the driver's own interval. */
const HEARTBEAT_MS = 10_000;

/** Instants, by the process's clock, from which on an unanswered heartbeat is lost; by server. */
const heartbeats = new WeakMap<MongoClient, Map<string, number>>();

/**
 * Every client writes so, whatever its URI says: a majority has what it wrote, for answers are read from what a
 * majority has. Headroom itself sends a write again, where it can see what it repeats. A server that is to repeat a `findAndModify` stores the whole document once more.
 * Source: mongodb/mongo, src/mongo/db/ops/write_ops_retryability.cpp.
 */
export const OWN_WRITES = {
  retryWrites: false,
  // By parts: one that is not named would be as the URI has it.
  writeConcern: { w: 'majority', wtimeoutMS: 0 },
} as const;

/**
 * Makes the one client of an execution environment. It connects with its first call. What is set here stands,
 * whatever the URI says. `decided` bounds a call,
 * because the driver's `timeoutMS` has no effect since version 7; the limits here end a silent connection.
 *
 * @param timeoutMs longest wait for a server, for a connection, and for its answer
 */
export function createClient(uri: string, timeoutMs: number): MongoClient {
  const client = new MongoClient(uri, {
    appName: 'headroom',
    ...OWN_WRITES,
    retryReads: true,
    readConcernLevel: 'local',
    readPreference: 'primary',
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    // A function answers one call at a time; the few more serve checks over several documents.
    maxPoolSize: 20,
    minPoolSize: 0,
    promoteLongs: true,
  });
  watchHeartbeats(client, timeoutMs);
  return client;
}

/** A heartbeat connects, which has its limit, and is answered, which has the same. */
function watchHeartbeats(client: MongoClient, timeoutMs: number): void {
  const lostFrom = new Map<string, number>();
  heartbeats.set(client, lostFrom);
  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
    closeBroken(client, connectionId);
    const mostMs = 2 * timeoutMs + (awaited ? HEARTBEAT_MS : 0);
    lostFrom.set(connectionId, performance.now() + mostMs);
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => lostFrom.delete(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => lostFrom.delete(connectionId));
  client.on('serverClosed', ({ address }) => lostFrom.delete(address));
}

/** What the driver keeps to itself about the connection of a server's heartbeats. */
type Monitored = {
  readonly topology?: {
    readonly s?: {
      readonly servers?: ReadonlyMap<
        string,
        { readonly monitor?: { readonly connection?: Beating } }
      >;
    };
  };
};
type Beating = { readonly socket?: { readonly destroyed: boolean }; destroy(): void } | null;

/**
 * Closes a server's connection for heartbeats whose socket is gone, so that the heartbeat that begins makes another
 * one. Else the driver would write to it, and wait for ever: where all connections are cut at once, the first that is
 * noticed makes it ask. If a newer driver keeps these fields elsewhere, `whenConnected` connects again, but late.
 * Source: mongodb 7.8.0, `checkServer` in `sdam/monitor`, `writeCommand` in `cmap/connection`.
 */
function closeBroken(client: MongoClient, address: string): void {
  const { topology } = client as unknown as Monitored; // private fields, each of which may be absent
  const connection = topology?.s?.servers?.get(address)?.monitor?.connection;
  if (connection?.socket?.destroyed === true) connection.destroy();
}

/**
 * Connects before the operation: if the driver's own first connect fails, the client stays closed. A client
 * that lost a heartbeat is closed first, because its monitor would wait for ever.
 * Source: mongodb 7.8.0, `autoConnect` in `operations/execute_operation`, `connect` in `mongo_client`,
 * `writeCommand` in `cmap/connection`, `reset` and `requestCheck` in `sdam/monitor`.
 */
export async function whenConnected<T>(
  client: MongoClient,
  operation: () => Promise<T>,
): Promise<T> {
  const lostFrom = heartbeats.get(client)?.values() ?? [];
  if ([...lostFrom].some((instantMs) => instantMs < performance.now())) await client.close();
  await client.connect();
  return operation();
}

/** How a store asks its database: it waits at most a time for each answer. */
export function asking({ client }: Db, timeoutMs: number) {
  return <T>(work: () => Promise<T>): Promise<T> => decided(whenConnected(client, work), timeoutMs);
}

/** The options of a write by itself: a majority has it, and the server ends it once nobody waits for it. */
export type Bounded = {
  readonly writeConcern: { readonly w: 'majority' };
  readonly maxTimeMS: number;
};

/**
 * How a store writes to its database, in a time at most. Each write of the work has the options of `bounded`.
 *
 * @param times `once` if a second time would do harm, or be answered otherwise
 */
export function writing({ client }: Db, timeoutMs: number, times: 'once' | 'as often as it takes') {
  const send = times === 'once' ? sentOnce : sentUntilDone;
  return <T>(work: (bounded: () => Bounded) => Promise<T>): Promise<T> => {
    const endsAtMs = performance.now() + timeoutMs;
    const bounded = (): Bounded => ({
      writeConcern: { w: 'majority' },
      maxTimeMS: serverMs(endsAtMs - performance.now()),
    });
    return send(() => whenConnected(client, () => work(bounded)), endsAtMs);
  };
}
