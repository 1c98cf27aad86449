/** What must be true of counters of failures: each rollback counts there once, by the code that home has. */
import { Broken } from './broken.ts';
import type { Running } from './moves.ts';
import type { Heard } from './perform.ts';
import { HAPPENED_AT } from './perform.ts';
import type { CountedFailures } from './scene-rules.ts';
import { failureCounters, isFailure } from './scene-rules.ts';
import type { SceneSettlement } from './scene.ts';
import {
  allDocuments,
  amountOf,
  documentsOf,
  finalAmountOf,
  homeOf,
  idOf,
  orderIn,
  twinsOf,
} from './scene.ts';
import type { Stage } from './stage.ts';
import type { Stored, StoredHold } from './stored.ts';
import {
  bucketsOf,
  expiredOf,
  forgotUntilOf,
  holdsOf,
  keptOf,
  outcomesOf,
  untilOf,
} from './stored.ts';
import { kindOf } from './watch-documents.ts';

/** A rollback as home has it. */
type Failed = { readonly order: number; readonly code: string | undefined };

/** By document and name of a bucket: orders that a step must count there, and those that it may. */
type Expected = Map<string, { readonly must: number[]; readonly may: number[] }>;

const NOTHING = { usedAmount: 0, usedCount: 0 };
const NO_BUCKET = { counter: '', until: 0 };

