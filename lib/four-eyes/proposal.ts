import type { Authorship, Reasoned } from '../shared/actor.ts';
import { actorText } from '../shared/actor.ts';
import { CHANGES_FIRST_MAX, DAY_MS, PROPOSAL_DAYS } from '../shared/bounds.ts';
import { canonicalText, fullDigestOf } from '../shared/digest.ts';
import { UndecidedError, errorOf } from '../shared/errors.ts';
import type { OrderName, Payment } from '../shared/request.ts';
import type { Subject } from '../shared/subject.ts';
import type { Refusal } from '../http/refusal.ts';
import type { RuleEdit } from '../changes/rule-edit.ts';
import type { TermsBasis, TermsWish } from '../changes/terms-change.ts';
import type { FourEyes } from './four-eyes.ts';
import { PROPOSAL_OUTCOMES, PROPOSAL_STATES } from '../../contract/proposals.ts';

/** A payment that rules refuse unless a second person approves it. */
export type ReviewedOrder = {
  readonly order: OrderName;
  /** Of its whole content: another one is another review. */
  readonly digest: string;
  readonly payment: Pick<Payment, 'type' | 'subjects' | 'amountMinor' | 'currency' | 'count'>;
  /** How the rules stood that it exceeds. An approval lets it reach these sums, and not more. */
  readonly refusals: readonly Refusal[];
};

/** What takes effect once a second person approves it. */
export type ProposedChange =
  | (ReviewedOrder & { readonly about: 'order' })
  | { readonly about: 'rules'; readonly edit: RuleEdit }
  | (TermsBasis & {
      readonly about: 'terms';
      readonly subject: Subject;
      readonly wish: TermsWish;
      /** Of the rule of an override, if it has one. */
      readonly currency?: string;
    });
type ProposalState = (typeof PROPOSAL_STATES)[number];

/** A decision that is to be made. */
export type ProposalDecision = Deciding & { readonly outcome: (typeof PROPOSAL_OUTCOMES)[number] };

/** A decision that was made. */
type Deciding = Reasoned & {
  /** From then on the approval of an order is over. */
  readonly passesUntil?: Date;
};

/** A change or an order that waits for a second person, or did. Changes are kept for ever. */
export type Proposal = Authorship & {
  readonly id: string;
  readonly change: ProposedChange;
  /** From then on nobody can approve it any more. */
  readonly until: Date;
  /** Stays `open` when a proposal expires: no call writes at that instant. */
  readonly state: 'open' | ProposalDecision['outcome'];
  readonly decided?: Deciding;
};

/** What a decision makes of a proposal. */
export function decidedBy({ outcome: state, ...decided }: ProposalDecision) {
  return { state, decided };
}

/** How a proposal stands at an instant. */
export function proposalState({ state, until }: Proposal, now: Date): ProposalState {
  return state === 'open' && until <= now ? 'expired' : state;
}

/** A second person's yes, with which a change takes effect. */
export type Approval = { readonly proposal: string; readonly decision: ProposalDecision };

/** Which proposals are asked for. */
export type ProposalQuery = {
  readonly state?: ProposalState | undefined;
  /** Default: of both kinds. */
  readonly about?: ProposedChange['about'] | undefined;
  /** Only those made before the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
};

/** Where changes that need a second person wait. */
export type ProposalStore = {
  /** @returns false where there is one of this id */
  readonly add: (proposal: Proposal) => Promise<boolean>;
  readonly find: (id: string) => Promise<Proposal | undefined>;
  /** Newest first, without the rules that they ask for: of one its id alone, of a whole set none. */
  readonly list: (
    query: Omit<ProposalQuery, 'before'>,
    now: Date,
    before?: Proposal,
  ) => Promise<readonly Proposal[]>;
  /** The one with the highest number whose id is this name and a number. */
  readonly newestAlike: (name: string) => Promise<Proposal | undefined>;
  /** Those that nobody has decided, of all names that begin with this one and a hyphen. */
  readonly openBelow: (name: string) => Promise<readonly Proposal[]>;
  /** @returns false if it was decided before or has expired */
  readonly decide: (id: string, decision: ProposalDecision) => Promise<boolean>;
};

/** Which changes need a second person, and where they wait for one. */
export type SecondPerson = { readonly fourEyes: FourEyes; readonly store: ProposalStore };

/** 128 bits: nobody finds another change of the same name. */
const NAME_LENGTH = 32;

/** Keeps a change for a second person, or finds the open proposal of the same change, author and reason. */
export async function propose(
  { store }: SecondPerson,
  change: ProposedChange,
  author: Authorship,
): Promise<Proposal> {
  const name = proposalName([change, author.by, author.reason]);
  const isOpen = (last: Proposal): boolean => proposalState(last, author.at) === 'open';
  const { proposal } = await proposeUnless(store, name, { change, ...author }, isOpen);
  return proposal;
}

/**
 * Keeps a change for a second person, unless the newest proposal of its name stands, which it finds. An id counts
 * those of its name: so of proposals made at once one alone is added.
 */
export async function proposeUnless(
  store: Pick<ProposalStore, 'newestAlike' | 'add'>,
  name: string,
  made: Authorship & { readonly change: ProposedChange },
  stands: (last: Proposal) => boolean,
): Promise<{ readonly proposal: Proposal; readonly isNew: boolean }> {
  const until = new Date(made.at.getTime() + PROPOSAL_DAYS * DAY_MS);
  for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
    const last = await store.newestAlike(name);
    if (last !== undefined && stands(last)) return { proposal: last, isNew: false };
    const number = last === undefined ? 1 : proposalNumber(last) + 1;
    const proposal: Proposal = { id: `${name}-${number}`, state: 'open', until, ...made };
    if (await store.add(proposal)) return { proposal, isNew: true };
  }
  throw new UndecidedError('equal proposals kept coming first, and were decided');
}

/** Which of the proposals of its name it is, from 1. Clocks may go back, so instants do not say. */
export function proposalNumber({ id }: Pick<Proposal, 'id'>): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** The name that all proposals have which say the same. */
export function proposalName(says: readonly unknown[]): string {
  return fullDigestOf(canonicalText(says)).slice(0, NAME_LENGTH);
}

/** There is no proposal of this id. */
export class NoSuchProposalError extends errorOf(
  'NO_SUCH_PROPOSAL',
  (id: string) =>
    `there is no proposal ${JSON.stringify(id)}: GET /v1/proposals lists all proposals`,
) {}

/** It was decided before, or nobody decided it in time. */
export class ProposalClosedError extends errorOf(
  'PROPOSAL_CLOSED',
  ({ id, state, decided, until, change }: Proposal) => {
    const how =
      decided === undefined
        ? `expired at ${until.toISOString()}`
        : `was ${state} at ${decided.at.toISOString()} by ${actorText(decided.by)}`;
    const next =
      change.about === 'order'
        ? 'check the order again'
        : 'make the change again if you still want it';
    return `proposal ${JSON.stringify(id)} ${how}; nothing was changed: ${next}`;
  },
) {}

/** Who decides is, or may be, who made it; or who takes it back is somebody else. */
export class WrongPersonError extends errorOf('WRONG_PERSON', (says: string) => says) {}
