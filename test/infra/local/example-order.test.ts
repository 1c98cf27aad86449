import { describe, expect, it } from 'vitest';
import { exampleOrder } from '../../../infra/local/example-order.ts';

const DAY = { unit: 'day', timeZone: 'UTC' };
const LIMIT = {
  ...{ id: 'a', per: ['merchant', 'till'], currency: 'EUR', window: DAY, max: { amount: 5_000 } },
};
const ORDER = {
  ...{ orderId: 'order-1', subjects: { merchant: 'merchant-1', till: 'till-1' } },
  ...{ amount: 100, currency: 'EUR' },
};

describe('the first call that npm start prints', () => {
  // prettier-ignore
  it.each<{ why: string; rules: readonly object[]; order: object | undefined }>([
    { why: 'names the subjects and the currency of a rule', rules: [LIMIT], order: ORDER },
    { why: 'is of the type and the attributes that it matches', rules: [{ ...LIMIT, match: { type: ['IN', 'OUT'], online: true } }],
      order: { ...ORDER, type: 'IN', attributes: { online: true } } },
    { why: 'is of the subject that it is about', rules: [{ ...LIMIT, match: { merchant: 'm-7' } }],
      order: { ...ORDER, subjects: { merchant: 'm-7', till: 'till-1' } } },
    { why: 'has what rules require of it', rules: [{ ...LIMIT, require: ['card', 'online', 'type'] }, { ...LIMIT, id: 'b', per: ['card'] }],
      order: { ...ORDER, type: 'PAYMENT', subjects: { ...ORDER.subjects, card: 'card-1' }, attributes: { online: 'online-1' } } },
    { why: 'is not above its maximum', rules: [{ ...LIMIT, max: { amount: 7 } }], order: { ...ORDER, amount: 7 } },
    { why: 'is not below its minimum', rules: [{ ...LIMIT, window: 'transaction', min: { amount: 900 } }], order: { ...ORDER, amount: 900 } },
    { why: 'is of no amount where only numbers are limited', rules: [{ ...LIMIT, currency: undefined, max: { count: 3 } }],
      order: { ...ORDER, amount: 0, currency: 'XXX' } },
    { why: 'prefers a rule in force', rules: [{ ...LIMIT, id: 'b', currency: 'USD', mode: 'shadow' }, LIMIT], order: ORDER },
    { why: 'takes one on trial otherwise', rules: [{ ...LIMIT, mode: 'draft', currency: 'USD' }, { ...LIMIT, id: 'b', mode: 'shadow' }], order: ORDER },
    { why: 'is none where no rule is in use', rules: [{ ...LIMIT, mode: 'retired' }], order: undefined },
  ])('$why', ({ rules, order }) => {
    const stored = JSON.parse(JSON.stringify(rules)) as Parameters<typeof exampleOrder>[0];
    expect(exampleOrder(stored)).toEqual(order);
  });
});
