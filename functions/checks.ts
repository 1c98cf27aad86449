import { checks } from './handlers.ts';
import { loadZones, startService } from './service.ts';

loadZones();

/** The function `checks`. */
export const handler = checks(startService(process.env));
