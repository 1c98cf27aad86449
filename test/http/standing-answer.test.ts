import { describe, expect, it } from 'vitest';
import { shareJson } from '../../lib/http/standing-answer.ts';

describe('a share of a maximum', () => {
  it.each([
    { taken: 59_820, max: 60_000, share: 0.997, why: 'it is exact to a hundredth of a percent' },
    { taken: 999_999, max: 1_000_000, share: 0.9999, why: 'one unit is left' },
    { taken: 1_000_000, max: 1_000_000, share: 1, why: 'nothing is left' },
    { taken: 1_500_000, max: 1_000_000, share: 1.5, why: 'a late confirm counts above it' },
  ])('of $taken of $max is $share, because $why', ({ taken, max, share }) => {
    expect(shareJson(taken / max)).toBe(share);
  });
});
