/** Naive reviews: what a second person has said of each order, one list an order, the newest last. */
import type {
  ModelBound,
  ModelCheck,
  ModelCheckAnswer,
  ModelDecision,
  ModelDecisionAnswer,
} from './model-types.ts';

const DAYS_OPEN_MS = 7 * 86_400_000;

type ModelReview = {
  readonly content: string;
  /** By rule: the sum that the order would reach. */
  readonly upTo: Readonly<Record<string, ModelBound>>;
  readonly until: number;
  state: 'open' | 'approved' | 'rejected' | 'withdrawn';
  passesUntil?: number;
};

type Refused = Extract<ModelCheckAnswer, { readonly kind: 'refused' }>;

export class ReviewModel {
  readonly #reviews = new Map<string, ModelReview[]>();
  readonly #countsValues: (rule: string) => boolean;

  /** @param countsValues whether a rule counts different values, of which an order adds one */
  constructor(countsValues: (rule: string) => boolean) {
    this.#countsValues = countsValues;
  }

  /** Decides an order, and again with an approval of it, if there is one. */
  check(
    request: ModelCheck,
    content: string,
    now: Date,
    decide: (request: ModelCheck) => ModelCheckAnswer,
  ): ModelCheckAnswer {
    const first = decide(request);
    if (first.kind !== 'refused' || first.reason !== 'review') return first;
    const standing = this.#standing(request, content, first, now);
    if (standing === 'rejected') return { ...first, reason: 'rejected', ...this.#told(request) };
    if (standing === 'open') return { ...first, ...this.#told(request) };
    if (standing === 'approved') {
      const approved = this.#told(request);
      const second = decide({ ...request, passes: this.#newest(request)?.upTo ?? {} });
      if (second.kind === 'allowed') return { ...second, approval: approved.review };
      if (second.kind !== 'refused' || second.reason !== 'review') return second;
      this.#open(request, content, second, now);
      return { ...second, ...this.#told(request) };
    }
    this.#open(request, content, first, now);
    return { ...first, ...this.#told(request) };
  }

  decide({ orderId, decision, forMs }: ModelDecision, now: Date): ModelDecisionAnswer {
    const review = this.#newest({ orderId });
    if (review === undefined) return { kind: 'noReview' };
    if (review.state !== 'open' || review.until <= now.getTime()) return { kind: 'closed' };
    review.state = decision;
    review.passesUntil = now.getTime() + forMs;
    return { kind: 'decided' };
  }

  #standing(
    { orderId }: ModelCheck,
    content: string,
    { exceeded }: Refused,
    now: Date,
  ): 'open' | 'approved' | 'rejected' | undefined {
    const review = this.#newest({ orderId });
    if (review === undefined || review.content !== content) return undefined;
    const { state, upTo, until, passesUntil = 0 } = review;
    if (state === 'rejected') return state;
    if (!exceeded.every((rule) => rule in upTo)) return undefined;
    if (state === 'open' && now.getTime() < until) return state;
    return state === 'approved' && now.getTime() < passesUntil ? state : undefined;
  }

  #open(request: ModelCheck, content: string, { exceeded, rules }: Refused, now: Date): void {
    const before = this.#newest(request);
    if (before?.state === 'open' && now.getTime() < before.until) before.state = 'withdrawn';
    const reached = rules
      .filter(({ rule }) => exceeded.includes(rule))
      .map(({ rule, used, held }) => [
        rule,
        {
          amount: used.amount + held.amount + request.amount,
          count: used.count + held.count + (this.#countsValues(rule) ? 1 : request.count),
        },
      ]);
    const review: ModelReview = {
      content,
      upTo: Object.fromEntries(reached) as Record<string, ModelBound>,
      until: now.getTime() + DAYS_OPEN_MS,
      state: 'open',
    };
    const { orderId } = request;
    this.#reviews.set(orderId, [...(this.#reviews.get(orderId) ?? []), review]);
  }

  #newest({ orderId }: Pick<ModelCheck, 'orderId'>): ModelReview | undefined {
    return this.#reviews.get(orderId)?.at(-1);
  }

  #told({ orderId }: ModelCheck): { readonly review: number } {
    return { review: this.#reviews.get(orderId)?.length ?? 0 };
  }
}
