/** Sums that something lowers must be as decided: payments enter them, and payouts the counter of what lowers them. */
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import { Broken } from './broken.ts';
import { rowsIn } from './memory-audit.ts';
import type { Running } from './moves.ts';
import type { Heard } from './perform.ts';
import { isIn } from './refunded.ts';
import { hasRoom } from './room.ts';
import type { CounterRule } from './scene-rules.ts';
import { enteredBy } from './scene-rules.ts';
import {
  allDocuments,
  heldAmountsOf,
  documentsOf,
  homeOf,
  orderIn,
  ordersOf,
  timesIn,
} from './scene.ts';
import type { Stage } from './stage.ts';
import type { Stored } from './stored.ts';
import { bucketsOf, expiredOf, holdsOf, keptOf, outcomesOf, untilOf } from './stored.ts';
import { kindOf } from './watch-documents.ts';

/** A level's counters, of what raises it and what lowers it, beside that of all payments under the same rules. */
type Level = { readonly kind: string; readonly rule: CounterRule; readonly all: string };

export class LevelWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  readonly #levels: readonly Level[];
  readonly #isForgotten: (order: number) => boolean;
  #before = new Map<string, Stored>();
  /** By document and name of a bucket that it ever had: the sum that is used there, as if nothing had been given back. */
  readonly #used = new Map<string, number>();
  /** By call: its rules that something lowers, which had room for its orders all the time. */
  readonly #followed = new Map<Running, Map<CounterRule, boolean>>();

  /** @param isForgotten whether home may have forgotten an order, so that it comes as a new one */
  constructor(stage: Stage, isForgotten: (order: number) => boolean) {
    this.#stage = stage;
    this.#isForgotten = isForgotten;
    this.#names = allDocuments(stage.scene);
    this.#levels = stage.ruleSets.flatMap(({ counted, counters }) =>
      counted
        .filter(({ lowering }) => lowering !== undefined)
        .map((rule) => ({ rule, kind: rule.kind, all: counters[rule.kind] ?? '' })),
    );
  }

  /** Compares what a step used with what it decided. @throws Broken */
  look(about: Running | 'time'): void {
    if (this.#levels.length === 0) return;
    for (const name of this.#names) {
      const more = this.#usedMore(name);
      if (about === 'time') continue;
      const ends = new Set([...more.keys()].map((bucket) => bucket.split(' ')[1] ?? ''));
      for (const end of ends)
        if (untilOf(['', end]) > this.#latest(name)) this.#compare(name, end, more, about);
    }
    this.#follow(about);
    this.#before = new Map(this.#stage.documents);
  }

  /** A rule that something lowers refuses where it had no room for what it counts. @throws Broken */
  hear({ order, running }: Pick<Heard, 'order' | 'running'>, answer: CheckAnswer): void {
    if (answer.kind !== 'refused') return;
    for (const [rule, hadRoom] of this.#followed.get(running) ?? []) {
      const refuses = answer.rules.some(
        (one) => one.rule.id === rule.rule && one.outcome === 'exceeded',
      );
      const isCounted = enteredBy(rule, orderIn(this.#stage.scene, order)) === rule.counter;
      if (refuses && (hadRoom || !isCounted))
        throw new Broken('refused by a level that had room', `${running.call.name}: ${rule.rule}`);
    }
  }

  /** How much more is used in each bucket than before, whatever was given back. */
  #usedMore(name: string): ReadonlyMap<string, readonly [before: number, now: number]> {
    const { documents } = this.#stage;
    const more = new Map<string, readonly [number, number]>();
    const now = new Map(
      bucketsOf(documents.get(name)).map(({ name: bucket, usedAmount }) => [bucket, usedAmount]),
    );
    for (const bucket of now.keys())
      if (!this.#used.has(`${name} ${bucket}`)) this.#used.set(`${name} ${bucket}`, 0);
    // Where refunds leave amounts, their rows say nothing of these buckets.
    const { audit, emptied = false } = this.#stage.scene;
    const refunds =
      audit === undefined || emptied
        ? []
        : rowsIn(documents).filter(({ outcome }) => outcome === 'refunded');
    for (const [key, before] of this.#used) {
      if (!key.startsWith(`${name} `)) continue;
      const bucket = key.slice(name.length + 1);
      const used = refunds
        .filter((row) => isIn(row, name, bucket))
        .reduce((sum, { amountMinor = 0 }) => sum + amountMinor, now.get(bucket) ?? 0);
      more.set(bucket, [before, used]);
      this.#used.set(key, used);
    }
    return more;
  }

  /** Where a step counts an order among all payments, it does so in the level's bucket that the order entered. */
  #compare(
    name: string,
    end: string,
    more: ReadonlyMap<string, readonly [before: number, now: number]>,
    about: Running,
  ): void {
    const { scene } = this.#stage;
    const levels = this.#levels.filter(({ kind }) => kind === kindOf(name));
    for (const [order, known] of scene.orders.entries()) {
      const usedIn = (counter: string) => {
        const [before, now] = (more.get(`${counter} ${end}`) ?? [0, 0]).map((sum) =>
          timesIn(sum, order),
        );
        return [
          (now?.asked ?? 0) - (before?.asked ?? 0),
          (now?.final ?? 0) - (before?.final ?? 0),
        ].join();
      };
      for (const { rule, all } of levels) {
        const payments = usedIn(all);
        for (const counter of [rule.counter, rule.lowering ?? '']) {
          const isCounted = usedIn(counter) !== '0,0';
          const entered = this.#entered(name, order, `${counter} ${end}`, about);
          const isMeant = counter === enteredBy(rule, known);
          const isTrue = isCounted
            ? isMeant && entered.includes(true) && usedIn(counter) === payments
            : payments === '0,0' || entered.includes(false);
          if (!isTrue)
            throw new Broken(
              'a level that is counted otherwise than decided',
              `${counter} ${end} of ${name}: ${known.orderId}, ${usedIn(counter)} more, and ${payments} of all payments`,
            );
        }
      }
    }
  }

  /** Whether shares of an order that a step may have counted had entered a bucket: both where it cannot be told. */
  #entered(name: string, order: number, bucket: string, about: Running): readonly boolean[] {
    const { documents, scene } = this.#stage;
    const all = (stored: Stored | undefined) => [
      ...holdsOf(stored),
      ...keptOf(stored),
      ...expiredOf(stored),
    ];
    const left = new Set(all(documents.get(name)).map(({ nonce }) => nonce));
    const gone = all(this.#before.get(name)).filter(
      ({ nonce, amount }) => heldAmountsOf(scene, order).includes(amount) && !left.has(nonce),
    );
    const decided = outcomesOf(documents.get(homeOf(orderIn(scene, order)))).filter(
      ({ state, nonce }) => state === 'confirmed' && gone.some((one) => one.nonce === nonce),
    );
    const mine = gone.filter(({ nonce }) => decided.some((one) => one.nonce === nonce));
    const shares = mine.length > 0 ? mine : gone;
    if (shares.length > 0) return shares.map(({ buckets }) => buckets.includes(bucket));
    // It counts at once, or is recorded, by the rules of its call.
    const [counter = ''] = bucket.split(' ');
    const isKnown = about.rules.counted.some(
      (rule) => rule.kind === kindOf(name) && enteredBy(rule, orderIn(scene, order)) === counter,
    );
    return [isKnown];
  }

  /** Looks at every check that runs, whether rules that something lowers have room for it. */
  #follow(about: Running | 'time'): void {
    const { scene, documents } = this.#stage;
    if (about !== 'time' && isChecking(about) && !this.#followed.has(about)) {
      const rules = about.rules.counted.filter(({ lowering }) => lowering !== undefined);
      this.#followed.set(about, new Map(rules.map((rule) => [rule, true])));
    }
    for (const [running, hadRoom] of this.#followed) {
      if (running.state !== 'running' && running !== about) continue;
      const { call, rules } = running;
      const all = ordersOf(call);
      for (const name of new Set(all.flatMap((order) => documentsOf(orderIn(scene, order)))))
        for (const at of this.#stage.timesOf(name))
          for (const [rule, had] of hadRoom)
            hadRoom.set(
              rule,
              had &&
                (rule.kind !== kindOf(name) ||
                  hasRoom({
                    ...{ document: documents.get(name), kind: rule.kind, at, rules },
                    orders: all.filter((one) => documentsOf(orderIn(scene, one)).includes(name)),
                    orderOf: (one) => orderIn(scene, one),
                    isNew: this.#isForgotten,
                    asks: (one) => one === rule,
                  })),
            );
    }
  }

  #latest(name: string): number {
    return Math.max(...this.#stage.timesOf(name).map((at) => at.getTime()));
  }
}

function isChecking({ call }: Running): boolean {
  return call.do === 'check' || call.do === 'checks' || call.do === 'dryRun';
}
