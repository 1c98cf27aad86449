import type { Subjects } from './requests.ts';
import type { Quantity } from './rules.ts';

/** Which rows of those near a maximum are asked for. */
export type NearRequest = {
  readonly rule?: string | undefined;
  /** A kind of subject. */
  readonly kind?: string | undefined;
  /** At least so much of the maximum; 0.8 where nothing is said. */
  readonly share?: NearShare | undefined;
  /** 1 to 100; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly next?: string | undefined;
};

/** Shares of a maximum at which it is told how near it is. */
export type NearShare = 0.5 | 0.8 | 0.95 | 1;

/** A maximum that is nearly taken, or more. */
export type NearRow = {
  readonly rule: string;
  readonly mode: 'enforce' | 'shadow';
  readonly subjects: Subjects;
  readonly currency?: string;
  /** The largest share that was reached in the window. */
  readonly share: NearShare;
  /** The maximum when the row was written. */
  readonly max: Quantity;
  /** It is the subject's own. */
  readonly overridden: boolean;
  /** What was used and held then. */
  readonly taken: Quantity;
  /** When the window begins; null where it is no calendar's. */
  readonly start: string | null;
  /** When the row goes; null for never. */
  readonly until: string | null;
  /** The instant of the counters that the row tells of. */
  readonly at: string;
};

/** What `near` answers: a page, nearest first. */
export type NearAnswer = {
  readonly near: readonly NearRow[];
  /** For the next page; null on the last. */
  readonly next: string | null;
  /** Whether calls write what they cross. */
  readonly kept: boolean;
  /** When the list was made from the counters last; null for never. */
  readonly scannedAt: string | null;
  readonly now: string;
};
