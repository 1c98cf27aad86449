/** What callers are told must agree: with each other, and with the documents. */
import { Book } from './book.ts';
import type { Scene, SceneSettlement } from './scene.ts';
import {
  allDocuments,
  amountOf,
  documentsOf,
  finalAmountOf,
  ordersOf,
  timesIn,
  timesOf,
} from './scene.ts';
import type { Running } from './moves.ts';
import { HAPPENED_AT } from './perform.ts';
import type { Stage } from './stage.ts';
import { AnswerWatch } from './watch-answers.ts';
import { Broken } from './broken.ts';
import { CallWatch } from './watch-calls.ts';
import { DeletionWatch } from './watch-deletion.ts';
import { FailureWatch } from './watch-failures.ts';
import { DocumentWatch, describeSums, kindOf } from './watch-documents.ts';
import { CountedWatch } from './watch-counted.ts';
import { EndedWatch } from './ended.ts';
import { LateWatch } from './watch-late.ts';
import { OpenWatch } from './watch-open.ts';
import { RecallWatch } from './watch-recall.ts';
import { RowWatch } from './watch-rows.ts';
import { ShareWatch } from './watch-shares.ts';
import { TermsWatch } from './watch-terms.ts';
import { ToldWatch } from './watch-told.ts';
import { TwinWatch } from './watch-twins.ts';

function dayOf(now: number): number {
  return Math.floor(now / 86_400_000);
}

