import type { ProposalStore, Proposal, ReviewedOrder } from '../four-eyes/proposal.ts';
import { proposalName, proposeUnless, stateOf } from '../four-eyes/proposal.ts';
import type { Authorship } from '../shared/actor.ts';
import type { OrderName, Passing } from '../shared/request.ts';
import type { Refusal } from '../limits/refusal.ts';

/** Where reviews are kept: with everything else that waits for a second person. */
export type ReviewStore = Pick<ProposalStore, 'newestAlike' | 'add' | 'decide'>;

/** What is asked of an order's newest review: how it stands for this content and these rules. */
type Verdict = 'open' | 'approved' | 'rejected' | 'over';

/** Says what an order's newest review means for it now. One of other content, or of other rules, means nothing. */
export function verdictOf(
  { change, decided, ...proposal }: Proposal,
  asked: Pick<ReviewedOrder, 'digest' | 'refusals'>,
  now: Date,
): Verdict {
  if (change.about !== 'order' || change.digest !== asked.digest) return 'over';
  const state = stateOf({ ...proposal, change }, now);
  if (state === 'rejected') return 'rejected';
  const isCovered = asked.refusals.every(({ rule, version }) =>
    change.refusals.some((one) => one.rule === rule && one.version === version),
  );
  if (!isCovered) return 'over';
  if (state === 'open') return 'open';
  const { passesUntil } = decided ?? {};
  return state === 'approved' && passesUntil !== undefined && now < passesUntil
    ? 'approved'
    : 'over';
}

/** The newest review of an order, if there is one. */
export function newestReview(store: ReviewStore, order: OrderName): Promise<Proposal | undefined> {
  return store.newestAlike(nameOf(order));
}

/**
 * Finds the review of an order that stands, or opens one, and takes back an open one of other content or rules.
 *
 * @param isPast says that an approval is not enough: the sums have grown since
 */
export function reviewFor(
  store: ReviewStore,
  asked: ReviewedOrder,
  author: Authorship,
  isPast: boolean,
): Promise<Proposal> {
  const made = { change: { about: 'order', ...asked } as const, ...author };
  return proposeUnless(store, nameOf(asked.order), made, async (last) => {
    const verdict = verdictOf(last, asked, author.at);
    if (verdict === 'approved' ? !isPast : verdict !== 'over') return true;
    if (stateOf(last, author.at) === 'open')
      await store.decide(last.id, { outcome: 'withdrawn', reason: SUPERSEDED, ...author });
    return false;
  });
}

const SUPERSEDED = 'A newer check of the order asks otherwise, or exceeds other rules';

function nameOf({ appId, orderId }: OrderName): string {
  return proposalName(['order', appId, orderId]);
}

/** The sums that an order may reach once its review is approved. */
export function passingsOf({ payment, refusals }: ReviewedOrder): readonly Passing[] {
  return refusals.map((refusal) => {
    const { rule, version } = refusal;
    return { rule, version, upTo: sumReached(refusal, payment) };
  });
}

/** What a rule limits of a sum, with the order itself. */
export function sumReached(
  { max, used, held, distinct }: Pick<Refusal, 'max' | 'used' | 'held' | 'distinct'>,
  { amountMinor, count }: ReviewedOrder['payment'],
): Passing['upTo'] {
  const amounts = amountMinor + (used?.amountMinor ?? 0) + (held?.amountMinor ?? 0);
  // It is refused for a value that does not count yet.
  const more = distinct === undefined ? count : 1;
  const counts = more + (used?.count ?? 0) + (held?.count ?? 0);
  return {
    ...(max.amountMinor === undefined ? {} : { amountMinor: amounts }),
    ...(max.count === undefined ? {} : { count: counts }),
  };
}
