import type { CheckAnswer } from '../limits/answer.ts';
import type { Calls, Context, Told } from '../limits/context.ts';
import { refusalsIn } from '../limits/refusal.ts';
import type { Proposal, ReviewedOrder } from '../four-eyes/proposal.ts';
import type { Actor } from '../shared/actor.ts';
import { atOnce } from '../shared/at-once.ts';
import { requestDigest } from '../shared/digest.ts';
import { present } from '../shared/present.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { ReviewStore } from './reviewed-order.ts';
import { newestReview, passingsOf, reviewFor, verdictOf } from './reviewed-order.ts';

type Refused = Extract<CheckAnswer, { readonly kind: 'refused' }>;

/** What was found of an order's review. Nothing, where the store did not answer or a dry run would open one. */
type Found = Proposal | { readonly error: unknown } | undefined;

/**
 * Calls in which a second person decides about an order that rules refuse but for an approval. Only such an order is
 * looked for, after its refusal. With an approval it is checked once more, by maxima that are the approved sums.
 */
export function reviewingCalls(calls: Calls, store: ReviewStore): Calls {
  return {
    ...calls,
    async check(context, requests, atomic) {
      const first = await calls.check(context, requests, atomic);
      if (!first.some(waiting)) return first;
      const found = await findAll(store, context, requests, first, new Set());
      const approved = new Set(requests.filter((request) => passesWith(found.get(request))));
      const isEach = first.every(
        (one, place) => !waiting(one) || approved.has(at(requests, place)),
      );
      const asked = atomic ? (isEach ? requests : []) : [...approved];
      const again = await checkAgain(calls, context, asked, { found, atomic });
      const told = requests.map((request, place) => again.get(request) ?? at(first, place));
      const past = new Set([...approved].filter((request) => again.has(request)));
      const left = past.size === 0 ? found : await findAll(store, context, requests, told, past);
      return told.map((one, place) => {
        const request = at(requests, place);
        if (waiting(one)) return reviewed(one, left.get(request));
        return past.has(request) ? passed(one, found.get(request)) : one;
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
function waiting({ result }: Told<CheckAnswer>): Refused | undefined {
  if (result.kind !== 'answered' || result.answer.kind !== 'refused') return undefined;
  return result.answer.reason === 'review' ? result.answer : undefined;
}

/** @param past those whose approval was not enough */
async function findAll(
  store: ReviewStore,
  context: Context,
  requests: readonly CheckRequest[],
  told: readonly Told<CheckAnswer>[],
  past: ReadonlySet<CheckRequest>,
): Promise<ReadonlyMap<CheckRequest, Found>> {
  const found = new Map<CheckRequest, Found>();
  await atOnce(requests.entries(), async ([place, request]) => {
    const refused = waiting(at(told, place));
    if (refused === undefined) return;
    try {
      found.set(request, await find(store, context, request, refused, past.has(request)));
    } catch (error) {
      // Refused it is, whatever becomes of its review.
      if (!(error instanceof UndecidedError)) found.set(request, { error });
    }
  });
  return found;
}

async function find(
  store: ReviewStore,
  { by }: Context,
  request: CheckRequest,
  { now, rules }: Refused,
  isPast: boolean,
): Promise<Proposal | undefined> {
  const { appId, orderId, type, subjects, amountMinor, currency, count } = request;
  const asked: ReviewedOrder = {
    order: { appId, orderId },
    digest: requestDigest(request),
    payment: { subjects, amountMinor, currency, count, ...present({ type }) },
    refusals: refusalsIn(rules),
  };
  if (!request.dryRun) return reviewFor(store, asked, { at: now, by: by ?? NOBODY }, isPast);
  const newest = await newestReview(store, asked.order);
  return newest === undefined || verdictOf(newest, asked, now) === 'over' ? undefined : newest;
}

const NOBODY: Actor = { kind: 'local', id: 'local' };

function passesWith(found: Found): boolean {
  return found !== undefined && 'state' in found && found.state === 'approved';
}

async function checkAgain(
  calls: Calls,
  context: Context,
  asked: readonly CheckRequest[],
  { found, atomic }: { found: ReadonlyMap<CheckRequest, Found>; atomic: boolean },
): Promise<ReadonlyMap<CheckRequest, Told<CheckAnswer>>> {
  if (asked.length === 0) return new Map();
  const approved = asked.map((request): CheckRequest => {
    const review = found.get(request);
    if (review === undefined || !('change' in review)) return request;
    const { change } = review;
    return change.about === 'order' ? { ...request, passings: passingsOf(change) } : request;
  });
  const told = await calls.check(context, approved, atomic);
  return new Map(asked.map((request, place) => [request, at(told, place)]));
}

/** The refusal of an order with its review. */
function reviewed(one: Told<CheckAnswer>, found: Found): Told<CheckAnswer> {
  const answer = waiting(one);
  if (answer === undefined || found === undefined) return one;
  if ('error' in found) return { ...one, result: { kind: 'failed', error: found.error } };
  const state = found.state === 'rejected' ? 'rejected' : 'open';
  const reason = state === 'open' ? answer.reason : 'rejected';
  const review = { proposal: found.id, state, until: found.until } as const;
  return { ...one, result: { kind: 'answered', answer: { ...answer, reason, review } } };
}

/** The answer to an order that was approved, with the approval. */
function passed(one: Told<CheckAnswer>, found: Found): Told<CheckAnswer> {
  const { result } = one;
  if (result.kind !== 'answered' || result.answer.kind !== 'allowed') return one;
  if (found === undefined || !('decided' in found)) return one;
  const approval = { proposal: found.id, by: found.decided.by };
  return { ...one, result: { kind: 'answered', answer: { ...result.answer, approval } } };
}
