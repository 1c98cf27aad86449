import { refundCall } from '../lib/http/calls.ts';
import { createHandler } from '../lib/http/handler.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** POST /v1/refund, and the same by direct invocation. */
export const handler = createHandler(refundCall(service.limits.refund), service);
