/** Tells a story to the service, and holds it to what its callers were told. */
import { expect } from 'vitest';
import type { SettlementAnswer } from '../../lib/limits/answer.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { SettlementRequest } from '../../lib/shared/request.ts';
import type { Audit } from '../../lib/audit/recorded.ts';
import { createSettleHandler } from '../../lib/edge/settle-handler.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { batchOf } from '../support/queue-events.ts';
import type { CrashingStore } from '../support/crashing-store.ts';
import { CrashError, crashingStore } from '../support/crashing-store.ts';
import { checkOf, orderOf, USER_DAY, limitsOver } from '../support/limits-fixture.ts';
import type { ModelRule } from '../model/model-types.ts';
import { Ledger } from './ledger.ts';
import type { Story, StoryCall, StoryMessage, StoryStep } from './story.ts';
import { HOLD_MS, MAX } from './story.ts';
import type { AskedRefund } from './told-refunds.ts';
import { SILENT } from '../support/telemetry.ts';

/** By rule: the subjects that count in one document. */
const PER = {
  user: { per: ['user'] },
  merchant: { per: ['merchant'] },
  pair: { per: ['merchant', 'user'], counterparts: 'many' },
} as const satisfies Readonly<Record<string, Pick<ModelRule, 'per' | 'counterparts'>>>;

type Kind = keyof typeof PER;

function rulesOf(kinds: readonly Kind[]): readonly ModelRule[] {
  return kinds.map((id) => ({
    ...USER_DAY,
    id,
    ...PER[id],
    window: 'lifetime',
    max: { amount: MAX[id] },
  }));
}

const SUBJECTS = [
  { user: 'u-0', merchant: 'm' },
  { user: 'u-1', merchant: 'm' },
] as const;

const BEGIN = Date.UTC(2026, 2, 2, 10);

/** After every hold. */
const LATER_MS = 10 * HOLD_MS;

/** The largest final amount that a story tells, where it is not what was held. */
const FINAL_MOST = 4;

/** What the handler of a queue needs beside its call. */
const SURROUNDINGS = {
  settings: { auth: { kind: 'none' } },
  telemetry: SILENT,
} as const;

/** How often something happened, so that stories are known to be worth telling. */
export type Tally = Map<string, number>;

/** Where a story is told. An audit with `oneCommit` makes of each call and its row one commit. */
export type Stage = {
  readonly counters: CounterStore;
  readonly audit?: Audit;
  /** Whether a user and the merchant have a document together, beside that of each. */
  readonly ofPairs?: boolean;
};

/** Tells one story from its beginning to its end. */
export class Teller {
  readonly #story: Story;
  readonly #store: CrashingStore;
  readonly #limits: Limits;
  readonly #ledgers: readonly Ledger[];
  readonly #calls: StoryCall[] = [];
  readonly #cut: StoryCall[] = [];
  readonly #tally: Tally;
  #now = new Date(BEGIN);

