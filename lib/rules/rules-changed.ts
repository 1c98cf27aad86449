import type { Authorship } from '../shared/actor.ts';
import type { Approval, Proposal } from './four-eyes/proposal.ts';
import type { RuleChange } from './rule-change.ts';
import type { RuleEdit, VersionQuery } from './rule-edit.ts';
import type { KeptRule, RuleSet, RuleVersion } from './rule-set.ts';

/** What a change of the rules did, or would do. */
export type RulesChanged = {
  /** The set as it is stored now. */
  readonly set: RuleSet;
  /** None where everything was so already. */
  readonly changes: readonly RuleChange[];
  /** Whether there was such a rule, or a rule at all, before. */
  readonly wasThere: boolean;
  /** Where the change waits, because it needs a second person: nothing has changed yet. */
  readonly proposed?: Proposal;
};

/** Where rules are read and changed, and every change is kept. */
export type RuleBook = {
  readonly read: () => Promise<RuleSet>;
  /** @throws NoSuchRuleError */
  readonly find: (id: string) => Promise<KeptRule>;
  /**
   * Changes of a rule, newest first.
   *
   * @throws NoSuchRuleError where there never was such a rule
   */
  readonly versions: (
    query: VersionQuery & { readonly id: string },
  ) => Promise<readonly RuleVersion[]>;
  /**
   * Changes the set in one commit, or says what that would do. A put of what is stored already
   * changes nothing, whatever version it is for: so it can be repeated when its answer was lost.
   *
   * @param approval by which it takes effect, in the same commit; without one, a change that needs a
   * second person becomes a proposal
   * @throws NoSuchRuleError, RuleChangedError, VersionRequiredError, ConsentRequiredError, UndecidedError; what `validate`
   * throws; ProposalClosedError
   */
  readonly change: (
    edit: RuleEdit,
    author: Authorship,
    how?: { readonly dryRun?: boolean; readonly approval?: Approval },
  ) => Promise<RulesChanged>;
};
