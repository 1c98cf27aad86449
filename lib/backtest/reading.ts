import type { PastRow } from './past-row.ts';
import type { RowOrder } from './row-order.ts';
import { newOrder } from './row-order.ts';

/** Which rows were read, and wait for those before them. Plain data, so that it can be written down. */
export type ReadState = {
  readonly order: RowOrder;
  /** The instant of the last row that was read, and the rows of that instant. */
  readTo: Date | undefined;
  readonly readIds: Set<string>;
};

/** Before the first row. */
export function newReading(): ReadState {
  return { order: newOrder(), readTo: undefined, readIds: new Set() };
}

/** Rows come by their instants alone: those of the last one are read again. */
export function noteRead(state: ReadState, rows: readonly PastRow[], at: Date): void {
  if (state.readTo?.getTime() !== at.getTime()) state.readIds.clear();
  state.readTo = at;
  for (const row of rows) if (row.at.getTime() === at.getTime()) state.readIds.add(row.id);
}
