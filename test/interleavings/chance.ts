export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
    this.below(2); // neighbouring seeds soon differ
  }

  /** A whole number from 0, below `most`. The generator is mulberry32. */
  below(most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  }

  isLucky(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of them. @throws RangeError where there is none */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('there is nothing to pick from');
    return item;
  }
}
