import { check } from './handlers.ts';
import { loadZones, startService } from './service.ts';

loadZones();

/** The function `check`. */
export const handler = check(startService(process.env));
