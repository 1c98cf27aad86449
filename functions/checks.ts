import { checks } from './handlers.ts';
import { loadZones, startService } from './service.ts';

loadZones();

export const handler = checks(startService(process.env));
