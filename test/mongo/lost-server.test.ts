import { setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { MongoClient } from 'mongodb';
import { expect, inject, it } from 'vitest';
import { createClient } from '../../lib/mongo/client.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { untilDecided } from '../support/broken-way.ts';
import { useDatabase } from '../support/database.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const TIMEOUT_MS = 500;

/** The pause that keeps the driver from asking for its server more often, in milliseconds. */
const HEARTBEAT_MS_MIN = 500;

const database = useDatabase();

/** The driver's own record of its server, as far as it is needed here. Source: mongodb 7.8.0. */
type Inner = {
  readonly topology: {
    readonly s: {
      readonly servers: ReadonlyMap<
        string,
        {
          readonly monitor: { readonly connection: { readonly socket: Socket } };
          requestCheck(): void;
        }
      >;
    };
  };
};

/** Lets the driver write a heartbeat to a socket that is destroyed once the heartbeat has begun. */
async function loseHeartbeat(client: MongoClient): Promise<void> {
  await sleep(HEARTBEAT_MS_MIN + 100);
  const [server] = (client as unknown as Inner).topology.s.servers.values();
  client.once('serverHeartbeatStarted', () => server?.monitor.connection.socket.destroy());
  server?.requestCheck();
}

it('a client whose driver waits for a lost heartbeat finds its server again', async () => {
  const proxy = await startTcpProxy(inject('mongodbUri'));
  // As in a function: where members send heartbeats by themselves, none can be lost.
  const client = createClient(`${proxy.uri}&serverMonitoringMode=poll`, TIMEOUT_MS);
  const db = client.db(database.db.databaseName);
  const counters = patientCounters(db, { timeoutMs: TIMEOUT_MS });
  const limits = limitsOver(counters, [], { onNoRule: 'allow' });
  const call = () => limits.check(checkOf({ orderId: 'o-1', subjects: { user: 'lost' } }));
  await untilDecided(call);
  await loseHeartbeat(client);
  proxy.set({ fault: 'request-lost', after: 0, times: 1 });
  const { answer, undecided } = await untilDecided(call);
  proxy.stop();
  await client.close(true);
  expect(answer).toMatchObject({ kind: 'allowed', repeated: true });
  expect(undecided).toBeGreaterThan(0); // the heartbeat was lost: the driver's own repeat found nothing
  expect(undecided).toBeLessThan(10);
});
