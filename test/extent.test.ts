import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROOFS, readShare, someIn, someOf } from './support/extent.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const FILES = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts'));

describe('the long extent', () => {
  it.each([...PROOFS])('has %s in %s alone', (proof, file) => {
    const names = new RegExp(`[(:]\\s*'${proof}'`);
    expect(FILES.filter((path) => names.test(read(path)))).toEqual([file]);
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

const ONE_CALL = 'oneCallBreakages';

describe('the short extent', () => {
  it('tries every fault of a call of one request over a few calls', () => {
    const faults = Array.from({ length: 14 }, (_, index) => index);
    const calls = Array.from({ length: 9 }, (_, turn) => someOf(ONE_CALL, faults, turn));
    expect(new Set(calls.flat())).toEqual(new Set(faults));
  });
});
