/** A past of an invented wallet: the whole library decides its orders over documents in memory, by several processes. */
import type { AuditRow, AuditStore, OrderRows } from '../../lib/audit/audit.ts';
import { inOrder } from '../../lib/audit/audit.ts';
import type { OneCommit } from '../../lib/audit/one-commit.ts';
import { refundsOver } from '../../lib/audit/refunds/refund-store.ts';
import type { InForce } from '../../lib/backtest/history.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { createLimits } from '../../lib/edge/limits.ts';
import type { TermsWish } from '../../lib/rule/terms-change.ts';
import { termsAfter } from '../../lib/rule/terms-change.ts';
import type { Terms } from '../../lib/rule/terms.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { CheckRequest, OrderName, Whereabouts } from '../../lib/shared/request.ts';
import { Chance } from '../interleavings/chance.ts';
import { mingoStatements, mingoStore } from '../support/mingo-store.ts';
import type { Played } from './played-past.ts';
import { settingsFrom } from './settings-from.ts';
import { Agenda } from './agenda.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, orderMaker, part, SECOND_MS, setsIn } from './wallet.ts';

const FROM = new Date('2026-09-10T03:00:00Z');
/** Orders of a user in all that time, on average. */
const ORDERS_OF_A_USER = 15;
const ORDERS_A_DAY = 500;
/** Half of the processes notice other rules so late. */
const LATE_MS = 10 * SECOND_MS;
const CLOCK_OFF_MS = 800;
const OPEN_HOLDS_MAX = 8;
/** Few, so that documents stay small. */
const OUTCOMES_MAX = 8;

type Event =
  | { readonly do: 'check'; readonly order: CheckRequest; readonly tries: number }
  | { readonly do: 'many'; readonly orders: readonly CheckRequest[]; readonly atomic: boolean }
  | { readonly do: 'confirm'; readonly order: CheckRequest; readonly amountMinor?: number }
  | { readonly do: 'rollback'; readonly order: CheckRequest; readonly reasonCode?: string }
  | { readonly do: 'refund'; readonly order: CheckRequest; readonly amountMinor?: number }
  | { readonly do: 'record'; readonly order: CheckRequest; readonly agoMs: number }
  | { readonly do: 'terms'; readonly user: string };

/** Plays so many orders. */
export async function generatedPast(orders: number, seed: number): Promise<Played> {
  const past = new GeneratedPast(orders, seed);
  await past.play();
  return past.played();
}

/** Rows in memory, found by their orders. */
function rowsByOrder() {
  const rows = new Map<string, AuditRow>();
  const ofOrders = new Map<string, Set<string>>();
  const nameOf = ({ appId, orderId }: OrderName): string => `${appId}:${orderId}`;
  const append = (added: readonly AuditRow[]): Promise<void> => {
    for (const row of added) {
      const before = rows.get(row.id);
      if (before !== undefined && (before.repeated !== true || row.repeated === true)) continue;
      rows.set(row.id, row);
      const ids = ofOrders.get(nameOf(row)) ?? new Set();
      ofOrders.set(nameOf(row), ids.add(row.id));
    }
    return Promise.resolve();
  };
  const found = (order: OrderName, isEffect: boolean): OrderRows => {
    const all = [...(ofOrders.get(nameOf(order)) ?? [])].flatMap((id) => rows.get(id) ?? []);
    const asked = inOrder(all.filter(({ effective }) => effective || !isEffect));
    return { rows: asked, now: asked.at(-1)?.at };
  };
  const store: AuditStore = {
    append,
    rowsOf: (order) => Promise.resolve(found(order, false)),
    effectsOf: (order) => Promise.resolve(found(order, true)),
    effectsOfMany: (asked) => Promise.resolve(asked.map((order) => found(order, true))),
  };
  return { store, rows: () => [...rows.values()] };
}

class GeneratedPast {
  readonly #chance: Chance;
  readonly #orders: number;
  readonly #spanMs: number;
  readonly #agenda = new Agenda<Event>();
  readonly #newOrder: (user?: number) => CheckRequest;
  readonly #counters = mingoStore({ clock: () => this.#now, outcomesMax: OUTCOMES_MAX });
  readonly #audit = rowsByOrder();
  readonly #processes: readonly Limits[];
  readonly #knownTerms = new Map<string, Terms>();
  readonly #terms: InForce['terms'][number][] = [];
  readonly #rules: InForce['rules'];
  #now = FROM;
  #changes = 0;

