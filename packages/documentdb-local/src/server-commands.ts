import { BSON } from 'bson';
import { answer, type Handler } from './handler.ts';
import { MESSAGE_BYTES_MAX } from './wire-protocol.ts';

/** The name of the replica set with this one member. */
export const REPLICA_SET = 'rs0';

/** The adapter's answers about itself. */
export type ServerIdentity = {
  /** "127.0.0.1:12345": host and port. */
  readonly address: string;
  /** DocumentDB's and PostgreSQL's version. */
  readonly version: string;
  /** Commands so far, by name. */
  readonly counts: ReadonlyMap<string, number>;
  connectionCount(): number;
  /** Whether it takes writes. */
  isPrimary(): boolean;
};

/**
 * Speaks for MongoDB 8.0's protocol (wire version 25). No `topologyVersion`, so drivers poll
 * instead of waiting for a change that never comes.
 */
const COMPATIBLE_VERSION = [8, 0, 0, 0] as const;

/** The commands that the adapter answers by itself. */
export function serverHandlers(identity: ServerIdentity): Readonly<Record<string, Handler>> {
  const hello = answering(() => describeServer(identity.address, identity.isPrimary()));
  const nothing = answering(() => ({}));
  const buildInfo = answering(() => ({
    version: COMPATIBLE_VERSION.slice(0, 3).join('.'),
    versionArray: COMPATIBLE_VERSION,
    // Names the real engine, for clients that ask.
    gitVersion: `DocumentDB ${identity.version}`,
    modules: ['DocumentDB'],
    bits: 64,
    debug: false,
    maxBsonObjectSize: 16_777_216,
  }));
  return {
    hello,
    ismaster: hello,
    isMaster: hello,
    ping: nothing,
    endSessions: nothing,
    refreshSessions: nothing,
    buildInfo,
    buildinfo: buildInfo,
    connectionStatus: answering(() => ({
      authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] },
    })),
    serverStatus: answering(() => describeStatus(identity)),
  };
}

function answering(describe: () => Record<string, unknown>): Handler {
  return () => Promise.resolve(answer(BSON.serialize({ ...describe(), ok: 1 })));
}

function describeServer(address: string, isPrimary: boolean): Record<string, unknown> {
  return {
    helloOk: true,
    ismaster: isPrimary,
    isWritablePrimary: isPrimary,
    secondary: !isPrimary,
    setName: REPLICA_SET,
    setVersion: 1,
    hosts: [address],
    ...(isPrimary ? { primary: address } : {}),
    me: address,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: MESSAGE_BYTES_MAX,
    maxWriteBatchSize: 25_000, // the engine's limit
    localTime: new Date(),
    lastWrite: { lastWriteDate: new Date() },
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 25,
    readOnly: false,
  };
}

/** `opcounters` are the commands that came in, counted; nothing here is made up. */
function describeStatus(identity: ServerIdentity): Record<string, unknown> {
  const { counts } = identity;
  const count = (...names: readonly string[]) =>
    names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  return {
    host: identity.address,
    version: COMPATIBLE_VERSION.slice(0, 3).join('.'),
    process: 'DocumentDB adapter',
    pid: process.pid,
    uptime: process.uptime(),
    localTime: new Date(),
    connections: { current: identity.connectionCount() },
    opcounters: {
      insert: count('insert'),
      query: count('find', 'aggregate'),
      update: count('update', 'findAndModify', 'findandmodify'),
      delete: count('delete'),
      getmore: count('getMore'),
      command: [...counts.values()].reduce((sum, each) => sum + each, 0),
    },
    storageEngine: { name: 'documentdb' },
    repl: {
      setName: REPLICA_SET,
      isWritablePrimary: identity.isPrimary(),
      hosts: [identity.address],
      me: identity.address,
    },
  };
}
