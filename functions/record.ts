import { createHandler } from '../lib/http/handler.ts';
import { recordCall } from '../lib/record/record-call.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** POST /v1/record, and the same by direct invocation. */
export const handler = createHandler(recordCall(service.limits.recordMany), service);
