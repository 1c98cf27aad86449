/** Plays the table of states against the service over any store. */
import type { CheckAnswer, SettlementAnswer } from '../../lib/limits/answer.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { CheckRequest, RecordRequest, SettlementRequest } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { CrashingStore } from '../support/crashing-store.ts';
import { CrashError, crashingStore } from '../support/crashing-store.ts';
import { checkOf, orderOf, USER_DAY, limitsOver } from '../support/limits-fixture.ts';
import type { Happening, OrderState, Standing } from './states.ts';
import type { OperationName } from './table.ts';
import { happeningsOf } from './states.ts';

/** Whose the second document is: the merchant's alone, or of user and merchant together. */
export type Second = 'merchant' | 'pair';

function rulesOf(second: Second): readonly ModelRule[] {
  const lifetime = { ...USER_DAY, window: 'lifetime', max: { amount: 999 } } as const;
  const merchant: ModelRule =
    second === 'merchant'
      ? { ...lifetime, id: 'merchant', per: ['merchant'] }
      : { ...lifetime, id: 'pair', per: ['user', 'merchant'], counterparts: 'many' };
  return [{ ...lifetime, id: 'user', per: ['user'] }, merchant];
}

/** Outcomes that a document remembers, and expired shares that it keeps. */
const MEMORY = 100;

/** Another user at the same merchant. */
const BESIDE = { user: 'u-2', merchant: 'm-1' };

/** When operations of the table come. */
const NOW = instantOf(20);

/** In which call an operation comes. */
export type Way = 'one' | 'many' | 'atomic';

function instantOf(minute: number): Date {
  return new Date(Date.UTC(2026, 2, 2, 10, minute));
}

export class Player {
  readonly #state: OrderState;
  readonly #store: CrashingStore;
  readonly #limits: Limits;
  readonly #subjects: { readonly user: string; readonly merchant?: string };
  readonly #reservations: string[] = [];
  #isPast = false;

