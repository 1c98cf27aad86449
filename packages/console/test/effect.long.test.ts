import type { ProposalAnswer } from '@headroom-limits/client';
import { describe, expect, it } from 'vitest';
import { digitsOf } from '../../../lib/shared/currency.ts';
import { install } from './browser.ts';

await install();
const { askedText, spanOf, stateText } = await import('../src/ui/effect-over-time.tsx');
const { differenceIn } = await import('../src/screens/approvals/proposal-columns.tsx');
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

describe('the time of a change of terms', () => {
  const [NOW, NOON, NIGHT] = [
    '2026-03-03T04:00:00Z',
    '2026-03-04T04:00:00Z',
    '2026-03-04T16:00:00Z',
  ];
  const step = (from: string, until: string | null, before: number, after: number) => ({
    ...{ from, until, before: { max: { amount: before } }, after: { max: { amount: after } } },
  });

  // prettier-ignore
  it.each([
    { steps: [step(NOW, null, 5, 8)], span: { until: null }, why: 'it has no end' },
    { steps: [step(NOW, NOON, 5, 8), step(NOON, null, 5, 5)], span: { until: NOON }, why: 'it is for a day' },
    { steps: [step(NOW, NOON, 5, 5), step(NOON, NIGHT, 5, 8), step(NIGHT, null, 5, 5)], span: { from: NOON, until: NIGHT }, why: 'it begins after a delay' },
    { steps: [step(NOW, NOON, 5, 8), step(NOON, NIGHT, 8, 8), step(NIGHT, null, 5, 8)], span: { until: null }, why: 'another one asks the same for a while' },
    { steps: [step(NOW, null, 8, 8)], span: undefined, why: 'it changes nothing' },
  ])('is $span, because $why', ({ steps, span }) => {
    expect(spanOf({ currency: 'CNY', steps }, reading)).toEqual(span);
  });

  it('of a freeze is that in which payments are refused', () => {
    const steps = [
      { from: NOW, until: NOON, before: { frozen: false }, after: { frozen: true } },
      { from: NOON, until: null, before: { frozen: false }, after: { frozen: false } },
    ];
    expect(spanOf({ steps }, reading)).toEqual({ until: NOON });
  });
});

describe('a change of rules that waits', () => {
  const AT = '2026-03-03T04:00:00Z';
  const rule = (id: string, amount: number, more = {}) => ({
    ...{ id, per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount }, ...more },
  });
  const proposal = (operation: ProposalAnswer['operation'], asked: object, changes: object[]) =>
    ({
      ...{ id: 'p', state: 'open', about: 'rules', operation, subject: null, rule: null },
      ...{ at: AT, by: { kind: 'local', id: 'local' }, until: AT, decided: null },
      ...{ asked, changes, refused: null, terms: null, effect: null, lookAlikes: [] },
    }) as ProposalAnswer; // as the server answers

  // prettier-ignore
  it.each([
    { operation: 'put', asked: { rule: rule('a', 800) }, changes: [{ id: 'a', before: rule('a', 500) }], told: { was: '¥5.00', is: '¥8.00', until: null } },
    { operation: 'put', asked: { rule: rule('a', 800, { from: AT, to: AT }) }, changes: [{ id: 'a', before: null }], told: { was: 'no maximum', is: '¥8.00', from: AT, until: AT } },
    { operation: 'put', asked: { rule: rule('a', 500, { mode: 'shadow' }) }, changes: [{ id: 'a', before: rule('a', 500) }], told: { until: null } },
    { operation: 'delete', asked: {}, changes: [{ id: 'a', before: rule('a', 500) }], told: { was: '¥5.00', is: 'no maximum', until: null } },
    { operation: 'replace', asked: { rules: [rule('b', 900)] }, changes: [{ id: 'a', before: rule('a', 500) }], told: { was: '¥5.00', is: 'no maximum', until: null } },
    { operation: 'replace', asked: { rules: [rule('a', 1), rule('b', 2)] }, changes: [{ id: 'a', before: null }, { id: 'b', before: null }], told: undefined },
  ] as const)('by $operation is $told', ({ operation, asked, changes, told }) => {
    expect(differenceIn(proposal(operation, asked, [...changes]), reading)).toEqual(told);
  });
});
