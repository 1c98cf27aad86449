/** A past of an invented wallet: the whole library decides its orders over documents in memory, by several processes. */
import type { InForce } from '../../lib/backtest/history.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { TermsWish } from '../../lib/changes/terms-change.ts';
import { termsAfter } from '../../lib/changes/terms-change.ts';
import type { Terms } from '../../lib/rule/own-terms.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { CheckRequest, Whereabouts } from '../../lib/shared/request.ts';
import { Chance } from '../interleavings/chance.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { refundsIn } from './memory-refunds.ts';
import { memoryRows } from './memory-rows.ts';
import type { Event } from './people.ts';
import { People } from './people.ts';
import type { Played } from './played-past.ts';
import { settingsFrom } from './settings-from.ts';
import type { SetFrom } from './wallet.ts';
import { DAY_MS, HOUR_MS, setsIn } from './wallet.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { limitsOver } from '../support/limits-fixture.ts';

const FROM = new Date('2026-09-10T03:00:00Z');
/** Half of the processes notice other rules so late that many orders come meanwhile. */
const LATE_MS = 6 * HOUR_MS;
/** The clocks of some calls are off by as much. */
const CLOCK_OFF_MS = 800;
const OPEN_HOLDS_MAX = 8;
/** Few, so that documents stay small. */
const OUTCOMES_MAX = 8;

/** Plays so many orders. */
export async function generatedPast(orders: number, seed: number): Promise<Played> {
  const past = new GeneratedPast(orders, seed);
  await past.play();
  return past.played();
}

class GeneratedPast {
  readonly #chance: Chance;
  readonly #people: People;
  readonly #counters = mingoStore({ clock: () => this.#now, outcomesMax: OUTCOMES_MAX });
  readonly #rows = memoryRows();
  readonly #processes: readonly Limits[];
  readonly #knownTerms = new Map<string, Terms>();
  readonly #terms: InForce['terms'][number][] = [];
  readonly #rules: InForce['rules'];
  #now = FROM;
  #names = 0;

