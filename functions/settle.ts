import { createSettleHandler } from '../lib/edge/settle-handler.ts';
import { startService } from './service.ts';

const service = startService(process.env, 'unread');

/** Settles what the messages of a queue say, and names those that must be delivered again. */
export const handler = createSettleHandler(service.limits.settleMany, service);
