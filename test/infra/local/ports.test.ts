import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { LOCALHOST, probePort } from '../../../infra/local/ports.ts';

it('any free port lies below those of outgoing connections, and one where somebody listens is none', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => probePort(0)));
  for (const port of ports) expect(port).toSatisfy((it: number) => it >= 20_000 && it < 32_768);
  const [port = 0] = ports;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, LOCALHOST, resolve));
  expect(await probePort(port)).toBeUndefined();
  await new Promise((resolve) => server.close(resolve));
  expect(await probePort(port)).toBe(port);
});
