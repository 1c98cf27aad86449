/** Orders of two homes that have one id: by it alone neither is settled, once the audit knows both. */
import { UndecidedError } from '../../lib/shared/errors.ts';
import { OrderAmbiguousError } from '../../lib/audit/order-status.ts';
import { Broken } from './broken.ts';
import { appendedRowsIn } from './memory-audit.ts';
import type { Running } from './moves.ts';
import type { Heard } from './perform.ts';
import type { SceneSettlement } from './scene.ts';
import { homeOf, orderIn, twinsOf } from './scene.ts';
import type { Stage } from './stage.ts';

export class TwinWatch {
  readonly #stage: Stage;
  /** By call, and by the order that it meant: those of its id that the audit knew when it began. */
  readonly #before = new Map<string, number>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** The orders that a settlement may settle, or a refund give back: of those with its id the one that the audit knows, and of two neither. */
  begin(
    { call }: Running,
    { by, order }: Pick<SceneSettlement, 'by' | 'order'>,
  ): readonly number[] {
    if (by !== 'recorded') return [order];
    const known = this.#recorded(order);
    this.#before.set(`${call.name} ${order}`, known.length);
    if (known.length === 0) return twinsOf(this.#stage.scene, order);
    return known.length === 1 ? known : [];
  }

  /** Gives what is told of the order that the id named; undefined where it named two. @throws Broken */
  named(heard: Heard): Heard | undefined {
    const { order, running } = heard;
    const before = this.#before.get(`${running.call.name} ${order}`);
    if (before === undefined) return heard;
    const known = this.#recorded(order);
    const error = heard.kind === 'failed' ? heard.error : undefined;
    const { scene } = this.#stage;
    const broken = (invariant: string): Broken =>
      new Broken(invariant, `${running.call.name} of ${orderIn(scene, order).orderId}`);
    if (error instanceof OrderAmbiguousError) {
      const homes = known.map((one) => homeOf(orderIn(scene, one)));
      if (homes.length < 2 || homes.some((home) => !error.message.includes(home)))
        throw broken('ambiguous, though the audit does not know both homes');
      return undefined;
    }
    if (before > 1 && !(error instanceof UndecidedError))
      throw broken('settled by an id that two orders have');
    // The rows of one came first: no other was alone in the audit when they were read.
    const [first = order] = known;
    return { ...heard, order: first };
  }

  /** Orders with the id of one that the audit has effects of, in the order in which their rows came. */
  #recorded(order: number): readonly number[] {
    const { scene, documents } = this.#stage;
    const { orderId } = orderIn(scene, order);
    const rows = appendedRowsIn(documents).filter(
      (row) => row.effective && row.orderId === orderId,
    );
    const homes = [...new Set(rows.map(({ documents: [home] }) => home))];
    const twins = twinsOf(scene, order);
    return homes.flatMap((home) => twins.find((one) => homeOf(orderIn(scene, one)) === home) ?? []);
  }
}
