import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asRead, asScanned, nearFilter, noted } from '../../lib/near/mongo-near-store.ts';
import { statementPage } from '../support/statement-page.ts';
import { ESTIMATE } from '../support/statement-asks.ts';
import type { NearPercent, NearRow } from '../../lib/limits/near-row.ts';

/** A merchant of whose day 80 % are taken. */
const NEAR_ROW: NearRow = {
  id: 'merchant-day day-amount 1772380800000 merchant:m-1',
  ...{ rule: 'merchant-day', mode: 'enforce', kind: 'merchant', document: 'merchant:m-1' },
  ...{ subjects: { merchant: 'm-1' }, counter: 'day-amount', currency: 'CNY' },
  start: new Date('2026-03-01T16:00:00.000Z'),
  until: new Date('2026-03-02T16:00:00.000Z'),
  ...{ max: { amountMinor: 5_000 }, isOverride: false, taken: { amountMinor: 4_100 } },
  at: ESTIMATE,
};

/** Its row since half of the day was taken. */
const HALF = {
  ...({ _id: NEAR_ROW.id, percent: 50, until: NEAR_ROW.until } as const),
  at: new Date(ESTIMATE.getTime() - 60_000),
  seenAt: new Date(ESTIMATE.getTime() - 60_000),
  told: [{ percent: 50, until: NEAR_ROW.until }],
} as const;

const STATEMENTS = {
  near: {
    filter: asRead(HALF),
    update: noted(HALF, { ...NEAR_ROW, ruleId: NEAR_ROW.rule, percents: [50, 80] }).update,
  },
  'near-scan': asScanned({ ...NEAR_ROW, percent: 80 }, ESTIMATE),
  'near-page': {
    filter: nearFilter(
      {
        rule: 'merchant-day',
        percent: 80,
        after: { percent: 95, id: 'merchant-day day-amount 1772380800000 merchant:m-1' },
      },
      ESTIMATE,
    ),
  },
};

describe('a row says what was taken when its share was reached', () => {
  const second = (of: number) => new Date(NEAR_ROW.at.getTime() + of * 1_000);
  const crossing = (amountMinor: number, percents: readonly NearPercent[], at: number) => ({
    ...{ ...NEAR_ROW, ruleId: NEAR_ROW.rule, taken: { amountMinor }, at: second(at), percents },
  });
  it.each([
    {
      first: crossing(4_750, [95], 1),
      then: crossing(5_000, [100], 2),
      why: 'the larger came later',
    },
    {
      first: crossing(5_000, [100], 1),
      then: crossing(4_750, [95], 2),
      why: 'it was stamped earlier, and written first',
    },
    {
      first: crossing(4_750, [95], 2),
      then: crossing(5_000, [100], 1),
      why: 'it was stamped earlier, and written last',
    },
  ])('whatever the order of the calls: $why', ({ first, then }) => {
    const { row } = noted(undefined, first);
    const { update, untold } = noted(row, then);
    expect({ ...row, ...update.$set }).toMatchObject({
      percent: 100,
      taken: { amountMinor: 5_000 },
      at: [first, then].find(({ percents }) => percents.includes(100))?.at,
      seenAt: second(2),
      told: [{}, {}],
    });
    expect(untold).toEqual(then.percents);
  });
});

/**
 * Every statement on rows of who is near, whole, in `statements/`. Statements on counters and refunds are
 * in `test/limits/`.
 */
describe('the statement', () => {
  it.each(Object.entries(STATEMENTS))(
    '%s stands whole, under what it proves',
    async (file, statement) => {
      const page = fileURLToPath(new URL(`./statements/${file}.txt`, import.meta.url));
      const text = statementPage(page, statement);
      expect(text.split('\n').length).toBeGreaterThan(10); // there is a statement
      await expect(text).toMatchFileSnapshot(page);
    },
  );
});
