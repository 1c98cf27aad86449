import type { Authorship, Reasoned } from '../shared/actor.ts';
import { actorText } from '../shared/actor.ts';
import { CHANGES_FIRST_MAX, PROPOSAL_DAYS } from '../shared/bounds.ts';
import { fullDigestOf } from '../shared/digest.ts';
import { UndecidedError, errorOf } from '../shared/errors.ts';
import type { Subject } from '../shared/subject.ts';
import type { RuleEdit } from '../rule/rule-edit.ts';
import type { TermsBasis, TermsWish } from '../rule/terms-change.ts';
import type { FourEyes } from './four-eyes.ts';
import { PROPOSAL_OUTCOMES, PROPOSAL_STATES } from '../shared/states.ts';

/** A change as it will be made once a second person approves it. */
export type ProposedChange =
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
export type ProposalDecision = Reasoned & { readonly outcome: (typeof PROPOSAL_OUTCOMES)[number] };

/** A change that waits for a second person, or did. Kept for ever. */
export type Proposal = Authorship & {
  readonly id: string;
  readonly change: ProposedChange;
  /** From then on nobody can approve it any more. */
  readonly until: Date;
  /** Stays `open` when a proposal expires: no call writes at that instant. */
  readonly state: 'open' | ProposalDecision['outcome'];
  readonly decided?: Reasoned;
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
  /** The newest whose id is this name and a number. */
  readonly newestAlike: (name: string) => Promise<Proposal | undefined>;
  /** @returns false if it was decided before or has expired */
  readonly decide: (id: string, decision: ProposalDecision) => Promise<boolean>;
};

/** Which changes need a second person, and where they wait for one. */
export type SecondPerson = { readonly fourEyes: FourEyes; readonly store: ProposalStore };

const DAY_MS = 86_400_000;

/** 128 bits: nobody finds another change of the same name. */
const NAME_LENGTH = 32;

/**
 * Keeps a change for a second person, or finds the open proposal of the same change, author and reason. An id
 * names all three, and counts those alike that are over: so of equal proposals made at once one alone is added.
 */
export async function propose(
  { store }: SecondPerson,
  change: ProposedChange,
  author: Authorship,
): Promise<Proposal> {
  const name = fullDigestOf(sortedJson([change, author.by, author.reason])).slice(0, NAME_LENGTH);
  const until = new Date(author.at.getTime() + PROPOSAL_DAYS * DAY_MS);
  for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
    const last = await store.newestAlike(name);
    if (last !== undefined && stateOf(last, author.at) === 'open') return last;
    const number = last === undefined ? 1 : Number(last.id.slice(name.length + 1)) + 1;
    const id = `${name}-${number}`;
    const proposal: Proposal = { id, state: 'open', change, until, ...author };
    if (await store.add(proposal)) return proposal;
  }
  throw new UndecidedError('equal proposals kept coming first, and were decided');
}

/** One text for everything that says the same: instants as texts, and fields in one order. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
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
  ({ id, state, decided, until }: Proposal) => {
    const how =
      decided === undefined
        ? `expired at ${until.toISOString()}`
        : `was ${state} at ${decided.at.toISOString()} by ${actorText(decided.by)}`;
    return `proposal ${JSON.stringify(id)} ${how}; nothing was changed: make the change again if you still want it`;
  },
) {}

/** Who decides is, or may be, who made it; or who takes it back is somebody else. */
export class WrongPersonError extends errorOf('WRONG_PERSON', (says: string) => says) {}
