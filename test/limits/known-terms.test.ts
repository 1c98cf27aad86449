import { expect, it } from 'vitest';
import { KnownTerms } from '../../lib/limits/known-terms.ts';
import type { Terms } from '../../lib/rule/own-terms.ts';
import { storedTerms } from '../../lib/document/stored-terms.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';
import type { Documents } from '../support/mingo-store.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import { ESTIMATE, UNTIL } from '../support/statement-asks.ts';

const AT = new Date('2026-03-02T04:00:00.000Z');
const WRITTEN = { by: { kind: 'local', id: 'local' }, at: AT, reason: 'asked for' } as const;

function termsOf(overrides: number): { readonly terms: Terms } {
  const all = Array.from({ length: overrides }, (_, index) => ({
    ...WRITTEN,
    id: `o${index}`,
    rule: `r${index}`,
    max: { count: 1 },
  }));
  return { terms: { version: 'v', overrides: all } };
}

it.each([
  { subjects: 10_000, overrides: 1, why: 'as much as it may' },
  { subjects: 400, overrides: 49, why: 'as much as it may, in overrides' },
])(
  'what a process knows of subjects’ terms is of $subjects with $overrides each: $why; then the oldest goes',
  (each) => {
    const known = new KnownTerms();
    for (let index = 0; index < each.subjects; index++)
      known.learn(`user:${index}`, termsOf(each.overrides));
    expect(known.of('user:0')).toBeDefined();
    known.learn('user:0', termsOf(each.overrides)); // is the newest now
    known.learn('user:new', termsOf(each.overrides));
    expect(known.of('user:0')).toBeDefined();
    expect(known.of('user:1')).toBeUndefined();
    expect(known.of('user:new')).toBeDefined();
    known.learn('user:new', {});
    known.learn('user:1', termsOf(each.overrides));
    expect(known.of('user:2')).toBeDefined();
  },
);

it('a dry run of a user and a merchant whose terms change whenever they are read holds nothing, not in the commit either that decides other checks at last', async () => {
  const change = (version: string): object => ({
    terms: storedTerms({ ...termsOf(1).terms, version }),
    ...{ seen: ESTIMATE, expireAt: UNTIL },
  });
  const ids = ['user:u-1', 'merchant:m-1'];
  const documents: Documents = new Map();
  const inner = countersWithoutCommits(mingoStatements(documents, () => ESTIMATE));
  let reads = 0;
  const counters: CounterStore = {
    ...inner,
    read: (...asked) => {
      for (const id of ids) documents.set(id, { _id: id, ...change(`v${reads}`) });
      reads += 1;
      return inner.read(...asked);
    },
    together: (work) => work(inner),
  };
  const rules = [USER_DAY, { ...USER_DAY, id: 'merchant-day', per: ['merchant'] as const }];
  const limits = limitsOver(counters, rules);
  const subjects = { user: 'u-1', merchant: 'm-1' };
  const call = limits.check(checkOf({ orderId: 'o-1', subjects, dryRun: true }), ESTIMATE);
  await expect(call).rejects.toThrow(UndecidedError);
  expect(reads).toBe(4);
  for (const id of ids) expect(documents.get(id)).not.toHaveProperty('h');
});
