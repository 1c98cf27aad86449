/** What must be true of the documents after every single step. */
import { readDocument } from '../../lib/shared/subject.ts';
import { Broken } from './broken.ts';
import type { Ended } from './stored.ts';
import type { Running } from './moves.ts';
import { grossBuckets } from './refunded.ts';
import { isFrozen, loweredIn, maximumUnder, turnsOf } from './room.ts';
import type { CounterRule } from './scene-rules.ts';
import { MINUTE_MS, enteredBy, isInEffect } from './scene-rules.ts';
import type { Scene } from './scene.ts';
import {
  HOLD_MS,
  allDocuments,
  documentsOf,
  homeOf,
  idOf,
  finalAmountOf,
  orderIn,
  orderOfAmount,
  timesOf,
} from './scene.ts';
import type { Stored, StoredBucket, StoredValues } from './stored.ts';
import { bucketsOf, countedIn, enteredUntil, holdsOf, termsOf, valuesOf } from './stored.ts';
import type { Stage } from './stage.ts';

/** What the counters of all payments hold in a document. */
export type Sums = Pick<StoredBucket, 'usedAmount' | 'usedCount' | 'heldAmount' | 'heldCount'>;

const NOTHING: Sums = { usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };

/** What callers may have caused, and were told, as far as documents must agree with it. */
export type Expected = {
  /** Somebody asked to confirm the order, or to count it at once. */
  readonly mayCount: (order: number) => boolean;
  /** Somebody asked to record the order, which no maximum keeps out. */
  readonly mayRecord: (order: number) => boolean;
  /** Somebody asked to confirm its final amount. */
  readonly mayCountFinal: (order: number) => boolean;
  readonly isRolledBack: (order: number) => boolean;
  /** Somebody was told that it is held or counted, until now, and nobody asked to settle it since. */
  readonly isPromised: (order: number, document: string) => boolean;
  /** Home has forgotten it, so that it may have come as a new order. */
  readonly isForgotten: (order: number) => boolean;
  /** The window in which the document counted it may be over. */
  readonly isOver: (order: number, document: string) => boolean;
};