export class FailureWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  readonly #counters: ReadonlyMap<string, CountedFailures>;
  readonly #isForgotten: (order: number) => boolean;
  #before = new Map<string, Stored>();
  /** By nonce: rollbacks that home has decided. */
  readonly #failed = new Map<string, Failed>();

  /** @param isForgotten whether home may have forgotten an order, so that it comes as a new one */
  constructor(stage: Stage, isForgotten: (order: number) => boolean) {
    this.#stage = stage;
    this.#isForgotten = isForgotten;
    this.#names = allDocuments(stage.scene);
    this.#counters = failureCounters(stage.ruleSets);
  }

  get isWatching(): boolean {
    return this.#counters.size > 0;
  }

  /** Compares what a step changed with what it decided. @throws Broken */
  look(about: Running | 'time'): void {
    if (!this.isWatching) return;
    const { documents } = this.#stage;
    const changed = this.#names.filter((name) => documents.get(name) !== this.#before.get(name));
    const expected: Expected = new Map();
    if (about !== 'time') {
      for (const name of changed) this.#decideAtHome(name, about, expected);
      for (const name of changed) this.#followBeside(name, about, expected);
      for (const name of changed) this.#compareCaptures(name, about);
    }
    for (const name of changed) this.#compareUsed(name, expected);
    this.#before = new Map(documents);
  }

  /** Whose rollback is answered has no share left in any document: each of them counts it, or need not. */
  hear({ order, kind }: Heard): void {
    if (!this.isWatching || kind !== 'rolledBack' || this.#isForgotten(order)) return;
    const scene = orderIn(this.#stage.scene, order);
    const home = homeOf(scene);
    for (const name of documentsOf(scene)) {
      const stored = this.#stage.documents.get(name);
      for (const { nonce, home: other } of [...holdsOf(stored), ...keptOf(stored)])
        if (other === home && this.#failed.get(nonce)?.order === order)
          throw new Broken('rolled back, and a share is left', `${scene.orderId} in ${name}`);
    }
  }

  /** The first code stands. It is that of the call which decided, and counts wherever home had the order. */
  #decideAtHome(name: string, about: Running, expected: Expected): void {
    const before = this.#before.get(name);
    for (const { id, nonce, amount, state, reasonCode: code } of outcomesOf(
      this.#stage.documents.get(name),
    )) {
      const order = this.#orderOf(id, amount, name);
      if (state !== 'rolledBack' || order === undefined) continue;
      const broken = (invariant: string): Broken =>
        new Broken(invariant, `${id} in ${name}, for ${code ?? 'nothing'}`);
      const known = this.#failed.get(nonce);
      if (known !== undefined && known.code !== code) throw broken('rolled back for another code');
      if (known !== undefined) continue;
      if (!this.#codesAsked(about, order).includes(code))
        throw broken('rolled back for a code that nobody asked');
      this.#failed.set(nonce, { order, code });
      const isMine = (hold: StoredHold): boolean => hold.nonce === nonce && hold.home === undefined;
      const open = holdsOf(before).find(isMine);
      const hold = open ?? expiredOf(before).find(isMine);
      const from = open === undefined ? this.#earliest(name, about) : -Infinity;
      if (hold !== undefined) this.#expect(name, hold, { order, code }, from, expected);
      else if (about.call.do === 'record') this.#expectRecorded({ order, code }, about, expected);
      else throw broken('rolled back, and was not held');
    }
  }

  /** Beside home a share counts by home's code, unless it had to go before. */
  #followBeside(name: string, about: Running, expected: Expected): void {
    const stored = this.#stage.documents.get(name);
    const before = this.#before.get(name);
    const left = new Set(sharesIn(stored).map(({ nonce }) => nonce));
    const kept = new Set(keptOf(before).map(({ nonce }) => nonce));
    for (const share of sharesIn(before)) {
      const failed = this.#failed.get(share.nonce);
      if (left.has(share.nonce) || failed === undefined) continue;
      if (settlementsIn(about, this.#twinsOf(failed.order)).length > 0) {
        const from = kept.has(share.nonce) ? this.#earliest(name, about) : -Infinity;
        this.#expect(name, share, failed, from, expected);
        continue;
      }
      const forgot = forgotUntilOf(stored);
      if (forgot === undefined || forgot < share.until)
        throw new Broken('a share of a failure went uncounted', `${share.id} in ${name}`);
    }
  }

  /**
   * While its window goes on, a share counts there. Once it is over, one that is open may still.
   *
   * @param from the instant from which a window may have been over when it was decided: none before it counts
   */
  #expect(
    name: string,
    { buckets }: StoredHold,
    { order, code }: Failed,
    from: number,
    expected: Expected,
  ): void {
    for (const bucket of buckets) {
      const [counter = '', end = ''] = bucket.split(' ');
      const failures = this.#counters.get(counter);
      if (failures === undefined || !isFailure(failures, code)) continue;
      const until = untilOf([counter, end]);
      const { must, may } = expectedIn(expected, `${name} ${bucket}`);
      if (until > this.#latest(name)) must.push(order);
      else if (until > from) may.push(order);
    }
  }

  /** A record counts in every document at once, in windows of its own instant that are not over. */
  #expectRecorded({ order, code }: Failed, about: Running, expected: Expected): void {
    const at = HAPPENED_AT.getTime();
    for (const name of documentsOf(orderIn(this.#stage.scene, order)))
      for (const { kind, counter, failures } of about.rules.counted) {
        if (kind !== kindOf(name) || failures === undefined || !isFailure(failures, code)) continue;
        const { windowMs } = failures;
        const until = windowMs === undefined ? Infinity : Math.floor(at / windowMs + 1) * windowMs;
        const [entered] = bucketsOf(this.#stage.documents.get(name)).filter(
          (one) => one.counter === counter && (windowMs === undefined || one.until === until),
        );
        const isLive = until > this.#latest(name);
        if (entered === undefined && isLive)
          throw new Broken('recorded, and not among failures', `${order} in ${name}`);
        if (entered === undefined) continue;
        const { must, may } = expectedIn(expected, `${name} ${entered.name}`);
        if (isLive) must.push(order);
        else if (until > this.#earliest(name, about)) may.push(order);
      }
  }

  /** A step counts what it decided, and nothing else. */
  #compareUsed(name: string, expected: Expected): void {
    const before = new Map(bucketsOf(this.#before.get(name)).map((one) => [one.name, one]));
    const now = new Map(bucketsOf(this.#stage.documents.get(name)).map((one) => [one.name, one]));
    const latest = this.#latest(name);
    for (const bucket of new Set([...before.keys(), ...now.keys()])) {
      const { counter, until } = now.get(bucket) ?? before.get(bucket) ?? NO_BUCKET;
      // What is over may be dropped; and a document that is deleted takes all of it along.
      const isDropped = !now.has(bucket) && (until <= latest || !this.#stage.documents.has(name));
      if (!this.#counters.has(counter) || isDropped) continue;
      const { usedAmount: amountBefore, usedCount: countBefore } = before.get(bucket) ?? NOTHING;
      const { usedAmount, usedCount } = now.get(bucket) ?? NOTHING;
      const more = { amount: usedAmount - amountBefore, count: usedCount - countBefore };
      const { must, may } = expectedIn(expected, `${name} ${bucket}`);
      if (
        !sumsOf(must, may).some(
          ({ amount, count }) => amount === more.amount && count === more.count,
        )
      )
        throw new Broken(
          'failures that are counted otherwise than decided',
          `${bucket} of ${name}: ${more.amount} (${more.count}) more, of orders ${must.join(' ')}, perhaps ${may.join(' ')}`,
        );
    }
  }

  /** An order that counts at once takes no place among failures, and needs one: beside those before it. */
  #compareCaptures(name: string, { call, rules }: Running): void {
    if (call.do !== 'check' && call.do !== 'checks') return;
    const before = this.#before.get(name);
    const stored = this.#stage.documents.get(name);
    const wasKnown = new Set([...holdsOf(before), ...outcomesOf(before)].map(({ nonce }) => nonce));
    const isCaptured = outcomesOf(stored).some(
      ({ id, amount, nonce, state }) =>
        state === 'confirmed' &&
        !wasKnown.has(nonce) &&
        this.#orderOf(id, amount, name) !== undefined,
    );
    if (!isCaptured) return;
    const held = holdsOf(stored).filter(({ nonce }) => !wasKnown.has(nonce));
    for (const { kind, counter, failures, max } of rules.counted) {
      if (kind !== kindOf(name) || failures === undefined) continue;
      const taken = bucketsOf(stored)
        .filter((one) => one.counter === counter && one.until > this.#latest(name))
        .reduce((sum, { usedCount, heldCount }) => sum + usedCount + heldCount, 0);
      if (taken - held.length + 1 > (max.count ?? Infinity))
        throw new Broken('counted at once without a place among failures', `${counter} of ${name}`);
    }
  }

  /** Why calls asked that an order be rolled back that this one may mean. */
  #codesAsked(about: Running, order: number): readonly (string | undefined)[] {
    const { call } = about;
    const { failed } = orderIn(this.#stage.scene, order);
    if (call.do === 'record') return failed === undefined ? [] : [failed.reasonCode];
    return settlementsIn(about, this.#twinsOf(order)).map(({ reasonCode }) => reasonCode);
  }

  #twinsOf(order: number): readonly number[] {
    return twinsOf(this.#stage.scene, order);
  }

  #orderOf(id: string, amount: number, home: string): number | undefined {
    const order = this.#stage.scene.orders.findIndex(
      (one, at) =>
        idOf(one) === id &&
        homeOf(one) === home &&
        (amount === amountOf(at) || amount === finalAmountOf(at)),
    );
    return order < 0 ? undefined : order;
  }

  /** The latest instant by which a document may decide. */
  #latest(name: string): number {
    return Math.max(...this.#stage.timesOf(name).map((at) => at.getTime()));
  }

  /** A document's instant when a call began. */
  #earliest(name: string, { startedNow }: Running): number {
    return this.#stage.clockOf(name).getTime() - (this.#stage.now - startedNow);
  }
}

function sharesIn(stored: Stored | undefined): readonly StoredHold[] {
  return [...holdsOf(stored), ...keptOf(stored)].filter(({ home }) => home !== undefined);
}

/** Rollbacks of some orders that a call asks for. */
function settlementsIn({ call }: Running, orders: readonly number[]): readonly SceneSettlement[] {
  const all = call.do === 'settle' ? [call] : call.do === 'settlements' ? call.settlements : [];
  return all.filter(({ to, order }) => to === 'rolledBack' && orders.includes(order));
}

function expectedIn(expected: Expected, bucket: string): { must: number[]; may: number[] } {
  const known = expected.get(bucket) ?? { must: [], may: [] };
  expected.set(bucket, known);
  return known;
}

/** What some orders add up to, with any of some others. */
function sumsOf(must: readonly number[], may: readonly number[]) {
  const sumOf = (orders: readonly number[]) => ({
    amount: orders.reduce((sum, order) => sum + amountOf(order), 0),
    count: orders.length,
  });
  return may
    .reduce<readonly (readonly number[])[]>(
      (all, order) => [...all, ...all.map((one) => [...one, order])],
      [must],
    )
    .map(sumOf);
}
