import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG_FILES, readShare, someIn } from './support/extent.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** All tests but this one, which has the words that it looks for. */
const FILES = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts') && path !== 'test/extent.test.ts');

describe('the long extent', () => {
  it('has every file whose proofs run more in it, and no other', () => {
    const proofs = FILES.filter((path) => /\b(times|someOf)\('/.test(read(path)));
    const byCuts = FILES.filter((path) => read(path).includes("some: 'cuts"));
    expect([...new Set([...proofs, ...byCuts])].sort()).toEqual([...LONG_FILES].sort());
  });

  it.each([2, 8])('in %i shares tells every case once', (of) => {
    const cases = Array.from({ length: 100 }, (_, index) => index);
    const told = cases.slice(0, of).flatMap((index) => someIn(cases, 1, { part: index + 1, of }));
    expect(told.sort((one, other) => one - other)).toEqual(cases);
  });

  it.each(['0/8', '9/8', '1', '1/8/2', 'a/b', ''])('has no share %j', (text) => {
    expect(() => readShare(text)).toThrow(
      /^The share is ".*"; expected one of so many, such as 1\/8/,
    );
  });
});

describe('the short extent', () => {
  it('tries every fault of a call of one request over a few calls', () => {
    const faults = Array.from({ length: 14 }, (_, index) => index);
    const calls = Array.from({ length: 9 }, (_, turn) =>
      someIn(faults, 9, { part: 1, of: 1 }, turn),
    );
    expect(new Set(calls.flat())).toEqual(new Set(faults));
  });
});
