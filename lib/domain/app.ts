/** What an application may be allowed to call. */
export const OPERATIONS = ['check', 'confirm', 'rollback', 'status', 'refund', 'usage'] as const;

/** One kind of call that an application may be allowed. */
export type Operation = (typeof OPERATIONS)[number];

/** A secret that an application signs with, as it is stored. */
export type AppSecret = {
  /** Unique within the application, for ever. */
  readonly id: string;
  /** Encrypted; see `sealSecret`. */
  readonly sealed: string;
  readonly createdAt: Date;
};

/** A calling application: the owner of its orders. */
export type App = {
  readonly id: string;
  readonly status: 'active' | 'disabled';
  /** OPERATIONS that it may call; names that are not known here allow nothing. */
  readonly operations: readonly string[];
  /** Oldest first, at most APP_SECRETS_MAX; a call signed with any of them is its own. */
  readonly secrets: readonly AppSecret[];
};
