import { expect, it } from 'vitest';
import type { StoredDocument } from '../../lib/limits/document/stored.ts';
import { tidy } from '../../lib/limits/document/tidy.ts';
import type { CounterStore } from '../../lib/limits/counter-store.ts';
import { PLAIN_ON } from '../support/lanes.ts';
import type { Documents } from '../support/mingo-store.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import { BESIDE, DAY_COUNTER, ESTIMATE, HOME, ORDER, holdAsk } from '../support/statement-asks.ts';

const COUNTING = [{ ...DAY_COUNTER, maxCount: 9 }];
const SECOND = { ...ORDER, id: 'shop:o-2', nonce: 'nonce-2' };
const THIRD = { ...ORDER, id: 'shop:o-3', nonce: 'nonce-3' };
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

function idsIn(documents: Documents, list: 'holds' | 'settled' | 'expired'): readonly string[] {
  const stored: StoredDocument | undefined = documents.get(HOME);
  return (stored?.[list] ?? []).map(({ id }) => id);
}

it('an order that is held between the read of a settlement and its update is not told as settled', async () => {
  const documents: Documents = new Map();
  const other = storeOver(documents, 64);
  await other.hold(HOME, holdAsk([ORDER], COUNTING), ESTIMATE);
  const counters = storeOver(documents, 64, () =>
    other.hold(HOME, holdAsk([SECOND], COUNTING), ESTIMATE),
  );
  const asks = [ORDER, SECOND].map(({ id }) => ({ id, to: 'confirmed' as const }));
  const view = await counters.settle(HOME, asks, ESTIMATE, ESTIMATE);
  expect(view?.entries.map(({ id }) => id)).toEqual([ORDER.id]);
  expect(idsIn(documents, 'holds')).toEqual([SECOND.id]);
});

it('a share of a new document is found by who made it, whatever else the call asks there', async () => {
  const documents: Documents = new Map();
  const share = { ...SECOND, home: HOME };
  const ask = { ...holdAsk([share], COUNTING), asked: [ORDER.id], isNew: true };
  const { held } = await storeOver(documents, 64).hold(BESIDE, ask, ESTIMATE);
  expect([...held.keys()]).toEqual([SECOND.id]);
});

it('a check does not forget its own order among holds that end together', async () => {
  const documents: Documents = new Map();
  await storeOver(documents, 1).hold(HOME, holdAsk([ORDER, SECOND], COUNTING), ESTIMATE);
  const read = { stored: documents.get(HOME) ?? {}, databaseNow: LATER };
  const asked = new Set([ORDER.id]);
  const tidied = tidy(HOME, read, 1, asked);
  await mingoStatements(documents, () => LATER).update(tidied);
  expect(idsIn(documents, 'expired')).toEqual([ORDER.id, SECOND.id]);
});

it('an order that a call asks for again pushes no other out', async () => {
  const documents: Documents = new Map();
  const counters = storeOver(documents, 3);
  const captured = (order: typeof ORDER) => ({ ...order, capture: true });
  await counters.hold(HOME, holdAsk([ORDER, SECOND].map(captured), COUNTING), ESTIMATE);
  const more = [THIRD, { ...ORDER, id: 'shop:o-4', nonce: 'nonce-4' }];
  const ask = {
    ...holdAsk(more.map(captured), COUNTING),
    asked: [ORDER, ...more].map(({ id }) => id),
  };
  await counters.hold(HOME, ask, ESTIMATE);
  expect(idsIn(documents, 'settled')).toEqual([SECOND.id, ORDER.id, THIRD.id, 'shop:o-4']);
});
