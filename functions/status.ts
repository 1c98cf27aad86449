import { statusCall } from '../lib/http/calls.ts';
import { createHandler } from '../lib/http/handler.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** GET /v1/transactions/{orderId}, and the same by direct invocation. */
export const handler = createHandler(statusCall(service.limits.status, service.rightsOf), service);
