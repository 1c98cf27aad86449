import { MongoClient } from 'mongodb';
import { LocalDatabaseError, messageOf, type Engine } from './engine.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

/** A server that does not answer in this time is not there. */
const ANSWER_SECONDS_MAX = 5;

/**
 * Uses the server at an address that somebody set up: looks whether it answers and can do
 * multi-document commits. It is not stopped, and its data are not touched.
 *
 * @throws LocalDatabaseError when it does not answer, or is no replica set or sharded cluster
 */
export async function useGivenServer(uri: string): Promise<Engine> {
  const { hello, build } = await ask(uri);
  if (hello.setName === undefined && hello.msg !== 'isdbgrid')
    throw new LocalDatabaseError(
      'The server at MONGODB_URI is no replica set, and commits of several documents need one. Start it with --replSet and initiate the set.',
    );
  // DocumentDB's servers and documentdb-local say so in the build's description.
  const isDocumentDB = /documentdb/i.test(JSON.stringify([build.modules, build.gitVersion]));
  return {
    uri,
    engine: isDocumentDB ? 'DocumentDB' : 'MongoDB',
    version: String(build.version),
    ended: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  };
}

async function ask(uri: string) {
  let client: MongoClient | undefined;
  try {
    const patience = ANSWER_SECONDS_MAX * 1000;
    client = new MongoClient(uri, {
      ...OWN_WRITES,
      serverSelectionTimeoutMS: patience,
      connectTimeoutMS: patience,
      socketTimeoutMS: patience,
    });
    const admin = client.db('admin');
    const hello = await admin.command({ hello: 1 });
    const build = await admin.command({ buildInfo: 1 });
    return { hello, build };
  } catch (error) {
    throw new LocalDatabaseError(
      `The server at MONGODB_URI does not answer (${messageOf(error)}). Start it, or unset MONGODB_URI so that Headroom starts one.`,
      { cause: error },
    );
  } finally {
    await client?.close();
  }
}
