import { nearCall } from '../lib/http/calls.ts';
import { createHandler } from '../lib/http/handler.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** GET /v1/near?rule=merchant-day&share=0.8, and the same by direct invocation. */
export const handler = createHandler(nearCall(service.near), service);
