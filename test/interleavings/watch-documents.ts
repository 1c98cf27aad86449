/** What must be true of the documents after every single step. */
import { Broken } from './broken.ts';
import { holdId } from '../../lib/shared/subject.ts';
import type { SceneRules } from './scene-rules.ts';
import type { Scene } from './scene.ts';
import { HOLD_MS, allDocuments, documentsOf, homeOf, timesIn, timesOf } from './scene.ts';
import type { StoredBucket } from './stored.ts';
import { bucketsOf, enteredUntil, holdsOf } from './stored.ts';
import type { Stage } from './stage.ts';

/** What the counter of all payments holds in a document. */
export type Sums = Pick<StoredBucket, 'usedAmount' | 'usedCount' | 'heldAmount' | 'heldCount'>;

const MINUTE_MS = 60_000;

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
};

/** Compares the documents with what they were a step before, and with each other. */
export class DocumentWatch {
  readonly #scene: Scene;
  readonly #rules: SceneRules;
  readonly #names: readonly string[];
  readonly #sums = new Map<string, Sums>();
  readonly #minutes = new Map<string, ReadonlyMap<number, StoredBucket>>();
  /** Document and order, where it ever had a share. */
  readonly #everHeld = new Set<string>();

  constructor(scene: Scene, rules: SceneRules) {
    this.#scene = scene;
    this.#rules = rules;
    this.#names = allDocuments(scene);
  }

  /** What a document counts of payments. */
  sums(document: string): Sums {
    return this.#sums.get(document) ?? NOTHING;
  }

  /** @throws Broken */
  look(documents: Stage['documents'], expected: Expected): void {
    for (const name of this.#names) {
      const stored = documents.get(name);
      const kind = kindOf(name);
      const buckets = bucketsOf(stored);
      const sums = added(buckets.filter(({ counter }) => counter === this.#rules.counters[kind]));
      this.#compareHolds(name, sums, holdsOf(stored));
      this.#compareMaximum(name, sums, expected);
      const minutes = buckets.filter(({ counter }) => counter === this.#rules.minuteCounters[kind]);
      this.#compareMinutes(name, minutes);
      this.#compareWindows(name, holdsOf(stored), this.#rules.minuteCounters[kind]);
      this.#sums.set(name, sums);
    }
    for (const order of this.#scene.orders.keys()) this.#compareOrder(order, expected);
  }

  /** @throws Broken where something is held */
  expectNothingHeld(documents: Stage['documents']): void {
    for (const name of this.#names) {
      const { heldAmount, heldCount } = this.sums(name);
      const left = holdsOf(documents.get(name)).length;
      if (heldAmount !== 0 || heldCount !== 0 || left > 0)
        throw new Broken('held for ever', `${name} ${describeSums(this.sums(name))}`);
    }
  }

  /** The sums say the same as the list of holds, and amounts the same as counts. */
  #compareHolds(name: string, sums: Sums, holds: ReturnType<typeof holdsOf>): void {
    const ids = new Set(
      this.#scene.orders.map(({ orderId }) => holdId({ appId: 'default', orderId })),
    );
    const own = holds.filter(({ id }) => ids.has(id));
    const amount = own.reduce((sum, hold) => sum + hold.amount, 0);
    const count = own.reduce((sum, hold) => sum + hold.count, 0);
    const counted = (sum: number): number =>
      this.#scene.orders.reduce((all, _, order) => all + timesOf(sum, order), 0);
    const isSame = amount === sums.heldAmount && count === sums.heldCount;
    if (!isSame || counted(sums.usedAmount) !== sums.usedCount)
      throw new Broken(
        'sums that disagree with the holds',
        `${name} ${describeSums(sums)}, in holds ${amount} and ${count}`,
      );
  }

  /** What an allowed check adds, fits. What a late confirm adds, or a larger one, may stand above. */
  #compareMaximum(name: string, sums: Sums, { mayRecord }: Expected): void {
    const before = this.sums(name);
    const max = this.#scene.maxima[kindOf(name)];
    let isRaised = false;
    for (const order of this.#scene.orders.keys()) {
      const isHeldMore = timesOf(sums.heldAmount, order) > timesOf(before.heldAmount, order);
      const isUsedMore = timesOf(sums.usedAmount, order) > timesOf(before.usedAmount, order);
      const share = `${name} ${order}`;
      const isChecked = !this.#everHeld.has(share) && !mayRecord(order);
      isRaised ||= isHeldMore || (isUsedMore && isChecked);
      if (isHeldMore) this.#everHeld.add(share);
    }
    if (!isRaised || max === undefined) return;
    const [amount, count] = [sums.usedAmount + sums.heldAmount, sums.usedCount + sums.heldCount];
    if (amount > max.amount || count > max.count)
      throw new Broken(
        'above a maximum through an allowed check',
        `${name} ${describeSums(sums)}, at most ${max.amount} and ${max.count}`,
      );
  }

  #compareMinutes(name: string, buckets: readonly StoredBucket[]): void {
    const most = this.#scene.minuteCount;
    if (most === undefined) return;
    const before = this.#minutes.get(name);
    for (const bucket of buckets) {
      const isRaised = bucket.heldCount > (before?.get(bucket.until)?.heldCount ?? 0);
      if (isRaised && bucket.usedCount + bucket.heldCount > most)
        throw new Broken(
          'above a maximum through an allowed check',
          `a minute of ${name} ${describeSums(bucket)}, at most ${most}`,
        );
    }
    this.#minutes.set(name, new Map(buckets.map((bucket) => [bucket.until, bucket])));
  }

  /** A hold is in the minute in which it began. One over several documents begins in the first of them. */
  #compareWindows(name: string, holds: ReturnType<typeof holdsOf>, minute = ''): void {
    for (const hold of holds) {
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

  #compareOrder(order: number, expected: Expected): void {
    const scene = this.#scene.orders[order];
    if (scene === undefined) return;
    const home = homeOf(scene);
    const atHome = timesOf(this.sums(home).usedAmount, order);
    for (const name of documentsOf(scene)) {
      const sums = this.sums(name);
      const { asked, final } = timesIn(sums.usedAmount, order);
      const broken = (invariant: string): Broken =>
        new Broken(invariant, `${scene.orderId} in ${name}, which ${describeSums(sums)}`);
      if (asked + final > 1 && !expected.isForgotten(order)) throw broken('counted twice');
      if (asked + final > 0) {
        if (!expected.mayCount(order)) throw broken('counted, though nobody confirmed');
        if (final > 0 && !expected.mayCountFinal(order))
          throw broken('counted with another amount');
        if (expected.isRolledBack(order) && !expected.isForgotten(order))
          throw broken('counted, though rolled back');
        if (atHome === 0) throw broken('counted in another document, and not at home');
      }
      const isPresent = asked + final + timesOf(sums.heldAmount, order) > 0;
      if (expected.isPromised(order, name) && !isPresent)
        throw broken('allowed, and no longer held');
    }
  }
}

/** Ids here have nothing that is escaped in a document's id. */
function kindOf(document: string): string {
  return document.split(':')[0] ?? '';
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

/** Sums in a few words. */
export function describeSums({ usedAmount, usedCount, heldAmount, heldCount }: Sums): string {
  return `uses ${usedAmount} (${usedCount}) and holds ${heldAmount} (${heldCount})`;
}
