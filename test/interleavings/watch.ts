/** What callers are told must agree: with each other, and with the documents. */
import type { Followed } from './book.ts';
import { Book } from './book.ts';
import { rulesOf } from './scene-rules.ts';
import type { Scene, SceneSettlement } from './scene.ts';
import { amountOf, documentsOf, finalAmountOf, ordersOf, timesIn, timesOf } from './scene.ts';
import type { Running } from './moves.ts';
import type { Stage } from './stage.ts';
import { AnswerWatch } from './watch-answers.ts';
import { Broken } from './broken.ts';
import { DocumentWatch, describeSums } from './watch-documents.ts';
import { ShareWatch } from './watch-shares.ts';

/**
 * Statements of one order that a call may make while nobody disturbs it: in each of three documents it reads,
 * releases what lapsed and writes, all in a commit, and once more where time went on in the first.
 */
const ALONE_MAX = 45;

/** Judges a story while it is told. */
export class Watch {
  readonly documents: DocumentWatch;
  readonly #shares: ShareWatch;
  readonly #stage: Stage;
  readonly #scene: Scene;
  readonly #book: Book;
  readonly #answers: AnswerWatch;
  readonly #followed = new Map<Running, Followed>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#scene = stage.scene;
    const rules = rulesOf(stage.scene);
    this.documents = new DocumentWatch(stage.scene, rules);
    this.#shares = new ShareWatch(stage, rules.counters);
    this.#book = new Book(stage.scene);
    this.#answers = new AnswerWatch(stage, this.#book, {
      followed: (running) => this.#followed.get(running),
      shares: this.#shares,
    });
  }

  /**
   * Looks at everything after a move.
   *
   * @throws Broken
   */
  look(about: Running | 'time'): void {
    if (about !== 'time') this.#noteStart(about);
    else
      for (const known of this.#book.orders)
        known.wasTime ||= known.checks.length + known.records.length > 0;
    this.#shares.look(about);
    this.documents.look(this.#stage.documents, {
      isForgotten: (order) => this.#shares.forgotten.has(order),
      mayCount: (order) => this.#book.mayCount(order, false),
      mayCountFinal: (order) => this.#book.mayCount(order, true),
      mayRecord: (order) => this.#book.mayRecord(order),
      isRolledBack: (order) => this.#book.of(order).rolledBack !== undefined,
      isPromised: (order, name) =>
        this.#isPromised(order) && !this.#book.of(order).uncounted.has(name),
    });
    this.#follow(about);
    for (const heard of this.#stage.heard.splice(0)) this.#answers.hear(heard);
  }

  /** Orders whose settlements somebody must repeat, for nobody heard how they ended. */
  cutSettlements(): readonly SceneSettlement[] {
    return this.#book.orders.flatMap(({ settlements }) =>
      settlements
        .filter(({ running }) => running.isTouched || running.state === 'dead')
        .map(({ asked }) => asked),
    );
  }

  /** Orders that were to be counted at once, and of which nobody heard whether they are. */
  cutCaptures(): readonly number[] {
    return [...this.#scene.orders.entries()].flatMap(([order, { capture }]) =>
      capture && this.#book.of(order).checks.some(({ isTouched }) => isTouched) ? [order] : [],
    );
  }

  /** Orders that were to be recorded, and of which nobody heard whether they are. */
  cutRecords(): readonly number[] {
    return [...this.#scene.orders.keys()].filter((order) =>
      this.#book.of(order).records.some(({ isTouched }) => isTouched),
    );
  }

  /** Whether a check was allowed, and nobody asked to settle the order. */
  isUnsettled(order: number): boolean {
    const { isAllowed, settlements, confirmed } = this.#book.of(order);
    return isAllowed && settlements.length === 0 && confirmed === undefined;
  }

  /** Whether somebody was told that it is confirmed. */
  isConfirmed(order: number): boolean {
    return this.#book.of(order).confirmed !== undefined;
  }

  /** Once all is over: what was confirmed is counted once, everywhere. @throws Broken */
  expectCounted(): void {
    for (const [order, scene] of this.#scene.orders.entries()) {
      const { confirmedAt, isAllowed, isRecorded, amount, uncounted, confirmed } =
        this.#book.of(order);
      const isCounted = scene.capture ? isAllowed : confirmedAt !== undefined;
      const isAnswered = isCounted || isRecorded;
      // A forgotten order may have come again; what is answered is compared when it is heard.
      if (confirmed === undefined || !isAnswered || this.#shares.forgotten.has(order)) continue;
      for (const name of documentsOf(scene)) {
        const sums = this.documents.sums(name);
        const { asked, final } = timesIn(sums.usedAmount, order);
        const isExact =
          amount === undefined
            ? asked + final === 1
            : asked * amountOf(order) + final * finalAmountOf(order) === amount;
        if (!isExact && !(uncounted.has(name) && asked + final === 0))
          throw new Broken(
            'confirmed, and not counted once',
            `${scene.orderId} in ${name}, which ${describeSums(sums)}`,
          );
      }
    }
  }

  /**
   * While nothing runs: an order that was refused or settled leaves no share behind. What went wrong
   * or expired may leave one until it is swept.
   *
   * @throws Broken
   */
  expectTidy(): void {
    for (const [order, scene] of this.#scene.orders.entries()) {
      const known = this.#book.of(order);
      const calls = [
        ...known.checks,
        ...known.records,
        ...known.settlements.map(({ running }) => running),
      ];
      const isOver = !known.isAllowed || (known.confirmed ?? known.rolledBack) !== undefined;
      const isPlain = calls.every(({ isTouched }) => !isTouched) && !known.isUndecided;
      const isNew = this.#shares.forgotten.has(order);
      if (!isOver || !isPlain || known.wasTime || isNew) continue;
      for (const name of documentsOf(scene))
        if (timesOf(this.documents.sums(name).heldAmount, order) > 0)
          throw new Broken(
            'over, and still held',
            `${scene.orderId} in ${name}, which ${describeSums(this.documents.sums(name))}`,
          );
    }
  }

  #noteStart(running: Running): void {
    if (this.#followed.has(running)) return;
    const { call } = running;
    const hadRoom = new Map(ordersOf(call).map((order) => [order, this.#hasRoom(order)]));
    this.#followed.set(running, { alone: 0, isDisturbed: false, hadRoom });
    if (call.do === 'check' || call.do === 'checks')
      for (const order of ordersOf(call)) this.#book.of(order).checks.push(running);
    if (call.do === 'record')
      for (const order of ordersOf(call)) this.#book.of(order).records.push(running);
    const asked = call.do === 'settle' ? [call] : call.do === 'settlements' ? call.settlements : [];
    // Who names the wrong documents asks nothing of the order.
    const meant = asked.filter(({ by }) => by !== 'others');
    for (const one of meant) this.#book.of(one.order).settlements.push({ running, asked: one });
  }

  #isPromised(order: number): boolean {
    const { promise, settlements } = this.#book.of(order);
    if (promise === undefined || settlements.length > 0) return false;
    return this.#latestClock() < promise.until;
  }

  /**
   * What a document has seen may be ahead of its own server by as much as clocks differ, and a hold is
   * over by then.
   */
  #latestClock(): number {
    const ahead = Object.values(this.#scene.serversAheadMs);
    return this.#stage.now + Math.max(0, ...ahead);
  }

  #hasRoom(order: number): boolean {
    const scene = this.#scene.orders[order];
    if (scene === undefined) return false;
    return documentsOf(scene).every((name) => {
      const { usedAmount, usedCount, heldAmount, heldCount } = this.documents.sums(name);
      const max = this.#scene.maxima[name.split(':')[0] ?? ''];
      const own = timesIn(usedAmount, order);
      const held = timesOf(heldAmount, order);
      const ownCount = own.asked + own.final + held;
      const ownAmount = (own.asked + held) * amountOf(order) + own.final * finalAmountOf(order);
      return (
        max !== undefined &&
        usedAmount + heldAmount - ownAmount + amountOf(order) <= max.amount &&
        usedCount + heldCount - ownCount + 1 <= max.count
      );
    });
  }

  #follow(about: Running | 'time'): void {
    for (const [running, followed] of this.#followed) {
      if (running.state !== 'running' && running !== about) continue;
      const orders = ordersOf(running.call);
      for (const order of orders)
        if (followed.hadRoom.get(order) === true && !this.#hasRoom(order))
          followed.hadRoom.set(order, false);
      if (about === running) {
        followed.alone += 1;
        if (followed.alone > ALONE_MAX * Math.max(1, orders.length))
          throw new Broken('goes on, though nobody disturbs it', running.call.name);
        continue;
      }
      followed.alone = 0;
      const others = about === 'time' ? orders : ordersOf(about.call);
      // Where little is remembered, whatever happens at home can make a check begin again.
      const isNear = this.#scene.outcomesMax !== undefined;
      if (isNear || others.some((order) => orders.includes(order))) followed.isDisturbed = true;
    }
  }
}
