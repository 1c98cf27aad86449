import type { Proposal, ProposalStore } from '../../lib/four-eyes/proposal.ts';
import { decidedBy, proposalNumber } from '../../lib/four-eyes/proposal.ts';

/** Proposals in memory, as far as reviews need them. */
export function memoryProposals(): Omit<ProposalStore, 'find' | 'list'> & {
  /** The one that was added last of those whose ids begin with a name. */
  readonly last: (name: string) => Proposal | undefined;
} {
  const kept = new Map<string, Proposal>();
  const below = (name: string): readonly Proposal[] =>
    [...kept.values()].filter(({ id }) => id.startsWith(`${name}-`));
  return {
    last: (name) => below(name).at(-1),
    add(proposal) {
      if (kept.has(proposal.id)) return Promise.resolve(false);
      kept.set(proposal.id, structuredClone(proposal));
      return Promise.resolve(true);
    },
    newestAlike(name) {
      const [newest] = below(name).toSorted(
        (one, other) => proposalNumber(other) - proposalNumber(one),
      );
      return Promise.resolve(newest);
    },
    openBelow: (name) => Promise.resolve(below(name).filter(({ state }) => state === 'open')),
    decide(id, decision) {
      const found = kept.get(id);
      if (found?.state !== 'open' || found.until <= decision.at) return Promise.resolve(false);
      kept.set(id, { ...found, ...decidedBy(decision) });
      return Promise.resolve(true);
    },
  };
}
