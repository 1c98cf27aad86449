import type { Proposal, ProposalStore } from '../../lib/four-eyes/proposal.ts';
import { decidedBy } from '../../lib/four-eyes/proposal.ts';

/** Proposals in memory, as far as reviews need them. */
export function memoryProposals(): Pick<ProposalStore, 'add' | 'newestAlike' | 'decide'> {
  const kept = new Map<string, Proposal>();
  return {
    add(proposal) {
      if (kept.has(proposal.id)) return Promise.resolve(false);
      kept.set(proposal.id, structuredClone(proposal));
      return Promise.resolve(true);
    },
    newestAlike: (name) =>
      Promise.resolve([...kept.values()].findLast(({ id }) => id.startsWith(`${name}-`))),
    decide(id, decision) {
      const found = kept.get(id);
      if (found?.state !== 'open' || found.until <= decision.at) return Promise.resolve(false);
      kept.set(id, { ...found, ...decidedBy(decision) });
      return Promise.resolve(true);
    },
  };
}
