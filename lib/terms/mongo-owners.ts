import type { Db } from 'mongodb';
import type { CounterDocument } from '../document/mongo-counter-store.ts';
import { COUNTERS } from '../document/mongo-counter-store.ts';
import { asking } from '../mongo/client.ts';
import type { Owners } from '../changes/override-names.ts';
import type { Override } from '../rule/own-terms.ts';
import { hasEnded } from '../rule/rule.ts';
import { batchesOf } from '../shared/batches.ts';
import { OWNERS_MAX } from '../shared/bounds.ts';
import { TERMS_CHANGES } from './mongo-terms-store.ts';

/** Documents of owners that are read at once, as much of them as their overrides. */
const BATCH = 1_000;

/** As much of a document as is read. */
type Owned = Pick<CounterDocument, '_id'> & {
  readonly terms?: { readonly overrides?: readonly Pick<Override, 'rule' | 'until'>[] };
};

/**
 * Finds who has overrides that call rules so, of those that are not over at an instant: among the subjects that
 * were ever given one, because an index of the counters would slow every check.
 */
export async function ownersOf(
  db: Db,
  timeoutMs: number,
  names: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, Owners>> {
  const ask = asking(db, timeoutMs);
  const given = db
    .collection(TERMS_CHANGES)
    .aggregate<{ readonly _id: string }>(
      [
        { $match: { rule: { $in: names }, change: 'override' } },
        { $group: { _id: '$document' } },
        { $limit: OWNERS_MAX + 1 },
      ],
      { readPreference: 'primary' },
    );
  const documents = (await ask(() => given.toArray())).map(({ _id: document }) => document);
  const isAll = documents.length <= OWNERS_MAX;
  const found = new Map<string, string[]>();
  for await (const batch of batchesOf(BATCH, documents.slice(0, OWNERS_MAX).sort())) {
    const counters = db
      .collection<Owned>(COUNTERS)
      .find<Owned>(
        { _id: { $in: batch } },
        { projection: { 'terms.overrides': 1 }, sort: { _id: 1 }, readPreference: 'primary' },
      );
    for (const { _id: document, terms } of await ask(() => counters.toArray())) {
      const open = (terms?.overrides ?? []).filter((one) => !hasEnded(one, at));
      for (const name of new Set(open.map(({ rule }) => rule)))
        found.set(name, [...(found.get(name) ?? []), document]);
    }
  }
  return new Map([...found].map(([name, own]) => [name, { documents: own, isAll }] as const));
}
