import type { Decision, Proposal, ProposalQuery } from './proposal.ts';

/** Where changes that need a second person wait. */
export type ProposalStore = {
  /** @returns false where there is one of this id */
  readonly add: (proposal: Proposal) => Promise<boolean>;
  readonly find: (id: string) => Promise<Proposal | undefined>;
  /**
   * Newest first, without the rules that they ask for: of one its id alone, of a whole set none.
   *
   * @param now the instant by which proposals have expired
   */
  readonly list: (
    query: Omit<ProposalQuery, 'before'> & { readonly before?: Proposal | undefined },
    now: Date,
  ) => Promise<readonly Proposal[]>;
  /** Of those whose ids are this name and a number, the newest. */
  readonly newestAlike: (name: string) => Promise<Proposal | undefined>;
  /**
   * Decides one that is open, and changes nothing else.
   *
   * @returns false if it was decided before or has expired
   */
  readonly decide: (id: string, decision: Decision) => Promise<boolean>;
};
