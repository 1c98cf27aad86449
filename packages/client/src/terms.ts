/** Whose terms: a kind and an id, `{ kind: 'user', id: 'u-1' }`. */
export type Subject = { readonly kind: string; readonly id: string };

/** Why terms change, and who changes them. Both are kept with the change. */
export type Reasoned = {
  /** 1 to 256 characters. */
  readonly reason: string;
  /** The person who acts, 1 to 256 printable ASCII characters: an address of mail, say. */
  readonly actor?: string | undefined;
  /**
   * The `version` of the terms that it is for; otherwise `TERMS_CHANGED`. Whatever they are where nothing
   * is said.
   */
  readonly ifMatch?: string | undefined;
};

/** What `termsChanges` takes. */
export type TermsChangesRequest = Subject & {
  /** 1 to 100; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** What `next` of the page before says; or an instant, for those before it alone. */
  readonly before?: string | undefined;
};

/** What `findOverride` takes. */
export type FindOverrideRequest = Subject & {
  /** The rule's id. */
  readonly rule: string;
};

/** What `override` takes. Instants are RFC 3339 with a zone. */
export type OverrideRequest = FindOverrideRequest &
  Reasoned & {
    /** Only where there is none yet, in force or to come; otherwise `TERMS_CHANGED`. Not beside `ifMatch`. */
    readonly ifNoneMatch?: '*' | undefined;
    /** Minor units and a number, at least one of them; null for none. What is absent stays that of the rule. */
    readonly max: {
      readonly amount?: number | null | undefined;
      readonly count?: number | null | undefined;
    };
    /** When it begins; at once where nothing is said. */
    readonly from?: string | undefined;
    /** In place of `from`: how long after the call it begins, ISO 8601, at most `P366D`. */
    readonly effectiveAfter?: string | undefined;
    /** The first instant at which it is over. */
    readonly until?: string | undefined;
  };

/** What `endOverride` takes. */
export type EndOverrideRequest = FindOverrideRequest & Reasoned;

/** What `freeze` takes. */
export type FreezeRequest = Subject &
  Reasoned & {
    /** Only where there is none yet, in force or to come; otherwise `TERMS_CHANGED`. Not beside `ifMatch`. */
    readonly ifNoneMatch?: '*' | undefined;
    /** The first instant at which it is over, RFC 3339 with a zone. */
    readonly until?: string | undefined;
  };

/** What `unfreeze` takes. */
export type UnfreezeRequest = Subject & Reasoned;
