import type { DocumentView } from '../domain/document.ts';
import type { PlainUpdate } from '../pipeline/plain-update.ts';
import type { StoredDocument } from '../pipeline/stored-document.ts';

/** A plain update, and how the document that it brings back is read. */
export type PlainStatement = {
  readonly update: PlainUpdate;
  readonly read: (found: StoredDocument) => DocumentView;
  /** Buckets that the document has afterwards. */
  readonly names: readonly string[];
};
