/**
 * The specification as code: limits over a plain list of orders. Nothing is kept as a running sum;
 * every used and held is added up from all orders each time. Slow, and meant to be read.
 *
 * It leaves out: the bounded memory of outcomes and so FORGOTTEN (it remembers every order), the
 * visits to one document after the other (a check takes all documents or none), the bound on buckets, reservations (an order is named by its id and the subjects of its
 * check), dry runs, and clocks that disagree. It takes for granted that instants never go back,
 * and that one order id is not used at two homes whose checks share another document.
 */
import { ReviewModel } from './review-model.ts';
import type { ModelThen } from './model-earliest.ts';
import { earliestPass } from './model-earliest.ts';
import { amountHeadroom, excessOf, excessOver, isUsedUp, ruleAnswer } from './model-figures.ts';
import type { ModelEntry, ModelOrder } from './model-orders.ts';
import {
  expiredAttempt,
  fits,
  isAbove,
  isExceeded,
  isUsedAt,
  isOpen,
  leftShares,
  maxAsked,
  refundedOf,
  takenBy,
  valuesIn,
} from './model-orders.ts';
import {
  applies,
  asAskedFor,
  begunFor,
  bucketAt,
  counterOf,
  counterDocument,
  countsEnd,
  documentOf,
  documentsFor,
  endOf,
  enters,
  excessEffect,
  homeDocument,
  isExact,
  isLowering,
  isNow,
  isOfFailures,
  asOwn,
  isSameForAll,
  isStrict,
  maxAsTold,
  missingFor,
  ownerDocument,
  sinceOf,
  underTerms,
  valueCounted,
} from './model-rules.ts';
import { appOf } from './model-types.ts';
import type {
  LimitsUnderTest,
  ModelCheck,
  ModelCheckAnswer,
  ModelConfirm,
  ModelConfirmAnswer,
  ModelDecision,
  ModelDecisionAnswer,
  ModelHeadroom,
  ModelNoRule,
  ModelPart,
  ModelRecord,
  ModelRecordAnswer,
  ModelRefund,
  ModelRefundAnswer,
  ModelRollback,
  ModelRollbackAnswer,
  ModelRule,
  ModelRuleAnswer,
  ModelStatus,
  ModelSum,
  ModelTerms,
  ModelUsage,
} from './model-types.ts';

/**
 * What a deployment sets: open holds of orders whose home a document is, and of others, the kinds that may be an order's home, and what
 * becomes of an order that no rule applies to, enforced or in shadow.
 */
export type ModelSettings = {
  readonly openHoldsMax: number;
  readonly openSharesMax: number;
  readonly onNoRule: ModelNoRule;
  readonly homeKinds: readonly string[];
  /** Whether rows keep what a check said. */
  readonly keepsRows: boolean;
};

/** The settings that a case or a walk gives; the others are left out. */
export function settingsOf({
  openHoldsMax,
  openSharesMax,
  onNoRule,
}: {
  readonly openHoldsMax?: number;
  readonly openSharesMax?: number;
  readonly onNoRule?: ModelNoRule;
}): Partial<ModelSettings> {
  return {
    ...(openHoldsMax === undefined ? {} : { openHoldsMax }),
    ...(openSharesMax === undefined ? {} : { openSharesMax }),
    ...(onNoRule === undefined ? {} : { onNoRule }),
  };
}

/** How much of a maximum is taken, with an order and by all others. */
export type ModelStanding = {
  readonly rule: ModelRule;
  readonly subjects: ModelCheck['subjects'];
  readonly entry: ModelEntry;
  /** Whether the maximum is the same for every transaction. */
  readonly isSameForAll: boolean;
  readonly taken: ModelSum;
  readonly byOthers: ModelSum;
};

export class LimitModel {
  #rules: readonly ModelRule[];
  #orders: readonly ModelOrder[] = [];
  readonly #terms = new Map<string, ModelTerms>();
  readonly #reviews = new ReviewModel();
  readonly #settings: ModelSettings;
  #isOneCommit = false;

  constructor(rules: readonly ModelRule[], settings: Partial<ModelSettings> = {}) {
    this.#rules = rules;
    const usual = { openHoldsMax: 100, openSharesMax: 2_000, onNoRule: 'refuse' } as const;
    this.#settings = { ...usual, homeKinds: ['user'], keepsRows: false, ...settings };
  }

  /** Replaces the rules; what was counted stays. */
  useRules(rules: readonly ModelRule[]): void {
    this.#rules = rules;
  }

