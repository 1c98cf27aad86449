import type { OrderAtHome } from '../shared/request.ts';
import type { DocumentView, Outcome } from '../document/document.ts';

/** How an order ended, as rows tell; `held` if they do not tell that it did. */
export type Recalled =
  | { readonly kind: 'held' }
  | {
      readonly kind: 'ended';
      readonly outcome: Omit<Outcome, 'digest'>;
      /** Of one that counted at once, what was asked. No order that was held before it ended is the same. */
      readonly digest?: string | undefined;
    };

/** Somebody who remembers more orders than their homes do. */
export type Recall = {
  /** In the order given. `now` is the database's instant, if any order is known. */
  readonly ask: (orders: readonly OrderAtHome[]) => Promise<{
    readonly now?: Date | undefined;
    readonly found: readonly (Recalled | undefined)[];
  }>;
  readonly known: KnownMemory;
};

/** Homes remembered at a time. The one that was learned first goes first. */
const KNOWN_MAX = 10_000;
/** A document lives longer than that after each write, so it has not begun to count again. */
const KNOWN_MS = 86_400_000;

/**
 * How many outcomes homes had when they were last written. It may be too few, then home says so. So orders of a busy
 * home are not sent to it in vain, before rows are asked.
 */
export class KnownMemory {
  readonly #known = new Map<string, { readonly remembered: number; readonly at: Date }>();

  /** 0 where nothing is known. */
  of(home: string, now: Date): number {
    const known = this.#known.get(home);
    const isOld = known === undefined || Math.abs(now.getTime() - known.at.getTime()) > KNOWN_MS;
    return isOld ? 0 : known.remembered;
  }

  /** @param outcomesMax with fewer outcomes home has forgotten none */
  learn(home: string, { remembered, now: at }: DocumentView, outcomesMax: number): void {
    if (remembered < outcomesMax) return;
    this.#known.delete(home); // a name that is there would keep its place
    this.#known.set(home, { remembered, at });
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
  }
}
