import type { NearTold, NearStore } from './near.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Told } from '../limits/context.ts';
import { within } from '../shared/within.ts';
import { groupedBy } from '../shared/grouped.ts';
import type { Crossing } from '../limits/near-row.ts';

/** Longest that an answer waits for what it crossed to be written and published, with its audit row, in milliseconds. */
export const NEAR_WAIT_MS = 500;

/** Where crossings go. */
export type Near = {
  readonly store: NearStore;
  readonly publish?: (told: readonly NearTold[]) => Promise<void>;
  /** Gets the number of crossings that may not have been written or published. */
  readonly onLost: (error: unknown, crossings: number) => void;
  /** The longest wait of an answer, in milliseconds. Default: NEAR_WAIT_MS. */
  readonly waitMs?: number;
};

/** Writes what the orders of a call crossed, and publishes what is new. It ends in time, and changes no answer. */
export async function tellNear(near: Near, told: readonly Told<unknown>[]): Promise<void> {
  const crossings = told.flatMap((one) => one.crossings ?? []);
  if (crossings.length === 0) return;
  const rows = [...groupedBy(crossings, ({ id }) => id).values()].flatMap(together);
  const open = new Set(rows.map(({ id }) => id));
  let failure: unknown;
  const work = async (): Promise<void> => {
    const untold: NearTold[] = [];
    await atOnce(rows, async (row) => {
      try {
        const percents = await near.store.note(row);
        if (percents.length === 0 || near.publish === undefined) open.delete(row.id);
        else untold.push({ row, percents });
      } catch (error) {
        failure ??= error;
      }
    });
    if (untold.length === 0 || near.publish === undefined) return;
    await near.publish(untold);
    for (const { row } of untold) open.delete(row.id);
  };
  try {
    const waitMs = near.waitMs ?? NEAR_WAIT_MS;
    await within(work(), waitMs, () => {
      throw new Error(`not written and published within ${waitMs} ms`);
    });
  } catch (error) {
    failure ??= error;
  }
  if (open.size > 0) near.onLost(failure, open.size);
}

/** What several orders of a call crossed in one row: as it stood after the last of them. */
function together(crossings: readonly Crossing[]): readonly Crossing[] {
  const percents = new Set(crossings.flatMap((crossing) => crossing.percents));
  return crossings
    .slice(-1)
    .map((last) => ({ ...last, percents: [...percents].sort((one, other) => one - other) }));
}