  constructor(state: OrderState, counters: CounterStore, second: Second = 'merchant') {
    this.#state = state;
    this.#store = crashingStore(counters);
    let nonces = 0;
    const { lanes } = counters;
    const learning: CounterStore = {
      ...this.#store.counters,
      lanes: {
        ...lanes,
        // In its past each check of two documents reads first, so that its steps have their numbers.
        takesPlain: (document, call) => !this.#isPast && lanes.takesPlain(document, call),
      },
    };
    this.#limits = limitsOver(learning, rulesOf(second), {
      nonce: () => `h-${nonces++}`, // each add looks for what is over
      openHoldsMax: 2 * MEMORY,
    });
    this.#subjects = { user: 'u-1', ...(state.documents === 2 ? { merchant: 'm-1' } : {}) };
  }

  async live(): Promise<void> {
    this.#isPast = true;
    for (const happening of happeningsOf(this.#state)) await this.#happens(happening);
    this.#isPast = false;
  }

  /** Asks the operation and gives the answer in the words of the table. */
  async ask(operation: OperationName, way: Way): Promise<string> {
    if (operation === 'record' || operation === 'recordOther')
      return this.#record(operation === 'record' ? 300 : 301, way);
    const asked = this.#asked(operation);
    if ('to' in asked) return this.#settle(asked, way);
    return this.#check(asked, way);
  }

  /** How the order stands. It is the last thing asked: the confirm may count. */
  async standing(): Promise<Standing> {
    const [user, merchant] = await this.#sums();
    const look = await this.ask('look', 'one');
    const end = await this.ask('confirm', 'one');
    if (user === undefined) throw new Error('the user has a rule');
    return { look, end, user, ...(merchant === undefined ? {} : { merchant }) };
  }

  async #happens(happening: Happening): Promise<void> {
    const at = instantOf(happening.minute);
    switch (happening.do) {
      case 'check':
      case 'capture':
      case 'confirm':
      case 'confirm 2.00':
      case 'rollback':
      case 'record':
        await this.#lives(happening.do, happening.diesAfter, at);
        return;
      case 'fill user': {
        const { user } = this.#subjects;
        const { amountMinor } = happening;
        await this.#other({ orderId: 'fill', subjects: { user }, amountMinor }, at);
        return;
      }
      case 'fill merchant': {
        const { amountMinor } = happening;
        await this.#other({ orderId: 'fill', subjects: BESIDE, amountMinor }, at);
        return;
      }
      case 'sweep':
        await this.#other({ orderId: 'sweep', amountMinor: 0 }, at);
        return;
      case 'sweep merchant':
        await this.#other({ orderId: 'sweep', subjects: BESIDE, amountMinor: 0 }, at);
        return;
      case 'forget': {
        const { user } = this.#subjects;
        await this.#others({ subjects: { user }, capture: true }, at);
        return;
      }
      case 'crowd merchant':
        await this.#others({ subjects: BESIDE }, at);
    }
  }

  async #lives(
    what: 'check' | 'capture' | 'confirm' | 'confirm 2.00' | 'rollback' | 'record',
    diesAfter: number | undefined,
    at: Date,
  ): Promise<void> {
    this.#store.crash(diesAfter === undefined ? undefined : { at: diesAfter - 1, moment: 'after' });
    try {
      if (what === 'check' || what === 'capture') {
        const answer = await this.#limits.check(this.#order({}), at);
        if (answer.kind === 'allowed' && answer.reservation !== undefined)
          this.#reservations.push(answer.reservation);
      } else if (what === 'rollback') await this.#limits.rollback(this.#named(), at);
      else if (what === 'record') await this.#limits.recordMany([this.#payment(300)], at);
      else {
        const final = what === 'confirm 2.00' ? { amountMinor: 200 } : {};
        await this.#limits.confirm({ ...this.#named(), ...final }, at);
      }
    } catch (error) {
      if (!(error instanceof CrashError)) throw error;
    }
    if (this.#store.isDead() !== (diesAfter !== undefined))
      throw new Error('a caller dies where it was to die, and only there');
    this.#store.crash();
  }

  #asked(
    operation: Exclude<OperationName, 'record' | 'recordOther'>,
  ): (CheckRequest | SettlementRequest) & { orderId: string } {
    const [older] = this.#reservations;
    const newest = this.#reservations.at(-1);
    switch (operation) {
      case 'check':
        return this.#order({});
      case 'checkOther':
        return this.#order({ amountMinor: 301 });
      case 'capture':
        return this.#order({ capture: this.#state.captures === undefined });
      case 'look':
        return this.#order({ dryRun: true });
      case 'lookOther':
        return this.#order({ amountMinor: 301, dryRun: true });
      case 'confirm':
        return { ...this.#named(), to: 'confirmed' };
      case 'confirmLess':
        return { ...this.#named(), to: 'confirmed', amountMinor: 200 };
      case 'confirmReserved':
        return { ...reserved(newest), to: 'confirmed' };
      case 'confirmReplaced':
        return { ...reserved(older), to: 'confirmed' };
      case 'rollback':
        return { ...this.#named(), to: 'rolledBack' };
      case 'rollbackReserved':
        return { ...reserved(newest), to: 'rolledBack' };
      case 'rollbackReplaced':
        return { ...reserved(older), to: 'rolledBack' };
    }
  }

  #order(request: Partial<CheckRequest>): CheckRequest {
    const capture = this.#state.captures ?? false;
    const order = { orderId: 'o-1', subjects: this.#subjects, amountMinor: 300, capture };
    return checkOf({ ...order, ...request });
  }

  /** The payment of the order, at the instant that it always happened at. */
  #payment(amountMinor: number, orderId = 'o-1'): RecordRequest {
    const { appId, currency, count, attributes, subjects } = this.#order({});
    const happenedAt = instantOf(5);
    return { appId, orderId, happenedAt, subjects, amountMinor, currency, count, attributes };
  }

  async #record(amountMinor: number, way: Way): Promise<string> {
    return said(async () => {
      const payment = this.#payment(amountMinor);
      const payments = way === 'one' ? [payment] : [this.#payment(0, 'beside'), payment];
      const result = (await this.#limits.recordMany(payments, NOW)).at(-1);
      if (result?.kind !== 'answered') throw result?.error;
      return words('recorded', result.answer.repeated && 'repeated');
    });
  }

  #named(): ReturnType<typeof orderOf> {
    return orderOf('o-1', this.#subjects);
  }

  async #other(request: Partial<CheckRequest>, at: Date): Promise<void> {
    const { kind } = await this.#limits.check(this.#order({ ...request, capture: false }), at);
    if (kind !== 'allowed') throw new Error('another order has room');
  }

  /** So many other orders of nothing that a document cuts what it remembers. A call makes it forget nothing from before. */
  async #others(request: Partial<CheckRequest>, at: Date): Promise<void> {
    const other = (index: number): CheckRequest =>
      this.#order({ orderId: `later-${index}`, amountMinor: 0, capture: false, ...request });
    const all = Array.from({ length: MEMORY * 1.5 + 1 }, (_, index) => other(index));
    for (const orders of [all.slice(0, MEMORY), all.slice(MEMORY)])
      for (const result of await this.#limits.checkMany(orders, false, at))
        if (result.kind === 'failed') throw result.error;
  }

  async #check(request: CheckRequest, way: Way): Promise<string> {
    return said(async () => {
      if (way === 'one') return checkSays(await this.#limits.check(request, NOW));
      const beside = this.#order({ orderId: 'beside', amountMinor: 0, capture: false });
      const [, result] = await this.#limits.checkMany([beside, request], way === 'atomic', NOW);
      if (result?.kind !== 'answered') throw result?.error;
      return checkSays(result.answer);
    });
  }

  async #settle(request: SettlementRequest, way: Way): Promise<string> {
    return said(async () => {
      if (way === 'one') return settlementSays(await this.#settleOne(request));
      const beside = { ...orderOf('beside', this.#subjects), to: 'rolledBack' } as const;
      const [, result] = await this.#limits.settleMany([beside, request], NOW);
      if (result?.kind !== 'answered') throw result?.error;
      return settlementSays(result.answer);
    });
  }

  async #settleOne({ to, ...request }: SettlementRequest): Promise<SettlementAnswer> {
    const { confirm, rollback } = this.#limits;
    return to === 'confirmed' ? confirm(request, NOW) : rollback(request, NOW);
  }

  async #sums(): Promise<readonly Standing['user'][]> {
    const look = await this.#limits.check(this.#order({ orderId: 'look', dryRun: true }), NOW);
    if (look.kind === 'undecided') throw new Error('a store under test decides');
    const { user, merchant } = this.#state.beside ?? {};
    return look.rules.map(({ rule, used, held }) => {
      const beside = rule.id === 'user' ? user : merchant;
      return {
        used: (used?.amountMinor ?? 0) - (beside?.used ?? 0),
        held: (held?.amountMinor ?? 0) - (beside?.held ?? 0),
      };
    });
  }
}

function reserved(token: string | undefined): ReturnType<typeof orderOf> {
  if (token === undefined) throw new Error('a reservation is asked for only where there is one');
  return { appId: 'default', orderId: 'o-1', whereabouts: { kind: 'reservation', token } };
}

async function said(answer: () => Promise<string>): Promise<string> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof HeadroomError) return error.code;
    throw error;
  }
}

function checkSays(answer: CheckAnswer): string {
  if (answer.kind !== 'allowed') return answer.kind;
  if (answer.state === 'none') return 'would be allowed';
  return words(
    'allowed',
    answer.repeated && 'repeated',
    answer.state === 'confirmed' && 'confirmed',
  );
}

function settlementSays(answer: SettlementAnswer): string {
  if (answer.state === 'rolledBack') return words('rolled back', answer.repeated && 'repeated');
  const { late, repeated, uncounted } = answer;
  const amount = (answer.amount / 100).toFixed(2);
  return words(
    ...['confirmed', amount !== '3.00' && amount, late && 'late', repeated && 'repeated'],
    uncounted !== undefined && `not at ${uncounted.join()}`,
  );
}

function words(...said: readonly (string | false)[]): string {
  return said.filter((word) => word !== false).join(', ');
}
