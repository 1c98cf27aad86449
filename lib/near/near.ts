import type { Quantity } from '../rule/own-terms.ts';
import type { NearPercent, NearRow, Crossing } from '../limits/near-row.ts';

/** A row as it is listed: with the largest part that was reached in its window. */
export type ListedNear = NearRow & { readonly percent: NearPercent };

/** The parts of a rule's maximum that are reported for the first time in its window. */
export type NearTold = {
  readonly row: Omit<Crossing, 'percents'>;
  readonly percents: readonly NearPercent[];
};

/** Rows of a page of the list, by default. */
export const NEAR_ROWS_DEFAULT = 20;
/** The most of them. */
export const NEAR_ROWS_MAX = 100;

/** Which rows are asked for. */
export type NearQuery = {
  readonly rule?: string | undefined;
  readonly kind?: string | undefined;
  /** At least so much of the maximum. */
  readonly percent: NearPercent;
  /** 1 to NEAR_ROWS_MAX. */
  readonly limit: number;
  /** The row after which the page begins. */
  readonly after?: NearPlace | undefined;
};

/** Where a page of rows ends: they are in the order of `percent`, largest first, then of `id`. */
type NearPlace = { readonly percent: number; readonly id: string };

type NearPage = {
  readonly rows: readonly ListedNear[];
  readonly next: NearPlace | undefined;
  /** When the list was made from the counters last. */
  readonly scannedAt: Date | undefined;
};

/** How a listed maximum stands this moment. */
export type NearNow = {
  readonly used: Quantity;
  readonly held: Quantity;
  /** In force now, the subject's own one where `isOverride`. */
  readonly max: Quantity;
  readonly isOverride: boolean;
  /** Of amount or count the larger: 1 is all of it. A late confirm may make it more. */
  readonly share: number;
};

/** A page of rows, each with how it stands now, and how complete the list is. */
export type NearAnswer = Omit<NearPage, 'rows'> & {
  readonly rows: readonly (ListedNear & { readonly ruleId: string; readonly now: NearNow })[];
  /** Whether calls write what they cross. */
  readonly isKept: boolean;
  readonly now: Date;
};

/** Where rows are. */
export type NearStore = {
  /** Notes what an increment crossed. @returns the parts told for the first time in this window, smallest first */
  readonly note: (crossing: Crossing) => Promise<readonly NearPercent[]>;
  /** Reads rows that are not over at an instant; those of a rule by the name that rows call it. */
  readonly page: (query: NearQuery, now: Date) => Promise<NearPage>;
};
