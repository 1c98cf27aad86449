import { createProposalsHandler } from '../lib/rules/four-eyes/proposals-handler.ts';
import { proposalBookOf } from './proposal-book.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** The calls below /v1/proposals: changes that wait for a second person, and decisions about them. */
export const handler = createProposalsHandler(proposalBookOf(service), service);
