import { describe, expect, it } from 'vitest';
import { digitsOf } from '../../../lib/shared/currency.ts';
import { install } from './browser.ts';

await install();
const { askedText, stateText } = await import('../src/ui/effect-over-time.tsx');
const { readingOf } = await import('../src/words/words.tsx');

const reading = { ...readingOf('en'), digits: digitsOf };
const by = { by: 'tier', values: { gold: 9_000_000 }, else: 5_000_000 };

describe('a maximum of a change of terms', () => {
  // prettier-ignore
  it.each([
    { state: { max: { amount: 5_000_000, count: 100 } }, text: '¥50,000.00 · 100 payments' },
    { state: { max: { count: 1 } }, text: 'any amount · 1 payment' },
    { state: { max: {} }, text: 'any amount · any number of payments' },
    { state: { max: { count: 5 }, maxBy: { amount: by } }, text: 'tier: gold ¥90,000.00, all others ¥50,000.00 · 5 payments' },
    { state: { frozen: true }, text: 'frozen' },
  ])('is $text', ({ state, text }) => {
    expect(stateText(state, ['amount', 'count'], 'CNY', reading)).toBe(text);
  });

  // prettier-ignore
  it.each([
    { max: { amount: 8_000_000 }, text: '¥80,000.00' },
    { max: { amount: null, count: 3 }, text: 'any amount · 3 payments' },
    { max: { amount: { by: 'tier', gold: 9_000_000, else: 5_000_000 } }, text: 'tier: gold ¥90,000.00, all others ¥50,000.00' },
  ])('that is asked for is $text', ({ max, text }) => {
    expect(askedText(max, 'CNY', reading)).toBe(text);
  });
});