  /** Replaces a subject's terms; what was counted stays. */
  useTerms(kind: string, id: string, terms: ModelTerms): void {
    this.#terms.set(documentOf(kind, { [kind]: id }), terms);
  }

  /**
   * Whether what a check does from now on is one commit: it takes out of its way what the order itself
   * has left beside home, whether there is room for both or not.
   */
  useOneCommit(isOneCommit: boolean): void {
    this.#isOneCommit = isOneCommit;
  }

  check(request: ModelCheck, now: Date): ModelCheckAnswer {
    const decide = (asked: ModelCheck): ModelCheckAnswer => this.#decide(asked, now);
    const ruleOf = (id: string): ModelRule | undefined =>
      this.#applying(request, now).find((rule) => rule.id === id);
    return this.#reviews.check(request, contentOf(request), now, { decide, ruleOf });
  }

  decide(request: ModelDecision, now: Date): ModelDecisionAnswer {
    return this.#reviews.decide(request, now);
  }

  #decide(request: ModelCheck, now: Date): ModelCheckAnswer {
    const known = this.#find(request);
    if (known !== undefined) {
      if (contentOf(known.request) !== contentOf(request)) return { kind: 'orderReused' };
      if (known.state === 'rolledBack') return { kind: 'alreadyRolledBack' };
      const expired = known.state === 'held' && !isOpen(known, now);
      // It is told by the proofs that it has now.
      const { proofs = [] } = request;
      const { passes: _, ...content } = known.request;
      const repeat = { ...known, request: { ...content, proofs } };
      if (!expired) return this.#allowed(repeat, now, true, this.#misfitsOfRepeat(repeat, now));
    }

