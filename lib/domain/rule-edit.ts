import type { RuleChange } from './rule-change.ts';
import type { Authorship } from './actor.ts';
import type { KeptRule, RuleSet, RuleVersion, StoredRule } from './rule-set.ts';

/** For which state of a rule, or of the set, a change was made. */
export type Condition =
  /** One of these versions. */
  | { readonly kind: 'versions'; readonly versions: readonly number[] }
  /** Whatever it is, but there must be one. */
  | { readonly kind: 'any' }
  /** There is none yet. */
  | { readonly kind: 'absent' }
  /** Nothing is said: good where there is none yet, and nowhere else. */
  | { readonly kind: 'unsaid' };

/** What is to be done to the rules. */
export type RuleEdit =
  | { readonly kind: 'put'; readonly rule: StoredRule; readonly condition: Condition }
  | { readonly kind: 'delete'; readonly id: string; readonly condition: Condition }
  /** The whole set: what is not among these rules is deleted. */
  | {
      readonly kind: 'replace';
      readonly rules: readonly StoredRule[];
      readonly condition: Condition;
    };

/** What a change of the rules did, or would do. */
export type RulesChanged = {
  /** The set as it is stored now. */
  readonly set: RuleSet;
  /** None where everything was so already. */
  readonly changes: readonly RuleChange[];
  /** Whether there was such a rule, or a rule at all, before. */
  readonly wasThere: boolean;
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
   * @throws NoSuchRuleError, RuleChangedError, VersionRequiredError, UndecidedError; what `validate` throws
   */
  readonly change: (edit: RuleEdit, author: Authorship, dryRun?: boolean) => Promise<RulesChanged>;
};

/** Which changes are asked for. */
export type VersionQuery = {
  /** Of all rules where nothing is said. */
  readonly id?: string;
  /** Those before this version alone. */
  readonly before?: number;
  readonly limit: number;
};
