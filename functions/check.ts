import { checkCall } from '../lib/http/check-call.ts';
import { createHandler } from '../lib/http/handler.ts';
import { loadZones, startService } from './service.ts';

const service = startService(process.env);
loadZones();

/** POST /v1/check, and the same by direct invocation. */
export const handler = createHandler(
  checkCall(service.limits.check, service.limits.passing),
  service,
);
