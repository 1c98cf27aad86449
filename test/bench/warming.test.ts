import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Contender } from '../../bench/measure.ts';
import { interleave } from '../../bench/measure.ts';

const EFFORT = { callers: 1, rounds: 2, sliceMs: 100, firstOperations: 1 };

let nowMs = 0;

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A contender whose operations take so long, by how many came before; and how many there were. */
function taking(msAt: (operation: number) => number): Contender & { readonly count: () => number } {
  let operations = 0;
  return {
    name: 'one',
    count: () => operations,
    run: () => {
      nowMs += msAt(operations++);
      return Promise.resolve();
    },
  };
}

/** Operations a second of each slice that counts. */
async function measured(contender: Contender, warmMs: number): Promise<readonly number[]> {
  const [one] = await interleave([contender], { ...EFFORT, warmMs }, () => ({ client: 0 }));
  return one?.slices.map(({ perSecond }) => Math.round(perSecond)) ?? [];
}

describe('a contender is warmed before it is measured', () => {
  it('until it grows no faster, though that takes longer than a slice', async () => {
    const slowAtFirst = taking((operation) => (operation < 200 ? 10 - operation / 25 : 2));
    expect(await measured(slowAtFirst, 10_000)).toEqual([500, 500]);
  });

  it('for no longer than three stretches where its rate never changes', async () => {
    const steady = taking(() => 10);
    expect(await measured(steady, 10_000)).toEqual([100, 100]);
    expect(steady.count()).toBe(1 + 3 * 10 + 2 * 10);
  });

  it('and no longer than the bound where it grows faster for ever', async () => {
    const growing = taking((operation) => 100 / (operation + 1));
    const [one] = await interleave([growing], { ...EFFORT, warmMs: 300 }, () => ({ client: 0 }));
    expect(one?.warmedMs).toBeGreaterThanOrEqual(300);
    expect(one?.warmedMs).toBeLessThan(500);
  });
});
