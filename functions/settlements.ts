import { createHandler } from '../lib/http/handler.ts';
import { settlementsCall } from '../lib/http/many-calls.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** POST /v1/settlements, and the same by direct invocation. */
export const handler = createHandler(settlementsCall(service.limits.settleMany), service);