export class Watch {
  readonly documents: DocumentWatch;
  readonly #shares: ShareWatch;
  readonly #stage: Stage;
  readonly #scene: Scene;
  readonly #book: Book;
  readonly #answers: AnswerWatch;
  readonly #calls: CallWatch;
  readonly #terms: TermsWatch;
  readonly #deletion: DeletionWatch;
  readonly #open: OpenWatch;
  readonly #rows: RowWatch;
  readonly #recall: RecallWatch;
  readonly #twins: TwinWatch;
  readonly #late: LateWatch;
  readonly #failures: FailureWatch;
  readonly #told: ToldWatch;
  readonly #ended: EndedWatch;
  readonly #counted: CountedWatch;
  /** The day by each server's clock when time last passed. */
  #lookedAt: string;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#scene = stage.scene;
    this.#lookedAt = this.#days();
    this.documents = new DocumentWatch(stage);
    this.#late = new LateWatch(stage, this.documents);
    this.#shares = new ShareWatch(stage);
    this.#ended = new EndedWatch(stage);
    this.#counted = new CountedWatch(stage);
    this.#failures = new FailureWatch(stage, this.#ended, (order) =>
      this.#shares.forgotten.has(order),
    );
    this.#terms = new TermsWatch(stage);
    this.#deletion = new DeletionWatch(stage);
    this.#open = new OpenWatch(stage);
    this.#book = new Book(stage.scene);
    this.#twins = new TwinWatch(stage);
    this.#calls = new CallWatch(stage, (order) => this.#shares.forgotten.has(order));
    this.#rows = new RowWatch(stage, this.#book, (order) => this.#shares.forgotten.has(order));
    this.#recall = new RecallWatch(stage);
    this.#told = new ToldWatch(stage, (order) => this.#shares.forgotten.has(order));
    this.#answers = new AnswerWatch(stage, this.#book, {
      followed: (running) => this.#calls.of(running),
      shares: this.#shares,
      told: this.#told,
      rows: this.#rows,
      isOver: (order, name) => this.#isOver(order, name),
    });
  }

  /**
   * Looks at everything after a move.
   *
   * @throws Broken
   */
  look(about: Running | 'time'): void {
    if (about === 'time') this.#noteTime();
    else this.#noteStart(about);
    this.#deletion.look();
    this.#open.look(about);
    this.#terms.look(about);
    const ended = this.#ended.endedBy(about);
    this.#shares.look(about, ended);
    this.documents.look(about, ended, {
      isForgotten: (order) => this.#shares.forgotten.has(order),
      mayCount: (order) => this.#book.mayCount(order, false),
      mayCountFinal: (order) => this.#book.mayCount(order, true),
      mayRecord: (order) => this.#book.mayRecord(order),
      isRolledBack: (order) => this.#book.of(order).rolledBack !== undefined,
      isPromised: (order, name) =>
        this.#isPromised(order) &&
        this.#shares.enters(order, name) &&
        !this.#book.of(order).uncounted.has(name),
      isOver: (order, name) => this.#isOver(order, name),
    });
    this.#failures.look(about, ended);
    this.#counted.look(about, ended);
    this.#ended.goOn();
    this.#told.look(about);
    this.#late.look(about);
    this.#rows.look();
    this.#recall.look();
    this.#calls.look(about);
    for (const heard of this.#stage.heard.splice(0)) {
      this.#late.hear(heard);
      const named = this.#twins.named(heard);
      if (named === undefined) continue;
      this.#answers.hear(named);
      this.#failures.hear(named);
    }
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

  /** Whether anybody was told that it was rolled back, where failures are counted. */
  isFailed(order: number): boolean {
    return this.#failures.isWatching && this.#book.of(order).rolledBack !== undefined;
  }

  isConfirmed(order: number): boolean {
    return this.#book.of(order).confirmed !== undefined;
  }

  /** Once all is over: rows say what documents count. @throws Broken */
  expectReconciled(): void {
    this.#rows.expectReconciled();
  }

  /** Once all is over: what was refunded whole is used nowhere. @throws Broken */
  expectRefunded(): void {
    this.#rows.expectRefunded();
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
      for (const name of documentsOf(scene).filter((one) => this.#shares.enters(order, one))) {
        const sums = this.documents.sums(name);
        const { asked, final } = timesIn(sums.usedAmount, order);
        const isExact =
          amount === undefined
            ? asked + final === 1
            : asked * amountOf(order) + final * finalAmountOf(order) === amount;
        if (!isExact && !(uncounted.has(name) && asked + final === 0) && !this.#isOver(order, name))
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

  #noteTime(): void {
    const days = this.#days();
    const isNextDay = days !== this.#lookedAt;
    this.#lookedAt = days;
    for (const known of this.#book.orders) {
      const isAsked = known.checks.length + known.records.length > 0;
      known.wasTime ||= isAsked;
      known.wasDay ||= isAsked && isNextDay;
    }
  }

  #days(): string {
    const clocks = allDocuments(this.#scene).map((name) => this.#stage.clockOf(name).getTime());
    return clocks.map(dayOf).join();
  }

  /** Whether a document counts by the day, and a day ended since the order was first asked about. */
  #isOver(order: number, document: string): boolean {
    const sets = [this.#scene, ...(this.#scene.laterRules ?? [])];
    const isDaily = sets.some(({ daily = [] }) => daily.includes(kindOf(document)));
    const { wasDay, records } = this.#book.of(order);
    const isOfBefore = records.length > 0 && dayOf(this.#latestClock()) > dayOf(+HAPPENED_AT);
    return isDaily && (wasDay || isOfBefore);
  }

  #noteStart(running: Running): void {
    if (!this.#calls.begin(running)) return;
    const { call } = running;
    if (call.do === 'check' || call.do === 'checks')
      for (const order of ordersOf(call)) this.#book.of(order).checks.push(running);
    if (call.do === 'record')
      for (const order of ordersOf(call)) this.#book.of(order).records.push(running);
    if (call.do === 'refund') this.#twins.begin(running, call);
    const asked = call.do === 'settle' ? [call] : call.do === 'settlements' ? call.settlements : [];
    // Who names the wrong documents asks nothing of the order.
    const meant = asked.filter(({ by }) => by !== 'others');
    for (const one of meant)
      for (const order of this.#twins.begin(running, one))
        this.#book.of(order).settlements.push({ running, asked: { ...one, order } });
  }

  #isPromised(order: number): boolean {
    const { promise, settlements } = this.#book.of(order);
    if (promise === undefined || settlements.length > 0) return false;
    return this.#latestClock() < promise.until;
  }

  /**
   * What a document has seen may be ahead of its own server by as much as clocks differ, those of callers
   * among them, and a hold is over by then.
   */
  #latestClock(): number {
    const times = allDocuments(this.#scene).flatMap((name) => this.#stage.timesOf(name));
    return Math.max(...times.map((at) => at.getTime()));
  }
}
