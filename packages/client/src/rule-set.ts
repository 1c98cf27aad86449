import type { Author } from './terms.ts';

type Named = Readonly<
  Record<string, string | number | boolean | readonly (string | number | boolean)[]>
>;
type Scope = Named & { readonly not?: Named };
type Bound =
  | number
  | ({ readonly by: string; readonly else: number } & Readonly<Record<string, string | number>>);

/** A rule, as a rule file has it; docs/rules.md says what its fields mean. */
export type Rule = {
  /** Whom it counts for: kinds. */
  readonly per: readonly string[];
  readonly title?: string | Readonly<Record<string, string>>;
  readonly currency?: string;
  readonly match?: Named;
  readonly counts?: Scope;
  readonly appliesTo?: Scope;
  readonly window:
    | 'transaction'
    | 'lifetime'
    | {
        readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
        readonly timeZone: string;
        readonly every?: number;
        readonly dayStart?: string;
        readonly weekStart?: string;
        readonly monthDay?: number;
      }
    | { readonly rolling: string; readonly step?: string };
  readonly min?: { readonly amount?: number; readonly count?: number };
  readonly max?: { readonly amount?: Bound; readonly count?: Bound };
  readonly mode?: 'draft' | 'shadow' | 'enforce' | 'retired';
  readonly refunds?: { readonly amount?: boolean; readonly count?: boolean };
  readonly from?: string;
  readonly to?: string;
};

/** A rule and its name: a small letter, then up to 63 of them, digits and hyphens. */
export type NamedRule = Rule & { readonly id: string };

/** For which version a change is: as it was answered, several of them, or whatever it is now. */
export type RuleVersions = number | readonly number[] | '*';

/** Why a rule changes and who changes it, and whether it is only to be said what would change. */
export type RuleWhy = {
  /** 1 to 256 characters: kept with the change. */
  readonly reason?: string | undefined;
  /** The person who acts, 1 to 256 printable ASCII characters. */
  readonly actor?: string | undefined;
  readonly dryRun?: boolean | undefined;
};

/** For which state of a rule, or of the set, a change is; one that is there already needs `ifMatch`. */
export type RuleCondition = {
  readonly ifMatch?: RuleVersions | undefined;
  /** Only where there is none yet. */
  readonly ifNoneMatch?: '*' | undefined;
};

/** What `rules.find` takes. */
export type FindRuleRequest = {
  readonly id: string;
  /** Of the sentence, as `Accept-Language` says it: `zh`. */
  readonly language?: string | undefined;
};

/** What `rules.put` takes. */
export type PutRuleRequest = RuleWhy &
  RuleCondition & {
    readonly id: string;
    readonly rule: Rule;
    /** Needed where the sum of a rule is reset: `CONSENT_REQUIRED`. */
    readonly beginAnew?: boolean | undefined;
  };

/** What `rules.delete` takes. */
export type DeleteRuleRequest = RuleWhy & {
  readonly id: string;
  readonly ifMatch: RuleVersions;
};

/** What `rules.replace` takes. */
export type ReplaceRulesRequest = RuleWhy &
  RuleCondition & {
    /** 1 to 1,000: what is not among them is deleted. */
    readonly rules: readonly NamedRule[];
    /** Needed where the sum of a rule is reset: `CONSENT_REQUIRED`. */
    readonly beginAnew?: boolean | undefined;
    /** Needed where a rule is deleted: `CONSENT_REQUIRED`. */
    readonly drop?: boolean | undefined;
  };

/** What `rules.versions` takes. */
export type RuleVersionsRequest = {
  readonly id: string;
  /** 1 to 100; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** Those before this version alone: what `next` of a page says. */
  readonly before?: number | undefined;
};

type MadeSo = Omit<Author, 'reason'> & { readonly reason?: string };

/** What `rules.list` answers. */
export type ListRulesAnswer = {
  /** Of the set, for `ifMatch` of `replace`. */
  readonly revision: number;
  readonly rules: readonly NamedRule[];
  /** By id, for `ifMatch`. */
  readonly versions: Readonly<Record<string, number>>;
};

/** What `rules.find` answers. */
export type FindRuleAnswer = MadeSo & {
  readonly id: string;
  /** For `ifMatch`. */
  readonly version: number;
  /** What it means. */
  readonly sentence?: string;
  readonly rule: NamedRule;
};

/** What becomes of one rule. */
export type RuleChange = {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'deleted';
  /**
   * `kept`: what was counted counts on. `begins`: it counted nothing before, and begins at zero. `anew`: it
   * counted in another counter, and begins at zero. `joins`: it has what others counted. `ends`: it counts
   * nothing after. `none`: it counts nothing.
   */
  readonly counter: 'kept' | 'begins' | 'anew' | 'joins' | 'ends' | 'none';
  /** What of its counter is another. */
  readonly because: readonly ('per' | 'currency' | 'counts' | 'window' | 'refunds')[];
  /** Others that count in the same counter; of `joins`, those whose sum it has. */
  readonly sharedWith: readonly string[];
  /** The same as a sentence. */
  readonly says: string;
};

/** What `rules.put`, `rules.delete` and `rules.replace` answer. */
export type RulesChangedAnswer = {
  readonly revision: number;
  /** False of a dry run, and where it was so already. */
  readonly changed: boolean;
  readonly dryRun: boolean;
  readonly changes: readonly RuleChange[];
};

/** What `rules.versions` answers. */
export type RuleVersionsAnswer = {
  readonly id: string;
  /** Newest first. */
  readonly versions: readonly (MadeSo & {
    readonly version: number;
    readonly change: 'added' | 'changed' | 'deleted';
    /** Null where there was none. */
    readonly before: NamedRule | null;
    /** Null where there is none since. */
    readonly after: NamedRule | null;
  })[];
  /** What to ask for as `before` next; null where there are no more. */
  readonly next: number | null;
};