  constructor(story: Story, { counters, audit, ofPairs = false }: Stage, tally: Tally = new Map()) {
    this.#story = story;
    this.#tally = tally;
    this.#store = crashingStore(counters);
    const keeping = audit?.oneCommit === undefined ? 'steps' : 'whole';
    this.#ledgers = story.orders.map((order) => new Ledger(order, keeping));
    const rules = rulesOf(ofPairs ? ['user', 'merchant', 'pair'] : ['user', 'merchant']);
    const audited = audit === undefined ? {} : { audit: this.#store.audited(audit) };
    this.#limits = limitsOver(this.#store.counters, rules, audited);
  }

  /** @throws what an expectation says, at the step that breaks it */
  async tell(): Promise<void> {
    for (const step of this.#story.steps) {
      await this.#take(step);
      await this.#expectWithinMaxima();
    }
    // Every interrupted caller asks again. Then every message arrives once more, the last first.
    for (const call of this.#cut.splice(0)) await this.#send(call);
    for (const call of [...this.#calls].reverse()) await this.#send(call);
    await this.#expectWithinMaxima();
    for (const [order, { outcome }] of this.#ledgers.entries())
      if (outcome?.kind === 'confirmed') await this.#send({ do: 'confirm', order });
    for (const [order, { refunds }] of this.#ledgers.entries())
      for (const refundId of refunds.unnamed) await this.#send({ do: 'refund', order, refundId });
    this.#now = new Date(this.#now.getTime() + LATER_MS);
    await this.#expectWhatWasTold();
  }

  async #take(step: StoryStep): Promise<void> {
    switch (step.do) {
      case 'advance':
        this.#now = new Date(this.#now.getTime() + step.ms);
        return;
      case 'again': {
        const call = this.#calls[step.pick % Math.max(1, this.#calls.length)];
        if (call !== undefined) await this.#send(call, step.crash);
        return;
      }
      case 'call':
        this.#calls.push(step.call);
        await this.#send(step.call, step.crash);
    }
  }

  async #send(call: StoryCall, crash?: Parameters<CrashingStore['crash']>[0]): Promise<void> {
    this.#store.crash(crash);
    const notes: (() => void)[] = [];
    try {
      await this.#perform(call, notes);
    } catch (error) {
      if (!(error instanceof CrashError)) throw error;
    }
    const isDead = this.#store.isDead();
    this.#store.crash();
    this.#count(isDead ? `${call.do} cut` : call.do);
    if (!isDead) {
      for (const note of notes) note();
      return;
    }
    this.#cut.push(call); // nobody heard what the dead caller was told
    if (call.do === 'refund') {
      this.#ledger(call.order).refunds.cut(call.refundId);
      return;
    }
    for (const { order, what } of partsOf(call))
      if (what === 'check') this.#ledger(order).checkCut();
      else if (what === 'SUCCESS') this.#ledger(order).confirmCut();
      else this.#ledger(order).rollbackCut();
  }

  async #perform(call: StoryCall, notes: (() => void)[]): Promise<void> {
    const now = this.#now;
    switch (call.do) {
      case 'check':
        await this.#noting(notes, call.order, async (ledger) => {
          const answer = await this.#limits.check(this.#check(call.order), now);
          return () => {
            ledger.checked(answer, now);
            this.#count(answer.kind);
          };
        });
        return;
      case 'confirm':
      case 'rollback':
        await this.#noting(notes, call.order, async (ledger) => {
          const answer = await this.#settle(call);
          return () => {
            ledger.settled(answer);
            this.#count(answer.state);
          };
        });
        return;
      case 'refund':
        await this.#refund(call, notes);
        return;
      case 'checks':
        await this.#checkMany(call.orders, call.atomic, notes);
        return;
      case 'events':
        await this.#deliver(call.messages, notes);
    }
  }

  async #refund(
    { order, ...asked }: AskedRefund & { readonly order: number },
    notes: (() => void)[],
  ): Promise<void> {
    const ledger = this.#ledger(order);
    const { refundId, amount } = asked;
    const request = {
      appId: 'default',
      orderId: ledger.order.orderId,
      refundId,
      whereabouts: { kind: 'recorded' } as const,
      ...(amount === undefined ? {} : { amountMinor: amount }),
    };
    try {
      const answer = await this.#limits.refund(request, this.#now);
      notes.push(() => {
        ledger.refunded(asked, answer);
        this.#count(answer.repeated ? 'refunded again' : 'refunded');
      });
    } catch (error) {
      if (error instanceof CrashError) return;
      notes.push(() => {
        ledger.refundFailed(asked, error);
        this.#count(error instanceof HeadroomError ? error.code : 'error');
      });
    }
  }

  async #checkMany(
    orders: readonly number[],
    atomic: boolean,
    notes: (() => void)[],
  ): Promise<void> {
    const asked = orders.filter((order) => !atomic || !this.#ledger(order).order.capture);
    if (asked.length === 0) return;
    const now = this.#now;
    const checks = asked.map((order) => this.#check(order));
    const results = await this.#limits.checkMany(checks, atomic, now);
    for (const [index, order] of asked.entries())
      await this.#noting(notes, order, (ledger) => {
        const result = results[index];
        if (result?.kind === 'answered')
          return () => {
            ledger.checked(result.answer, now);
          };
        throw result?.error;
      });
  }

  /** Delivers a batch as a queue does; what failed is delivered once more. */
  async #deliver(messages: readonly StoryMessage[], notes: (() => void)[]): Promise<void> {
    const handler = createSettleHandler(
      (settlements) => this.#settleMany(settlements, notes),
      SURROUNDINGS,
    );
    const bodies = messages.map(({ order, ...end }) => {
      const { orderId, settledBy: subjects } = this.#ledger(order).order;
      return { orderId, subjects, ...end };
    });
    const { batchItemFailures } = await handler(batchOf(...bodies), { awsRequestId: 'r-1' });
    if (this.#store.isDead()) return;
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const again = bodies.filter((_, index) => failed.has(`m-${index}`));
    if (again.length > 0) await handler(batchOf(...again), { awsRequestId: 'r-2' });
  }

  async #settleMany(settlements: readonly SettlementRequest[], notes: (() => void)[]) {
    const now = this.#now;
    const results = await this.#limits.settleMany(settlements, now);
    for (const [index, { orderId }] of settlements.entries()) {
      const order = this.#story.orders.findIndex((one) => one.orderId === orderId);
      await this.#noting(notes, order, (ledger) => {
        const result = results[index];
        if (result?.kind !== 'answered') throw result?.error;
        const { answer } = result;
        return () => {
          ledger.settled(answer);
          this.#count(answer.state);
        };
      });
    }
    return results;
  }

  async #noting(
    notes: (() => void)[],
    order: number,
    ask: (ledger: Ledger) => (() => void) | Promise<() => void>,
  ): Promise<void> {
    const ledger = this.#ledger(order);
    const now = this.#now;
    try {
      notes.push(await ask(ledger));
    } catch (error) {
      if (error instanceof CrashError) return;
      notes.push(() => {
        ledger.failed(error, now);
      });
    }
  }

  #check(order: number): ReturnType<typeof checkOf> {
    const { orderId, subjects, amount, capture } = this.#ledger(order).order;
    return checkOf({ orderId, subjects, capture, amountMinor: amount, holdMs: HOLD_MS });
  }

  async #settle(
    call: Extract<StoryCall, { do: 'confirm' | 'rollback' }>,
  ): Promise<SettlementAnswer> {
    const { orderId, settledBy } = this.#ledger(call.order).order;
    const named = orderOf(orderId, settledBy);
    if (call.do === 'rollback') return this.#limits.rollback(named, this.#now);
    const final = call.amount === undefined ? {} : { amountMinor: call.amount };
    return this.#limits.confirm({ ...named, ...final }, this.#now);
  }

  #ledger(order: number): Ledger {
    const ledger = this.#ledgers[order];
    if (ledger === undefined) throw new Error('a story names its own orders');
    return ledger;
  }

  #count(what: string): void {
    this.#tally.set(what, (this.#tally.get(what) ?? 0) + 1);
  }

  /** What every document counts now, by its subject. */
  async #sums() {
    const sums = [];
    for (const subjects of SUBJECTS) {
      const request = checkOf({ orderId: 'look', subjects, dryRun: true });
      const look = await this.#limits.check(request, this.#now);
      if (look.kind === 'undecided') throw new Error('a store under test decides');
      for (const { rule, used, held } of look.rules) {
        const kind = rule.id as Kind; // `rulesOf` names them so
        const per: readonly (keyof typeof subjects)[] = PER[kind].per;
        const id = per.map((one) => subjects[one]).join(' and ');
        const ledgers = this.#ledgers.filter(({ order }) =>
          per.every((one) => order.subjects[one] === subjects[one]),
        );
        const [usedNow, heldNow] = [used?.amountMinor ?? 0, held?.amountMinor ?? 0];
        sums.push({ kind, id, ledgers, used: usedNow, held: heldNow } as const);
      }
    }
    return sums;
  }

  async #expectWithinMaxima(): Promise<void> {
    for (const { kind, id, ledgers, used, held } of await this.#sums()) {
      const excess = ledgers.reduce((sum, ledger) => sum + ledger.excess(FINAL_MOST), 0);
      expect(used + held, `${id}: used and held`).toBeLessThanOrEqual(MAX[kind] + excess);
      const told = ledgers.reduce((sum, ledger) => sum + ledger.held(this.#now), 0);
      expect(held, `${id}: all that is held for somebody`).toBeGreaterThanOrEqual(told);
      const counted = ledgers.reduce((sum, ledger) => sum + ledger.counted(kind === 'user'), 0);
      expect(used, `${id}: all that was counted`).toBeGreaterThanOrEqual(counted);
    }
  }

  async #expectWhatWasTold(): Promise<void> {
    for (const { kind, id, ledgers, used, held } of await this.#sums()) {
      const bounds = ledgers.map((ledger) => ledger.used(kind === 'user'));
      const least = bounds.reduce((sum, each) => sum + each.least, 0);
      const most = bounds.reduce((sum, each) => sum + each.most, 0);
      expect({ id, held }).toEqual({ id, held: 0 });
      expect(used, `${id}: all that was confirmed`).toBeGreaterThanOrEqual(least);
      expect(used, `${id}: nothing that was not`).toBeLessThanOrEqual(most);
    }
  }
}

/** The orders of a call, and what it does to each. */
function partsOf(
  call: Exclude<StoryCall, { do: 'refund' }>,
): readonly { readonly order: number; readonly what: 'check' | StoryMessage['status'] }[] {
  switch (call.do) {
    case 'check':
      return [{ order: call.order, what: 'check' }];
    case 'checks':
      return call.orders.map((order) => ({ order, what: 'check' }));
    case 'confirm':
      return [{ order: call.order, what: 'SUCCESS' }];
    case 'rollback':
      return [{ order: call.order, what: 'FAIL' }];
    case 'events':
      return call.messages.map(({ order, status }) => ({ order, what: status }));
  }
}
