/** What must be true of counters of what expired: each hold of home that nobody ended, until somebody does. */
import { Broken } from './broken.ts';
import type { Running } from './moves.ts';
import { expiryCounters } from './scene-rules.ts';
import { allDocuments } from './scene.ts';
import type { Stage } from './stage.ts';
import type { Stored, StoredBucket, StoredHold } from './stored.ts';
import { bucketsOf, expiredOf, holdsOf, outcomesOf, termsOf } from './stored.ts';

export class ExpiryWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  readonly #counters: ReadonlySet<string>;
  #before = new Map<string, Stored>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#names = allDocuments(stage.scene);
    this.#counters = expiryCounters(stage.ruleSets);
  }

  /** @throws Broken */
  look(about: Running | 'time'): void {
    if (this.#counters.size === 0) return;
    const { documents } = this.#stage;
    for (const name of this.#names) {
      const [before, after] = [this.#before.get(name), documents.get(name)];
      if (before === after) continue;
      const latest = Math.max(...this.#stage.timesOf(name).map((at) => at.getTime()));
      for (const bucket of bucketsOf(after)) {
        if (!this.#counters.has(bucket.counter) || bucket.until <= latest) continue;
        this.#compareUsed(name, bucket, before, after);
        if (about !== 'time') this.#compareMaximum(name, bucket, before, about);
      }
    }
    this.#before = new Map(documents);
  }

  /** A hold that is released unsettled is used. One that ends later is not any more, and one that is held again stays. */
  #compareUsed(
    name: string,
    bucket: StoredBucket,
    before: Stored | undefined,
    after: Stored | undefined,
  ): void {
    const was = bucketsOf(before).find((one) => one.name === bucket.name);
    const ended = new Set(
      outcomesOf(after).flatMap(({ nonce, state }) => (state === 'expired' ? [] : nonce)),
    );
    const held = new Set(holdsOf(after).map(({ nonce }) => nonce));
    const entered = ({ buckets }: StoredHold): boolean => buckets.includes(bucket.name);
    const expired = holdsOf(before).filter(
      (hold) => entered(hold) && !held.has(hold.nonce) && !ended.has(hold.nonce),
    );
    const late = expiredOf(before).filter((hold) => entered(hold) && ended.has(hold.nonce));
    const [amount, count] = [
      sumOf(expired, 'amount') - sumOf(late, 'amount'),
      sumOf(expired, 'count') - sumOf(late, 'count'),
    ];
    const isAmount = bucket.usedAmount - (was?.usedAmount ?? 0) === amount;
    if (!isAmount || bucket.usedCount - (was?.usedCount ?? 0) !== count)
      throw new Broken(
        'expired, and counted otherwise',
        `${bucket.name} of ${name}: ${bucket.usedAmount} (${bucket.usedCount}) after ${was?.usedAmount ?? 0} (${was?.usedCount ?? 0}), of which ${amount} (${count}) expired`,
      );
  }

  /** Nothing but a check takes a place. */
  #compareMaximum(
    name: string,
    bucket: StoredBucket,
    before: Stored | undefined,
    { rules }: Running,
  ): void {
    const was = bucketsOf(before).find((one) => one.name === bucket.name);
    const taken = ({ usedCount, heldCount }: StoredBucket): number => usedCount + heldCount;
    const hasOwn = (termsOf(this.#stage.documents.get(name))?.overrides ?? []).length > 0;
    if (taken(bucket) <= (was === undefined ? 0 : taken(was)) || hasOwn) return;
    const rule = rules.counted.find(({ counter }) => counter === bucket.counter);
    if (taken(bucket) > (rule?.max.count ?? 0))
      throw new Broken('held above a maximum of what expired', `${bucket.name} of ${name}`);
  }
}

function sumOf(holds: readonly StoredHold[], sum: 'amount' | 'count'): number {
  return holds.reduce((all, hold) => all + hold[sum], 0);
}
