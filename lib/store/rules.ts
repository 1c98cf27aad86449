import type { Collection, Db } from 'mongodb';
import { whenConnected } from './client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from './failure.ts';

/** A rule as it is stored: the form of a rule file, with `_id` in place of `id`. */
export type RuleDocument = { readonly _id: string } & Readonly<Record<string, unknown>>;

/** Name of the collection of rules. */
export const RULES = 'rules';

function collectionOf(db: Db): Collection<RuleDocument> {
  return db.collection<RuleDocument>(RULES);
}

/** Reads all rules in the form of a rule file; the caller parses them. */
export async function readRules(
  db: Db,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
): Promise<readonly (Readonly<Record<string, unknown>> & { readonly id: string })[]> {
  const found = await decided(
    whenConnected(db.client, () =>
      collectionOf(db)
        .find({}, { sort: { _id: 1 }, readPreference: 'primary' })
        .toArray(),
    ),
    timeoutMs,
  );
  return found.map(({ _id, ...rule }) => ({ id: _id, ...rule }));
}

/**
 * Stores a set of rules, already validated as a whole, in place of what is stored.
 * Rules appear and disappear one by one; a function reads them together and caches them.
 */
export async function replaceRules(
  db: Db,
  rules: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[],
): Promise<void> {
  const collection = collectionOf(db);
  for (const { id, ...rule } of rules)
    await collection.replaceOne({ _id: id }, rule, {
      upsert: true,
      writeConcern: { w: 'majority' },
    });
  const kept = new Set(rules.map(({ id }) => id));
  for (const { _id } of await collection.find({}, { projection: { _id: 1 } }).toArray())
    if (!kept.has(_id)) await collection.deleteOne({ _id }, { writeConcern: { w: 'majority' } });
}
