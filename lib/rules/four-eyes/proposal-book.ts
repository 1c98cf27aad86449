import type { Actor } from '../../shared/actor.ts';
import { mayBeSame } from '../../shared/actor.ts';
import { HeadroomError, UndecidedError } from '../../shared/errors.ts';
import { NoSuchProposalError, ProposalClosedError, WrongPersonError } from './proposal-errors.ts';
import type { Approval, Decision, Proposal, ProposalBook } from './proposal.ts';
import { approvedAuthor, stateOf } from './proposal.ts';
import type { RuleBook } from '../rules-changed.ts';
import { isSameJson } from '../rule-set.ts';
import type { TermsBook } from '../terms/terms-outcome.ts';
import type { ProposalStore } from './proposal-store.ts';

type ProposalBookOptions = {
  readonly store: ProposalStore;
  readonly rules: RuleBook;
  readonly terms: TermsBook;
  /** The machine's clock. */
  readonly machineNow: () => Date;
};

/** Puts a proposal book together. */
export function createProposalBook(options: ProposalBookOptions): ProposalBook {
  const { store, rules, terms, machineNow } = options;
  const find = async (id: string): Promise<Proposal> => {
    const found = await store.find(id);
    if (found === undefined) throw new NoSuchProposalError(id);
    return found;
  };
  return {
    async list({ before, ...query }, at) {
      const last = before === undefined ? {} : { before: await find(before) };
      return store.list({ ...query, ...last }, at ?? machineNow());
    },
    async look(id, at) {
      const proposal = await find(id);
      if (stateOf(proposal, at ?? machineNow()) !== 'open') return { proposal };
      const { change } = proposal;
      if (change.about === 'terms') {
        const found = await terms.read(change.subject, at);
        const { subject, wish, about: _about, ...basis } = change;
        const author = { by: proposal.by, reason: proposal.reason ?? '' };
        const asked = await orRefused(() =>
          terms.change(subject, wish, author, { at, basis, dryRun: true }),
        );
        return { proposal, terms: found, ...('refused' in asked ? asked : {}) };
      }
      const tried = await orRefused(() => rules.change(change.edit, proposal, { dryRun: true }));
      if ('refused' in tried) return { proposal, ...tried };
      return { proposal, changes: tried.changes };
    },
    async decide(id, decision, at) {
      const proposal = await find(id);
      if (proposal.decision !== undefined) return repeated(proposal, decision);
      if (decision.at >= proposal.until) throw new ProposalClosedError(proposal);
      assertMay(decision, proposal.by);
      try {
        await carryOut(options, proposal, decision, at);
      } catch (error) {
        if (!(error instanceof HeadroomError)) throw error;
        // An earlier change may have left nothing to change, or another version: that tells less.
        const now = await find(id);
        if (now.decision === undefined) throw error;
        return repeated(now, decision);
      }
      return { ...proposal, decision };
    },
  };
}

/** What a change would do, or why it would be refused. */
async function orRefused<Done>(work: () => Promise<Done>): Promise<Done | { refused: Error }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HeadroomError && !error.retryable) return { refused: error };
    throw error;
  }
}

/**
 * The answer to a decision of what is decided.
 *
 * @throws ProposalClosedError where it was decided otherwise, or by another
 */
function repeated(proposal: Proposal, again: Decision): Proposal {
  const { decision } = proposal;
  // An actor repeats a decision: its first answer was lost.
  const isRepeat = decision?.outcome === again.outcome && isSameJson(decision.by, again.by);
  if (!isRepeat) throw new ProposalClosedError(proposal);
  return proposal;
}

/** @throws UndecidedError where it is not open any more; what the change throws */
async function carryOut(
  options: ProposalBookOptions,
  proposal: Proposal,
  decision: Decision,
  at: Date | undefined,
): Promise<void> {
  const isDone =
    decision.outcome === 'approved' && (await takeEffect(options, proposal, decision, at));
  if (isDone || (await options.store.decide(proposal.id, decision))) return;
  throw new UndecidedError('another decision of the proposal was made first');
}

/** @throws WrongPersonError */
function assertMay({ outcome, by }: Decision, author: Actor): void {
  if (outcome === 'withdrawn') {
    if (!isSameJson(by, author))
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

/**
 * What is approved takes effect in the commit that says so.
 *
 * @returns false where there was nothing to change, so that nothing is said yet
 */
async function takeEffect(
  { rules, terms }: ProposalBookOptions,
  proposal: Proposal,
  decision: Decision,
  at: Date | undefined,
): Promise<boolean> {
  const { change } = proposal;
  const approval: Approval = { proposal: proposal.id, decision };
  const author = approvedAuthor(proposal, approval);
  if (change.about === 'terms') {
    const why = author.reason ?? ''; // every change of terms has one
    const by = { by: author.by, reason: why, approvedBy: author.approvedBy };
    const { subject, wish, ...basis } = change;
    await terms.change(subject, wish, by, { at, approval, basis });
    return true;
  }
  const { changes } = await rules.change(change.edit, author, { approval });
  return changes.length > 0;
}
