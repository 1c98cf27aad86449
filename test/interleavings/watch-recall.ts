/** An order that rows knew when its home forgot it is not counted at once again. */
import { isSettled } from '../../lib/shared/states.ts';
import { holdId } from '../../lib/shared/subject.ts';
import { Broken } from './broken.ts';
import { rowsIn } from './memory-audit.ts';
import { allDocuments } from './scene.ts';
import type { Stage } from './stage.ts';
import type { Stored } from './stored.ts';
import { holdsOf, outcomesOf } from './stored.ts';

/** Compares what homes forget, and what they count, with the rows. */
export class RecallWatch {
  readonly #stage: Stage;
  readonly #before = new Map<string, Stored | undefined>();
  /** By document: ids of the orders that it has forgotten, and that rows knew by then. */
  readonly #recalled = new Map<string, Set<string>>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** @throws Broken */
  look(): void {
    if (this.#stage.scene.audit === undefined) return;
    for (const name of allDocuments(this.#stage.scene)) {
      const now = this.#stage.documents.get(name);
      const before = this.#before.get(name);
      if (now === before) continue;
      this.#before.set(name, now);
      this.#compare(name, before, now);
    }
  }

  #compare(name: string, before: Stored | undefined, now: Stored | undefined): void {
    const recalled = this.#recalled.get(name) ?? new Set();
    this.#recalled.set(name, recalled);
    // A document that is made again knows of nothing that it has forgotten.
    if (now === undefined) recalled.clear();
    if (now === undefined) return;
    const held = new Set(holdsOf(before).map(({ nonce }) => nonce));
    const known = new Set(outcomesOf(before).map(({ nonce }) => nonce));
    for (const { id, nonce } of outcomesOf(now))
      if (!held.has(nonce) && !known.has(nonce) && recalled.has(id))
        throw new Broken('counted at once, though rows knew that it had ended', `${id} in ${name}`);
    const left = new Set([...outcomesOf(now), ...holdsOf(now)].map(({ nonce }) => nonce));
    const gone = outcomesOf(before).filter(({ nonce }) => !left.has(nonce));
    for (const { id, nonce } of gone) if (this.#isRecorded(id, nonce)) recalled.add(id);
  }

  #isRecorded(id: string, nonce: string): boolean {
    return rowsIn(this.#stage.documents).some(
      (row) => row.effective && isSettled(row.outcome) && holdId(row) === id && row.nonce === nonce,
    );
  }
}
