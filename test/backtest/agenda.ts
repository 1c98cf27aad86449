/** What is to come, the earliest first; of one instant as it was added. */
export class Agenda<Item> {
  readonly #heap: { readonly at: Date; readonly place: number; readonly item: Item }[] = [];
  #added = 0;

  add(at: Date, item: Item): void {
    const heap = this.#heap;
    heap.push({ at, place: (this.#added += 1), item });
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** When the next is, in milliseconds. */
  peek(): number | undefined {
    return this.#heap[0]?.at.getTime();
  }

  next(): { readonly at: Date; readonly item: Item } | undefined {
    const heap = this.#heap;
    if (heap.length > 1) this.#swap(0, heap.length - 1);
    const first = heap.pop();
    for (let parent = 0; ;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < heap.length && this.#isBefore(child, least)) least = child;
      if (least === parent) return first;
      this.#swap(parent, least);
      parent = least;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return false;
    return a.at < b.at || (a.at.getTime() === b.at.getTime() && a.place < b.place);
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }
}
