import type { Server } from 'node:http';
import { afterAll, beforeAll, vi } from 'vitest';
import { listening } from './listening.ts';

/** Puts a server in the place of a service of AWS, at the address that the AWS SDK is told while tests run. */
export function useInPlaceOf(service: 'EVENTBRIDGE' | 'LAMBDA', server: Server): void {
  beforeAll(async () => {
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, `http://127.0.0.1:${await listening(server)}`);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
}
