import type { Authorship } from '../../shared/actor.ts';
import { actorText } from '../../shared/actor.ts';
import { HeadroomError, errorOf } from '../../shared/errors.ts';
import type { Subject } from '../../shared/subject.ts';
import type { RuleEdit } from '../rule-edit.ts';
import type { TermsBasis, TermsWish } from '../terms/terms-change.ts';

/** Days in which a second person may approve a change; then it expires. */
export const PROPOSAL_DAYS = 7;

/** What is asked for, as it will be done once a second person lets it through. */
export type ProposedChange =
  | { readonly about: 'rules'; readonly edit: RuleEdit }
  | (TermsBasis & {
      readonly about: 'terms';
      readonly subject: Subject;
      readonly wish: TermsWish;
    });

/** What became of a proposal. `withdrawn`: its author took it back. */
const OUTCOMES = ['approved', 'rejected', 'withdrawn'] as const;
/** The states of proposals. `expired`: nobody decided in time. */
export const PROPOSAL_STATES = ['open', ...OUTCOMES, 'expired'] as const;
/** How a proposal stands. */
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** Who decided a proposal, when, and why. */
type Decided = Authorship & { readonly reason: string };
/** A decision that is to be made. */
export type ProposalDecision = Decided & { readonly outcome: (typeof OUTCOMES)[number] };

/** A change that waits for a second person, or did. Kept for ever. */
export type Proposal = Authorship & {
  readonly id: string;
  readonly change: ProposedChange;
  /** From then on nobody can approve it any more. */
  readonly until: Date;
  /** Stays `open` when a proposal expires: no call writes at that instant. */
  readonly state: 'open' | ProposalDecision['outcome'];
  /** Absent while it is open. */
  readonly decided?: Decided;
};

/** What a decision makes of a proposal. */
export function decidedBy({ outcome: state, ...decided }: ProposalDecision) {
  return { state, decided };
}

/** How a proposal stands at an instant. */
export function stateOf({ state, until }: Proposal, now: Date): ProposalState {
  return state === 'open' && until <= now ? 'expired' : state;
}

/** A second person's yes, with which a change takes effect. */
export type Approval = { readonly proposal: string; readonly decision: ProposalDecision };

/** Which proposals are asked for. */
export type ProposalQuery = {
  /** Those that stand so alone. */
  readonly state?: ProposalState | undefined;
  /** Those made before another one alone: that of this id. */
  readonly before?: string | undefined;
  readonly limit: number;
};

/** Where changes that need a second person wait. */
export type ProposalStore = {
  /** @returns false where there is one of this id */
  readonly add: (proposal: Proposal) => Promise<boolean>;
  readonly find: (id: string) => Promise<Proposal | undefined>;
  /**
   * Newest first, without the rules that they ask for: of one its id alone, of a whole set none.
   *
   * @param before the proposal of that id, where the query has one
   * @param now the instant by which proposals have expired
   */
  readonly list: (
    query: Omit<ProposalQuery, 'before'>,
    now: Date,
    before?: Proposal,
  ) => Promise<readonly Proposal[]>;
  /** Of those whose ids are this name and a number, the newest. */
  readonly newestAlike: (name: string) => Promise<Proposal | undefined>;
  /**
   * Decides one that is open, and changes nothing else.
   *
   * @returns false if it was decided before or has expired
   */
  readonly decide: (id: string, decision: ProposalDecision) => Promise<boolean>;
};

/** There is no proposal of this id. */
export class NoSuchProposalError extends errorOf(
  'NO_SUCH_PROPOSAL',
  (id: string) =>
    `there is no proposal ${JSON.stringify(id)}: GET /v1/proposals lists all proposals`,
) {}

/** It was decided before, or nobody decided it in time. Nothing was changed. */
export class ProposalClosedError extends errorOf(
  'PROPOSAL_CLOSED',
  ({ id, state, decided, until }: Proposal) => {
    const how =
      decided === undefined
        ? `expired at ${until.toISOString()}`
        : `was ${state} at ${decided.at.toISOString()} by ${actorText(decided.by)}`;
    return `proposal ${JSON.stringify(id)} ${how}; nothing was changed: make the change again if you still want it`;
  },
) {}

/** Who decides is, or may be, who made it; or who takes it back is somebody else. Nothing was changed. */
export class WrongPersonError extends HeadroomError {
  override readonly name = 'WrongPersonError';
  readonly code = 'WRONG_PERSON';
}
