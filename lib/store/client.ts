import { MongoClient } from 'mongodb';

/**
 * Makes the one client of an execution environment. It connects with its first call.
 *
 * The driver's `timeoutMS` has no effect since version 7; what bounds a call is `decided`. The limits
 * here make a silent connection end, so that later calls do not meet it.
 *
 * @param timeoutMs longest wait for a server, for a connection, and for its answer
 */
export function createClient(uri: string, timeoutMs: number): MongoClient {
  return new MongoClient(uri, {
    appName: 'headroom',
    retryWrites: true,
    retryReads: true,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'local' },
    readPreference: 'primary',
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    // A function answers one call at a time; the few more serve checks over several documents.
    maxPoolSize: 20,
    minPoolSize: 0,
    promoteLongs: true,
  });
}

/**
 * Runs an operation on a client that is connected, or connects now.
 *
 * Left to itself the driver connects with the first operation; where that fails, the client stays
 * closed, and every later operation fails at once, also when the server is long back. Asked to
 * connect, it begins anew. On a connected client this sends nothing.
 * Source: mongodb 7.8.0, `autoConnect` in `operations/execute_operation`, `connect` in `mongo_client`.
 */
export async function whenConnected<T>(
  client: MongoClient,
  operation: () => Promise<T>,
): Promise<T> {
  await client.connect();
  return operation();
}
