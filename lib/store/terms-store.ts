import type { Subject } from '../domain/subject.ts';
import type { Terms } from '../domain/terms.ts';
import type { TermsChanged } from '../domain/terms-change.ts';

/** What a subject's document says of its terms, and when. */
export type TermsFound = { readonly terms?: Terms; readonly now: Date };

/** Where subjects' terms are, and every change that they ever had. */
export type TermsStore = {
  readonly read: (subject: Subject, estimate: Date, at?: Date) => Promise<TermsFound>;
  /**
   * Puts the terms after a change in place of those before it, and keeps the change: both or none.
   *
   * @returns false where other terms came first; then nothing was stored
   */
  readonly replace: (change: TermsChanged, at?: Date) => Promise<boolean>;
  /** Changes of one subject, newest first. */
  readonly changes: (query: ChangesQuery) => Promise<readonly TermsChanged[]>;
};

/** Which changes are asked for. */
export type ChangesQuery = {
  readonly subject: Subject;
  /** Those before this instant alone. */
  readonly before?: Date;
  readonly limit: number;
};
