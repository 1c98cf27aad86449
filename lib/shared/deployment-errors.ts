import { HeadroomError, errorOf } from './errors.ts';

/** A commit writes to collections that nobody made: the database was not prepared. */
export class MissingCollectionsError extends HeadroomError {
  override readonly name = 'MissingCollectionsError';
  readonly code = 'MISSING_COLLECTIONS';
  constructor(database: string, options: ErrorOptions) {
    super(
      `database ${JSON.stringify(database)} lacks some collections, and a commit over shards cannot make them. Nothing was changed. Run headroom indexes, then send the call again`,
      options,
    );
  }
}

/** The way out if a database has documents of an earlier version. */
export const OLD_DOCUMENTS_TODO =
  'use another database, or drop the collection counters, so that every limit begins at zero';

/** A document has the shape of an earlier version: what it says would be counted wrong. */
export class OldDocumentError extends errorOf(
  'OLD_DOCUMENT',
  (name: string) =>
    `a document has a bucket or an order of an earlier version of Headroom (${JSON.stringify(name)}): ${OLD_DOCUMENTS_TODO}`,
) {}
