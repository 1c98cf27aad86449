/** What may still happen once a call is over whose answers were lost. */
import { SLACK_MS } from '../../lib/shared/bounds.ts';
import { Broken } from './broken.ts';
import { COMMIT } from './memory-commit.ts';
import type { Running } from './moves.ts';
import type { Heard } from './perform.ts';
import { documentsOf, homeOf, ordersOf, timesOf } from './scene.ts';
import type { Stage } from './stage.ts';
import { WAIT_MS } from './stage.ts';
import type { DocumentWatch } from './watch-documents.ts';

/** Until when an add may come: it matches around its instant, and the clock of its caller may be ahead. */
const COMES_MS = 4_000;

/** Watches what copies of adds do that arrive late. */
export class LateWatch {
  readonly #stage: Stage;
  readonly #documents: DocumentWatch;
  /** By document and order. */
  readonly #before = new Map<string, Taken>();
  /** How often a call has counted an order at its home. */
  readonly #counted = new Map<Running, Map<number, number>>();
  /** When a call ended, and the orders that it refused. */
  readonly #ended = new Map<Running, { readonly at: number; readonly refused: Set<number> }>();

  constructor(stage: Stage, documents: DocumentWatch) {
    this.#stage = stage;
    this.#documents = documents;
  }

  /** Looks after a move, before it is heard how calls ended. @throws Broken */
  look(about: Running | 'time'): void {
    const { scene } = this.#stage;
    for (const [order, one] of scene.orders.entries())
      for (const name of documentsOf(one)) {
        const now = this.#takenIn(name, order);
        const before = this.#before.get(`${name} ${order}`) ?? NOTHING;
        this.#before.set(`${name} ${order}`, now);
        if (about === 'time' || !isAdding(about, order)) continue;
        if (now.all > before.all) this.#compareEnd(about, name);
        if (name === homeOf(one) && now.used > before.used) this.#count(about, order);
      }
  }

  hear({ order, running, ...told }: Heard): void {
    const ended = this.#ended.get(running) ?? { at: this.#stage.now, refused: new Set() };
    this.#ended.set(running, ended);
    if (told.kind === 'checked' && told.answer.kind === 'refused') ended.refused.add(order);
  }

  #takenIn(name: string, order: number): Taken {
    const { usedAmount, heldAmount } = this.#documents.sums(name);
    return { used: timesOf(usedAmount, order), all: timesOf(usedAmount + heldAmount, order) };
  }

  /** Nothing is held or counted any more once a call may be repeated. A commit is bound to no instant. */
  #compareEnd(running: Running, name: string): void {
    const ended = this.#ended.get(running);
    if (ended === undefined || this.#stage.arrivedAt === COMMIT) return;
    const { scene, waitedMs } = this.#stage;
    // Then it waits in the database, and `Retry-After` is the sum.
    const most = Math.max(COMES_MS, SLACK_MS + scene.aheadMs) + Math.min(waitedMs, WAIT_MS);
    if (this.#stage.now - ended.at >= most)
      throw new Broken('held long after its call was over', `${running.call.name} in ${name}`);
  }

  #count(running: Running, order: number): void {
    const counted = this.#counted.get(running) ?? new Map<number, number>();
    this.#counted.set(running, counted);
    const times = (counted.get(order) ?? 0) + 1;
    counted.set(order, times);
    const name = `${running.call.name} of ${this.#stage.scene.orders[order]?.orderId ?? ''}`;
    if (times > 1) throw new Broken('counted twice by one call, which home forgot between', name);
    if (this.#ended.get(running)?.refused.has(order) === true)
      throw new Broken('counted after its caller was refused', name);
  }
}

/** How often an order is used in a document, and used and held together. */
type Taken = { readonly used: number; readonly all: number };

const NOTHING: Taken = { used: 0, all: 0 };

function isAdding({ call }: Running, order: number): boolean {
  const isAdd = call.do === 'check' || call.do === 'checks' || call.do === 'record';
  return isAdd && ordersOf(call).includes(order);
}
