import type { ProposalStore, Proposal, ReviewedOrder } from '../four-eyes/proposal.ts';
import { proposalName, proposeUnless, stateOf } from '../four-eyes/proposal.ts';
import type { Authorship } from '../shared/actor.ts';
import type { OrderName, Passing } from '../shared/request.ts';
import type { Refusal } from '../limits/refusal.ts';

/** Where reviews are kept: with everything else that waits for a second person. */
export type ReviewStore = Pick<ProposalStore, 'newestAlike' | 'openBelow' | 'add' | 'decide'>;

/** How an order's newest review stands for its rules and sums as they are now. */
type Verdict = 'open' | 'approved' | 'rejected' | 'over';

/** Says what an order's newest review means for it now. One of other rules, or of smaller sums, means nothing. */
export function verdictOf(
  { change, decided, ...proposal }: Proposal,
  asked: ReviewedOrder,
  now: Date,
): Verdict {
  if (change.about !== 'order') return 'over';
  const state = stateOf({ ...proposal, change }, now);
  const seen = asked.refusals.map((refusal) => ({
    refusal,
    then: change.refusals.find((one) => isSameRule(one, refusal)),
  }));
  if (seen.some(({ then }) => then === undefined)) return 'over';
  if (state === 'rejected') return 'rejected';
  const isSeen = seen.every(({ refusal, then }) => then && isWithin(refusal, then, asked.payment));
  if (!isSeen) return 'over';
  if (state === 'open') return 'open';
  const { passesUntil } = decided ?? {};
  return state === 'approved' && passesUntil !== undefined && now < passesUntil
    ? 'approved'
    : 'over';
}

function isSameRule(one: Refusal, other: Refusal): boolean {
  return one.rule === other.rule && one.version === other.version;
}

/** The sum with the order is not above what was seen, and nobody has lowered the maximum since. */
function isWithin(now: Refusal, then: Refusal, payment: ReviewedOrder['payment']): boolean {
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
  return store.newestAlike(nameOf(order, digest));
}

/** Finds the review of an order that stands; or opens one, and takes back those of other content that are open. */
export async function reviewFor(
  store: ReviewStore,
  asked: ReviewedOrder,
  author: Authorship,
): Promise<Proposal> {
  const { order, digest } = asked;
  const supersede = async ({ id }: Proposal): Promise<void> => {
    await store.decide(id, { outcome: 'withdrawn', reason: SUPERSEDED, ...author });
  };
  const made = { change: { about: 'order', ...asked } as const, ...author };
  const standing = { isThere: false };
  const review = await proposeUnless(store, nameOf(order, digest), made, async (last) => {
    standing.isThere = verdictOf(last, asked, author.at) !== 'over';
    if (!standing.isThere && stateOf(last, author.at) === 'open') await supersede(last);
    return standing.isThere;
  });
  if (standing.isThere) return review;
  for (const other of await store.openBelow(orderName(order)))
    if (other.change.about === 'order' && other.change.digest !== digest) await supersede(other);
  return review;
}

const SUPERSEDED = 'A newer check of the order has other content, other rules or larger sums';

/** Of an order's content: its reviews are counted for themselves. */
function nameOf(order: OrderName, digest: string): string {
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
