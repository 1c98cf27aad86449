import type { Approval } from '../four-eyes/proposal.ts';
import type { Subject } from '../../shared/subject.ts';
import type { ChangesQuery, TermsChanged, TermsFound } from './terms-change.ts';

/** Where subjects' terms are, and every change that they ever had. */
export type TermsStore = {
  readonly read: (subject: Subject, estimate: Date, at?: Date) => Promise<TermsFound>;
  /**
   * Puts the terms after a change in place of those before it, and keeps the change: both or none.
   *
   * @param approval of a proposal: decided in the same commit
   * @returns false where other terms came first, or the proposal is not open; then nothing was stored
   */
  readonly replace: (change: TermsChanged, approval?: Approval) => Promise<boolean>;
  /** Changes of one subject, newest first. */
  readonly changes: (query: ChangesQuery) => Promise<readonly TermsChanged[]>;
};
