import { healthCall } from '../lib/health/health-call.ts';
import { createHandler } from '../lib/http/handler.ts';
import { healthOf } from './examinations.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** GET /v1/health, and the same by direct invocation. */
export const handler = createHandler(healthCall(healthOf(service)), service);
