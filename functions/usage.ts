import { usageCall } from '../lib/http/calls.ts';
import { createHandler } from '../lib/http/handler.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** GET /v1/usage?user=u-1, and the same by direct invocation. */
export const handler = createHandler(usageCall(service.limits.usage), service);
