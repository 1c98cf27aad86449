import type { Db, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';

/** The oldest MongoDB that has what statements use: docs/internals/mongodb.md. */
export const MAJOR_LEAST = 5;

/** Whether a version, such as `4.4.29` or `4.4`, is older than what statements need. */
export function isTooOld(version: string): boolean {
  return Number(version.split('.')[0]) < MAJOR_LEAST;
}

/**
 * The version whose features the server lets be used; undefined where it does not tell. After an upgrade it
 * stays the old one until somebody raises it, and before 5.0 a collection takes no two indexes that differ
 * only in what they leave out.
 * Source: mongodb/mongo, jstests/multiVersion/downgrade_conflicting_indexes.js.
 */
export async function featureVersion(db: Db): Promise<string | undefined> {
  const told: unknown = await parameter(db, 'featureCompatibilityVersion');
  if (typeof told !== 'object' || told === null || !('version' in told)) return undefined;
  return String(told.version);
}

/** A parameter of the server; undefined where it does not tell. Of a router nobody knows what its shards have set. */
export async function parameter(db: Db, name: string): Promise<unknown> {
  try {
    const told: Document = await db.admin().command({ getParameter: 1, [name]: 1 });
    return told[name];
  } catch (error) {
    if (error instanceof MongoServerError) return undefined;
    throw error;
  }
}
