import type { Rule, StoredRule } from './api.ts';

/** For which version a change is: as it was answered, several of them, or whatever it is now. */
export type RuleVersions = number | readonly number[] | '*';

/** Why a rule changes and who changes it, and whether it is only to be said what would change. */
export type RuleWhy = {
  /** 1 to 256 characters, stored with the change. */
  readonly reason?: string | undefined;
  /** The person who acts, 1 to 256 characters. The client percent-encodes it for the header `X-Actor`. */
  readonly actor?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** Whether the answer names the subjects whose own maxima the change concerns. */
  readonly nameSubjects?: boolean | undefined;
};

/** For which state of a rule, or of the set, a change is; one that is there already needs `ifMatch`. */
export type RuleCondition = {
  readonly ifMatch?: RuleVersions | undefined;
  /** Only where there is none yet. */
  readonly ifNoneMatch?: '*' | undefined;
};

/** The request of `rules.put`. */
export type PutRuleRequest = RuleWhy &
  RuleCondition & {
    readonly id: string;
    readonly rule: Rule;
    /** Needed where the sum of a rule is reset: `CONSENT_REQUIRED`. */
    readonly beginAnew?: boolean | undefined;
  };

/** The request of `rules.delete`. */
export type DeleteRuleRequest = RuleWhy & {
  readonly id: string;
  readonly ifMatch: RuleVersions;
};

/** The request of `rules.replace`. */
export type ReplaceRulesRequest = RuleWhy &
  RuleCondition & {
    /** 1 to 1,000: what is not among them is deleted. */
    readonly rules: readonly StoredRule[];
    /** Needed where the sum of a rule is reset: `CONSENT_REQUIRED`. */
    readonly beginAnew?: boolean | undefined;
    /** Needed where a rule is deleted: `CONSENT_REQUIRED`. */
    readonly drop?: boolean | undefined;
  };
