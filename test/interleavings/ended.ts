/** What a step ended in documents: worked out from the holds and outcomes before it, and from those after it. */
import { Broken } from './broken.ts';
import type { Running } from './moves.ts';
import type { Scene, SceneSettlement } from './scene.ts';
import {
  allDocuments,
  amountOf,
  documentsOf,
  finalAmountOf,
  homeOf,
  idOf,
  orderIn,
  ordersOf,
  twinsOf,
} from './scene.ts';
import type { Stage } from './stage.ts';
import type { Decision, Ended, Stored, StoredHold } from './stored.ts';
import { expiredOf, forgotUntilOf, holdsOf, keptOf, outcomesOf } from './stored.ts';

export class EndedWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  #before = new Map<string, Stored>();
  /** By order and nonce: what home has decided. */
  readonly #decided = new Map<string, Decision>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#names = allDocuments(stage.scene);
  }

  /** What home decided about an attempt at an order. */
  decisionOf(order: number, nonce: string): Decision | undefined {
    return this.#decided.get(`${order} ${nonce}`);
  }

  /** A document as it was before the step. */
  before(name: string): Stored | undefined {
    return this.#before.get(name);
  }

  /** Ends the comparison of a step. */
  goOn(): void {
    this.#before = new Map(this.#stage.documents);
  }

  /** By document that a step changed: what it ended there. @throws Broken */
  endedBy(about: Running | 'time'): ReadonlyMap<string, readonly Ended[]> {
    const { documents } = this.#stage;
    const changed = this.#names.filter((name) => documents.get(name) !== this.#before.get(name));
    if (about === 'time') return new Map(changed.map((name) => [name, []]));
    const home = new Map(changed.map((name) => [name, this.#endedAtHome(name)]));
    // Orders that home had no hold of: they count at once.
    const atOnce = [...home.values()].flat().filter(({ hold }) => hold === undefined);
    return new Map(
      changed.map((name) => [
        name,
        [
          ...(home.get(name) ?? []),
          ...this.#endedBeside(name, about),
          ...this.#atOnceBeside(name, atOnce),
        ],
      ]),
    );
  }

  #endedAtHome(name: string): readonly Ended[] {
    const [before, after] = [this.#before.get(name), this.#stage.documents.get(name)];
    const settled = outcomesOf(after).filter(({ state }) => state !== 'expired');
    const isHomes = (nonce: string) => (one: StoredHold) =>
      one.nonce === nonce && one.home === undefined;
    const decided = settled.flatMap(({ id, nonce, amount, state, reasonCode: code }) => {
      const order = orderOf(this.#stage.scene, { id, amount }, name);
      if (order === undefined || state === 'expired') return [];
      const known = this.decisionOf(order, nonce);
      if (known !== undefined && known.to !== state)
        throw new Broken('ended twice', `${id} at ${name}`);
      if (known !== undefined) return [];
      const decision: Decision = { order, to: state, code, amount };
      this.#decided.set(`${order} ${nonce}`, decision);
      const open = holdsOf(before).find(isHomes(nonce));
      const hold = open ?? expiredOf(before).find(isHomes(nonce));
      const wasOver = open === undefined && hold !== undefined;
      return [{ ...decision, nonce, hold, wasOver }];
    });
    if (after === undefined) return decided;
    const known = new Set([...settled, ...holdsOf(after)].map(({ nonce }) => nonce));
    const expired = holdsOf(before).flatMap((hold) => {
      const { nonce, home, amount } = hold;
      const order = orderOf(this.#stage.scene, hold, name);
      if (home !== undefined || known.has(nonce) || order === undefined) return [];
      const ended = { order, nonce, to: 'expired', code: undefined, amount, hold } as const;
      return [{ ...ended, wasOver: false }];
    });
    return [...decided, ...expired];
  }

  /** A share that goes counts as home decided about it, unless its document had to forget it. */
  #endedBeside(name: string, about: Running): readonly Ended[] {
    const [before, after] = [this.#before.get(name), this.#stage.documents.get(name)];
    const left = new Set(sharesIn(after).map(({ nonce }) => nonce));
    const kept = new Set(keptOf(before).map(({ nonce }) => nonce));
    return sharesIn(before).flatMap((hold) => {
      const order = orderOf(this.#stage.scene, hold, hold.home ?? '');
      const decision = order === undefined ? undefined : this.decisionOf(order, hold.nonce);
      if (left.has(hold.nonce) || decision === undefined) return [];
      const twins = twinsOf(this.#stage.scene, decision.order);
      const isAsked = ordersOf(about.call).some((one) => twins.includes(one));
      const forgot = forgotUntilOf(after);
      if (!isAsked && (forgot === undefined || forgot < hold.until))
        throw new Broken('a share of what had ended went uncounted', `${hold.id} in ${name}`);
      const { nonce } = hold;
      return isAsked ? [{ ...decision, nonce, hold, wasOver: kept.has(nonce) }] : [];
    });
  }

  /** In one commit with home, and without ever being a share. */
  #atOnceBeside(name: string, atOnce: readonly Ended[]): readonly Ended[] {
    const { scene, documents } = this.#stage;
    const shares = [...sharesIn(this.#before.get(name)), ...sharesIn(documents.get(name))];
    return atOnce.filter(({ order, nonce }) => {
      const known = orderIn(scene, order);
      const isBeside = documentsOf(known).includes(name) && homeOf(known) !== name;
      return isBeside && !shares.some((share) => share.nonce === nonce);
    });
  }
}

/** The order whose share or outcome it is; its home tells orders of the same id apart. */
export function orderOf(
  { orders }: Scene,
  { id, amount }: { readonly id: string; readonly amount: number },
  home: string,
): number | undefined {
  const order = orders.findIndex(
    (one, at) =>
      idOf(one) === id &&
      homeOf(one) === home &&
      (amount === amountOf(at) || amount === finalAmountOf(at)),
  );
  return order < 0 ? undefined : order;
}

/** Shares of other homes, those that are kept among them. */
export function sharesIn(stored: Stored | undefined): readonly StoredHold[] {
  return [...holdsOf(stored), ...keptOf(stored)].filter(({ home }) => home !== undefined);
}

/** What a call asks to become of orders. */
export function settlementsIn({ call }: Running): readonly SceneSettlement[] {
  return call.do === 'settle' ? [call] : call.do === 'settlements' ? call.settlements : [];
}
