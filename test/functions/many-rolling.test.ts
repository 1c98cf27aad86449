import { expect, it } from 'vitest';
import { validateRuleSet } from '../../lib/rule-file/rule-list.ts';
import { useDatabase } from '../support/database.ts';
import { handlersOn, callOverHttp } from '../support/service-on-database.ts';

const database = useDatabase();
const T0 = Date.parse('2026-03-02T00:00:00.000Z');
const at = (ms: number) => ({ 'x-headroom-now': new Date(T0 + ms).toISOString() });

/** Rules that all apply to each payment, and all differ: their windows are hours, and some seconds more. */
const rolling = (count: number, steps: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    per: ['user'],
    currency: 'CNY',
    window: { rolling: `PT${(3_600 + index) * steps}S`, step: `PT${3_600 + index}S` },
    max: { amount: 1_000_000 },
  }));

it.each([
  { rules: rolling(50, 19), why: '50 of 19 steps' },
  { rules: rolling(16, 60), why: '16 of 60 steps' },
])(
  '$why, all of which apply: every payment that has room passes',
  async ({ rules }) => {
    validateRuleSet(rules, ['user']);
    const more = { ...rules[0], id: 'more', match: { type: 'ANOTHER' } };
    expect(() => {
      validateRuleSet([...rules, more], ['user']);
    }).toThrow(
      /rules\[r0\].window is one of \d+ rolling windows per user, whose rules may need \d+ buckets/,
    );
    const { check, confirm, record } = await handlersOn(database, rules, { LOCAL_CLOCK: 'on' });
    const user = `u-${rules.length}`;
    const [{ window }] = rules as [(typeof rules)[number]];
    const steps = Number(window.rolling.slice(2, -1)) / Number(window.step.slice(2, -1));
    const refused: unknown[] = [];
    let orders = 0;
    // A payment in each step of twice as long as the longest window.
    for (let hour = 0; hour < 2 * steps + 5; hour++) {
      const order = { orderId: `o-${orders++}`, subjects: { user }, amount: 100, currency: 'CNY' };
      const captured = { ...order, capture: hour % 3 !== 0, report: 'none' };
      const { status, body } = await callOverHttp(check, captured, at(hour * 3_600_000));
      if (body.decision !== 'allowed') refused.push([hour, status, body]);
      else if (!captured.capture) {
        const settled = { orderId: order.orderId, subjects: { user } };
        const later = at(hour * 3_600_000 + 60_000);
        expect((await callOverHttp(confirm, settled, later)).body).toMatchObject({
          state: 'confirmed',
        });
      }
    }
    expect(refused).toEqual([]);
    const last = (2 * steps + 5) * 3_600_000;
    const order = { orderId: 'happened', subjects: { user }, amount: 100, currency: 'CNY' };
    const recorded = { orders: [{ ...order, at: at(last - 60_000)['x-headroom-now'] }] };
    expect((await callOverHttp(record, recorded, at(last))).body).toMatchObject({
      results: [{ state: 'confirmed' }],
    });
  },
  300_000,
);
