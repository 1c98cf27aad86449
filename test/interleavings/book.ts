/** What is known of the orders of a story while it is told. */
import type { Scene, SceneSettlement } from './scene.ts';
import type { Running } from './moves.ts';

export type Known = {
  readonly checks: Running[];
  readonly records: Running[];
  readonly settlements: { readonly running: Running; readonly asked: SceneSettlement }[];
  confirmed?: string;
  rolledBack?: string;
  /** The newest promise: an allowed check's answer, and when it was heard. */
  promise?: {
    readonly until: number;
    readonly reservation: string | undefined;
    readonly heardAt: number;
    /** The amount, where the order takes what fits. */
    readonly part?: number | undefined;
  };
  amount?: number;
  late?: boolean;
  /** When a confirm was first answered. */
  confirmedAt?: number;
  isFirstConfirmHeard: boolean;
  rolledBackAt?: number;
  /** When a record of its failure was first answered. */
  failedAt?: number;
  isFirstFailureHeard: boolean;
  /** Documents of which a confirm said that they may not count it. */
  readonly uncounted: Set<string>;
  isAllowed: boolean;
  isRecorded: boolean;
  isUndecided: boolean;
  /** Time went by since it was first checked. */
  wasTime: boolean;
  /** A day ended since. */
  wasDay: boolean;
};

export class Book {
  readonly orders: readonly Known[];
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.orders = scene.orders.map(() => ({
      checks: [],
      records: [],
      settlements: [],
      isFirstConfirmHeard: false,
      isFirstFailureHeard: false,
      uncounted: new Set(),
      isAllowed: false,
      isRecorded: false,
      isUndecided: false,
      wasTime: false,
      wasDay: false,
    }));
  }

  of(order: number): Known {
    const known = this.orders[order];
    if (known === undefined) throw new Error(`the scene has no order ${order}`);
    return known;
  }

  nameOf(order: number): string {
    return this.#scene.orders[order]?.orderId ?? '?';
  }

  /** Whether somebody asked to count it, with its final amount if that is meant. */
  mayCount(order: number, isFinal: boolean): boolean {
    const confirms = this.of(order).settlements.filter(({ asked }) => asked.to === 'confirmed');
    const { capture = false, failed, isPartial } = this.#scene.orders[order] ?? {};
    if (isFinal && isPartial !== true) return confirms.some(({ asked }) => asked.isFinal === true);
    const isRecorded = failed === undefined && this.mayRecord(order);
    return confirms.length > 0 || isRecorded || capture;
  }

  /** Whether somebody asked to roll it back, or to record that it failed. */
  mayFail(order: number): boolean {
    const { records, settlements } = this.of(order);
    const isFailure = this.#scene.orders[order]?.failed !== undefined;
    return (
      (isFailure && records.length > 0) ||
      settlements.some(({ asked }) => asked.to === 'rolledBack')
    );
  }

  /** Whether somebody asked to record it, above a maximum if it must be. */
  mayRecord(order: number): boolean {
    return this.of(order).records.length > 0;
  }

  /** What a call asked to become of an order; undefined where it is a check. */
  asked(order: number, running: Running): SceneSettlement | undefined {
    return this.of(order).settlements.find(
      (one) => one.running === running && one.asked.order === order,
    )?.asked;
  }
}
