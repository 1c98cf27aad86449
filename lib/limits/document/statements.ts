import type { HoldAsk } from '../counter-store.ts';
import type { Lanes } from './lanes.ts';
import type { StoredDocument } from './stored.ts';
import type { Projection, Update, Value } from './update.ts';

/** Runs statements on documents: a database, or whatever evaluates what a database would. */
export type Statements = {
  /** Nothing where the filter matches no document. */
  readonly update: (update: Update) => Promise<StoredDocument | undefined>;
  /** Makes a document where there is none, by the one pipeline; as it is then. */
  readonly make: (
    documentId: string,
    pipeline: readonly Value[],
    projection: Projection,
  ) => Promise<StoredDocument>;
  readonly find: (
    documentIds: readonly string[],
    projection: Projection,
  ) => Promise<readonly (StoredDocument & { readonly _id: string })[]>;
  /** The server's clock; undefined where it does not tell. */
  readonly now: () => Promise<Date | undefined>;
  /** Waits a little, by chance, before a statement is tried once more that others overtook. */
  readonly pause: (tries: number) => Promise<void>;
};

/** What adding works with. */
export type Adding = {
  readonly statements: Statements;
  readonly outcomesMax: number;
  readonly lanes: Lanes;
  /** Whether the statements are part of a commit: one that fails ends it. */
  readonly isOneCommit: boolean;
};

/** An ask of one document while it is carried out. */
export type HoldCall = Adding & {
  readonly documentId: string;
  readonly ask: HoldAsk;
  /** Stands in the place of the server's instant, in tests and in local mode. */
  readonly at: Date | undefined;
  /** The instant as far as the caller knows it. */
  readonly estimate: Date;
  /** As statements name it. */
  readonly serverNow: Date | string;
};
