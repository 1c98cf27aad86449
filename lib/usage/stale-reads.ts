import type { DocumentView } from '../limits/document/document.ts';

/** Documents as a member of the database had them that may be behind. */
type StaleViews = {
  /** Everything that was written before this instant is in them. */
  readonly asOf: Date;
  readonly views: ReadonlyMap<string, DocumentView>;
};

/**
 * Reads documents from a secondary, which may be behind, so that lookups do not slow payments down.
 *
 * @param staleMs how far behind they may be
 * @returns undefined where no member is known to be as near, which the primary always is
 * @throws UndecidedError where the store does not answer
 */
export type StaleReads = (
  documentIds: readonly string[],
  staleMs: number,
  estimate: Date,
) => Promise<StaleViews | undefined>;
