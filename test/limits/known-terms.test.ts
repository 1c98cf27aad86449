import { describe, expect, it } from 'vitest';
import { KnownTerms } from '../../lib/rules/terms/known-terms.ts';
import type { Terms } from '../../lib/rules/terms/terms.ts';

const AT = new Date('2026-03-02T04:00:00.000Z');
const WRITTEN = { by: { kind: 'local', id: 'local' }, at: AT, reason: 'asked for' } as const;

/** Terms of so many overrides. */
function termsOf(overrides: number): { readonly terms: Terms } {
  const all = Array.from({ length: overrides }, (_, index) => ({
    ...WRITTEN,
    rule: `r${index}`,
    max: { count: 1 },
  }));
  return { terms: { version: 'v', overrides: all } };
}

describe('what a process knows of subjects’ terms', () => {
  it.each([
    { subjects: 10_000, overrides: 1, why: 'as many subjects as it may' },
    { subjects: 400, overrides: 49, why: 'as many overrides as it may' },
  ])('is of $subjects with $overrides each: $why; then the oldest goes', (each) => {
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
  });
});
