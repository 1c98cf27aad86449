import type { Lanes } from '../lib/document/statements.ts';
import { learningLanes } from '../lib/document/statements.ts';

/** Statements by the lane that decided them; one that the plain lane left undecided counts as general. */
export type LaneCounts = { readonly plain: number; readonly general: number };

/** The lanes of a store, as a deployment has them, with a count of what each decided. */
export class CountedLanes {
  #plain = 0;
  #general = 0;

  readonly lanes: Lanes = learningLanes((lane) => {
    if (lane === 'plain') this.#plain += 1;
    else this.#general += 1;
  });

  /** The decisions of each lane until now. */
  readonly counts = (): LaneCounts => ({ plain: this.#plain, general: this.#general });
}

/** The decisions between two counts. */
export function lanesBetween(before: LaneCounts, after: LaneCounts): LaneCounts {
  return { plain: after.plain - before.plain, general: after.general - before.general };
}
