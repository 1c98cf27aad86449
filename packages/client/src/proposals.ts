import type { ProposalState } from './answers.ts';
import type { Reasoned } from './terms.ts';

/** What `proposals.list` takes. */
export type ProposalsRequest = {
  /** Those that stand so alone. */
  readonly state?: ProposalState | undefined;
  /** 1 to 100; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** Those made before the one of this id alone: what `next` of a page says. */
  readonly before?: string | undefined;
};

/** What `proposals.approve`, `reject` and `withdraw` take. */
export type DecisionRequest = Omit<Reasoned, 'ifMatch'> & { readonly id: string };
