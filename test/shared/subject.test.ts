import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Subjects } from '../../lib/shared/request.ts';
import {
  documentId,
  documentOf,
  kindTogether,
  kindsIn,
  readDocument,
} from '../../lib/shared/subject.ts';

const id = fc.string({
  unit: fc.constantFrom('a', ':', '|', '\\', 'é', '\n'),
  minLength: 1,
  maxLength: 6,
});
const subjects = fc
  .uniqueArray(fc.constantFrom('user', 'payee', 'card'), { minLength: 1 })
  .chain((kinds) =>
    fc.tuple(...kinds.map((kind) => id.map((one) => [kind, one] as const))).map(Object.fromEntries),
  ) as fc.Arbitrary<Subjects>;
const named = (of: Subjects): string => documentOf(kindTogether(Object.keys(of)), of);

describe('the name of a document', () => {
  it.each([
    { of: { user: 'u-1' }, name: 'user:u-1' },
    { of: { user: 'a|b:c' }, name: 'user:a|b\\:c' },
    { of: { user: 'u-1', payee: 'p-9' }, name: 'user:u-1|payee:p-9' },
    { of: { user: 'a|b', payee: 'c:d\\' }, name: 'user:a\\|b|payee:c\\:d\\\\' },
  ])('of $of is $name', ({ of, name }) => {
    expect(named(of)).toBe(name);
  });

  it('is that of one subject where it is of one kind', () => {
    fc.assert(
      fc.property(id, (one) => documentOf('user', { user: one }) === documentId('user', one)),
    );
  });

  it('is of those subjects alone, whatever their ids have in them', () => {
    fc.assert(
      fc.property(subjects, (of) => {
        const read = readDocument(named(of));
        expect(read.subjects).toEqual(of);
        expect(kindsIn(read.kind)).toEqual(Object.keys(of));
      }),
      { numRuns: 2_000 },
    );
  });
});
