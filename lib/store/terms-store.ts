import type { Subject } from '../domain/subject.ts';
import type { ChangesQuery, TermsChanged, TermsFound } from '../domain/terms-change.ts';

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
