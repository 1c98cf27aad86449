/** People of an invented wallet: when they come, what they ask, and how they go on. */
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { Chance } from '../interleavings/chance.ts';
import { Agenda } from './agenda.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, orderMaker, part, SECOND_MS } from './wallet.ts';

/** What somebody asks. */
export type Event =
  | { readonly do: 'check'; readonly order: CheckRequest; readonly tries: number }
  | { readonly do: 'many'; readonly orders: readonly CheckRequest[]; readonly atomic: boolean }
  | { readonly do: 'confirm'; readonly order: CheckRequest; readonly amountMinor?: number }
  | { readonly do: 'rollback'; readonly order: CheckRequest; readonly reasonCode: string }
  | { readonly do: 'refund'; readonly order: CheckRequest; readonly amountMinor?: number }
  | { readonly do: 'record'; readonly order: CheckRequest; readonly agoMs: number }
  | { readonly do: 'terms'; readonly user: string };

/** Orders of a user in all the time, on average. */
const ORDERS_OF_A_USER = 15;
const ORDERS_A_DAY = 500;
const REASON_CODES = ['changed-mind', 'wrong-pin', 'no-funds'];

/** They come over some days, and ask on as they are answered. */
export class People {
  readonly spanMs: number;
  readonly #chance: Chance;
  readonly #agenda = new Agenda<Event>();
  readonly #newOrder: (user?: number) => CheckRequest;

  constructor(orders: number, from: Date, chance: Chance) {
    this.#chance = chance;
    this.spanMs = (orders / ORDERS_A_DAY) * DAY_MS;
    const users = Math.max(20, Math.round(orders / ORDERS_OF_A_USER));
    this.#newOrder = orderMaker(chance, users, Math.round(users / 3));
    let atMs = from.getTime();
    for (let made = 0; made < orders;) {
      atMs += -Math.log(1 - part(chance)) * (this.spanMs / orders);
      made += this.#invite(new Date(Math.floor(atMs)));
    }
  }

  /** What they ask next: at times several at once, of a few seconds. */
  next(): { readonly at: Date; readonly events: readonly Event[] } | undefined {
    const first = this.#agenda.next();
    if (first === undefined) return undefined;
    const { at } = first;
    const events = [first.item];
    const soon = at.getTime() + 3 * SECOND_MS;
    while (events.length < 4 && this.#chance.isLucky(50)) {
      if ((this.#agenda.peek() ?? Infinity) > soon) break;
      const another = this.#agenda.next();
      if (another !== undefined) events.push(another.item);
    }
    return { at, events };
  }

  /** How somebody goes on whose order is held or counted. */
  hearAllowed(order: CheckRequest, state: string, at: Date): void {
    const chance = this.#chance;
    const { amountMinor, holdMs } = order;
    const inTimeMs = Math.min(holdMs, 20 * MINUTE_MS);
    if (state === 'held') {
      const fate = chance.below(100);
      const less = 1 + chance.below(amountMinor);
      const more = amountMinor + chance.below(5_000);
      const reasonCode = chance.pick(REASON_CODES);
      if (fate < 55) this.#in(at, inTimeMs, { do: 'confirm', order });
      else if (fate < 63) this.#in(at, inTimeMs, { do: 'confirm', order, amountMinor: less });
      else if (fate < 66) this.#in(at, inTimeMs, { do: 'confirm', order, amountMinor: more });
      else if (fate < 82) this.#in(at, inTimeMs, { do: 'rollback', order, reasonCode });
      else if (fate < 88) this.#in(at, 2 * HOUR_MS, { do: 'confirm', order }, holdMs);
      if (chance.isLucky(2)) this.#in(at, 30 * SECOND_MS, { do: 'check', order, tries: 9 });
    }
    if (!chance.isLucky(6)) return;
    const some = chance.isLucky(50) ? { amountMinor: 1 + chance.below(amountMinor) } : {};
    this.#in(at, 4 * DAY_MS, { do: 'refund', order, ...some }, HOUR_MS);
    if (chance.isLucky(30)) this.#in(at, 4 * DAY_MS, { do: 'refund', order, ...some }, HOUR_MS);
  }

  /** A refused order comes again, as it was, or as another one with the same amount or half of it. */
  hearRefused(order: CheckRequest, tries: number, at: Date): void {
    if (tries >= 3 || this.#chance.isLucky(50)) return;
    const { orderId } = this.#newOrder();
    const half = Math.max(20, Math.floor(order.amountMinor / 2));
    const next = this.#chance.pick([
      order,
      { ...order, orderId },
      { ...order, orderId, amountMinor: half, leastMinor: undefined },
    ]);
    this.#in(at, 5 * MINUTE_MS, { do: 'check', order: next, tries: tries + 1 }, 2 * SECOND_MS);
  }

  /** @returns how many orders that makes */
  #invite(at: Date): number {
    const chance = this.#chance;
    const order = this.#newOrder();
    const { user = '' } = order.subjects;
    const place = Number(user.slice(2));
    if (chance.below(500) === 0) this.#in(at, HOUR_MS, { do: 'terms', user });
    const roll = chance.below(100);
    if (roll < 2) {
      const atomic = chance.isLucky(50);
      const all = [order, this.#newOrder(place), this.#newOrder()];
      const orders = atomic ? all.map((one) => ({ ...one, capture: false })) : all;
      this.#agenda.add(at, { do: 'many', orders, atomic });
      return orders.length;
    }
    const agoMs = chance.below(40 * HOUR_MS);
    if (roll < 5) this.#agenda.add(at, { do: 'record', order, agoMs });
    else this.#agenda.add(at, { do: 'check', order, tries: 0 });
    const more = chance.isLucky(12) ? 1 + chance.below(3) : 0;
    for (let made = 0; made < more; made++) {
      const another = this.#newOrder(place);
      this.#in(at, 2 * SECOND_MS, { do: 'check', order: another, tries: 0 });
    }
    return 1 + more;
  }

  /** At some instant within so many milliseconds. */
  #in(at: Date, withinMs: number, event: Event, afterMs = 0): void {
    const inMs = afterMs + this.#chance.below(withinMs);
    this.#agenda.add(new Date(at.getTime() + inMs), event);
  }
}
