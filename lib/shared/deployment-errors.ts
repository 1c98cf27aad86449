import { HeadroomError } from './errors.ts';

/** A commit writes to collections that nobody made: the database was not prepared. */
export class MissingCollectionsError extends HeadroomError {
  override readonly name = 'MissingCollectionsError';
  readonly code = 'MISSING_COLLECTIONS';
  constructor(database: string, options: ErrorOptions) {
    super(
      `collections are missing in database ${JSON.stringify(database)}, and a commit over several shards cannot make them: run npx headroom indexes, then repeat the call; nothing was changed`,
      options,
    );
  }
}

/** What whoever runs it does about documents of an earlier version. */
export const OLD_DOCUMENTS_TODO =
  'use another database, or drop the collection counters, which begins every limit at zero';

/** A document has the shape of an earlier version: what it says would be counted wrong. */
export class OldDocumentError extends HeadroomError {
  override readonly name = 'OldDocumentError';
  readonly code = 'OLD_DOCUMENT';
  constructor(bucket: string) {
    super(
      `a bucket is named or summed as an earlier version of Headroom did it (${JSON.stringify(bucket)}), expected a counter, the end of its window and what is used: ${OLD_DOCUMENTS_TODO}`,
    );
  }
}
