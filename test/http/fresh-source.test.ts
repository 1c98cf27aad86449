import { describe, expect, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { freshSource } from '../../lib/http/fresh-source.ts';

const DOWN = new UndecidedError('the store is away');
const WRONG = 'no number';

/** A source over a store that gives, in order, what is put in; and a clock that is set by hand. */
function source(gives: (number | string | Error)[], maxAgeMs = 10_000) {
  const stale: number[] = [];
  let loads = 0;
  let nowMs = 0;
  const read = freshSource({
    async load() {
      loads += 1;
      await Promise.resolve();
      const given = gives.length > 1 ? gives.shift() : gives[0];
      if (given === undefined || given instanceof Error) throw given ?? DOWN;
      return given;
    },
    read(count) {
      if (typeof count === 'string') throw new RangeError(count);
      return { count };
    },
    maxAgeMs,
    nowMs: () => nowMs,
    onStale: (_error, ageMs) => stale.push(ageMs),
  });
  /** Reads at some instant. */
  const at = (ms: number): ReturnType<typeof read> => {
    nowMs = ms;
    return read();
  };
  return { at, loads: () => loads, stale };
}

describe('what is in force', () => {
  it('is loaded once and used until it is too old', async () => {
    const { at, loads } = source([1, 2]);
    expect(await at(0)).toEqual({ count: 1 });
    expect(await at(9_999)).toEqual({ count: 1 });
    expect(loads()).toBe(1);
    expect(await at(10_000)).toEqual({ count: 2 });
    expect(loads()).toBe(2);
  });

  it('is loaded for every call where nothing is kept', async () => {
    const { at } = source([1, 2], 0);
    expect(await at(0)).toEqual({ count: 1 });
    expect(await at(0)).toEqual({ count: 2 });
  });

  it('is loaded once for all who wait for it', async () => {
    const { at, loads } = source([1]);
    await Promise.all(Array.from({ length: 20 }, () => at(0)));
    expect(loads()).toBe(1);
  });

  it('is the same object as long as the store says the same', async () => {
    const { at, loads } = source([1]);
    const before = await at(0);
    expect(await at(10_000)).toBe(before);
    expect(loads()).toBe(2);
  });
});

describe('what cannot be loaded', () => {
  it('leaves the first call undecided, and is asked for again by the next', async () => {
    const { at } = source([DOWN, 1]);
    await expect(at(0)).rejects.toBe(DOWN);
    expect(await at(0)).toEqual({ count: 1 });
  });

  it('leaves what is older in force for 5 minutes, then calls are undecided', async () => {
    const { at, stale } = source([1, DOWN]);
    for (const ms of [0, 10_000, 300_000]) expect(await at(ms)).toEqual({ count: 1 });
    expect(stale).toEqual([10_000, 300_000]);
    await expect(at(300_001 + 1_000)).rejects.toBe(DOWN);
  });

  it('is not asked for more than once a second while something older is in force', async () => {
    const { at, loads } = source([1, DOWN]);
    for (const ms of [0, 10_000, 10_001, 10_999]) await at(ms);
    expect(loads()).toBe(2);
    await at(11_000);
    expect(loads()).toBe(3);
  });

  it('is used again as soon as it can be loaded', async () => {
    const { at } = source([1, DOWN, 2]);
    for (const ms of [0, 10_000]) await at(ms);
    expect(await at(11_000)).toEqual({ count: 2 });
  });
});

describe('what is wrong', () => {
  it('fails the first call as it is read', async () => {
    const { at } = source([WRONG]);
    await expect(at(0)).rejects.toThrow(WRONG);
    await expect(at(0)).rejects.toThrow(WRONG);
  });

  it('leaves the last right one in force, for a while', async () => {
    const { at } = source([1, WRONG]);
    await at(0);
    expect(await at(10_000)).toEqual({ count: 1 });
    await expect(at(301_001)).rejects.toThrow(WRONG);
  });
});
