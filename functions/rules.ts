import { createRulesHandler } from '../lib/rules/rules-handler.ts';
import { ruleBookOn } from './rule-book.ts';
import { startService } from './service.ts';

const service = startService(process.env);
const { db, settings } = service;
const book = ruleBookOn(db, settings.storeTimeoutMs, settings.fourEyes);

/** GET, PUT and DELETE of /v1/rules and what is below it; the same by direct invocation. */
export const handler = createRulesHandler(book, service);
