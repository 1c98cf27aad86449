import type { ProposalBook } from '../lib/rules/four-eyes/proposal-book.ts';
import { createProposalBook } from '../lib/rules/four-eyes/proposal-book.ts';
import { mongoProposalStore } from '../lib/rules/four-eyes/mongo-proposal-store.ts';
import { ruleBookOn } from './rule-book.ts';
import type { Service } from './service.ts';
import { termsBookOf } from './terms-book.ts';

/** Puts the proposal book of a service's database together. */
export function proposalBookOf(service: Service): ProposalBook {
  const { db, settings } = service;
  return createProposalBook({
    store: mongoProposalStore(db, settings.storeTimeoutMs),
    rules: ruleBookOn(db, settings.storeTimeoutMs, settings.fourEyes),
    terms: termsBookOf(service),
    machineNow: () => new Date(),
  });
}
