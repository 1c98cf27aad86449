/** The cards that documents count must be those of what they hold and have counted. */
import { Broken } from './broken.ts';
import type { Running } from './moves.ts';
import type { CounterRule } from './scene-rules.ts';
import { allDocuments } from './scene.ts';
import type { Stage } from './stage.ts';
import type { Stored, StoredValues } from './stored.ts';
import { holdsOf, valuesOf } from './stored.ts';
import { kindOf } from './watch-documents.ts';

export class ValueWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  readonly #isWatching: boolean;
  #before = new Map<string, Stored>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#names = allDocuments(stage.scene);
    this.#isWatching = stage.ruleSets.some(({ counted }) =>
      counted.some(({ isOfCards }) => isOfCards),
    );
  }

  /** @throws Broken */
  look(about: Running | 'time'): void {
    if (!this.#isWatching) return;
    for (const name of this.#names) {
      const stored = this.#stage.documents.get(name);
      for (const bucket of valuesOf(stored)) {
        this.#compareSums(name, bucket);
        this.#compareHolds(name, bucket, stored);
        if (about !== 'time') this.#compareMaximum(name, bucket, about);
      }
    }
    this.#before = new Map(this.#stage.documents);
  }

  /** Each order has one card. */
  #compareSums(name: string, { name: bucket, all, used, allOf, usedOf }: StoredValues): void {
    const sums = [sumOf(allOf), sumOf(usedOf)];
    if (sums[0] !== all || sums[1] !== used)
      throw new Broken(
        'cards that do not add up to the orders',
        `${bucket} of ${name}: ${sums.join()} of cards, ${all},${used} in all`,
      );
  }

  /** Beside what is used, a card counts for the holds that have it, and for nothing else. */
  #compareHolds(name: string, bucket: StoredValues, stored: Stored | undefined): void {
    const { allOf, usedOf } = bucket;
    const held = new Map<string, number>();
    for (const { buckets, count, v = {} } of holdsOf(stored)) {
      if (!buckets.includes(bucket.name)) continue;
      for (const card of Object.values(v)) held.set(card, (held.get(card) ?? 0) + count);
    }
    for (const card of new Set([...Object.keys(allOf), ...Object.keys(usedOf), ...held.keys()])) {
      const [all, used] = [allOf[card] ?? 0, usedOf[card] ?? 0];
      if (used < 0 || all - used !== (held.get(card) ?? 0))
        throw new Broken(
          'cards that disagree with the holds',
          `${card} in ${bucket.name} of ${name}: ${all}, ${used} of them used`,
        );
    }
  }

  /** A check takes another card only where there is room for it. */
  #compareMaximum(name: string, bucket: StoredValues, { rules }: Running): void {
    const before = valuesOf(this.#before.get(name)).find((one) => one.name === bucket.name);
    const heldOf = (one: StoredValues | undefined, card: string): number =>
      (one?.allOf[card] ?? 0) - (one?.usedOf[card] ?? 0);
    const there = Object.keys(bucket.allOf).filter((card) => (bucket.allOf[card] ?? 0) > 0);
    const taken = there.filter(
      (card) => (before?.allOf[card] ?? 0) === 0 && heldOf(bucket, card) > heldOf(before, card),
    );
    const rule = rules.counted.find(
      (one): one is CounterRule => one.counter === bucket.counter && one.kind === kindOf(name),
    );
    if (taken.length > 0 && there.length > (rule?.max.count ?? 0))
      throw new Broken(
        'more cards through an allowed check',
        `${bucket.name} of ${name}: ${there.join()}, at most ${rule?.max.count ?? 0}`,
      );
  }
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
