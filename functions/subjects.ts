import { createTermsHandler } from '../lib/rules/terms/terms-handler.ts';
import { startService } from './service.ts';
import { termsBookOf } from './terms-book.ts';

const service = startService(process.env);

/** The calls below /v1/subjects/{kind}/{id}: own maxima, freezes, and their changes; directly as well. */
export const handler = createTermsHandler(termsBookOf(service), service);
