/** Naive reviews: what a second person has said of each content of an order, the newest last. */
import type {
  ModelBound,
  ModelCheck,
  ModelCheckAnswer,
  ModelDecision,
  ModelDecisionAnswer,
  ModelRule,
} from './model-types.ts';

const DAYS_OPEN_MS = 7 * 86_400_000;

/** A rule that an order exceeds: its maximum, and the sum that the order would reach. */
type Seen = { readonly max: ModelBound; readonly upTo: ModelBound };

type ModelReview = {
  readonly orderId: string;
  readonly content: string;
  readonly seen: Readonly<Record<string, Seen>>;
  readonly until: number;
  state: 'open' | 'approved' | 'rejected' | 'withdrawn';
  passesUntil?: number;
};

type Refused = Extract<ModelCheckAnswer, { readonly kind: 'refused' }>;

export class ReviewModel {
  #reviews: readonly ModelReview[] = [];

  /**
   * Decides an order, and again with an approval of it, if there is one.
   *
   * @param ruleOf a rule with the maximum that it has for the order now
   */
  check(
    request: ModelCheck,
    content: string,
    now: Date,
    {
      decide,
      ruleOf,
    }: {
      readonly decide: (request: ModelCheck) => ModelCheckAnswer;
      readonly ruleOf: (id: string) => ModelRule | undefined;
    },
  ): ModelCheckAnswer {
    const first = decide(request);
    if (first.kind !== 'refused' || first.reason !== 'review') return first;
    const { orderId } = request;
    const seen = seenBy(request, first, ruleOf);
    const mine = (): readonly ModelReview[] =>
      this.#reviews.filter((one) => one.orderId === orderId && one.content === content);
    const newest = mine().at(-1);
    const isOpen = (one: ModelReview | undefined): boolean =>
      one?.state === 'open' && now.getTime() < one.until;
    const isKnown = newest !== undefined && Object.keys(seen).every((rule) => rule in newest.seen);
    if (isKnown && newest.state === 'rejected')
      return { ...first, reason: 'rejected', review: mine().length };
    if (isKnown && Object.entries(seen).every(([rule, one]) => isEnough(newest.seen[rule], one))) {
      if (isOpen(newest)) return { ...first, review: mine().length };
      if (newest.state === 'approved' && now.getTime() < (newest.passesUntil ?? 0)) {
        const passes = Object.entries(newest.seen).map(([rule, { upTo }]) => [rule, upTo]);
        const second = decide({ ...request, passes: Object.fromEntries(passes) as Passes });
        return second.kind === 'allowed' ? { ...second, approval: mine().length } : second;
      }
    }
    for (const one of this.#reviews)
      if (one.orderId === orderId && isOpen(one)) one.state = 'withdrawn';
    const until = now.getTime() + DAYS_OPEN_MS;
    this.#reviews = [...this.#reviews, { orderId, content, seen, until, state: 'open' }];
    return { ...first, review: mine().length };
  }

  decide({ orderId, decision, forMs }: ModelDecision, now: Date): ModelDecisionAnswer {
    const review = this.#reviews.findLast((one) => one.orderId === orderId);
    if (review === undefined) return { kind: 'noReview' };
    if (review.state !== 'open' || review.until <= now.getTime()) return { kind: 'closed' };
    review.state = decision;
    review.passesUntil = now.getTime() + forMs;
    return { kind: 'decided' };
  }
}

type Passes = NonNullable<ModelCheck['passes']>;

function seenBy(
  request: ModelCheck,
  { exceeded, rules }: Refused,
  ruleOf: (id: string) => ModelRule | undefined,
): ModelReview['seen'] {
  const reached = rules
    .filter(({ rule }) => exceeded.includes(rule))
    .map(({ rule, used, held }) => {
      const { max = {}, distinct } = ruleOf(rule) ?? {};
      // A rule of different values is exceeded by one more.
      const count = used.count + held.count + (distinct === undefined ? request.count : 1);
      const amount = used.amount + held.amount + request.amount;
      return [rule, { max, upTo: { amount, count } }];
    });
  return Object.fromEntries(reached) as ModelReview['seen'];
}

/** The sum is not above what was seen, and the maximum is not lower. */
function isEnough(then: Seen | undefined, now: Seen): boolean {
  return (['amount', 'count'] as const).every((sum) => {
    if (now.max[sum] === undefined) return true;
    const isLower = now.max[sum] < (then?.max[sum] ?? Infinity);
    return !isLower && (now.upTo[sum] ?? 0) <= (then?.upTo[sum] ?? 0);
  });
}
