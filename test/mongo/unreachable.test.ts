import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { createClient } from '../../lib/mongo/client.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import { DRIVER_WAITS_MS, timed } from '../support/elapsed.ts';
import { checkOf, orderOf, limitsOver } from '../support/limits-fixture.ts';

const TIMEOUT_MS = 400;
const sockets = new Set<Socket>();
let server: Server | undefined;

/** The port of a server that takes connections and never says a word. */
async function silentServer(): Promise<number> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // it listens on a TCP port
}

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
});

function limitsAt(port: number, onUndecided: 'refuse' | 'allow'): Limits {
  const client = createClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, TIMEOUT_MS);
  const counters = mongoCounters(client.db('unreachable').collection('counters'), {
    timeoutMs: TIMEOUT_MS,
  });
  return limitsOver(counters, [], { onUndecided });
}

const request = checkOf({ orderId: 'o-1', subjects: { user: 'u-1' } });

describe('a store that does not answer', () => {
  it.each([
    { name: 'nobody listens', port: () => Promise.resolve(1) },
    { name: 'somebody listens and is silent', port: silentServer },
  ])('leaves every call undecided in time where $name', async ({ port }) => {
    const limits = limitsAt(await port(), 'refuse');
    const order = orderOf('o-1', { user: 'u-1' });
    for (const call of [
      () => limits.check(request),
      () => limits.confirm(order),
      () => limits.rollback(order),
    ]) {
      const { result, ms } = await timed(() => call().catch((error: unknown) => error));
      expect(result).toBeInstanceOf(UndecidedError);
      expect(ms).toBeLessThan(DRIVER_WAITS_MS);
    }
  });

  it('lets a check pass, marked, where the deployment says so, but counts no confirm', async () => {
    const limits = limitsAt(await silentServer(), 'allow');
    expect(await limits.check(request)).toMatchObject({ kind: 'undecided' });
    await expect(limits.confirm(orderOf('o-1', { user: 'u-1' }))).rejects.toBeInstanceOf(
      UndecidedError,
    );
  });
});
