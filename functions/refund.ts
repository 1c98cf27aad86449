import { refund } from './handlers.ts';
import { startService } from './service.ts';

/** The function `refund`. */
export const handler = refund(startService(process.env));
