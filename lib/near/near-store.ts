import type { Crossing, ListedNear, NearPercent, NearQuery } from './near.ts';

type NearPage = {
  readonly rows: readonly ListedNear[];
  /** When the list was made from the counters last. */
  readonly scannedAt?: Date;
};

/** The rows of those who are near a maximum. */
export interface NearStore {
  /**
   * Notes what an increment crossed: reads its row, and writes it if nobody has meanwhile.
   *
   * @returns the parts that nobody has told before in this window, smallest first
   */
  note(crossing: Crossing): Promise<readonly NearPercent[]>;
  /** Reads rows that are not over at an instant, one more than the page has where there are more. */
  page(query: NearQuery, now: Date): Promise<NearPage>;
}
