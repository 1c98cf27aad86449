import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { Long, Timestamp } from 'bson';
import { listening } from './listening.ts';
import { wireServer } from './wire-server.ts';

type Fields = Readonly<Record<string, unknown>>;
type Role = 'primary' | 'secondary';

/** The questions to a member, beside what keeps connections up. */
export type Asked = { readonly of: Role; readonly name: string; readonly command: Fields };

/** Two members of a replica set that speak MongoDB's protocol, and know one document between them. */
export type TwoMembers = {
  readonly uri: string;
  readonly asked: Asked[];
  /** How far behind the secondary is; `untold`: no member says how far it has come. */
  behindMs: number | 'untold';
  failure?: Fields;
  stop(): Promise<void>;
};

/** Who asks for `hello` by itself has no session: a driver, to find out who is there. */
const UPKEEP = ['hello', 'isMaster', 'ismaster', 'endSessions', 'ping'];

/**
 * Stands in for a replica set where there is none: what a secondary answers, and what it says of how
 * far it has come, is decided by the test.
 *
 * @param documentOf the document that a member has, as it is at an instant
 */
export async function startTwoMembers(
  documentOf: (role: Role, now: Date) => Fields,
): Promise<TwoMembers> {
  const asked: Asked[] = [];
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const hosts: string[] = [];
  const set: TwoMembers = {
    get uri() {
      return `mongodb://${hosts.join(',')}/?replicaSet=rs0`;
    },
    asked,
    behindMs: 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) {
        server.close();
        await once(server, 'close');
      }
    },
  };
  const told = (role: Role): Fields => {
    const now = new Date();
    if (set.behindMs === 'untold') return { ok: 1 };
    const behindMs = role === 'primary' ? 0 : set.behindMs;
    const seconds = Math.floor((now.getTime() - behindMs) / 1000);
    return { ok: 1, operationTime: new Timestamp({ t: seconds, i: 1 }) };
  };
  const answer = (role: Role, name: string, command: Fields): Fields => {
    const isUpkeep = UPKEEP.includes(name) && !(name === 'hello' && 'lsid' in command);
    if (!isUpkeep) asked.push({ of: role, name, command });
    const now = new Date();
    const [primary = ''] = hosts;
    if (name.toLowerCase() === 'hello' || name.toLowerCase() === 'ismaster')
      return {
        ...told(role),
        ...{ isWritablePrimary: role === 'primary', secondary: role === 'secondary' },
        ...{ helloOk: true, setName: 'rs0', setVersion: 1, hosts, primary },
        me: hosts[role === 'primary' ? 0 : 1],
        ...{ localTime: now, lastWrite: { lastWriteDate: now } },
        ...{ minWireVersion: 0, maxWireVersion: 25, maxBsonObjectSize: 16_777_216 },
        logicalSessionTimeoutMinutes: 30,
      };
    if (name !== 'find' && name !== 'aggregate') return { ok: 1 };
    if (set.failure !== undefined) return { ok: 0, ...set.failure };
    const { _id, ...fields } = documentOf(role, now);
    const isAsked = JSON.stringify(command.filter).includes(JSON.stringify(_id));
    const firstBatch = isAsked ? [{ _id, ...fields }] : [];
    return { ...told(role), cursor: { id: Long.ZERO, ns: 'headroom.counters', firstBatch } };
  };
  for (const role of ['primary', 'secondary'] as const) {
    const server = wireServer((name, command) => answer(role, name, command));
    server.on('connection', (socket) => sockets.add(socket));
    servers.push(server);
    hosts.push(`127.0.0.1:${await listening(server)}`);
  }
  return set;
}
