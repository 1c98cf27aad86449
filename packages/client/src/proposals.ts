import type { Subjects } from './requests.ts';
import type { RulesChangedAnswer } from './rule-set.ts';
import type { Actor, Reasoned, Terms, TermsAnswer } from './terms.ts';

/** How a proposal stands. `lapsed`: nobody decided it in time. */
export type ProposalState = 'open' | 'approved' | 'rejected' | 'withdrawn' | 'lapsed';

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

/** A change that waits for a second person, or did. */
export type Proposal = {
  readonly id: string;
  readonly state: ProposalState;
  readonly about: 'rules' | 'terms';
  /** The call that was made. */
  readonly operation:
    | 'put'
    | 'delete'
    | 'replace'
    | 'override'
    | 'endOverride'
    | 'freeze'
    | 'unfreeze';
  /** Of terms: whose they are. */
  readonly subject: Subjects | null;
  /** Its id; null of a whole set, and of freezes. */
  readonly rule: string | null;
  readonly at: string;
  readonly by: Actor;
  readonly reason?: string;
  /** From then on it has lapsed. */
  readonly until: string;
  /** Null while nobody has. */
  readonly decided: { readonly at: string; readonly by: Actor; readonly reason: string } | null;
};

/** What a change answers that waits for a second person. */
export type ProposedAnswer = { readonly proposal: Proposal };

/**
 * What `override`, `endOverride`, `freeze` and `unfreeze` answer: `'proposal' in answer` says that the
 * change waits for a second person.
 */
export type TermsChangeAnswer = TermsAnswer | ProposedAnswer;

/** What `rules.put`, `rules.delete` and `rules.replace` answer: made, or waiting for a second person. */
export type RuleChangeAnswer = RulesChangedAnswer | ProposedAnswer;

/** What `proposals.list` answers. */
export type ProposalsAnswer = {
  /** Newest first. */
  readonly proposals: readonly Proposal[];
  /** What to ask for as `before` next; null where there are no more. */
  readonly next: string | null;
};

/** What `proposals.find` answers: what was asked for, and while it is open what it would change now. */
export type ProposalAnswer = Proposal & {
  /** The fields of the call. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** Of rules: each change, and the rule `before` it. */
  readonly changes: readonly Readonly<Record<string, unknown>>[] | null;
  /** Why it would be refused now. */
  readonly refused: { readonly code: string; readonly detail: string } | null;
  /** Of terms: those that the subject has now. */
  readonly terms: Terms | null;
};
