import type { Crossing, ListedNear, NearPercent } from './near.ts';
import { NoSuchRuleError } from '../rules/rule-edit.ts';
import type { Rule } from '../rules/rule.ts';

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

/** Where a page of rows ends. Rows are in the order of `percent`, largest first, then of `id`. */
export type NearPlace = { readonly percent: number; readonly id: string };

/** A page of rows. */
type NearPage = {
  readonly rows: readonly ListedNear[];
  /** Where there are more. */
  readonly next: NearPlace | undefined;
  /** When the list was made from the counters last. */
  readonly scannedAt: Date | undefined;
};

/** What is known of those who are near a maximum: a page of rows, and how complete the list is. */
export type NearAnswer = NearPage & {
  /** Whether calls write what they cross. */
  readonly isKept: boolean;
  readonly now: Date;
};

/** The rows of those who are near a maximum. */
export type NearStore = {
  /**
   * Notes what an increment crossed: reads its row, and writes it if nobody has meanwhile.
   *
   * @returns the parts that nobody has told before in this window, smallest first
   */
  readonly note: (crossing: Crossing) => Promise<readonly NearPercent[]>;
  /** Reads rows that are not over at an instant. */
  readonly page: (query: NearQuery, now: Date) => Promise<NearPage>;
};

/**
 * Lists who is near a maximum: a page of the rows that are not over.
 *
 * @throws NoSuchRuleError, for an empty list of a rule that is mistyped would say that nobody is
 */
export async function listNear(
  store: NearStore,
  rules: () => Promise<readonly Rule[]>,
  isKept: boolean,
  query: NearQuery,
  now: Date,
): Promise<NearAnswer> {
  const { rule } = query;
  if (rule !== undefined && !(await rules()).some(({ id }) => id === rule))
    throw new NoSuchRuleError(rule);
  return { ...(await store.page(query, now)), isKept, now };
}
