/**
 * Stands in for mongod where there is none: takes its command line, speaks its protocol, and knows
 * the commands that make it the primary of a replica set. It keeps the set's description, and its
 * own command line, in its data folder, and no documents.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wireServer } from './wire-server.ts';

const parameters = process.argv.slice(2);
const valueOf = (name: string) => parameters[parameters.indexOf(name) + 1] ?? '';
const port = Number(valueOf('--port'));
const address = `127.0.0.1:${port}`;
const file = join(valueOf('--dbpath'), 'set.json');
writeFileSync(join(valueOf('--dbpath'), 'command-line.json'), JSON.stringify(parameters));

type SetConfiguration = {
  readonly version?: number;
  readonly members: readonly { host: string }[];
};

function readSet(): SetConfiguration | undefined {
  // Written below, from what the caller sent.
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as SetConfiguration)
    : undefined;
}

function writeSet(configuration: unknown): Record<string, unknown> {
  writeFileSync(file, JSON.stringify(configuration));
  return { ok: 1 };
}

function answer(name: string, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const set = readSet();
  switch (name) {
    case 'hello':
    case 'isMaster':
    case 'ismaster':
      return {
        ok: 1,
        isWritablePrimary: set?.members[0]?.host === address,
        ...(set === undefined
          ? {}
          : { setName: valueOf('--replSet'), hosts: [address], me: address }),
        minWireVersion: 0,
        maxWireVersion: 25,
        maxBsonObjectSize: 16_777_216,
        logicalSessionTimeoutMinutes: 30,
      };
    case 'replSetInitiate':
      if (set !== undefined) return { ok: 0, errmsg: 'already initialized', code: 23 };
      return writeSet({ version: 1, ...(body.replSetInitiate as object) });
    case 'replSetGetConfig':
      return { ok: 1, config: set };
    case 'replSetReconfig':
      return writeSet(body.replSetReconfig);
    case 'buildInfo':
      return { ok: 1, version: '8.2.6' };
    case 'shutdown':
      process.exit(0);
  }
  return { ok: 1 };
}

wireServer(answer).listen(port, '127.0.0.1', () => {
  process.stdout.write('{"msg":"Waiting for connections"}\n');
});
