import { expect, it } from 'vitest';
import type { StoredDocument } from '../../lib/document/stored.ts';
import { tidy } from '../../lib/document/tidy.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { PLAIN_ON } from '../support/lanes.ts';
import type { Documents } from '../support/mingo-store.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import { DAY_COUNTER, ESTIMATE, HOME, ORDER, holdAsk } from '../support/statement-asks.ts';
import { openHoldsOf } from '../support/held.ts';

const COUNTING = [{ ...DAY_COUNTER, maxCount: 9 }];
const SECOND = { ...ORDER, id: 'shop:o-2', nonce: 'nonce-2' };
const LATER = new Date(ESTIMATE.getTime() + 3_600_000);

/** @param between is called once, after the first read */
function storeOver(
  documents: Documents,
  outcomesMax: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
): CounterStore {
  const statements = mingoStatements(documents, () => ESTIMATE);
  let reads = 0;
  const find: typeof statements.find = async (documentIds, projection) => {
    const found = await statements.find(documentIds, projection);
    reads += 1;
    if (reads === 1) await between();
    return found;
  };
  return countersWithoutCommits({ ...statements, find }, { outcomesMax, lanes: PLAIN_ON });
}

function idsIn(documents: Documents, list: 'open' | 'settled' | 'expired'): readonly string[] {
  const stored: StoredDocument = documents.get(HOME) ?? {};
  const all = list === 'open' ? openHoldsOf(stored) : (stored[list] ?? []);
  return all.map(({ id }) => id);
}

it('an order that is held between the read of a settlement and its update is not told as settled', async () => {
  const documents: Documents = new Map();
  const other = storeOver(documents, 64);
  await other.hold({ ...holdAsk([ORDER], COUNTING), document: HOME }, ESTIMATE);
  const counters = storeOver(documents, 64, () =>
    other.hold({ ...holdAsk([SECOND], COUNTING), document: HOME }, ESTIMATE),
  );
  const asks = [ORDER, SECOND].map(({ id }) => ({ id, to: 'confirmed' as const }));
  const view = await counters.settle(HOME, asks, ESTIMATE, ESTIMATE);
  expect(view?.entries.map(({ id }) => id)).toEqual([ORDER.id]);
  expect(idsIn(documents, 'open')).toEqual([SECOND.id]);
});

it('a check does not forget its own order among holds that end together', async () => {
  const documents: Documents = new Map();
  await storeOver(documents, 1).hold(
    { ...holdAsk([ORDER, SECOND], COUNTING), document: HOME },
    ESTIMATE,
  );
  const read = { stored: documents.get(HOME) ?? {}, databaseNow: LATER };
  const tidied = tidy(HOME, read, 1, 1);
  await mingoStatements(documents, () => LATER).update(tidied);
  expect(idsIn(documents, 'expired')).toEqual([ORDER.id, SECOND.id]);
});
