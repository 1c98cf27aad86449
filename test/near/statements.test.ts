import { describe, expect, it } from 'vitest';
import type { NearRow } from '../../lib/near/near.ts';
import { asRead, asScanned, nearFilter, noted } from '../../lib/near/mongo-near-store.ts';
import { statementPage } from '../support/statement-page.ts';
import { ESTIMATE } from '../support/statement-asks.ts';

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
  told: [{ percent: 50, until: NEAR_ROW.until }],
} as const;

const STATEMENTS = [
  {
    file: 'near',
    header: `
      A call notes a maximum of which it took the half, and 80 %, after it read the row.

      A row that matches is as it was read. So the parts that nobody had told are this call's to tell: of
      calls at once, each part is one call's.`,
    statement: {
      filter: asRead(HALF),
      update: noted(HALF, { ...NEAR_ROW, percents: [50, 80] }).update,
    },
  },
  {
    file: 'near-scan',
    header: `
      A scan sets a row to the counters as they were at an instant.

      It changes nothing where a call wrote the row after that instant. What was told stays told.`,
    statement: asScanned({ ...NEAR_ROW, percent: 80 }, ESTIMATE),
  },
  {
    file: 'near-page',
    header: `
      The page after a row of those who have taken 80 % of a rule's maximum.

      Rows come nearest first, and of equal parts in the order of their ids.`,
    statement: {
      filter: nearFilter(
        {
          rule: 'merchant-day',
          percent: 80,
          after: { percent: 95, id: 'merchant-day day-amount 1772380800000 merchant:m-1' },
        },
        ESTIMATE,
      ),
    },
  },
];

/**
 * Every statement on rows of who is near, whole, in `statements/`. Statements on counters and refunds are
 * in `test/limits/`.
 */
describe('the statement', () => {
  it.each(STATEMENTS)(
    '$file stands whole, under what it proves',
    async ({ file, header, statement }) => {
      const text = statementPage(header, statement);
      expect(text.split('\n').length).toBeGreaterThan(10); // there is a statement
      await expect(text).toMatchFileSnapshot(`./statements/${file}.txt`);
    },
  );
});