/** Compares the documents with what they were a step before, and with each other. */
export class DocumentWatch {
  readonly #stage: Stage;
  readonly #scene: Scene;
  readonly #names: readonly string[];
  /** Counters of all payments, under any of the scene's rules. */
  readonly #payments: ReadonlySet<string>;
  /** Those, and all others that have amounts. */
  readonly #counters: ReadonlySet<string>;
  readonly #minutes: ReadonlySet<string>;
  readonly #orders: ReadonlySet<string>;
  readonly #sums = new Map<string, Sums>();
  readonly #before = new Map<string, ReadonlyMap<string, StoredBucket>>();
  /** By document and bucket: its cards. */
  readonly #cards = new Map<string, Pick<StoredValues, 'allOf' | 'usedOf'>>();
  /** Document and nonce of every hold that was ever there. */
  readonly #entered = new Set<string>();
  /** Document and order, where it ever had a share. */
  readonly #everHeld = new Set<string>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#scene = stage.scene;
    this.#names = allDocuments(stage.scene);
    this.#payments = new Set(stage.ruleSets.flatMap(({ counters }) => Object.values(counters)));
    const all = [...stage.rulesByCounter];
    const those = (isAsked: (rule: CounterRule) => boolean): ReadonlySet<string> =>
      new Set(all.flatMap(([counter, rule]) => (isAsked(rule) ? [counter] : [])));
    this.#minutes = those(({ windowMs }) => windowMs === MINUTE_MS);
    this.#counters = those(({ isOfCards }) => isOfCards !== true);
    this.#orders = new Set(stage.scene.orders.map(idOf));
  }

  /** What a document counts of payments, in windows that are not over. */
  sums(document: string): Sums {
    return this.#sums.get(document) ?? NOTHING;
  }

  /** @param ended by document that the step changed: what it ended there. @throws Broken */
  look(
    about: Running | 'time',
    ended: ReadonlyMap<string, readonly Ended[]>,
    expected: Expected,
  ): void {
    for (const name of this.#names) {
      const stored = this.#stage.documents.get(name);
      const now = this.#stage.clockOf(name).getTime();
      const buckets = grossBuckets(this.#stage, name).filter(({ counter }) =>
        this.#counters.has(counter),
      );
      const live = buckets.filter(({ until }) => until > now);
      for (const bucket of buckets)
        if (about !== 'time') this.#compareMaximum(name, bucket, about, expected);
      if (about !== 'time') this.#compareCards(name, stored, about);
      this.#noteHeld(name, buckets);
      this.#compareWindows(name, holdsOf(stored));
      this.#compareEntered(name, holdsOf(stored), about);
      for (const { what, says, has } of countedIn(stored))
        if (says !== has)
          throw new Broken(
            'a count that disagrees with the holds',
            `${what} of ${name}: ${says}, and ${has} are there`,
          );
      this.#sums.set(name, added(live.filter(({ counter }) => this.#payments.has(counter))));
      this.#before.set(name, new Map(buckets.map((bucket) => [bucket.name, bucket])));
    }
    for (const [name, all] of ended)
      for (const { order, to, amount } of all)
        if (to === 'confirmed' && homeOf(orderIn(this.#scene, order)) === name)
          this.#compareConfirmed(order, amount, expected);
    for (const order of this.#scene.orders.keys()) this.#comparePromise(order, expected);
  }

  /** @throws Broken where something is held */
  expectNothingHeld(): void {
    for (const name of this.#names) {
      const { heldAmount, heldCount } = this.sums(name);
      const left = holdsOf(this.#stage.documents.get(name)).length;
      if (heldAmount !== 0 || heldCount !== 0 || left > 0)
        throw new Broken('held for ever', `${name} ${describeSums(this.sums(name))}`);
    }
  }

  /**
   * What an allowed check adds, fits, under the rules that it knew and the terms of the subject. What a
   * late confirm adds, or a larger one, may stand above.
   */
  #compareMaximum(
    name: string,
    bucket: StoredBucket,
    about: Running,
    { mayRecord }: Expected,
  ): void {
    const before = this.#before.get(name)?.get(bucket.name) ?? NOTHING;
    const isRaised = [...this.#scene.orders.keys()].some((order) => {
      const isHeldMore = timesOf(bucket.heldAmount, order) > timesOf(before.heldAmount, order);
      const isUsedMore = timesOf(bucket.usedAmount, order) > timesOf(before.usedAmount, order);
      const isChecked = !this.#everHeld.has(`${name} ${order}`) && !mayRecord(order);
      return isHeldMore || (isUsedMore && isChecked);
    });
    if (!isRaised) return;
    const rule = about.rules.counted.find(
      ({ counter, lowering, kind }) =>
        [counter, lowering].includes(bucket.counter) && kind === kindOf(name),
    );
    if (rule === undefined)
      throw new Broken('held under rules that the call did not know', `${bucket.name} of ${name}`);
    const stored = this.#stage.documents.get(name);
    const instants = this.#instantsOf(about, name, stored);
    if (instants.every((at) => isFrozen(stored, at)))
      throw new Broken('held, though frozen', `${name} ${describeSums(bucket)}`);
    if (rule.lowering === bucket.counter) return; // what lowers a sum is bounded by none
    // A window has one bucket; of a span every step counts that is not over.
    const isSpan = rule.windowMs === undefined && rule.lowering === undefined;
    const lowered = loweredIn(
      bucketsOf(stored).filter(({ until }) => until === bucket.until),
      rule,
    );
    const lessLowered = (sums: Sums): Sums => ({
      ...sums,
      usedAmount: sums.usedAmount - lowered,
    });
    const countingAt = (at: Date): readonly StoredBucket[] =>
      bucketsOf(stored).filter(
        ({ name: one, counter, until }) =>
          one === bucket.name || (isSpan && counter === bucket.counter && until > at.getTime()),
      );
    if (rule.proof !== undefined && about.call.isProven === true) return;
    if (!instants.some((at) => fits(lessLowered(added(countingAt(at))), rule, stored, at)))
      throw new Broken(
        'above a maximum through an allowed check',
        `${bucket.name} of ${name} ${describeSums(bucket)}, less ${lowered}, at most ${JSON.stringify(rule.max)}`,
      );
  }

  /** A check takes another card only where there is room for it. */
  #compareCards(name: string, stored: Stored | undefined, { rules }: Running): void {
    for (const { name: bucket, counter, allOf, usedOf } of valuesOf(stored)) {
      const before = this.#cards.get(`${name} ${bucket}`) ?? { allOf: {}, usedOf: {} };
      this.#cards.set(`${name} ${bucket}`, { allOf, usedOf });
      const heldOf = (one: typeof before, card: string): number =>
        (one.allOf[card] ?? 0) - (one.usedOf[card] ?? 0);
      const there = Object.keys(allOf).filter((card) => (allOf[card] ?? 0) > 0);
      const isTaken = there.some(
        (card) =>
          (before.allOf[card] ?? 0) === 0 && heldOf({ allOf, usedOf }, card) > heldOf(before, card),
      );
      const rule = rules.counted.find(
        (one) => one.counter === counter && one.kind === kindOf(name),
      );
      if (isTaken && there.length > (rule?.max.count ?? 0))
        throw new Broken(
          'more cards through an allowed check',
          `${bucket} of ${name}: ${there.join()}, at most ${rule?.max.count ?? 0}`,
        );
    }
  }

  /** When the step was decided: now, or in a commit at any instant since that began. */
  #instantsOf({ beganAt }: Running, name: string, stored: Stored | undefined): readonly Date[] {
    const now = this.#stage.clockOf(name);
    const times = this.#stage.timesOf(name);
    if (beganAt === undefined || beganAt === this.#stage.now) return times;
    const first = new Date(now.getTime() - (this.#stage.now - beganAt));
    const turns = turnsOf(termsOf(stored)).filter((at) => first < at && at < now);
    return [first, ...turns, ...times];
  }

  #noteHeld(name: string, buckets: readonly StoredBucket[]): void {
    for (const order of this.#scene.orders.keys())
      if (buckets.some(({ heldAmount }) => timesOf(heldAmount, order) > 0))
        this.#everHeld.add(`${name} ${order}`);
  }

  /** What is held is counted by every rule that its call knew, but for those on trial. */
  #compareEntered(name: string, holds: ReturnType<typeof holdsOf>, about: Running | 'time'): void {
    for (const { id, nonce, amount, buckets } of holds) {
      const isNew = !this.#entered.has(`${name} ${nonce}`) && this.#orders.has(id);
      this.#entered.add(`${name} ${nonce}`);
      if (!isNew || about === 'time') continue;
      const counters = new Set(buckets.map((bucket) => bucket.split(' ')[0]));
      const instants = this.#instantsOf(about, name, this.#stage.documents.get(name));
      for (const rule of about.rules.counted) {
        if (rule.kind !== kindOf(name) || rule.isShadow === true) continue;
        const isCounted = counters.has(enteredBy(rule, orderOfAmount(this.#scene, amount)));
        if (!instants.some((at) => isInEffect(rule, at) === isCounted))
          throw new Broken(
            isCounted ? 'held, and counted outside hours' : 'held, and not counted by a rule',
            `${id} in ${name} by ${rule.rule}`,
          );
      }
    }
  }

  /** A hold is in the minute in which it began. One over several documents begins in the first of them. */
  #compareWindows(name: string, holds: ReturnType<typeof holdsOf>): void {
    for (const [hold, minute] of holds.flatMap((each) =>
      [...this.#minutes].map((one) => [each, one] as const),
    )) {
      const until = enteredUntil(hold, minute);
      if (until === undefined || hold.home !== undefined || hold.others !== undefined) continue;
      const began = hold.until.getTime() - HOLD_MS;
      if (began < until - MINUTE_MS || began >= until)
        throw new Broken(
          'held in another minute than its own',
          `${hold.id} in ${name} began at ${new Date(began).toISOString()}, in a minute until ${new Date(until).toISOString()}`,
        );
    }
  }

  /** What home confirms, somebody asked for. */
  #compareConfirmed(order: number, amount: number, expected: Expected): void {
    const broken = (invariant: string): Broken =>
      new Broken(invariant, `${orderIn(this.#scene, order).orderId}, with ${amount}`);
    if (!expected.mayCount(order)) throw broken('counted, though nobody confirmed');
    if (amount === finalAmountOf(order) && !expected.mayCountFinal(order))
      throw broken('counted with another amount');
    if (expected.isRolledBack(order) && !expected.isForgotten(order))
      throw broken('counted, though rolled back');
  }

  #comparePromise(order: number, expected: Expected): void {
    const scene = orderIn(this.#scene, order);
    for (const name of documentsOf(scene)) {
      const sums = this.sums(name);
      const isPresent = timesOf(sums.usedAmount, order) + timesOf(sums.heldAmount, order) > 0;
      if (expected.isPromised(order, name) && !isPresent && !expected.isOver(order, name))
        throw new Broken(
          'allowed, and no longer held',
          `${scene.orderId} in ${name}, which ${describeSums(sums)}`,
        );
    }
  }
}

function fits(sums: Sums, rule: CounterRule, stored: Stored | undefined, at: Date): boolean {
  if (isFrozen(stored, at) || !isInEffect(rule, at)) return false;
  const { amount, count } = maximumUnder(rule, termsOf(stored), at);
  return sums.usedAmount + sums.heldAmount <= amount && sums.usedCount + sums.heldCount <= count;
}

export function kindOf(document: string): string {
  return readDocument(document).kind;
}

function added(buckets: readonly StoredBucket[]): Sums {
  return buckets.reduce<Sums>(
    (sum, bucket) => ({
      usedAmount: sum.usedAmount + bucket.usedAmount,
      usedCount: sum.usedCount + bucket.usedCount,
      heldAmount: sum.heldAmount + bucket.heldAmount,
      heldCount: sum.heldCount + bucket.heldCount,
    }),
    NOTHING,
  );
}

export function describeSums({ usedAmount, usedCount, heldAmount, heldCount }: Sums): string {
  return `uses ${usedAmount} (${usedCount}) and holds ${heldAmount} (${heldCount})`;
}
