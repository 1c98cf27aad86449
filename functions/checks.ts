import { createHandler } from '../lib/http/handler.ts';
import { checksCall } from '../lib/http/many-calls.ts';
import { loadZones, startService } from './service.ts';

const service = startService(process.env);
loadZones();

/** POST /v1/checks, and the same by direct invocation. */
export const handler = createHandler(
  checksCall(service.limits.checkMany, service.limits.passing),
  service,
);
