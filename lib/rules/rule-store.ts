import type { Approval } from './four-eyes/proposal.ts';
import type { VersionQuery } from './rule-edit.ts';
import type { RuleSet, RuleVersion } from './rule-set.ts';

/** Where the rules are, and every change that they ever had. */
export type RuleStore = {
  /** The whole set as it is now: never half of a change. */
  readonly read: () => Promise<RuleSet>;
  /**
   * Puts a set in place of the one that was read, and keeps the changes that make it so: both or none.
   *
   * @param approval of a proposal: decided in the same commit
   * @returns false where another set came first, or the proposal is not open; then nothing was stored
   */
  readonly replace: (
    before: RuleSet,
    after: RuleSet,
    versions: readonly RuleVersion[],
    approval?: Approval,
  ) => Promise<boolean>;
  /** Changes of one rule or of all, newest first; of one change of many rules in the order of ids. */
  readonly versions: (query: VersionQuery) => Promise<readonly RuleVersion[]>;
};