    const missing = this.#rules.flatMap((rule) => this.#missingFor(rule, request, now));
    if (missing.length > 0) return { kind: 'incompleteOrder', missing: [...new Set(missing)] };
    const least = { ...request, amount: this.#leastOf(request, now) };
    if (this.#frozenIn(request, now).length > 0) {
      return this.#without(known, () =>
        this.#refused('frozen', least, now, this.#misfits(least, now)),
      );
    }
    const applying = this.#applying(request, now);
    if (this.#lacksRule(applying, request.amount)) {
      return this.#without(known, () =>
        this.#refused('no-rule', least, now, this.#misfits(least, now)),
      );
    }
    const asked = applying.map((rule) => passing(rule, request));
    const misfitsAmong = (orders: readonly ModelOrder[]): readonly ModelRule[] =>
      applying.filter((rule) => !fits(orders, passing(rule, request), request, now));
    const home = this.#homeOf(request);
    const entered = this.#rulesOf(request).filter((rule) => enters(rule, request, now));
    const visited = entered.flatMap((rule) => documentsFor(rule, request.subjects));
    const documents = [...new Set([home, ...visited])];
    const isAnyFull = (orders: readonly ModelOrder[]): boolean =>
      !request.capture &&
      documents.some((document) => this.#isFull(orders, request, document, document === home, now));
    const amountAmong = (orders: readonly ModelOrder[]): ModelPart | undefined => {
      const whole = { amount: request.amount, asked: request.amount, amountBy: [] };
      if (!misfitsAmong(orders).some((rule) => isStrict(rule, request))) return whole;
      const { amount, amountBy } = amountHeadroom(orders, asked, request, now, false);
      const { min = Infinity } = request.partial ?? {};
      const isLess = amount !== null && amount >= min && amount < request.amount;
      return isLess ? { ...whole, amount, amountBy } : undefined;
    };
    const stands = (orders: readonly ModelOrder[]): boolean =>
      amountAmong(orders) !== undefined && !isAnyFull(orders);
    // What the expired order has left beside home stands in nobody's way, but in its own order's least.
    if (known !== undefined) {
      const others = [...this.#orders.filter((other) => other !== known), expiredAttempt(known)];
      const left = [...others, leftShares(known)];
      const isLess = amountAmong(left)?.amount !== amountAmong(others)?.amount;
      const isInWay = !stands(left) || isLess || this.#isOneCommit;
      const rest = isInWay && stands(others) ? others : left;
      if (stands(rest)) this.#orders = rest;
    }
    const part = amountAmong(this.#orders);
    if (part === undefined) {
      // An order that takes less is refused the least that it takes.
      return this.#without(known, () => {
        const misfits = this.#misfits(least, now);
        const refusing = misfits.filter((rule) => isStrict(rule, request));
        return this.#refused(reasonOf(refusing), least, now, misfits);
      });
    }

    if (isAnyFull(this.#orders)) {
      return { kind: 'tooManyOpenHolds' };
    }

    const got = { ...request, amount: part.amount };
    const order: ModelOrder = {
      request,
      home,
      documents,
      ...entriesOf(this.#orders, request, now, this.#asTheyStand(entered, request, now), home),
      holdUntil: now.getTime() + request.holdMs,
      state: request.capture ? 'confirmed' : 'held',
      amount: part.amount,
      late: false,
    };
    const exceeded = asked.filter(
      (rule) => !fits(this.#orders, rule, got, now) || isExceeded(this.#orders, rule, got, now),
    );
    this.#orders = [...this.#orders.filter((other) => other !== known), order];
    return this.#allowed(order, now, false, exceeded, part.amountBy);
  }

  /** A refusal tells how rules stand without what an earlier attempt at the order has left. */
  #without<Answer>(known: ModelOrder | undefined, tell: () => Answer): Answer {
    if (known === undefined) return tell();
    const all = this.#orders;
    this.#orders = [...all.filter((other) => other !== known), expiredAttempt(known)];
    try {
      return tell();
    } finally {
      this.#orders = all;
    }
  }

  confirm(request: ModelConfirm, now: Date): ModelConfirmAnswer {
    const order = this.#find(request);
    if (order === undefined) return { kind: 'notFound' };
    if (order.state === 'rolledBack') return { kind: 'alreadyRolledBack' };
    const amount = request.amount ?? order.amount;
    const repeated = order.state === 'confirmed';
    if (repeated && amount !== order.amount) return { kind: 'alreadyConfirmed' };
    const late = repeated ? order.late : !isOpen(order, now);
    const confirmed = this.#replace(order, { ...order, state: 'confirmed', amount, late });
    // What is confirmed as it was held, and in time, was inside when it was held.
    const mayExceed = late || amount > order.amount;
    const exceeded = mayExceed
      ? excessOf(this.#orders, this.#rulesTold(order, now), confirmed, now)
      : [];
    return { kind: 'confirmed', repeated, late, amount, exceeded };
  }

  /** Expired or open makes no difference here, so the instant does not matter. */
  rollback(request: ModelRollback): ModelRollbackAnswer {
    const order = this.#find(request);
    if (order === undefined) return { kind: 'notFound' };
    if (order.state === 'confirmed') return { kind: 'alreadyConfirmed' };
    // Of several rollbacks the first stands.
    if (order.state === 'held')
      this.#replace(order, { ...order, state: 'rolledBack', reasonCode: request.reasonCode });
    return { kind: 'rolledBack', repeated: order.state === 'rolledBack' };
  }

  /** Counts what happened, whatever the rules say of it: at its own instant, in windows that count still. */
  record({ at, failed, ...content }: ModelRecord, now: Date): ModelRecordAnswer {
    const request: ModelCheck = { ...content, holdMs: 0, capture: true };
    const end = {
      state: failed ? 'rolledBack' : 'confirmed',
      reasonCode: failed?.reasonCode,
    } as const;
    const known = this.#find(request);
    if (known !== undefined) {
      const isSame =
        known.happenedAt?.getTime() === at.getTime() &&
        known.state === end.state &&
        known.reasonCode === end.reasonCode &&
        contentOf(known.request) === contentOf(request);
      return isSame ? this.#recorded(known, at, now, true) : { kind: 'orderReused' };
    }
    const home = this.#homeOf(request);
    const entered = this.#rulesOf(request).filter((rule) => enters(rule, request, at));
    const standing = this.#asTheyStand(entered, request, at);
    const { entries, leftOut } = entriesOf(this.#orders, request, now, standing, home, at);
    const order: ModelOrder = {
      request,
      home,
      documents: [
        ...new Set([home, ...entered.flatMap((rule) => documentsFor(rule, request.subjects))]),
      ],
      entries: entries.filter(({ until }) => until > now.getTime()),
      leftOut,
      holdUntil: now.getTime(),
      ...end,
      amount: request.amount,
      late: false,
      happenedAt: at,
    };
    this.#orders = [...this.#orders, order];
    return this.#recorded(order, at, now, false);
  }

  /** Gives back of what was counted, in the windows of its check, never more than that. */
  refund({ refundId, amount, ...request }: ModelRefund): ModelRefundAnswer {
    const order = this.#find(request);
    if (order === undefined) return { kind: 'notFound' };
    if (order.state === 'rolledBack') return { kind: 'alreadyRolledBack' };
    if (order.state === 'held') return { kind: 'notConfirmed' };
    const { refunds = [] } = order;
    const place = refunds.findIndex((one) => one.refundId === refundId);
    const made = refunds[place];
    if (made !== undefined) {
      if (amount !== undefined && amount !== made.amount) return { kind: 'refundReused' };
      const upTo = { ...order, refunds: refunds.slice(0, place + 1) };
      return { kind: 'refunded', repeated: true, amount: made.amount, refunded: refundedOf(upTo) };
    }
    const left = order.amount - refundedOf(order);
    const asked = amount ?? left;
    if (asked > left || (left === 0 && refunds.length > 0)) return { kind: 'refundTooLarge' };
    const changed = { ...order, refunds: [...refunds, { refundId, amount: asked }] };
    this.#replace(order, changed);
    return { kind: 'refunded', repeated: false, amount: asked, refunded: refundedOf(changed) };
  }

  /** How an order stands that was once allowed; undefined of any other. */
  status(request: ModelConfirm, now: Date): ModelStatus | undefined {
    const order = this.#find(request);
    if (order === undefined) return undefined;
    const { state, late, amount } = order;
    const refunded = refundedOf(order);
    const stands = { amount, refunded };
    if ((order.refunds ?? []).length > 0)
      return { state: refunded === amount ? 'refunded' : 'partlyRefunded', ...stands };
    if (state === 'held') return { state: isOpen(order, now) ? 'held' : 'expired', ...stands };
    return { state: state === 'confirmed' && late ? 'late' : state, ...stands };
  }

  /** The used and held sums of each rule that counts for some subjects, and its maximum. */
  usage(asked: Pick<ModelCheck, 'subjects' | 'attributes'>, now: Date): readonly ModelUsage[] {
    const { subjects } = asked;
    return this.#rulesOf(asked)
      .filter(
        ({ window, mode }) => window !== 'transaction' && ['enforce', 'shadow'].includes(mode),
      )
      .filter(
        ({ from, to }) => (from === undefined || from <= now) && (to === undefined || now < to),
      )
      .filter(({ window }) => now.getTime() < endOf(window))
      .filter(({ per }) => per.every((kind) => Object.hasOwn(subjects, kind)))
      .map((rule) => {
        const { used, held } = takenBy(this.#orders, rule, subjects, now);
        const max = maxAsTold(rule, asked, this.#termsFor(rule, asked), now);
        return { rule: rule.id, max, used, held };
      });
  }

  /** How much of each maximum is taken that an order is asked for; nothing where it entered no window. */
  standing({ orderId, subjects }: ModelConfirm, now: Date): readonly ModelStanding[] {
    const order = this.#find({ orderId, subjects });
    if (order === undefined) return [];
    const others = this.#orders.filter((other) => other !== order);
    const { request, happenedAt = now } = order;
    return this.#applying(request, now).flatMap((rule) => {
      const counter = counterOf(rule, request.subjects);
      const entry = order.entries.find((one) => one.counter === counter);
      const isOver = entry === undefined || entry.until <= now.getTime();
      if (isOver || !applies(rule, request, happenedAt)) return [];
      const subjectsOf = Object.fromEntries(rule.per.map((kind) => [kind, subjects[kind] ?? '']));
      return [
        {
          ...{ rule, entry, subjects: subjectsOf },
          isSameForAll: isSameForAll(rule),
          taken: toldOf(rule, takenBy(this.#orders, rule, request.subjects, now)),
          byOthers: toldOf(rule, takenBy(others, rule, request.subjects, now)),
        },
      ];
    });
  }

  #recorded(order: ModelOrder, at: Date, now: Date, repeated: boolean): ModelRecordAnswer {
    const { request, state, reasonCode } = order;
    const isCounting = (rule: ModelRule): boolean =>
      state !== 'held' && countsEnd(rule, state, reasonCode);
    const entered = this.#rulesOf(request).filter(
      (rule) => enters(rule, request, at) && rule.window !== 'transaction' && isCounting(rule),
    );
    const isLeftOut = (rule: ModelRule): boolean =>
      order.leftOut.includes(counterOf(rule, request.subjects));
    const counts = (rule: ModelRule): boolean => bucketAt(rule, at).until > now.getTime();
    const exceeded = this.#applying(request, now)
      .filter((rule) => rule.mode === 'enforce' && applies(rule, request, at))
      .filter((rule) => rule.window !== 'transaction' && counts(rule) && isCounting(rule))
      .flatMap((rule) => excessOver(this.#orders, rule, request, now));
    return {
      kind: 'recorded',
      repeated,
      counted: entered.filter((rule) => counts(rule) && !isLeftOut(rule)).map(({ id }) => id),
      over: entered.filter((rule) => !counts(rule)).map(({ id }) => id),
      exceeded: repeated ? [] : exceeded,
    };
  }

  /** The rules whose maximum is known of an order: without rows, its check alone could tell that of some. */
  #rulesTold({ request }: ModelOrder, now: Date): readonly ModelRule[] {
    if (this.#settings.keepsRows) return this.#applying(request, now);
    return this.#rulesOf(request)
      .filter((rule) => rule.per.every((kind) => Object.hasOwn(request.subjects, kind)))
      .map((rule) => asOwn(rule, this.#termsFor(rule, request), now))
      .filter(isSameForAll);
  }

  #homeOf(request: Pick<ModelCheck, 'subjects'>): string {
    return homeDocument(this.#settings.homeKinds, request.subjects);
  }

  #find(request: Pick<ModelCheck, 'orderId' | 'subjects'>): ModelOrder | undefined {
    const home = this.#homeOf(request);
    return this.#orders.find(
      (order) => order.request.orderId === request.orderId && order.home === home,
    );
  }

  #replace(order: ModelOrder, changed: ModelOrder): ModelOrder {
    this.#orders = this.#orders.map((other) => (other === order ? changed : other));
    return changed;
  }

  /** The rules as their windows begin for a request, but for those that it does not say the beginning of. */
  #rulesOf(request: Pick<ModelCheck, 'attributes'>): readonly ModelRule[] {
    return this.#rules.flatMap((rule) => begunFor(rule, request));
  }

  /** An order that does not say when a window begins is none of the rule's, unless it must say that. */
  #missingFor(rule: ModelRule, request: ModelCheck, now: Date): readonly string[] {
    const [begun] = begunFor(rule, request);
    if (begun !== undefined) return missingFor(begun, request, now);
    const missing = missingFor(rule, request, now);
    return missing.some((name) => name === sinceOf(rule)?.attribute) ? missing : [];
  }

  #applying(request: ModelCheck, now: Date): readonly ModelRule[] {
    return this.#rulesOf(request)
      .filter((rule) => applies(rule, request, now))
      .map((rule) => asAskedFor(rule, request))
      .map((rule) => underTerms(rule, this.#termsFor(rule, request), now));
  }

  /** Rules that a request enters, each with the maximum that is in force at an instant. */
  #asTheyStand(entered: readonly ModelRule[], request: ModelCheck, at: Date): readonly ModelRule[] {
    return entered.map((rule) => underTerms(rule, this.#termsFor(rule, request), at));
  }

  #termsFor(rule: ModelRule, { subjects }: Pick<ModelCheck, 'subjects'>): ModelTerms | undefined {
    return this.#terms.get(ownerDocument(rule, subjects));
  }

  #misfits(request: ModelCheck, now: Date): readonly ModelRule[] {
    return this.#applying(request, now).filter(
      (rule) => !fits(this.#orders, passing(rule, request), request, now),
    );
  }

  /** Of the subjects whose documents the check asks, when the freezes of those that are frozen end. */
  #frozenIn(request: ModelCheck, now: Date): readonly (Date | null)[] {
    return [...new Set(this.#documentsRead(request, now))].flatMap((document) => {
      const frozen = this.#terms.get(document)?.frozen;
      return frozen !== undefined && isNow(frozen, now) ? [frozen.until ?? null] : [];
    });
  }

  #documentsOf(request: ModelCheck, now: Date): readonly string[] {
    const visited = this.#rulesOf(request)
      .filter((rule) => rule.window !== 'transaction' && enters(rule, request, now))
      .flatMap((rule) => documentsFor(rule, request.subjects));
    return [...new Set([this.#homeOf(request), ...visited])];
  }

  /** A document's own orders, and those that it has shares of, have a bound each, of which an application has a part. */
  #isFull(
    orders: readonly ModelOrder[],
    { orderId, openPercent = 100 }: ModelCheck,
    document: string,
    isHome: boolean,
    now: Date,
  ): boolean {
    const open = orders.filter(
      (order) =>
        order.documents.includes(document) &&
        (document === order.home) === isHome &&
        isOpen(order, now, !isHome),
    );
    const { openHoldsMax, openSharesMax } = this.#settings;
    const most = isHome ? openHoldsMax : openSharesMax;
    const ofApp = open.filter(({ request }) => appOf(request.orderId) === appOf(orderId));
    const mostOfApp = Math.max(1, Math.floor((most * openPercent) / 100));
    return open.length >= most || ofApp.length >= mostOfApp;
  }

  #allowed(
    order: ModelOrder,
    now: Date,
    repeated: boolean,
    misfits: readonly ModelRule[],
    amountBy?: readonly string[],
  ): ModelCheckAnswer {
    const { amount, request: whole } = order;
    const request = gotOf(order);
    const least = { ...whole, amount: this.#leastOf(whole, now) };
    const figures = this.#figures(request, now, misfits, least);
    const part = { amount, asked: whole.amount, ...(amountBy && { amountBy }) };
    const limitReachedBy = this.#applying(order.request, now)
      .filter(
        (rule, index) =>
          ['refused', 'proven'].includes(excessEffect(rule, order.request)) &&
          rule.mode === 'enforce' &&
          // A place among failures is not taken yet.
          !isOfFailures(rule) &&
          !misfits.some(({ id }) => id === rule.id) &&
          this.#isTaken(rule, order.request, now) &&
          isUsedUp(
            rule,
            maxAsked({ ...rule, max: figures.rules[index]?.remaining ?? {} }, request),
          ),
      )
      .map(({ id }) => id);
    const notified = misfits
      .filter((rule) => excessEffect(rule, order.request) === 'notify')
      .flatMap((rule) => excessOver(this.#orders, rule, request, now, takesPlace(rule, order)));
    const told = { ...(whole.partial && { part }), limitReachedBy, notified, ...figures };
    const common = { kind: 'allowed', repeated, ...told } as const;
    return order.state === 'held'
      ? { ...common, state: 'held', holdExpiresAt: new Date(order.holdUntil) }
      : { ...common, state: 'confirmed' };
  }

  /** Whether an order took something of what a rule counts: its value may be there by others. */
  #isTaken(rule: ModelRule, request: ModelCheck, now: Date): boolean {
    const value = valueCounted(rule, request);
    if (value === undefined) return true;
    const values = valuesIn(this.#orders, counterOf(rule, request.subjects), now);
    return values.get(value)?.all === request.count;
  }

  /**
   * A repeat asks for nothing more, so no enforced rule can refuse it. A rule that refuses nothing still says
   * that it is exceeded: where its counter, with this order in it, stands above the maximum, or
   * where the order was left out of it. Of a captured order home alone remembers that, and of one that was
   * confirmed nobody does.
   */
  #misfitsOfRepeat(order: ModelOrder, now: Date): readonly ModelRule[] {
    const { request } = order;
    const lenient = this.#applying(request, now).filter((rule) => !isStrict(rule, request));
    return lenient.filter((rule) => {
      const counter = counterOf(rule, order.request.subjects);
      const isHomes = counterDocument(rule, request.subjects) === order.home;
      const isRemembered = order.state === 'held' || (request.capture && isHomes);
      if (rule.mode === 'shadow' && isRemembered && order.leftOut.includes(counter)) return true;
      if (rule.window === 'transaction' || !takesPlace(rule, order))
        return !fits(this.#orders, rule, gotOf(order), now);
      const { both } = takenBy(this.#orders, rule, request.subjects, now);
      const others = request.capture ? this.#orders.filter((one) => one !== order) : this.#orders;
      if (rule.mode === 'shadow' && isUsedAt(others, rule, request, now, now)) return false;
      return isAbove(both, maxAsked(rule, gotOf(order)));
    });
  }

  #refused(
    reason: Extract<ModelCheckAnswer, { readonly kind: 'refused' }>['reason'],
    request: ModelCheck,
    now: Date,
    misfits: readonly ModelRule[],
  ): ModelCheckAnswer {
    const strict = misfits.filter((rule) => isStrict(rule, request));
    const proofs = strict.flatMap(({ onExceed }) =>
      typeof onExceed === 'object' ? [onExceed.challenge] : [],
    );
    return {
      kind: 'refused',
      reason,
      challenges: reason === 'challenge' ? [...new Set(proofs)] : [],
      exceeded: strict.map(({ id }) => id),
      ...this.#figures(request, now, misfits),
    };
  }

  /** Whether there is no rule, or none that limits the amount where that is asked for. */
  #lacksRule(rules: readonly ModelRule[], amount: number): boolean {
    const { onNoRule } = this.#settings;
    if (onNoRule === 'allow') return false;
    if (onNoRule === 'refuse' || amount === 0) return rules.length === 0;
    // A subject whose own maximum is none has one.
    return !rules.some(
      (rule) =>
        rule.onExceed !== 'notify' &&
        rule.outcome === undefined &&
        [rule, ...this.#rules].some(({ id, max }) => id === rule.id && max.amount !== undefined),
    );
  }

  #figures(
    request: ModelCheck,
    now: Date,
    misfits: readonly ModelRule[],
    least = request,
  ): { readonly rules: readonly ModelRuleAnswer[]; readonly headroom: ModelHeadroom } {
    const applying = this.#applying(request, now);
    return {
      rules: applying.map((rule) =>
        ruleAnswer(
          this.#orders,
          rule,
          request,
          now,
          misfits.some(({ id }) => id === rule.id),
        ),
      ),
      headroom: {
        ...amountHeadroom(this.#orders, applying, request, now, this.#isShut(request, now)),
        ...this.#earliest(least, now),
      },
    };
  }

  /** The least amount that a check takes: all of it, unless it says so. A single payment may need more. */
  #leastOf(request: ModelCheck, now: Date): number {
    const { amount, partial } = request;
    if (partial === undefined) return amount;
    const least = this.#applying(request, now)
      .filter((rule) => isStrict(rule, request))
      .map(({ min }) => min?.amount ?? 0);
    return Math.min(amount, Math.max(partial.min, ...least));
  }

  #isShut(request: ModelCheck, now: Date): boolean {
    const applying = this.#applying(request, now);
    const lacksRule = [1, request.amount].some((amount) => this.#lacksRule(applying, amount));
    return lacksRule || this.#frozenIn(request, now).length > 0;
  }

  #earliest(request: ModelCheck, now: Date): Pick<ModelHeadroom, 'earliestAt' | 'earliestBy'> {
    const ends = this.#frozenIn(request, now);
    const terms = [...this.#terms.values()].flatMap(({ overrides = [] }) => overrides);
    const instants = [...this.#rules.flatMap(({ from, to }) => [from, to])]
      .concat(terms.flatMap(({ from, until }) => [from, until]))
      .concat(ends.map((end) => end ?? undefined));
    const changes = [
      ...instants.flatMap((instant) => instant?.getTime() ?? []),
      ...this.#orders.flatMap(({ entries }) => entries.map(({ until }) => until)),
      ...this.#rulesOf(request).map(({ window }) => endOf(window)),
    ];
    return earliestPass((at) => this.#askAt(request, now, at), this.#rules, changes, now);
  }

  /**
   * What the check would be answered at an instant from now on. Nobody knows what counts in a document that it does
   * not read now, or which terms its subject has. A freeze stands until its end.
   */
  #askAt(request: ModelCheck, now: Date, at: Date): ModelThen {
    const read = this.#documentsRead(request, now);
    const isRead = (rule: ModelRule): boolean =>
      documentsFor(rule, request.subjects).every((document) => read.includes(document));
    const applying = this.#rulesOf(request)
      .filter((rule) => applies(rule, request, at))
      .map((rule) => asAskedFor(rule, request))
      .map((rule) => underTerms(rule, isRead(rule) ? this.#termsFor(rule, request) : undefined, at))
      .map((rule) => passing(rule, request));
    const refusing = applying
      .filter((rule) => isStrict(rule, request))
      .filter((rule) => !fits(isRead(rule) ? this.#orders : [], rule, request, now, at));
    const isFrozen = this.#frozenIn(request, now).some((end) => end === null || end > at);
    const isLacking =
      this.#rules.some((rule) => this.#missingFor(rule, request, at).length > 0) ||
      this.#lacksRule(applying, request.amount);
    return {
      passes: refusing.length === 0 && !isFrozen && !isLacking,
      refusing: refusing.map(({ id }) => id),
    };
  }

  /** A check also reads the documents of rules that begin or end within a second: clocks may disagree. */
  #documentsRead(request: ModelCheck, now: Date): readonly string[] {
    const near = [-1_000, 0, 1_000].map((ms) => new Date(now.getTime() + ms));
    return near.flatMap((at) => this.#documentsOf(request, at));
  }
}

/**
 * What a new order enters: each distinct counter once. A counter that only shadow rules with exact
 * windows use, or of different values, is entered while one of their maximum counts has room, lest a trial fill the
 * document; otherwise it is left out.
 */
function entriesOf(
  orders: readonly ModelOrder[],
  request: ModelCheck,
  now: Date,
  entered: readonly ModelRule[],
  home: string,
  at: Date = now,
): Pick<ModelOrder, 'entries' | 'leftOut'> {
  const counted = entered.filter((rule) => rule.window !== 'transaction');
  const counters = new Set(counted.map((rule) => counterOf(rule, request.subjects)));
  const entries: ModelEntry[] = [];
  const leftOut: string[] = [];
  for (const counter of counters) {
    const sharing = counted.filter((rule) => counterOf(rule, request.subjects) === counter);
    const enters = sharing.some((rule) => {
      const counts = { ...rule, max: { count: rule.max.count ?? Infinity } };
      const keepsEach = isExact(rule.window) || rule.distinct !== undefined;
      const trial = rule.mode === 'shadow' && keepsEach;
      return !trial || fits(orders, counts, request, now);
    });
    const [rule] = sharing;
    if (rule === undefined || !enters) leftOut.push(counter);
    else {
      const beside = counterDocument(rule, request.subjects) !== home;
      const countsAmount = rule.currency !== undefined;
      // A refund makes no attempt undone.
      const none = { amount: false, count: false };
      const refunds = rule.outcome === undefined ? (rule.refunds ?? {}) : none;
      const counts = picked(rule);
      const lowers = isLowering(rule, request);
      const value = valueCounted(rule, request);
      const entry = { counter, countsAmount, beside, refunds, counts, lowers, value };
      entries.push({ ...entry, ...bucketAt(rule, at) });
    }
  }
  return { entries, leftOut };
}

/** What would let an order pass that rules refuse: proofs first, then a second person. */
function reasonOf(refusing: readonly ModelRule[]): 'rule' | 'challenge' | 'review' {
  if (!refusing.every(({ onExceed = 'notify' }) => onExceed !== 'notify')) return 'rule';
  return refusing.every(({ onExceed }) => onExceed === 'review') ? 'review' : 'challenge';
}

/** A rule with the sum that a second person has approved for an order, if that is more. */
function passing(rule: ModelRule, { passes = {} }: ModelCheck): ModelRule {
  const upTo = rule.onExceed === 'review' ? passes[rule.id] : undefined;
  if (upTo === undefined) return rule;
  const { amount, count } = rule.max;
  return {
    ...rule,
    max: {
      ...(amount === undefined ? {} : { amount: Math.max(amount, upTo.amount ?? 0) }),
      ...(count === undefined ? {} : { count: Math.max(count, upTo.count ?? 0) }),
    },
  };
}

/** Among failures a capture asks for a place and takes none. */
function takesPlace(rule: ModelRule, { request }: ModelOrder): boolean {
  return !request.capture || !isOfFailures(rule);
}

/** An order as it asks for what it has got, where it takes what fits. */
function gotOf({ request, amount }: ModelOrder): ModelCheck {
  return request.partial === undefined ? request : { ...request, amount };
}

/** What is told of as taken: of failures alone, those that happened. */
function toldOf(rule: ModelRule, { used, both }: ReturnType<typeof takenBy>): ModelSum {
  return isOfFailures(rule) ? used : both;
}

function picked({ outcome, reasonCodes }: ModelRule): ModelEntry['counts'] {
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(reasonCodes === undefined ? {} : { reasonCodes }),
  };
}

/** Everything in the request, however it was written down. */
function contentOf(request: ModelCheck): string {
  const sorted = (record: Readonly<Record<string, unknown>>): [string, unknown][] =>
    Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1));
  const { subjects, attributes, proofs: _, passes: __, openPercent: ___, ...rest } = request;
  return JSON.stringify([sorted(rest), sorted(subjects), sorted(attributes)]);
}

export function modelUnderTest(model: LimitModel): LimitsUnderTest {
  return {
    useRules: (rules) => {
      model.useRules(rules);
      return Promise.resolve();
    },
    useTerms: (kind, id, terms) => {
      model.useTerms(kind, id, terms);
      return Promise.resolve();
    },
    check: (request, now) => Promise.resolve(model.check(request, now)),
    confirm: (request, now) => Promise.resolve(model.confirm(request, now)),
    rollback: (request) => Promise.resolve(model.rollback(request)),
    record: (request, now) => Promise.resolve(model.record(request, now)),
    decide: (request, now) => Promise.resolve(model.decide(request, now)),
  };
}
