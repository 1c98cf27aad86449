import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counterKey, stillReadUnder } from '../../lib/rule/counter.ts';
import type { StillRead } from '../../lib/rule/counter-key.ts';
import { hasNoRule } from '../../lib/rule/counter-key.ts';
import { begunAt } from '../../lib/rule/rule-for-order.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { isLive } from '../../lib/rule/rule.ts';
import type { RuleSet, StoredRule } from '../../lib/rule-file/rule-set.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import { readableRules } from '../../lib/rule-file/rule-list.ts';
import { SEED, times } from '../support/extent.ts';

const author = { at: new Date('2026-03-02T10:00:00Z'), by: { kind: 'local', id: 'l' } } as const;
const EMPTY: RuleSet = { revision: 0, rules: [] };

/** Four rules that may count in one of three counters, or in none. */
const storedRule = (id: string): fc.Arbitrary<StoredRule | undefined> =>
  fc.option(
    fc.record({
      id: fc.constant(id),
      per: fc.constant(['user']),
      window: fc.constantFrom('lifetime', 'transaction', { rolling: 'PT1H' }),
      match: fc.constantFrom({ type: 'A' }, { type: 'B' }),
      mode: fc.constantFrom('enforce', 'enforce', 'shadow', 'draft', 'retired'),
      max: fc.constantFrom({ count: 1 }, { count: 2 }),
    }),
    { nil: undefined },
  );
const sets = fc.array(
  fc.tuple(...['a', 'b', 'c', 'd'].map(storedRule)).map((all) => all.flatMap((each) => each ?? [])),
  { minLength: 2, maxLength: 12 },
);

const countingRules = (set: RuleSet) =>
  readableRules(set).filter((rule) => isLive(rule) && rule.window.kind !== 'transaction');

/** What each rule of a set has counted, where every counter gains one between any two sets. */
class Counted {
  readonly #sums = new Map<string, number>();

  add(set: RuleSet): void {
    const keys = countingRules(set).map((rule) => counterKey(rule, {}));
    for (const key of new Set(keys)) this.#sums.set(key, (this.#sums.get(key) ?? 0) + 1);
  }

  of(set: RuleSet): ReadonlyMap<string, number> {
    return new Map(
      countingRules(set).map((rule) => [rule.id, this.#sums.get(counterKey(rule, {})) ?? 0]),
    );
  }
}

const PAIR = { user: 'u-1', payee: 'p-1' };
const ofPairs = (rule: StoredRule): StoredRule => ({ ...rule, per: ['user', 'payee'] });

describe('what is said of the counter of a rule', () => {
  it('is true of its sum, however rules change, go and come back', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(sets, (following) => {
        let set = EMPTY;
        const counted = new Counted();
        for (const rules of following) {
          const { set: next, changes } = nextSet(set, rules, author);
          const [before, after] = [counted.of(set), counted.of(next)];
          const changed = new Set(changes.map(({ id }) => id));
          for (const [id, sum] of after) if (!changed.has(id)) expect(sum).toBe(before.get(id));
          for (const { id, counter, sharedWith } of changes) {
            seen.add(counter);
            switch (counter) {
              case 'kept':
                expect(after.get(id)).toBe(before.get(id));
                break;
              case 'begins':
              case 'anew':
                expect(after.get(id)).toBe(0);
                expect(before.has(id)).toBe(counter === 'anew');
                break;
              case 'joins':
                expect(sharedWith).not.toEqual([]);
                for (const other of sharedWith) expect(after.get(id)).toBe(before.get(other));
                break;
              case 'ends':
              case 'none':
                expect(after.has(id)).toBe(false);
                expect(before.has(id)).toBe(counter === 'ends');
            }
          }
          counted.add(next);
          set = next;
        }
      }),
      { numRuns: times('setsOfRules'), seed: SEED },
    );
    expect([...seen].sort()).toEqual(['anew', 'begins', 'ends', 'joins', 'kept', 'none']);
  }, 120_000);

  it('is told of counters of several subjects by every later set, once no rule reads them: they never come back', () => {
    let [told, kept] = [0, 0];
    fc.assert(
      fc.property(sets, (following) => {
        let set = EMPTY;
        const began = new Set<string>();
        const ended = new Set<string>();
        const older: StillRead[] = [];
        for (const rules of following) {
          set = nextSet(set, rules.map(ofPairs), author).set;
          const stillRead = stillReadUnder(readableRules(set));
          if (stillRead === undefined) continue; // no rule is left, so no check reads or tidies
          const read = new Set(countingRules(set).map((rule) => counterKey(rule, PAIR)));
          for (const key of read) began.add(key);
          for (const key of began) {
            expect(hasNoRule(key, stillRead)).toBe(!read.has(key));
            if (read.has(key)) kept += 1;
            else ended.add(key);
          }
          for (const key of read) {
            expect(ended).not.toContain(key);
            for (const before of older) expect(hasNoRule(key, before)).toBe(false);
          }
          told += ended.size;
          older.push(stillRead);
        }
      }),
      { numRuns: times('setsOfRules'), seed: SEED },
    );
    expect(Math.min(told, kept)).toBeGreaterThan(100);
  }, 120_000);

  it.each([
    {
      what: 'an instant that an order says',
      window: { since: { attribute: 'auth' }, for: 'PT1H' },
    },
    {
      what: 'orders that lower it',
      window: 'lifetime',
      counts: { type: 'A' },
      minus: { type: 'B' },
    },
  ])('has the origin of its rule, with $what', ({ what: _what, ...more }) => {
    const max = { amount: 100 };
    const stored = { ...{ id: 'a', per: ['user', 'payee'], currency: 'CNY', max }, ...more };
    const set = nextSet(EMPTY, [stored], author).set;
    const rules = readableRules(set);
    const orders = rules.flatMap((rule): readonly Rule[] => [
      { ...begunAt(rule, author.at), lowers: true },
      begunAt(rule, author.at),
    ]);
    expect(orders).toHaveLength(2);
    for (const rule of orders)
      expect(hasNoRule(counterKey(rule, PAIR), stillReadUnder(rules))).toBe(false);
  });

  it('is kept where the set was stored before counters had generations', () => {
    const rule = { id: 'a', per: ['user'], window: 'lifetime', max: { count: 1 } };
    const old: RuleSet = { revision: 7, rules: [{ rule, version: 3, ...author }] };
    const next = nextSet(old, [{ ...rule, max: { count: 2 } }], author).set;
    expect(next.rules).toEqual([{ rule: { ...rule, max: { count: 2 } }, version: 8, ...author }]);
  });
});