  constructor(orders: number, seed: number) {
    this.#chance = new Chance(seed);
    this.#people = new People(orders, FROM, this.#chance);
    const { sets, read } = setsIn(FROM, this.#people.spanMs);
    this.#rules = read;
    this.#processes = [0, 0, LATE_MS, LATE_MS].map((lateMs) => this.#process(sets, lateMs));
  }

  async play(): Promise<void> {
    for (let next = this.#people.next(); next !== undefined; next = this.#people.next()) {
      const { at, events } = next;
      this.#now = at;
      await Promise.all(events.map((event) => this.#perform(event, at)));
    }
  }

  played(): Played {
    const settings = settingsFrom(FROM, { openHoldsMax: OPEN_HOLDS_MAX });
    const inForce = { rules: this.#rules, terms: this.#terms, settings };
    const rows = this.#rows.rows();
    return { rows: rows.toSorted((one, other) => one.at.getTime() - other.at.getTime()), inForce };
  }

  #process(sets: readonly SetFrom[], lateMs: number): Limits {
    const { audit } = this.#rows;
    const rules = (): Promise<readonly Rule[]> => {
      const noticed = this.#now.getTime() - lateMs;
      const set = sets.findLast(({ at }) => at.getTime() <= noticed) ?? sets[0];
      return Promise.resolve(set?.rules ?? []);
    };
    return limitsOver(this.#counters, rules, {
      machineNow: () => this.#now,
      // By its first letter one in three makes its add look for what is over.
      nonce: () => this.#name(this.#names % 3 === 0 ? 'h' : 'n'),
      openHoldsMax: OPEN_HOLDS_MAX,
      audit: { ...audit, refunds: refundsIn(this.#counters, audit.store) },
    });
  }

  async #perform(event: Event, at: Date): Promise<void> {
    const chance = this.#chance;
    const limits = chance.pick(this.#processes);
    const offMs = chance.isLucky(10) ? chance.below(2 * CLOCK_OFF_MS) - CLOCK_OFF_MS : 0;
    const now = new Date(at.getTime() + offMs);
    try {
      if (event.do === 'check') await this.#check(limits, event, now, at);
      else if (event.do === 'many') await this.#checkMany(limits, event, now, at);
      else if (event.do === 'record') await this.#record(limits, event, now);
      else if (event.do === 'terms') await this.#changeTerms(`user:${event.user}`, at);
      else await this.#settle(limits, event, now);
    } catch (error) {
      // Example: an order that was refused is refunded.
      if (!(error instanceof HeadroomError)) throw error;
    }
  }

  #name(kind: string): string {
    return `${kind}-${(this.#names += 1)}`;
  }

  async #check(
    limits: Limits,
    { order, tries }: Extract<Event, { readonly do: 'check' }>,
    now: Date,
    at: Date,
  ): Promise<void> {
    if (this.#chance.isLucky(2)) await limits.check({ ...order, dryRun: true }, now);
    const answer = await limits.check(order, now, this.#name('r'));
    if (answer.kind === 'refused') this.#people.hearRefused(order, tries, at);
    if (answer.kind !== 'allowed' || answer.repeated) return;
    this.#people.hearAllowed(order, answer.state, at);
  }

  async #checkMany(
    limits: Limits,
    { orders, atomic }: Extract<Event, { readonly do: 'many' }>,
    now: Date,
    at: Date,
  ): Promise<void> {
    const said = await limits.checkMany(orders, atomic, now, this.#name('r'));
    for (const [place, one] of said.entries()) {
      const order = orders[place];
      if (order && one.kind === 'answered' && one.answer.kind === 'allowed')
        this.#people.hearAllowed(order, one.answer.state, at);
    }
  }

  async #record(
    limits: Limits,
    { order, agoMs }: Extract<Event, { readonly do: 'record' }>,
    now: Date,
  ): Promise<void> {
    const { appId, orderId, type, subjects, amountMinor, count, currency, attributes } = order;
    const payment = { appId, orderId, type, subjects, amountMinor, count, currency, attributes };
    const reasonCode = this.#chance.pick(['wrong-pin', 'no-funds']);
    const ending = this.#chance.isLucky(30)
      ? ({ to: 'rolledBack', reasonCode } as const)
      : undefined;
    const happenedAt = new Date(now.getTime() - agoMs);
    await limits.recordMany([{ ...payment, happenedAt, ending }], now);
  }

  async #settle(
    limits: Limits,
    event: Extract<Event, { readonly do: 'confirm' | 'rollback' | 'refund' }>,
    now: Date,
  ): Promise<void> {
    const order = namedBy(event.order, event.do === 'refund' || this.#chance.isLucky(50));
    if (event.do === 'rollback')
      await limits.rollback({ ...order, reasonCode: event.reasonCode }, now);
    else {
      const { amountMinor } = event;
      const some = amountMinor === undefined ? {} : { amountMinor };
      if (event.do === 'confirm') await limits.confirm({ ...order, ...some }, now);
      else await limits.refund({ ...order, refundId: this.#name('f'), ...some }, now);
    }
  }

  async #changeTerms(document: string, now: Date): Promise<void> {
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
    const terms = termsAfter(before, wish, author, this.#name('t'));
    await this.#counters.changeTerms(document, { expected: before?.version, terms }, now);
    if (terms === undefined) this.#knownTerms.delete(document);
    else this.#knownTerms.set(document, terms);
    this.#terms.push({ at: now, document, terms });
  }
}

/** By what the audit says of it, or by its subjects. */
function namedBy({ appId, orderId, subjects }: CheckRequest, isRecorded: boolean) {
  const whereabouts: Whereabouts = isRecorded
    ? { kind: 'recorded' }
    : { kind: 'subjects', subjects };
  return { appId, orderId, whereabouts };
}
