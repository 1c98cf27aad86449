import type { CheckAnswer } from '../limits/answer.ts';
import type { Calls, Context, Told } from '../limits/context.ts';
import { refusalsIn } from '../http/refusal.ts';
import type { Proposal, ReviewedOrder } from '../four-eyes/proposal.ts';
import { proposalState } from '../four-eyes/proposal.ts';
import type { Actor } from '../shared/actor.ts';
import { atOnce } from '../shared/at-once.ts';
import { requestDigest } from '../shared/digest.ts';
import { present } from '../shared/present.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { ReviewStore } from './reviewed-order.ts';
import { newestReview, passingsOf, reviewFor, reviewStateOf } from './reviewed-order.ts';

type RefusedCheck = Extract<CheckAnswer, { readonly kind: 'refused' }>;
type Answer = Told<CheckAnswer>;
type Answers = ReadonlyMap<CheckRequest, Answer>;
/** By order. None is there where the store did not answer, or a dry run would open one. */
type Reviews = ReadonlyMap<CheckRequest, Proposal>;

/**
 * Calls in which a second person decides about an order that rules refuse but for an approval. Only such an order is
 * looked for, after its refusal. With an approval it is checked once more, by maxima that are the approved sums.
 */
export function reviewingCalls(calls: Calls, store: ReviewStore): Calls {
  const answersTo = async (
    context: Context,
    requests: readonly CheckRequest[],
    atomic: boolean,
    reviews: Reviews,
  ): Promise<Answers> => {
    const asked = requests.map((request) => passingBy(request, reviews.get(request)));
    const told = await calls.check(context, asked, atomic);
    return new Map(requests.map((request, place) => [request, at(told, place)]));
  };
  return {
    ...calls,
    async check(context, requests, atomic) {
      const told = await calls.check(context, requests, atomic);
      if (!told.some(waiting)) return told;
      const first = new Map(requests.map((request, place) => [request, at(told, place)]));
      const reviews = await reviewsOf(store, context, first);
      const all = [...first].filter(([, one]) => waiting(one)).map(([request]) => request);
      const approved = all.filter((request) => reviews.get(request)?.state === 'approved');
      const mayPass = approved.length > 0 && (!atomic || approved.length === all.length);
      const asked = mayPass ? (atomic ? requests : approved) : [];
      const again = asked.length === 0 ? first : await answersTo(context, asked, atomic, reviews);
      // Another order was first, and the sums are larger by now. In an atomic call it may be one of its own.
      const late = atomic ? [] : approved.filter((request) => waiting(again.get(request)));
      const last = late.length === 0 ? again : await answersTo(context, late, false, new Map());
      const later = late.length === 0 ? reviews : await reviewsOf(store, context, last);
      return requests.map((request): Answer => {
        if (late.includes(request)) return reviewed(last.get(request), later.get(request));
        return reviewed(again.get(request) ?? first.get(request), reviews.get(request));
      });
    },
  };
}

function at<One>(all: readonly One[], place: number): One {
  const one = all[place];
  if (one === undefined) throw new TypeError('each order that is asked has an answer');
  return one;
}

/** The refusal of an order that a second person may approve. */
function waiting(one: Answer | undefined): RefusedCheck | undefined {
  if (one?.result.kind !== 'answered' || one.result.answer.kind !== 'refused') return undefined;
  return one.result.answer.reason === 'review' ? one.result.answer : undefined;
}

/** Finds the reviews of the orders that wait, and opens those that are not there. */
async function reviewsOf(store: ReviewStore, context: Context, told: Answers): Promise<Reviews> {
  const found = new Map<CheckRequest, Proposal>();
  await atOnce(told, async ([request, one]) => {
    const refused = waiting(one);
    if (refused === undefined) return;
    try {
      const review = await find(store, context, request, refused);
      if (review !== undefined) found.set(request, review);
    } catch (error) {
      // It is refused, and its next check looks again.
      if (!(error instanceof UndecidedError)) throw error;
    }
  });
  return found;
}

async function find(
  store: ReviewStore,
  { by = NOBODY }: Context,
  request: CheckRequest,
  { now, rules }: RefusedCheck,
): Promise<Proposal | undefined> {
  const { appId, orderId, type, subjects, amountMinor, currency, count } = request;
  const asked: ReviewedOrder = {
    order: { appId, orderId },
    digest: requestDigest(request),
    payment: { subjects, amountMinor, currency, count, ...present({ type }) },
    refusals: refusalsIn(rules),
  };
  if (!request.dryRun) return reviewFor(store, asked, { at: now, by });
  const newest = await newestReview(store, asked);
  return newest === undefined || reviewStateOf(newest, asked, now) === 'over' ? undefined : newest;
}

const NOBODY: Actor = { kind: 'local', id: 'local' };

function passingBy(request: CheckRequest, review: Proposal | undefined): CheckRequest {
  if (review?.state !== 'approved' || review.change.about !== 'order') return request;
  return { ...request, passings: passingsOf(review.change) };
}

/** An answer with the review that the order waits for, or with the approval by which it passes. */
function reviewed(one: Answer | undefined, review: Proposal | undefined): Answer {
  if (one === undefined) throw new TypeError('each order that is asked has an answer');
  const { result } = one;
  if (review === undefined) return one;
  const { id: proposal, decided, until } = review;
  const approval =
    review.state === 'approved' && decided !== undefined ? { proposal, by: decided.by } : undefined;
  if (result.kind === 'failed') return { ...one, approval };
  const { answer } = result;
  if (answer.kind === 'allowed' && approval !== undefined)
    return withAnswer(one, { ...answer, approval });
  if (answer.kind !== 'refused' || answer.reason !== 'review') return one;
  const state = proposalState(review, answer.now);
  // In an atomic call another order may be in the way of one that is approved.
  if (state !== 'open' && state !== 'rejected') return one;
  const reason = state === 'rejected' ? state : answer.reason;
  return withAnswer(one, { ...answer, reason, review: { proposal, state, until } });
}

function withAnswer(one: Answer, answer: CheckAnswer): Answer {
  return { ...one, result: { kind: 'answered', answer } };
}
