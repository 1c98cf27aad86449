import type { Subjects } from './requests.ts';

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

/** Who did something. */
export type Actor = {
  readonly kind: 'application' | 'principal' | 'invocation' | 'command' | 'local';
  readonly id: string;
  /** Whom `actor` named. */
  readonly person?: string;
};

/** Who did something, when and why. */
export type Author = {
  readonly at: string;
  readonly by: Actor;
  readonly reason: string;
  /** Who let it through, where it needed a second person. */
  readonly approvedBy?: Actor;
};

type Stretch = {
  readonly inForce: boolean;
  readonly from: string;
  /** Null where nobody has said until when. */
  readonly until: string | null;
};

/** A subject's own maximum of one rule. */
export type Override = Stretch &
  Author & {
    readonly rule: string;
    /** Minor units and a number; null is none, and what is absent stays that of the rule. */
    readonly max: { readonly amount?: number | null; readonly count?: number | null };
  };

/** While it is in force every new check of its subject is refused. */
export type Freeze = Stretch & Author;

/** What a subject has of its own. */
export type Terms = {
  readonly freeze: Freeze | null;
  /** Those in force and those to come. */
  readonly overrides: readonly Override[];
};

/** How a subject's terms stand now: what `terms` answers, and a change that was made. */
export type TermsAnswer = Terms & {
  readonly subject: Subjects;
  /** Another one after each change; `none` where there are no terms. */
  readonly version: string;
  readonly now: string;
};

/** What `findOverride` answers. */
export type FindOverrideAnswer = Omit<TermsAnswer, 'freeze' | 'version'>;

/** One change of a subject's terms. */
export type TermsChange = Author & {
  readonly change: 'override' | 'endOverride' | 'freeze' | 'unfreeze';
  /** Of an override. */
  readonly rule?: string;
  /** Null where the subject had no terms. */
  readonly before: Terms | null;
  /** Null where it has none since. */
  readonly after: Terms | null;
};

/** What `termsChanges` answers. */
export type TermsChangesAnswer = {
  readonly subject: Subjects;
  /** Newest first. */
  readonly changes: readonly TermsChange[];
  /** What to ask for as `before` next; null where there are no more. */
  readonly next: string | null;
};
