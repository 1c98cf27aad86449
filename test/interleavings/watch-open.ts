/** How many holds are open in a document: no check opens more than may be. */
import { Broken } from './broken.ts';
import type { Running } from './moves.ts';
import { openIn, placesOf } from './room.ts';
import { allDocuments, idOf } from './scene.ts';
import type { Stage } from './stage.ts';
import type { StoredHold } from './stored.ts';
import { holdsOf } from './stored.ts';

export class OpenWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  readonly #before = new Map<string, ReadonlySet<string>>();
  /** Ids of orders that open no holds: their shares are counted within their call. */
  readonly #captured: ReadonlySet<string>;

  constructor(stage: Stage) {
    this.#stage = stage;
    const { orders } = stage.scene;
    this.#names = allDocuments(stage.scene);
    const captured = orders.filter(({ capture }) => capture);
    this.#captured = new Set(captured.map(idOf));
  }

  look(about: Running | 'time'): void {
    const { openMax } = this.#stage.scene;
    if (openMax === undefined) return;
    for (const name of this.#names) {
      const stored = this.#stage.documents.get(name);
      const holds = holdsOf(stored);
      const before = this.#before.get(name);
      this.#before.set(name, new Set(holds.map(({ nonce }) => nonce)));
      if (about === 'time' || about.call.do === 'record') continue;
      for (const { id, nonce, home } of holds) {
        if (before?.has(nonce) === true || this.#captured.has(id)) continue;
        const isBeside = home !== undefined;
        const isCounted = (one: StoredHold): boolean =>
          before?.has(one.nonce) === true || !this.#captured.has(one.id);
        for (const { most, isOf } of placesOf(openMax, isBeside)) {
          if (!isOf(id)) continue;
          const open = openIn(
            stored,
            this.#stage.clockOf(name),
            isBeside,
            (one) => isCounted(one) && isOf(one.id),
          );
          if (open > most) throw new Broken('more holds open than may be', `${open} in ${name}`);
        }
      }
    }
  }
}
