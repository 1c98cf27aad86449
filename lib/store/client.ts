import { MongoClient } from 'mongodb';

/**
 * Makes the one client of an execution environment. It connects with its first call.
 *
 * @param timeoutMs longest wait of one call, retries included
 */
export function createClient(uri: string, timeoutMs: number): MongoClient {
  return new MongoClient(uri, {
    appName: 'headroom',
    retryWrites: true,
    retryReads: true,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'local' },
    readPreference: 'primary',
    timeoutMS: timeoutMs,
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    // A function answers one call at a time; the few more serve checks over several documents.
    maxPoolSize: 20,
    minPoolSize: 0,
    promoteLongs: true,
  });
}
