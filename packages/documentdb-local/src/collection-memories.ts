import type { ClientBase } from 'pg';
import { messageOf } from './documentdb-error.ts';
import { missesCollection } from './errors.ts';

/** Makes one connection forget alone: no other one learns of a rollback. */
const FORGET = 'BEGIN; SELECT documentdb_api_internal.invalidate_collection_cache(); ROLLBACK';

/**
 * Which connections may have missed that a collection was dropped or changed.
 *
 * Behind each connection is a process that remembers the collections it has met. A drop tells all of
 * them to forget, and one that is idle hears it before its next statement. But DocumentDB 1.0 loses
 * that word where it is just writing another collection down. For that connection a collection that
 * is dropped and made again stays away: a find gives nothing, createIndexes says that it cannot be found.
 * Source: documentdb/documentdb, pg_documentdb/src/metadata/collection.c: what
 * `InvalidateCollectionByRelationId` does while `GetMongoCollectionByNameDatumCore` has put
 * `CollectionCacheIsValid` to false.
 *
 * So connections that were at work meanwhile are made to forget before they are used again; and one
 * that does not find what it has just made, whatever it has missed.
 */
export class CollectionMemories {
  readonly #atWork = new Set<ClientBase>();
  readonly #changes = new Set<Set<ClientBase>>();
  readonly #outdated = new WeakSet<ClientBase>();

  /** Carries out what drops or changes collections. */
  async change<Result>(run: () => Promise<Result>): Promise<Result> {
    const meanwhile = new Set(this.#atWork);
    this.#changes.add(meanwhile);
    try {
      return await run();
    } finally {
      this.#changes.delete(meanwhile);
      for (const client of meanwhile) this.#outdated.add(client);
    }
  }

  /** Before a connection is used, outside a transaction: makes it forget where it has to. */
  async refresh(client: ClientBase): Promise<void> {
    if (this.#outdated.delete(client)) await client.query(FORGET);
  }

  /** Runs a statement, so that it is known to be at work. */
  async during<Result>(client: ClientBase, run: () => Promise<Result>): Promise<Result> {
    this.#atWork.add(client);
    for (const meanwhile of this.#changes) meanwhile.add(client);
    try {
      return await run();
    } catch (error) {
      if (missesCollection(messageOf(error))) this.#outdated.add(client);
      throw error;
    } finally {
      this.#atWork.delete(client);
    }
  }
}
