import { HeadroomError } from './errors.ts';

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
