/**
 * What documents count must be what they hold and what ended there, in counters of every kind: each says by its rule
 * how much an end counts.
 */
import { digestOf } from '../../lib/shared/digest.ts';
import { countsEnd } from '../model/model-rules.ts';
import { Broken } from './broken.ts';
import type { Ended } from './stored.ts';
import type { Running } from './moves.ts';
import { HAPPENED_AT } from './perform.ts';
import { refundedIn } from './refunded.ts';
import type { CounterRule } from './scene-rules.ts';
import { enteredBy, isInEffect, isOfExpired } from './scene-rules.ts';
import { allDocuments, amountOf, orderIn } from './scene.ts';
import type { Stage } from './stage.ts';
import type { Stored, StoredBucket } from './stored.ts';
import { bucketsOf, holdsOf, untilOf, valuesOf } from './stored.ts';
import { kindOf } from './watch-documents.ts';

/** An amount, a count, and the counts of cards. */
type Counts = Readonly<Record<string, number>>;

/** What ended and may count in a bucket, or in any bucket of a counter. */
type Expected = { readonly must: Counts[]; readonly may: Counts[] };

export class CountedWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  /** By counter, that of what lowers a sum among them. */
  readonly #rules: ReadonlyMap<string, CounterRule>;
  /** By document and bucket that it ever had: what was used there, as if nothing had been given back. */
  readonly #used = new Map<string, Map<string, Counts>>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#names = allDocuments(stage.scene);
    this.#rules = stage.rulesByCounter;
  }

  /** @param ended by document that the step changed: what it ended there. @throws Broken */
  look(about: Running | 'time', ended: ReadonlyMap<string, readonly Ended[]>): void {
    for (const name of this.#names) {
      if (!ended.has(name) && this.#stage.scene.audit === undefined) continue;
      const stored = this.#stage.documents.get(name);
      const buckets = bucketsOf(stored).filter(({ counter }) => this.#rules.has(counter));
      const isChanged = ended.has(name);
      if (isChanged) for (const bucket of buckets) this.#compareHeld(name, bucket, stored);
      const before = this.#used.get(name) ?? new Map<string, Counts>();
      const now = this.#usedIn(name, buckets, before);
      this.#used.set(name, now);
      if (stored !== undefined)
        this.#compareUsed(name, before, now, this.#expected(name, ended.get(name) ?? [], about));
    }
  }

  /** Beside what is used, a bucket counts the holds that entered it. */
  #compareHeld(name: string, bucket: StoredBucket, stored: Stored | undefined): void {
    const { heldAmount, heldCount } = bucket;
    const values = valuesOf(stored).find((one) => one.name === bucket.name);
    const all: Record<string, number> = {};
    for (const hold of holdsOf(stored)) {
      if (!hold.buckets.includes(bucket.name)) continue;
      const amount = values === undefined ? hold.amount : 0;
      const cards = values === undefined ? [] : Object.values(hold.v ?? {});
      addTo(all, {
        amount,
        count: hold.count,
        ...Object.fromEntries(cards.map((one) => [one, hold.count])),
      });
    }
    const said: Record<string, number> = { amount: heldAmount, count: heldCount };
    addTo(said, values?.allOf ?? {});
    addTo(said, plus({}, values?.usedOf ?? {}, -1));
    if (!isSame(all, said))
      throw new Broken(
        'sums that disagree with the holds',
        `${bucket.name} of ${name} holds ${textOf(said)}, in holds ${textOf(all)}`,
      );
  }

  /** What buckets have used that are there, or ever were. */
  #usedIn(
    name: string,
    buckets: readonly StoredBucket[],
    before: ReadonlyMap<string, Counts>,
  ): Map<string, Counts> {
    const values = valuesOf(this.#stage.documents.get(name));
    const there = new Map(buckets.map((bucket) => [bucket.name, bucket]));
    return new Map(
      [...new Set([...before.keys(), ...there.keys()])].map((bucket) => {
        const { usedAmount = 0, usedCount = 0 } = there.get(bucket) ?? {};
        const used: Record<string, number> = { amount: usedAmount, count: usedCount };
        addTo(used, values.find((one) => one.name === bucket)?.usedOf ?? {});
        for (const { order, amount, count } of refundedIn(this.#stage, name, bucket))
          addTo(used, this.#countsOf(bucket, order, amount, count));
        return [bucket, used] as const;
      }),
    );
  }

  /** By bucket, and by counter where an order counts without a hold: what must and may count there. */
  #expected(name: string, ended: readonly Ended[], about: Running | 'time') {
    const expected = new Map<string, Expected>();
    for (const one of ended)
      if (one.hold !== undefined)
        for (const bucket of one.hold.buckets) this.#expect(expected, name, bucket, one, about);
      else if (about !== 'time') this.#expectAtOnce(expected, name, one, about);
    return expected;
  }

  /** While its window goes on, what ends counts there. Once it is over, what is open may still. */
  #expect(
    expected: Map<string, Expected>,
    name: string,
    bucket: string,
    ended: Ended,
    about: Running | 'time',
  ): void {
    const rule = this.#rules.get(counterOf(bucket));
    if (rule === undefined || about === 'time') return;
    const { hold, order, amount, to, code, wasOver } = ended;
    const held = hold?.amount ?? amountOf(order);
    const isCounted = countsEnd(rule.ends, to, code) ? 1 : 0;
    // An order that expired counts as expired until a late confirm or rollback ends it.
    const wasCounted = wasOver && isOfExpired(rule) ? 1 : 0;
    if (isCounted + wasCounted === 0) return;
    const sum = isCounted * (to === 'confirmed' ? amount : held) - wasCounted * held;
    const counts = this.#countsOf(bucket, order, sum, isCounted - wasCounted);
    const until = untilOf(bucket.split(' '));
    // It may have been over when this was decided: at no earlier instant than the call began.
    const from = wasOver ? this.#earliest(name, about) : -Infinity;
    const { must, may } = expectedIn(expected, bucket);
    if (until > this.#latest(name)) must.push(counts);
    else if (until > from) may.push(counts);
  }

  /** An order that counts without a hold does so in one bucket of every rule that its call knew. */
  #expectAtOnce(expected: Map<string, Expected>, name: string, ended: Ended, about: Running): void {
    const { call, rules, beganAt = this.#stage.now } = about;
    const now = this.#stage.clockOf(name);
    const began = new Date(now.getTime() - (this.#stage.now - beganAt));
    // A record happened before. A commit decided at any instant since it began.
    const at = call.do === 'record' ? HAPPENED_AT : began < now ? began : undefined;
    const times = call.do === 'record' ? [HAPPENED_AT] : [began, ...this.#stage.timesOf(name)];
    const { order, amount, to, code } = ended;
    for (const rule of rules.counted) {
      if (rule.kind !== kindOf(name) || !countsEnd(rule.ends, to, code)) continue;
      const counter = enteredBy(rule, orderIn(this.#stage.scene, order));
      const { must, may } = expectedIn(expected, counter);
      const sum = to === 'confirmed' ? amount : amountOf(order);
      const counts = this.#countsOf(counter, order, sum, 1);
      // A trial may leave it out.
      const until = at === undefined ? rule.windowMs && Infinity : endAfter(at, rule);
      const isEver = times.some((one) => isInEffect(rule, one));
      const isAlways = rule.isShadow !== true && times.every((one) => isInEffect(rule, one));
      if (until === undefined) may.push(counts);
      else if (isAlways && until > this.#latest(name)) must.push(counts);
      else if (isEver && until > this.#earliest(name, about)) may.push(counts);
    }
  }

  #countsOf(bucket: string, order: number, amount: number, count: number): Counts {
    if (this.#rules.get(counterOf(bucket))?.isOfCards !== true) return { amount, count };
    const { card } = orderIn(this.#stage.scene, order);
    return { amount: 0, count, ...(card && { [digestOf(card)]: count }) };
  }

  #compareUsed(
    name: string,
    before: ReadonlyMap<string, Counts>,
    now: ReadonlyMap<string, Counts>,
    expected: ReadonlyMap<string, Expected>,
  ): void {
    const latest = this.#latest(name);
    const there = new Set(bucketsOf(this.#stage.documents.get(name)).map((one) => one.name));
    const inAll = new Map<string, Counts[]>();
    for (const [bucket, used] of now) {
      // What is over may be dropped.
      if (!there.has(bucket) && untilOf(bucket.split(' ')) <= latest) continue;
      const counter = counterOf(bucket);
      const more = plus(used, before.get(bucket) ?? {}, -1);
      const { must, may } = expected.get(bucket) ?? NOTHING;
      const { must: one, may: other } = expected.get(counter) ?? NOTHING;
      const rest = plus(
        more,
        must.reduce((sum, each) => plus(sum, each), {}),
        -1,
      );
      inAll.set(counter, [...(inAll.get(counter) ?? []), rest]);
      // A refund names all windows of its order, and one that was counted late may have entered none that was over.
      const late = refundedIn(this.#stage, name, bucket)
        .filter(({ isLate }) => isLate)
        .map(({ order, amount, count }) => this.#countsOf(counter, order, amount, count));
      if (!isSumOf(rest, [...may, ...one, ...other, ...late]))
        this.#fail(name, bucket, more, { must, may });
    }
    for (const [counter, { must, may }] of expected) {
      if (counter.includes(' ')) continue;
      const rest = (inAll.get(counter) ?? []).reduce((sum, each) => plus(sum, each), {});
      const mays = [...expected].flatMap(([bucket, one]) =>
        bucket.startsWith(`${counter} `) ? one.may : [],
      );
      const sure = must.reduce((sum, each) => plus(sum, each), {});
      if (!isSumOf(plus(rest, sure, -1), [...mays, ...may]))
        this.#fail(name, counter, rest, { must, may });
    }
  }

  #fail(name: string, where: string, more: Counts, { must, may }: Expected): never {
    throw new Broken(
      'counted otherwise than decided',
      `${where} of ${name}: ${textOf(more)} more, expected ${must.map(textOf).join(' and ') || 'nothing'}, perhaps ${may.map(textOf).join(' and ') || 'nothing'}`,
    );
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

/** When the window ends that has an instant; undefined where it is not known. */
function endAfter(at: Date, { windowMs }: CounterRule): number | undefined {
  return windowMs === Infinity || windowMs === undefined
    ? windowMs
    : Math.floor(at.getTime() / windowMs + 1) * windowMs;
}

const NOTHING: Expected = { must: [], may: [] };

const counterOf = (bucket: string): string => bucket.split(' ')[0] ?? '';

function expectedIn(expected: Map<string, Expected>, where: string): Expected {
  const known = expected.get(where) ?? { must: [], may: [] };
  expected.set(where, known);
  return known;
}

function addTo(sum: Record<string, number>, counts: Counts): void {
  for (const [of, by] of Object.entries(counts)) sum[of] = (sum[of] ?? 0) + by;
}

function plus(one: Counts, other: Counts, times = 1): Counts {
  const sum = { ...one };
  for (const [of, by] of Object.entries(other)) sum[of] = (sum[of] ?? 0) + times * by;
  return sum;
}

function isSame(one: Counts, other: Counts): boolean {
  return Object.values(plus(one, other, -1)).every((sum) => sum === 0);
}

/** Whether something is the sum of any of some others. */
function isSumOf(sum: Counts, [first, ...others]: readonly Counts[]): boolean {
  if (first === undefined) return isSame(sum, {});
  return isSumOf(sum, others) || isSumOf(plus(sum, first, -1), others);
}

function textOf(counts: Counts): string {
  return Object.entries(counts)
    .map(([of, sum]) => `${sum} ${of}`)
    .join(', ');
}
