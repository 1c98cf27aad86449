import { describe, expect, it } from 'vitest';
import { InvalidConfigurationError } from '../../lib/shared/errors.ts';
import { readAppList } from '../../lib/callers/caller.ts';

const SECRET = { id: 's1', sealed: 'v1.AAAA', createdAt: new Date('2026-03-01T00:00:00.000Z') };
const APP = { id: 'shop', status: 'active', operations: ['check'], secrets: [SECRET] };

describe('the applications of a deployment', () => {
  it('are found by their id', () => {
    const apps = readAppList([APP, { ...APP, id: 'desk', status: 'disabled', secrets: [] }]);
    expect(apps.get('shop')).toEqual({ ...APP, rights: [] });
    expect(apps.get('desk')?.status).toBe('disabled');
    expect(apps.get('__proto__')).toBeUndefined();
  });

  it('may hold what a later version adds', () => {
    const later = { ...APP, operations: ['check', 'teleport'], note: 'x', version: 3 };
    expect(readAppList([later]).get('shop')?.operations).toEqual(['check', 'teleport']);
  });

  // prettier-ignore
  it.each([
    { change: { status: 'ACTIVE' },                    path: '[0].status',            why: 'a guess would let it in' },
    { change: { status: undefined },                   path: '[0].status',            why: 'it is missing' },
    { change: { operations: 'check' },                 path: '[0].operations',        why: 'a text is no list' },
    { change: { openPercent: 101 },                    path: '[0].openPercent',       why: 'a part is no more than the whole' },
    { change: { longestHoldMs: 'PT1H' },               path: '[0].longestHoldMs',     why: 'a text is no number' },
    { change: { secrets: [SECRET, SECRET, SECRET] },   path: '[0].secrets',           why: 'three are too many' },
    { change: { secrets: [{ ...SECRET, sealed: 1 }] }, path: '[0].secrets[0].sealed', why: 'no text' },
  ])('are wrong as a whole where $path is, because $why', ({ change, path }) => {
    let error: unknown;
    try {
      readAppList([{ ...APP, ...change }]);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidConfigurationError);
    expect((error as InvalidConfigurationError).mistakes).toEqual([
      expect.objectContaining({ path, expected: expect.any(String) as string }),
    ]);
  });

  it('are at most 1,000', () => {
    const apps = Array.from({ length: 1_001 }, (_, index) => ({ ...APP, id: `a${index}` }));
    expect(readAppList(apps.slice(1)).size).toBe(1_000);
    expect(() => readAppList(apps)).toThrow('at most 1000 applications');
  });
});
