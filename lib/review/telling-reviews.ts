import type { Proposal, ProposalStore } from '../four-eyes/proposal.ts';
import { within } from '../shared/within.ts';

/** A review that was opened or decided. */
export type ReviewTold = { readonly is: 'opened' | 'decided'; readonly proposal: Proposal };

/** Where reviews are told. */
type ReviewListener = {
  readonly publish: (told: ReviewTold) => Promise<void>;
  /** Gets a review that may not have been told. */
  readonly onLost: (error: unknown) => void;
};

/** Longest that an answer waits for a review to be told, in milliseconds. */
const REVIEW_WAIT_MS = 500;

/** A store that tells of the reviews of orders: who opens or decides one waits for it, and its answer stays. */
export function tellingReviews(store: ProposalStore, listener: ReviewListener): ProposalStore {
  const tell = async (told: ReviewTold): Promise<void> => {
    if (told.proposal.change.about !== 'order') return;
    try {
      await within(listener.publish(told), REVIEW_WAIT_MS, () => {
        throw new Error(`not published within ${REVIEW_WAIT_MS} ms`);
      });
    } catch (error) {
      listener.onLost(error);
    }
  };
  const decided = async (id: string): Promise<void> => {
    try {
      const proposal = await store.find(id);
      if (proposal !== undefined) await tell({ is: 'decided', proposal });
    } catch (error) {
      listener.onLost(error);
    }
  };
  return {
    ...store,
    async add(proposal) {
      const isAdded = await store.add(proposal);
      if (isAdded) await tell({ is: 'opened', proposal });
      return isAdded;
    },
    async decide(id, decision) {
      const isDecided = await store.decide(id, decision);
      if (isDecided) await decided(id);
      return isDecided;
    },
  };
}