  constructor(orders: number, seed: number) {
    this.#orders = orders;
    this.#chance = new Chance(seed);
    this.#spanMs = (orders / ORDERS_A_DAY) * DAY_MS;
    const users = Math.max(20, Math.round(orders / ORDERS_OF_A_USER));
    this.#newOrder = orderMaker(this.#chance, users, Math.round(users / 3));
    const { sets, read } = setsIn(FROM, this.#spanMs);
    this.#rules = read;
    const statements = mingoStatements(this.#counters.documents, () => this.#now);
    const ledgers = mingoStatements(new Map(), () => this.#now);
    const refunds: OneCommit = (work) =>
      work({
        counters: this.#counters,
        refunds: refundsOver(ledgers, statements),
        append: this.#audit.store.append,
      });
    this.#processes = [0, 0, LATE_MS, LATE_MS].map((lateMs) =>
      createLimits({
        counters: this.#counters,
        rules: () => {
          const noticed = this.#now.getTime() - lateMs;
          const set = sets.findLast(({ at }) => at.getTime() <= noticed) ?? sets[0];
          return Promise.resolve(set?.rules ?? []);
        },
        machineNow: () => this.#now,
        openHoldsMax: OPEN_HOLDS_MAX,
        audit: {
          store: this.#audit.store,
          refunds,
          onLost: (error) => {
            throw error;
          },
        },
      }),
    );
  }

  async play(): Promise<void> {
    this.#invite();
    for (let next = this.#agenda.next(); next !== undefined; next = this.#agenda.next()) {
      const offMs = this.#chance.isLucky(10) ? this.#chance.below(2 * CLOCK_OFF_MS) : CLOCK_OFF_MS;
      this.#now = new Date(next.at.getTime() + offMs - CLOCK_OFF_MS);
      try {
        await this.#perform(next.item, next.at);
      } catch (error) {
        // A settled order is settled again, a refused one refunded.
        if (!(error instanceof HeadroomError)) throw error;
      }
    }
  }

  played(): Played {
    const settings = settingsFrom(FROM, { openHoldsMax: OPEN_HOLDS_MAX });
    const inForce = { rules: this.#rules, terms: this.#terms, settings };
    return { rows: this.#audit.rows(), inForce };
  }

  /** When people come, and with what. */
  #invite(): void {
    const chance = this.#chance;
    let atMs = FROM.getTime();
    for (let made = 0; made < this.#orders; made++) {
      atMs += -Math.log(1 - part(chance)) * (this.#spanMs / this.#orders);
      const at = new Date(Math.floor(atMs));
      const order = this.#newOrder();
      const user = Number(order.subjects.user?.slice(2));
      const roll = chance.below(100);
      if (roll < 2) {
        const all = [order, this.#newOrder(user), this.#newOrder()];
        const atomic = chance.isLucky(50);
        const held = all.map((one) => (atomic ? { ...one, capture: false } : one));
        this.#agenda.add(at, { do: 'many', orders: held, atomic });
        made += 2;
      } else if (roll < 5)
        this.#agenda.add(at, { do: 'record', order, agoMs: chance.below(40 * HOUR_MS) });
      else this.#agenda.add(at, { do: 'check', order, tries: 0 });
      if (chance.below(500) === 0)
        this.#in(at, HOUR_MS, { do: 'terms', user: order.subjects.user ?? '' });
      if (!chance.isLucky(12)) continue;
      for (let more = chance.below(3); more >= 0; more--) {
        this.#in(at, 2 * SECOND_MS, { do: 'check', order: this.#newOrder(user), tries: 0 });
        made += 1;
      }
    }
  }

  /** At some instant within so many milliseconds. */
  #in(at: Date, withinMs: number, event: Event, afterMs = 0): void {
    this.#agenda.add(new Date(at.getTime() + afterMs + this.#chance.below(withinMs)), event);
  }

  async #perform(event: Event, at: Date): Promise<void> {
    const chance = this.#chance;
    const limits = chance.pick(this.#processes);
    const now = this.#now;
    switch (event.do) {
      case 'check': {
        const { order, tries } = event;
        if (chance.isLucky(2)) await limits.check({ ...order, dryRun: true }, now);
        const answer = await limits.check(order, now, `r-${(this.#changes += 1)}`);
        if (answer.kind === 'refused') this.#tryAgain(order, tries, at);
        else if (answer.kind === 'allowed' && !answer.repeated) this.#goOn(order, answer.state, at);
        return;
      }
      case 'many': {
        const { orders, atomic } = event;
        const said = await limits.checkMany(orders, atomic, now, `r-${(this.#changes += 1)}`);
        for (const [place, one] of said.entries()) {
          const order = orders[place];
          if (order && one.kind === 'answered' && one.answer.kind === 'allowed')
            this.#goOn(order, one.answer.state, at);
        }
        return;
      }
      case 'record': {
        const {
          holdMs: _held,
          capture: _capture,
          dryRun: _dry,
          leastMinor: _least,
          ...payment
        } = event.order;
        const reasonCode = chance.pick(['wrong-pin', 'no-funds']);
        const ending = chance.isLucky(30) ? { to: 'rolledBack' as const, reasonCode } : undefined;
        const happenedAt = new Date(now.getTime() - event.agoMs);
        await limits.recordMany([{ ...payment, happenedAt, ending }], now);
        return;
      }
      case 'terms':
        return this.#changeTerms(`user:${event.user}`);
      default:
        return this.#settle(limits, event, now);
    }
  }

  async #settle(
    limits: Limits,
    event: Extract<Event, { readonly do: 'confirm' | 'rollback' | 'refund' }>,
    now: Date,
  ): Promise<void> {
    const { appId, orderId, subjects } = event.order;
    const isRecorded = event.do === 'refund' || this.#chance.isLucky(50);
    const whereabouts: Whereabouts = isRecorded
      ? { kind: 'recorded' }
      : { kind: 'subjects', subjects };
    const order = { appId, orderId, whereabouts };
    if (event.do === 'confirm')
      await limits.confirm({ ...order, amountMinor: event.amountMinor }, now);
    else if (event.do === 'rollback')
      await limits.rollback({ ...order, reasonCode: event.reasonCode }, now);
    else {
      const { amountMinor } = event;
      const refundId = `f-${(this.#changes += 1)}`;
      await limits.refund(
        { ...order, refundId, ...(amountMinor === undefined ? {} : { amountMinor }) },
        now,
      );
    }
  }

  /** What becomes of an order that is held or counted. */
  #goOn(order: CheckRequest, state: string, at: Date): void {
    const chance = this.#chance;
    const { amountMinor, holdMs } = order;
    const inTimeMs = Math.min(holdMs, 20 * MINUTE_MS);
    if (state === 'held') {
      const fate = chance.below(100);
      if (fate < 55) this.#in(at, inTimeMs, { do: 'confirm', order });
      else if (fate < 63)
        this.#in(at, inTimeMs, {
          do: 'confirm',
          order,
          amountMinor: 1 + chance.below(amountMinor),
        });
      else if (fate < 66)
        this.#in(at, inTimeMs, {
          do: 'confirm',
          order,
          amountMinor: amountMinor + chance.below(5_000),
        });
      else if (fate < 82) {
        const reasonCode = chance.pick(['changed-mind', 'wrong-pin', 'no-funds']);
        this.#in(at, inTimeMs, { do: 'rollback', order, reasonCode });
      } else if (fate < 88) this.#in(at, 2 * HOUR_MS, { do: 'confirm', order }, holdMs);
      if (chance.isLucky(2)) this.#in(at, 30 * SECOND_MS, { do: 'check', order, tries: 9 });
    }
    if (!chance.isLucky(6)) return;
    const some = chance.isLucky(50) ? { amountMinor: 1 + chance.below(amountMinor) } : {};
    this.#in(at, 4 * DAY_MS, { do: 'refund', order, ...some }, HOUR_MS);
    if (chance.isLucky(30)) this.#in(at, 4 * DAY_MS, { do: 'refund', order, ...some }, HOUR_MS);
  }

  /** A refused order comes again, as it was, or as another one with the same amount or half of it. */
  #tryAgain(order: CheckRequest, tries: number, at: Date): void {
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

  async #changeTerms(document: string): Promise<void> {
    const now = this.#now;
    const later = (ms: number): Date => new Date(now.getTime() + ms);
    const max = { amountMinor: 600_000, count: 20 };
    const wish = this.#chance.pick<TermsWish>([
      { kind: 'override', override: { rule: 'user-day', max, until: later(3 * DAY_MS) } },
      {
        kind: 'override',
        override: { rule: 'user-hour', max: { count: 2 }, until: later(HOUR_MS) },
      },
      { kind: 'freeze', until: later(6 * HOUR_MS) },
      { kind: 'endOverride', rule: 'user-day' },
      { kind: 'unfreeze' },
    ]);
    const before = this.#knownTerms.get(document);
    const author = { at: now, by: { kind: 'command', id: 'x' }, reason: 'r' } as const;
    const terms = termsAfter(before, wish, author, `t-${(this.#changes += 1)}`);
    await this.#counters.changeTerms(document, { expected: before?.version, terms }, now);
    if (terms === undefined) this.#knownTerms.delete(document);
    else this.#knownTerms.set(document, terms);
    this.#terms.push({ at: now, document, terms });
  }
}
