import { check } from './handlers.ts';
import { loadZones, startService } from './service.ts';

loadZones();

export const handler = check(startService(process.env));
