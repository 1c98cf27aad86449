import { MongoClient } from 'mongodb';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

/** `mongodb://`, credentials, hosts, and what follows them. */
const ADDRESS = /^mongodb:\/\/((?:[^@/]*@)?)([^/?]+)(.*)$/;
const DEFAULT_PORT = 27_017;

export type GivenServer = {
  /** Names one server that takes writes: tests that break connections go to it through a proxy. */
  readonly uri: string;
  readonly isSharded: boolean;
};

/**
 * Finds the one server of a deployment that tests write to: the only one that the address names, or
 * else the primary, or any router.
 *
 * @throws Error in one sentence where a proxy could not read the traffic
 */
export async function findOneServer(uri: string): Promise<GivenServer> {
  const [, credentials = '', hosts = '', rest = ''] = ADDRESS.exec(uri) ?? [];
  if (hosts === '' || /[?&](tls|ssl)=true/i.test(rest))
    throw new Error(
      'MONGODB_URI asks for TLS (or is mongodb+srv://, which implies it), but tests that break connections must read the traffic: give npm test a server without TLS, mongodb://host:port/.',
    );
  const client = new MongoClient(uri, { ...OWN_WRITES, monitorCommands: true });
  let answering = ''; // a router does not say where it is
  client.on('commandSucceeded', ({ address }) => (answering = address));
  try {
    const hello = await client.db('admin').command({ hello: 1 });
    const [first = '', ...others] = hosts.split(',');
    const { primary = answering }: { readonly primary?: string } = hello;
    const host = others.length > 0 ? primary : first;
    const port = /:\d+$/.test(host) ? '' : `:${DEFAULT_PORT}`;
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    return {
      uri: `mongodb://${credentials}${host}${port}${path}`,
      isSharded: hello.msg === 'isdbgrid',
    };
  } finally {
    await client.close();
  }
}

/** The address of a server through a proxy on this machine, which the driver must not go around. */
export function addressThrough(databaseUri: string, proxyPort: number): string {
  const { username, password, pathname, searchParams } = urlOf(databaseUri);
  const credentials = username === '' ? '' : `${username}:${password}@`;
  searchParams.delete('replicaSet'); // which would have the driver look for the other members
  searchParams.set('directConnection', 'true');
  return `mongodb://${credentials}127.0.0.1:${proxyPort}${pathname}?${searchParams.toString()}`;
}

/** The parts of an address that names one server. */
export function urlOf(databaseUri: string): URL {
  return new URL(databaseUri.replace(/^mongodb:/, 'http:'));
}
