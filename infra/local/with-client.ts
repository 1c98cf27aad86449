import { MongoClient } from 'mongodb';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

/** The longest wait for a server, in milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Does work on a server while `npm start` starts.
 *
 * @param signal aborted when nobody wants the start any more; a server that does not answer is not waited for
 * @throws the reason of the signal, or what the work throws
 */
export async function withClient<Result>(
  uri: string,
  signal: AbortSignal,
  work: (client: MongoClient) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = new MongoClient(uri, { ...OWN_WRITES, serverSelectionTimeoutMS: TIMEOUT_MS });
  let giveUp = (): void => undefined;
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = () => {
      reject(new Error('the start was given up', { cause: signal.reason }));
    };
  });
  signal.addEventListener('abort', giveUp);
  const working = work(client);
  working.catch(() => undefined); // once the start is given up, the work fails, too
  try {
    return await Promise.race([working, givenUp]);
  } finally {
    signal.removeEventListener('abort', giveUp);
    await client.close();
  }
}
