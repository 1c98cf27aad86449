import type { Actor, Authorship } from '../../shared/actor.ts';
import type { RuleChange } from '../rule-change.ts';
import type { RuleEdit } from '../rule-edit.ts';
import type { Subject } from '../../shared/subject.ts';
import type { TermsBasis, TermsFound, TermsWish } from '../terms/terms-change.ts';

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
export const DECISIONS = ['approved', 'rejected', 'withdrawn'] as const;

/** Who decided a proposal, when, and why. */
export type Decision = Authorship & {
  readonly reason: string;
  readonly outcome: (typeof DECISIONS)[number];
};

/** A change that waits for a second person, or did. Kept for ever. */
export type Proposal = Authorship & {
  readonly id: string;
  readonly change: ProposedChange;
  /** From then on nobody can approve it any more. */
  readonly until: Date;
  /** Absent while it is open. */
  readonly decision?: Decision;
};

/** The states of proposals. `expired`: nobody decided in time. */
export const PROPOSAL_STATES = ['open', ...DECISIONS, 'expired'] as const;
/** How a proposal stands. */
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** How a proposal stands at an instant. */
export function stateOf({ decision, until }: Proposal, now: Date): ProposalState {
  return decision?.outcome ?? (now < until ? 'open' : 'expired');
}

/** A second person's yes, with which a change takes effect. */
export type Approval = { readonly proposal: string; readonly decision: Decision };

/** What a change that was let through is kept with: its author, and who approved it. */
export function approvedAuthor(
  { by, reason }: Pick<Proposal, 'by' | 'reason'>,
  { decision }: Approval,
): Authorship & { readonly approvedBy: Actor } {
  return {
    at: decision.at,
    by,
    ...(reason === undefined ? {} : { reason }),
    approvedBy: decision.by,
  };
}

/** Which proposals are asked for. */
export type ProposalQuery = {
  /** Those that stand so alone. */
  readonly state?: ProposalState | undefined;
  /** Those made before the proposal of this id alone. */
  readonly before?: string | undefined;
  readonly limit: number;
};

/** An open proposal, and what it would do now. */
export type ProposalLook = {
  readonly proposal: Proposal;
  /** Of rules, while it is open and would not be refused. */
  readonly changes?: readonly RuleChange[];
  /** While it is open and would be refused: why. */
  readonly refused?: Error;
  /** Of a subject's terms: those it has now. */
  readonly terms?: TermsFound;
};

/** Where proposals are read and decided. */
export type ProposalBook = {
  /**
   * Newest first, without the rules that they ask for: of one its id alone, of a whole set none.
   *
   * @throws NoSuchProposalError where `before` names none
   */
  readonly list: (query: ProposalQuery, at?: Date) => Promise<readonly Proposal[]>;
  /** @throws NoSuchProposalError */
  readonly look: (id: string, at?: Date) => Promise<ProposalLook>;
  /**
   * Decides an open proposal, once. An approved change takes effect in the same commit. An actor may
   * repeat its decision.
   *
   * @throws NoSuchProposalError, ProposalClosedError, WrongPersonError, UndecidedError; what the change throws
   */
  readonly decide: (id: string, decision: Decision, at?: Date) => Promise<Proposal>;
};
