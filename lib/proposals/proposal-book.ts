import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../shared/actor.ts';
import { mayBeSame } from '../shared/actor.ts';
import { HeadroomError, UndecidedError } from '../shared/errors.ts';
import { present } from '../shared/present.ts';
import type { RuleBook } from '../rule-book/rule-book.ts';
import type { RuleChange } from '../changes/rule-change.ts';
import type { RuleOf, TermsBook } from '../terms/terms-book.ts';
import { RuleChangedError } from '../changes/rule-edit.ts';
import type { TermsEffect } from '../changes/terms-effect.ts';
import type { TermsFound } from '../changes/terms-change.ts';
import type {
  Approval,
  ProposalDecision,
  Proposal,
  ProposalQuery,
  ProposalStore,
  ReviewedOrder,
} from '../four-eyes/proposal.ts';
import {
  NoSuchProposalError,
  ProposalClosedError,
  WrongPersonError,
  decidedBy,
  proposalState,
} from '../four-eyes/proposal.ts';

type ProposalBookOptions = {
  readonly store: ProposalStore;
  readonly rules: RuleBook;
  readonly terms: TermsBook;
  readonly machineNow: () => Date;
};

/** A proposal and, while it is open, what it would do now. */
export type ProposalLook = {
  readonly proposal: Proposal;
  readonly changes?: readonly RuleChange[];
  readonly refused?: HeadroomError;
  /** Those that the subject has now. */
  readonly terms?: TermsFound;
  readonly ruleOf?: RuleOf;
  readonly effect?: TermsEffect;
};

/** Where proposals are read and decided. */
export type ProposalBook = ReturnType<typeof createProposalBook>;

/** Puts a proposal book together. */
export function createProposalBook({ store, rules, terms, machineNow }: ProposalBookOptions) {
  const find = async (id: string): Promise<Proposal> => {
    const found = await store.find(id);
    if (found === undefined) throw new NoSuchProposalError(id);
    return found;
  };
  const carryOut = carryingOut(rules, terms);
  return {
    /** @throws NoSuchProposalError */
    find,
    /** As the store lists them. @throws NoSuchProposalError where `before` names none */
    async list({ before, ...query }: ProposalQuery, at = machineNow()) {
      return store.list(query, at, before === undefined ? undefined : await find(before));
    },
    /** @throws NoSuchProposalError */
    async look(id: string, at?: Date): Promise<ProposalLook> {
      const proposal = await find(id);
      const { change } = proposal;
      if (proposalState(proposal, at ?? machineNow()) !== 'open') return { proposal };
      const found =
        change.about === 'terms'
          ? { terms: await terms.read(change.subject, at), ruleOf: await terms.ruleOf() }
          : {};
      const look = { proposal, ...found };
      try {
        return { ...look, ...(await carryOut(proposal, at)) };
      } catch (error) {
        if (error instanceof HeadroomError && !error.retryable) return { ...look, refused: error };
        throw error;
      }
    },
    /**
     * An approved change takes effect in the same commit. An actor may repeat its decision.
     *
     * @throws NoSuchProposalError, ProposalClosedError, WrongPersonError, UndecidedError; what the change throws
     */
    async decide(id: string, decision: ProposalDecision, at?: Date): Promise<Proposal> {
      const proposal = await find(id);
      if (proposal.decided !== undefined) return repeated(proposal, decision);
      if (decision.at >= proposal.until) throw new ProposalClosedError(proposal);
      assertMay(decision, proposal.by);
      try {
        // An approved change and its decision are one commit. Where there is nothing to change, there was none.
        const isApproved = decision.outcome === 'approved';
        const { changes } = isApproved
          ? await carryOut(proposal, at, { proposal: id, decision })
          : { changes: [] };
        if (changes?.length === 0 && !(await store.decide(id, decision)))
          throw new UndecidedError('another decision of the proposal was made first');
      } catch (error) {
        if (!(error instanceof HeadroomError)) throw error;
        // A decision made elsewhere tells more than what it left to change, or the version that it made.
        const now = await find(id);
        if (now.decided === undefined) throw error;
        return repeated(now, decision);
      }
      return { ...proposal, ...decidedBy(decision) };
    },
  };
}

/** Does what was proposed; without an approval, only says what it would do. */
function carryingOut(rules: RuleBook, terms: TermsBook) {
  return async (
    { change, reason, ...proposal }: Proposal,
    at: Date | undefined,
    approval?: Approval,
  ): Promise<Pick<ProposalLook, 'changes' | 'effect'>> => {
    if (change.about === 'order') {
      // An approval is there for the order's next check; nothing else changes.
      await assertUnchanged(change, rules);
      return { changes: [] };
    }
    const dryRun = approval === undefined;
    const approvedBy = approval?.decision.by;
    const by = { by: proposal.by, ...present({ approvedBy }) };
    if (change.about === 'rules') {
      const author = { at: approval?.decision.at ?? proposal.at, ...by, ...present({ reason }) };
      const how = { dryRun, ...present({ approval }) };
      const { changes } = await rules.change(change.edit, author, how);
      return { changes };
    }
    const { subject, wish, ...basis } = change;
    const author = { ...by, reason: reason ?? '' }; // every change of terms has one
    const how = { at, basis, dryRun, ...present({ approval }) };
    const { effect } = await terms.change(subject, wish, author, how);
    return present({ effect });
  };
}

/** @throws RuleChangedError, NoSuchRuleError where a rule is no longer the one that refused the order */
async function assertUnchanged({ refusals }: ReviewedOrder, rules: RuleBook): Promise<void> {
  for (const { rule, version } of refusals) {
    const { version: now } = await rules.find(rule);
    if (version !== undefined && version !== now)
      throw new RuleChangedError(
        `rule ${JSON.stringify(rule)} is version ${now}`,
        `version ${version}`,
      );
  }
}

/** @throws ProposalClosedError unless an actor repeats its decision, whose answer was lost */
function repeated(proposal: Proposal, again: ProposalDecision): Proposal {
  const isRepeat =
    proposal.state === again.outcome && isDeepStrictEqual(proposal.decided?.by, again.by);
  if (!isRepeat) throw new ProposalClosedError(proposal);
  return proposal;
}

function assertMay({ outcome, by }: ProposalDecision, author: Actor): void {
  if (outcome === 'withdrawn') {
    if (!isDeepStrictEqual(by, author))
      throw new WrongPersonError(
        'only the author can withdraw a proposal; nothing was changed: reject it instead',
      );
    return;
  }
  if (mayBeSame(author, by))
    throw new WrongPersonError(
      'you cannot decide a proposal that you made, or may have made; nothing was changed. Ask another person to decide it. If one application calls for several people, send X-Actor',
    );
}
