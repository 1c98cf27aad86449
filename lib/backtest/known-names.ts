import type { BucketReference } from '../counter/sums.ts';
import { sumsAmounts } from '../rule/counter-key.ts';

/** The name of a bucket, and the number that stands for it. */
export type KnownName = BucketReference & {
  readonly number: number;
  readonly sumsAmounts: boolean;
};

/** Names of buckets, each once for all documents that have it. Plain data. */
export type KnownNames = {
  /** By the counter, and by the end in milliseconds. */
  readonly byEnd: Map<string, Map<number, KnownName>>;
  readonly byNumber: (KnownName | undefined)[];
  /** Numbers of names that were let go. */
  readonly free: number[];
};

/** Nothing yet. */
export function noNames(): KnownNames {
  return { byEnd: new Map(), byNumber: [], free: [] };
}

/** The number of a name: a new one where no document has it. */
export function numberFor(known: KnownNames, { counter, until }: BucketReference): number {
  const ofCounter = known.byEnd.get(counter) ?? new Map<number, KnownName>();
  const found = ofCounter.get(until.getTime());
  if (found !== undefined) return found.number;
  const number = known.free.pop() ?? known.byNumber.length;
  const name = { counter, until, number, sumsAmounts: sumsAmounts(counter) };
  known.byNumber[number] = name;
  known.byEnd.set(counter, ofCounter.set(until.getTime(), name));
  return number;
}

/** The name that a number stands for. */
export function nameFor({ byNumber }: KnownNames, number = -1): KnownName {
  const name = byNumber[number];
  if (name === undefined) throw new RangeError(`a document has the number ${number}`);
  return name;
}

/** Lets go names that no document has any more: a window that never ends may count nothing. */
export function keepNames(known: KnownNames, numbers: ReadonlySet<number>): void {
  for (const [counter, ofCounter] of known.byEnd) {
    for (const [untilMs, { number }] of ofCounter) {
      if (numbers.has(number)) continue;
      ofCounter.delete(untilMs);
      known.byNumber[number] = undefined;
      known.free.push(number);
    }
    if (ofCounter.size === 0) known.byEnd.delete(counter);
  }
}
