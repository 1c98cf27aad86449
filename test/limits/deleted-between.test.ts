import { expect, it } from 'vitest';
import type { AskedOrder } from '../../lib/document/counter-store.ts';
import type { Documents } from '../support/mingo-store.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import {
  BESIDE,
  DAY_COUNTER,
  ESTIMATE,
  HOME,
  ORDER,
  UNTIL,
  holdAsk,
} from '../support/statement-asks.ts';
import { openHoldsOf } from '../support/held.ts';

const EARLIER = new Date(ESTIMATE.getTime() - 3_600_000);

/** A merchant's share of an order whose home is a user. */
const SHARE: AskedOrder = { ...ORDER, until: UNTIL, home: HOME };
const LAPSED: AskedOrder = { ...SHARE, id: 'shop:earlier', nonce: 'nonce-earlier' };

it('a share that makes its document again, since TTL took it between two reads, has the nonce that home tells', async () => {
  const documents: Documents = new Map();
  const statements = mingoStatements(documents, () => ESTIMATE);
  let isDeleting = false;
  const counters = countersWithoutCommits({
    ...statements,
    async update(update) {
      const found = await statements.update(update);
      if (isDeleting) documents.delete(BESIDE);
      return found;
    },
  });
  const ask = (order: AskedOrder) => holdAsk([order], [DAY_COUNTER]);
  const lapsed = { ...LAPSED, until: new Date(EARLIER.getTime() + 1_000) };
  await counters.hold({ ...{ ...ask(lapsed), estimate: EARLIER }, document: BESIDE }, EARLIER);
  isDeleting = true; // after what lapsed is taken
  const { held } = await counters.hold({ ...ask(SHARE), document: BESIDE }, ESTIMATE);
  expect([...held]).toEqual([[SHARE.id, SHARE.nonce]]);
  expect(openHoldsOf(documents.get(BESIDE))).toMatchObject([{ nonce: SHARE.nonce }]);
});
