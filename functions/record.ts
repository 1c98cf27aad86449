import { createHandler } from '../lib/edge/handler.ts';
import { recordCall } from '../lib/edge/record-call.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** POST /v1/record, and the same by direct invocation. */
export const handler = createHandler(recordCall(service.limits.recordMany), service);
