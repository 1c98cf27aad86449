import { expect, it } from 'vitest';
import { conditionsText } from '../../../lib/http/sentences/conditions-text.ts';

it.each([
  {
    scope: { is: { verified: [false] }, not: {} },
    en: 'verified is false',
    zh: 'verified 为 false',
  },
  {
    scope: { is: { type: ['PAYMENT', 'TRANSFER'] }, not: { verified: [true], tier: ['gold'] } },
    en: 'type is PAYMENT or TRANSFER and verified is not true and tier is not gold',
    zh: 'type 为 PAYMENT 或 TRANSFER，且 verified 不为 true，且 tier 不为 gold',
  },
])('the payments of a rule are told: $en', ({ scope, en, zh }) => {
  expect(conditionsText(scope, 'en')).toBe(en);
  expect(conditionsText(scope, 'zh')).toBe(zh);
});
