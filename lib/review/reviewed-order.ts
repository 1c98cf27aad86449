import type { ProposalStore, Proposal, ReviewedOrder } from '../four-eyes/proposal.ts';
import { proposalName, proposeUnless, proposalState } from '../four-eyes/proposal.ts';
import type { Authorship } from '../shared/actor.ts';
import type { OrderName, Passing } from '../shared/request.ts';
import type { Refusal } from '../http/refusal.ts';

/** Where reviews are kept: with everything else that waits for a second person. */
export type ReviewStore = Pick<ProposalStore, 'newestAlike' | 'openBelow' | 'add' | 'decide'>;

/** How an order's newest review stands for its rules and sums as they are now. */
type ReviewState = 'open' | 'approved' | 'rejected' | 'over';

/** Says what an order's newest review means for it now. One of other rules, or of smaller sums, means nothing. */
export function reviewStateOf(
  { change, decided, ...proposal }: Proposal,
  asked: ReviewedOrder,
  now: Date,
): ReviewState {
  if (change.about !== 'order') return 'over';
  const state = proposalState({ ...proposal, change }, now);
  const seen = asked.refusals.map((refusal) => ({
    refusal,
    then: change.refusals.find((one) => isOfSameRule(one, refusal)),
  }));
  if (seen.some(({ then }) => then === undefined)) return 'over';
  if (state === 'rejected') return 'rejected';
  const isSeen = seen.every(
    ({ refusal, then }) => then && isNoFurther(refusal, then, asked.payment),
  );
  if (!isSeen) return 'over';
  if (state === 'open') return 'open';
  const { passesUntil } = decided ?? {};
  return state === 'approved' && passesUntil !== undefined && now < passesUntil
    ? 'approved'
    : 'over';
}

function isOfSameRule(one: Refusal, other: Refusal): boolean {
  return one.rule === other.rule && one.version === other.version;
}

/** The sum with the order is not above what was seen, and nobody has lowered the maximum since. */
function isNoFurther(now: Refusal, then: Refusal, payment: ReviewedOrder['payment']): boolean {
  const [is, was] = [sumReached(now, payment), sumReached(then, payment)];
  return (['amountMinor', 'count'] as const).every((sum) => {
    const isLower = (now.max[sum] ?? Infinity) < (then.max[sum] ?? Infinity);
    return !isLower && (is[sum] ?? 0) <= (was[sum] ?? 0);
  });
}

/** The newest review of an order's content, if there is one. */
export function newestReview(
  store: ReviewStore,
  { order, digest }: Pick<ReviewedOrder, 'order' | 'digest'>,
): Promise<Proposal | undefined> {
  return store.newestAlike(reviewName(order, digest));
}

/** Finds the review of an order that stands; or opens one, and takes back the order's others that are open. */
export async function reviewFor(
  store: ReviewStore,
  asked: ReviewedOrder,
  author: Authorship,
): Promise<Proposal> {
  const { order, digest } = asked;
  const made = { change: { about: 'order', ...asked } as const, ...author };
  const stands = (last: Proposal): boolean => reviewStateOf(last, asked, author.at) !== 'over';
  const { proposal, isNew } = await proposeUnless(store, reviewName(order, digest), made, stands);
  if (!isNew) return proposal;
  for (const { id } of await store.openBelow(orderName(order)))
    if (id !== proposal.id)
      await store.decide(id, { outcome: 'withdrawn', reason: SUPERSEDED, ...author });
  return proposal;
}

const SUPERSEDED = 'A newer check of the order has other content, other rules or larger sums';

/** Of an order's content: its reviews are counted for themselves. */
function reviewName(order: OrderName, digest: string): string {
  return `${orderName(order)}-${digest}`;
}

/** All reviews of an order have ids that begin with it. */
export function orderName({ appId, orderId }: OrderName): string {
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
  { max, used, held, added }: Pick<Refusal, 'max' | 'used' | 'held' | 'added'>,
  { amountMinor, count }: ReviewedOrder['payment'],
): Passing['upTo'] {
  const amounts = amountMinor + (used?.amountMinor ?? 0) + (held?.amountMinor ?? 0);
  const counts = (added ?? count) + (used?.count ?? 0) + (held?.count ?? 0);
  return {
    ...(max.amountMinor === undefined ? {} : { amountMinor: amounts }),
    ...(max.count === undefined ? {} : { count: counts }),
  };
}
