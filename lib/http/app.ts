import { HOLD_SECONDS_DEFAULT, HOLD_SECONDS_MAX } from '../shared/bounds.ts';

/** A secret that an application signs with, as it is stored. */
export type AppSecret = {
  /** Unique within the application, for ever. */
  readonly id: string;
  /** Encrypted; see `sealSecret`. */
  readonly sealed: string;
  readonly createdAt: Date;
};

/** What an application may take of what all share. Absent: as much as there is. */
export type AppBounds = {
  /** HOLD_SECONDS_DEFAULT to HOLD_SECONDS_MAX, in milliseconds: what a check gets that says none is never too long. */
  readonly longestHoldMs?: number | undefined;
  /** Of the holds that may be open in one document, the percentage that may be its own: 1 to 100. */
  readonly openPercent?: number | undefined;
};

/** A calling application: the owner of its orders. */
export type App = AppBounds & {
  readonly id: string;
  readonly status: 'active' | 'disabled';
  /** OPERATIONS that it may call; names that are not known here allow nothing. */
  readonly operations: readonly string[];
  /** RIGHTS that it has; names that are not known here allow nothing. */
  readonly rights?: readonly string[];
  /** Oldest first, at most APP_SECRETS_MAX; a call signed with any of them is its own. */
  readonly secrets: readonly AppSecret[];
};

/** An application as it is stored. */
export type StoredApp = App & {
  /** Counts its changes, so that one of two at once is noticed. */
  readonly version: number;
};

/** Where applications are stored. */
export type AppStore = {
  readonly read: () => Promise<readonly StoredApp[]>;
  /** False where there is one of this id. */
  readonly insert: (app: App) => Promise<boolean>;
  /** False where it was changed since it was read. */
  readonly replace: (app: StoredApp) => Promise<boolean>;
};

/** The bounds of an application's longest hold, in milliseconds, both included. */
export const LONGEST_HOLD_MS: readonly [number, number] = [
  HOLD_SECONDS_DEFAULT * 1000,
  HOLD_SECONDS_MAX * 1000,
];

/** The form of it. */
export const LONGEST_HOLD_EXPECTED = 'an ISO 8601 duration from PT15M to P7D, such as PT1H';

/** The id of an application. */
export const APP_ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,63}$/;
