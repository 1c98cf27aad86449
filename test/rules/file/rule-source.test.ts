import { describe, expect, it } from 'vitest';
import { InvalidConfigurationError, UndecidedError } from '../../../lib/shared/errors.ts';
import type { Rule } from '../../../lib/rules/rule.ts';
import type { KeptRule } from '../../../lib/rules/rule-set.ts';
import { freshSource } from '../../../lib/http/fresh-source.ts';
import { rulesInForce } from '../../../lib/rules/file/rule-list.ts';

const MAX_AGE_MS = 10_000;
type Stored = Pick<KeptRule, 'rule' | 'version'>;
const stored = (count: number): readonly Stored[] => [
  { rule: { id: 'a', per: ['user'], window: 'lifetime', max: { count } }, version: 10 + count },
];
const DOWN = new UndecidedError('the store is away');

/** A source over a store that gives, in order, what is put in; and a clock that is set by hand. */
function source(maxAgeMs = MAX_AGE_MS): {
  gives: (readonly Stored[] | Error)[];
  loads: () => number;
  at: (ms: number) => void;
  stale: number[];
  rules: () => Promise<readonly Rule[]>;
} {
  const gives: (readonly Stored[] | Error)[] = [];
  const stale: number[] = [];
  let loads = 0;
  let nowMs = 0;
  const rules = freshSource({
    read: rulesInForce,
    async load() {
      loads += 1;
      await Promise.resolve();
      const given = gives.length > 1 ? gives.shift() : gives[0];
      if (given === undefined || given instanceof Error) throw given ?? DOWN;
      return given;
    },
    maxAgeMs,
    nowMs: () => nowMs,
    onStale: (_error, ageMs) => stale.push(ageMs),
  });
  return { gives, loads: () => loads, at: (ms) => (nowMs = ms), stale, rules };
}

async function countOf(rules: Promise<readonly Rule[]>): Promise<number | undefined> {
  return (await rules)[0]?.max.count;
}

describe('rules in force', () => {
  it('are loaded once and used until they are too old', async () => {
    const store = source();
    store.gives.push(stored(1), stored(2));
    expect(await countOf(store.rules())).toBe(1);
    expect((await store.rules())[0]?.version).toBe(11);
    store.at(9_999);
    expect(await countOf(store.rules())).toBe(1);
    expect(store.loads()).toBe(1);
    store.at(10_000);
    expect(await countOf(store.rules())).toBe(2);
    expect(store.loads()).toBe(2);
  });

  it('are loaded for every call where nothing is kept', async () => {
    const store = source(0);
    store.gives.push(stored(1), stored(2));
    expect(await countOf(store.rules())).toBe(1);
    expect(await countOf(store.rules())).toBe(2);
  });

  it('are loaded once for all who wait for them', async () => {
    const store = source();
    store.gives.push(stored(1));
    await Promise.all(Array.from({ length: 20 }, () => store.rules()));
    expect(store.loads()).toBe(1);
  });

  it('are the same objects as long as the store says the same', async () => {
    const store = source();
    store.gives.push(stored(1));
    const before = await store.rules();
    store.at(10_000);
    expect(await store.rules()).toBe(before);
    expect(store.loads()).toBe(2);
  });
});

describe('rules that cannot be loaded', () => {
  it('leave the first call undecided, and are asked for again by the next', async () => {
    const store = source();
    store.gives.push(DOWN, stored(1));
    await expect(store.rules()).rejects.toBe(DOWN);
    expect(await countOf(store.rules())).toBe(1);
  });

  it('leave older ones in force for 5 minutes, then calls are undecided', async () => {
    const store = source();
    store.gives.push(stored(1), DOWN);
    await store.rules();
    store.at(10_000);
    expect(await countOf(store.rules())).toBe(1);
    store.at(300_000);
    expect(await countOf(store.rules())).toBe(1);
    expect(store.stale).toEqual([10_000, 300_000]);
    store.at(300_001 + 1_000);
    await expect(store.rules()).rejects.toBe(DOWN);
  });

  it('are not asked for more than once a second while older ones are in force', async () => {
    const store = source();
    store.gives.push(stored(1), DOWN);
    await store.rules();
    for (const ms of [10_000, 10_001, 10_999]) {
      store.at(ms);
      await store.rules();
    }
    expect(store.loads()).toBe(2);
    store.at(11_000);
    await store.rules();
    expect(store.loads()).toBe(3);
  });

  it('are used again as soon as they can be loaded', async () => {
    const store = source();
    store.gives.push(stored(1), DOWN, stored(2));
    await store.rules();
    store.at(10_000);
    await store.rules();
    store.at(11_000);
    expect(await countOf(store.rules())).toBe(2);
  });
});

describe('rules that are wrong', () => {
  it('fail the first call with the list of mistakes', async () => {
    const store = source();
    store.gives.push([{ rule: { id: 'a' }, version: 1 }]);
    await expect(store.rules()).rejects.toThrow(InvalidConfigurationError);
    await expect(store.rules()).rejects.toThrow('rules[a].per is missing');
  });

  it('leave the last right ones in force, for a while', async () => {
    const store = source();
    store.gives.push(stored(1), [{ rule: { id: 'a' }, version: 1 }]);
    await store.rules();
    store.at(10_000);
    expect(await countOf(store.rules())).toBe(1);
    store.at(301_001);
    await expect(store.rules()).rejects.toThrow(InvalidConfigurationError);
  });
});
