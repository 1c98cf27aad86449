/** What callers are told must agree, one with the other. */
import type { CheckAnswer, ConfirmAnswer, RecordAnswer } from '../../lib/limits/answer.ts';
import { HeadroomError, InternalError } from '../../lib/shared/errors.ts';
import { readReservation } from '../../lib/limits/reservation.ts';
import type { Book } from './book.ts';
import type { Heard } from './perform.ts';
import { amountOf, finalAmountOf, heldAmountsOf, homeOf, orderIn, twinsOf } from './scene.ts';
import type { Running } from './moves.ts';
import type { Stage } from './stage.ts';
import { Broken } from './broken.ts';
import { forgotUntilOf } from './stored.ts';
import type { Followed } from './watch-calls.ts';
import { hadRoom } from './watch-calls.ts';
import type { CounterRule } from './scene-rules.ts';
import { PROOF, enteredBy } from './scene-rules.ts';
import type { RowWatch } from './watch-rows.ts';
import type { ToldWatch } from './watch-told.ts';
import type { ShareWatch } from './watch-shares.ts';

/**
 * What is decided again goes on until others have overtaken it so often, besides once for a subject's terms that
 * its process did not know, and once for a share that an undecided call left. A call of all or none begins once
 * more, and one in a commit with its rows does not.
 */
const DISTURBED_MIN = 2;

type Allowed = Extract<CheckAnswer, { readonly kind: 'allowed' }>;

export class AnswerWatch {
  readonly #stage: Stage;
  readonly #book: Book;
  readonly #follows: (running: Running) => Followed | undefined;
  readonly #shares: ShareWatch;
  readonly #rows: RowWatch;
  readonly #isOver: (order: number, document: string) => boolean;
  readonly #told: ToldWatch;

  constructor(
    stage: Stage,
    book: Book,
    known: {
      readonly followed: (running: Running) => Followed | undefined;
      readonly shares: ShareWatch;
      readonly told: ToldWatch;
      readonly rows: RowWatch;
      /** Whether the window may be over in which a document counted an order. */
      readonly isOver: (order: number, document: string) => boolean;
    },
  ) {
    this.#stage = stage;
    this.#book = book;
    this.#follows = known.followed;
    this.#shares = known.shares;
    this.#rows = known.rows;
    this.#isOver = known.isOver;
    this.#told = known.told;
  }

  /**
   * Compares what a caller is told with everything before.
   *
   * @throws Broken
   */
  hear(heard: Heard): void {
    if (isMisled(heard)) {
      this.#hearMisled(heard);
      return;
    }
    switch (heard.kind) {
      case 'checked':
        this.#hearCheck(heard, heard.answer);
        return;
      case 'looked':
        this.#hearRefusal(heard, heard.answer);
        return;
      case 'confirmed':
        this.#hearConfirm(heard, heard.answer);
        return;
      case 'rolledBack':
        this.#tell(heard, 'rolledBack', 'a rollback was answered');
        return;
      case 'recorded':
        this.#hearRecord(heard, heard.answer);
        return;
      case 'refunded':
        this.#tell(heard, 'confirmed', 'a refund was answered');
        this.#rows.hearRefund(heard, heard.answer);
        return;
      case 'failed':
        this.#hearError(heard, heard.error);
    }
  }

  #tell({ order, running }: Heard, outcome: 'confirmed' | 'rolledBack', why: string): void {
    const known = this.#book.of(order);
    known[outcome] ??= `${why} (${running.call.name})`;
    if (outcome === 'rolledBack') known.rolledBackAt ??= this.#stage.moves;
    if (this.#isForgotten(order)) return;
    if (known.confirmed !== undefined && known.rolledBack !== undefined)
      throw new Broken(
        'contradicting answers',
        `of ${this.#book.nameOf(order)}: ${known.confirmed}; ${known.rolledBack}`,
      );
  }

  #hearCheck(heard: Heard, answer: CheckAnswer): void {
    const { order, running } = heard;
    const known = this.#book.of(order);
    if (answer.kind === 'undecided') {
      this.#hearUndecided(heard);
      return;
    }
    this.#compareWithPromise(heard, answer);
    if (answer.kind === 'refused') {
      const wasConfirmed = (known.confirmedAt ?? Infinity) <= running.startedAt;
      if (wasConfirmed && !this.#isForgotten(order))
        throw new Broken('refused, though confirmed', this.#book.nameOf(order));
      this.#hearRefusal(heard, answer);
      return;
    }
    if (answer.state !== 'held') this.#tell(heard, 'confirmed', 'a check says so');
    const isAfter = (known.rolledBackAt ?? Infinity) <= running.startedAt;
    if (isAfter && answer.state === 'held' && !this.#isForgotten(order))
      throw new Broken(
        'contradicting answers',
        `of ${this.#book.nameOf(order)}: ${known.rolledBack ?? ''}, and allowed`,
      );
    this.#told.hear(heard, answer);
    known.isAllowed = true;
    // If an order does not count at once, its confirm settles the other documents. Home may have one that it has
    // forgotten as a new one by now.
    const isCompared = orderIn(this.#stage.scene, order).capture && !this.#isForgotten(order);
    if (isCompared) this.#compareCounted(heard, uncountedIn(answer));
    const until = answer.state !== 'held' ? Infinity : (answer.holdExpiresAt?.getTime() ?? 0);
    const { reservation } = answer;
    this.#hearPart(heard, answer);
    const part = answer.part?.amount;
    known.promise = { until, reservation, heardAt: this.#stage.moves, part };
  }

  /** It gets all of its amount, or the least that it takes: the maxima of a scene leave nothing in between. */
  #hearPart({ order, running }: Heard, answer: Allowed): void {
    const { scene } = this.#stage;
    const name = `${running.call.name} of ${this.#book.nameOf(order)}: ${JSON.stringify(answer.part)}`;
    const { isPartial = false } = orderIn(scene, order);
    if (isPartial !== (answer.part !== undefined))
      throw new Broken('an answer that does not say how much it is', name);
    if (answer.part === undefined) return;
    const { amount, asked, amountBy } = answer.part;
    const isOne = heldAmountsOf(scene, order).includes(amount);
    if (!isOne || asked !== finalAmountOf(order))
      throw new Broken('another part than may be', name);
    if (answer.repeated) return;
    const isLess = amount < asked;
    if (isLess !== (amountBy ?? []).length > 0) throw new Broken('bound by no rule', name);
    const isAlone = running.call.do !== 'checks';
    if (isLess && isAlone && this.#follows(running)?.hadWholeRoom === true)
      throw new Broken('a part, though there was room for the whole all the time', name);
  }

  #hearRefusal({ order, running }: Heard, answer: CheckAnswer): void {
    if (answer.kind !== 'refused') return;
    const name = `${running.call.name} of ${this.#book.nameOf(order)}`;
    const followed = this.#follows(running);
    const { isProven = false } = running.call;
    const { wasFrozen = false } = followed ?? {};
    const hadStrictRoom = hadRoom(followed, ({ proof }) => proof === undefined);
    const hadUnprovenRoom = hadRoom(followed, ({ proof }) => proof !== undefined);
    for (const rule of followed?.rooms.keys() ?? []) {
      const hadIt = hadRoom(followed, (one) => one === rule);
      const isCounted = enteredBy(rule, orderIn(this.#stage.scene, order)) === rule.counter;
      const refuses = answer.rules.some(
        (one) => one.rule.id === rule.rule && one.outcome === 'exceeded',
      );
      if (refuses && (hadIt || !isCounted))
        throw new Broken('refused by a rule that had room', `${name}: ${rule.rule}`);
    }
    if (answer.reason === 'challenge' && (isProven || hadUnprovenRoom))
      throw new Broken('a proof is asked for without need', name);
    if (answer.reason === 'challenge' && answer.challenges?.join() !== PROOF)
      throw new Broken('another proof is asked for', name);
    if (answer.reason === 'rule' && hadStrictRoom)
      throw new Broken('refused by a rule that had room, or that a proof helps against', name);
    if (hadStrictRoom && (isProven || hadUnprovenRoom))
      throw new Broken('refused, though there was room all the time', name);
    if (answer.reason === 'frozen' && !wasFrozen)
      throw new Broken('refused as frozen, though nobody was', name);
  }

  /** A repeat is answered as the first was, as long as it is held. */
  #compareWithPromise({ order, running }: Heard, answer: CheckAnswer): void {
    const { promise, settlements } = this.#book.of(order);
    if (promise === undefined || settlements.length > 0) return;
    const home = homeOf(orderIn(this.#stage.scene, order));
    const isOver = this.#stage.timesOf(home).some((at) => at.getTime() >= promise.until);
    if (promise.heardAt > running.startedAt || isOver || this.#isForgotten(order)) return;
    const isSame =
      answer.kind === 'allowed' &&
      answer.repeated &&
      nonceOf(answer.reservation) === nonceOf(promise.reservation) &&
      answer.part?.amount === promise.part;
    if (!isSame)
      throw new Broken(
        'a repeat that is answered otherwise',
        `${running.call.name} of ${this.#book.nameOf(order)} is ${answer.kind}`,
      );
  }

  #hearConfirm(heard: Heard, answer: ConfirmAnswer): void {
    const known = this.#book.of(heard.order);
    this.#tell(heard, 'confirmed', 'a confirm was answered');
    this.#compareCounted(heard, uncountedIn(answer));
    if (this.#isForgotten(heard.order)) return;
    const { amount, late, repeated } = answer;
    const isOther = (known.amount ?? amount) !== amount || (known.late ?? late) !== late;
    const wasAnswered = (known.confirmedAt ?? Infinity) <= heard.running.startedAt;
    const isFirstAgain = !repeated && (known.isFirstConfirmHeard || wasAnswered);
    if (isOther || isFirstAgain)
      throw new Broken('confirms that are answered differently', this.#book.nameOf(heard.order));
    if (
      !repeated &&
      this.#book.asked(heard.order, heard.running)?.isFinal === true &&
      amount !== finalAmountOf(heard.order)
    )
      throw new Broken('confirmed with another amount', this.#book.nameOf(heard.order));
    known.amount = amount;
    known.late = late;
    known.confirmedAt ??= this.#stage.moves;
    known.isFirstConfirmHeard ||= !repeated;
  }

  /** It is counted from now on: a check of it is none, and a confirm has nothing to do. */
  #hearRecord(heard: Heard, answer: RecordAnswer): void {
    const { order, running } = heard;
    const { repeated, state } = answer;
    const isFailure = orderIn(this.#stage.scene, order).failed !== undefined;
    if (isFailure !== (state === 'rolledBack'))
      throw new Broken('recorded otherwise than asked', this.#book.nameOf(order));
    if (isFailure) {
      this.#hearFailure(heard, answer);
      return;
    }
    const known = this.#book.of(order);
    this.#tell(heard, 'confirmed', 'a record was answered');
    this.#compareCounted(heard, []);
    if (this.#isForgotten(order)) return;
    // The repeat may be heard before the first one, which runs on; not before one that begins then.
    const wasAnswered = (known.confirmedAt ?? Infinity) <= running.startedAt;
    if (!repeated && (known.isFirstConfirmHeard || wasAnswered))
      throw new Broken('recorded twice', this.#book.nameOf(order));
    if (repeated && known.records.length < 2 && !running.isTouched)
      throw new Broken('a repeat of nothing', this.#book.nameOf(order));
    known.isRecorded = true;
    known.amount ??= amountOf(order);
    known.late ??= false;
    known.confirmedAt ??= this.#stage.moves;
    known.isFirstConfirmHeard ||= !repeated;
    known.promise = { until: Infinity, reservation: undefined, heardAt: this.#stage.moves };
  }

  /** It has failed from now on: no confirm of it is answered, and a rollback has nothing to do. */
  #hearFailure(heard: Heard, { repeated }: RecordAnswer): void {
    const { order, running } = heard;
    const known = this.#book.of(order);
    this.#tell(heard, 'rolledBack', 'a record of its failure was answered');
    if (this.#isForgotten(order)) return;
    const wasAnswered = (known.failedAt ?? Infinity) <= running.startedAt;
    if (!repeated && (known.isFirstFailureHeard || wasAnswered))
      throw new Broken('recorded twice', this.#book.nameOf(order));
    if (repeated && known.records.length < 2 && !running.isTouched)
      throw new Broken('a repeat of nothing', this.#book.nameOf(order));
    known.failedAt ??= this.#stage.moves;
    known.isFirstFailureHeard ||= !repeated;
  }

  /** A confirmed order is counted, or said not to be where a document has forgotten shares. */
  #compareCounted({ order, running }: Heard, uncounted: readonly string[]): void {
    const known = this.#book.of(order);
    for (const name of uncounted) {
      // A repeat says what the first answer said, though the document was made again since.
      if (known.uncounted.has(name)) continue;
      known.uncounted.add(name);
      const document = this.#stage.documents.get(name);
      const isForgotten = document === undefined || forgotUntilOf(document) !== undefined;
      if (!isForgotten && !this.#shares.wasMadeAgain(name))
        throw new Broken('uncounted where nothing was forgotten', `${running.call.name}: ${name}`);
    }
    const missing = this.#shares
      .uncountedOf(order, running)
      .filter((name) => !uncounted.includes(name) && !this.#isOver(order, name));
    if (missing.length > 0)
      throw new Broken(
        'confirmed, and neither counted nor said to be uncounted',
        `${running.call.name} of ${this.#book.nameOf(order)}: ${missing.join(' ')}`,
      );
  }

  /** An error that says that an order counts leaves it counted wherever its share had not to go. */
  #compareCountedByError({ order, running }: Heard): void {
    if (this.#isForgotten(order)) return;
    const missing = this.#shares.uncountedOf(order, running).filter((name) => {
      const document = this.#stage.documents.get(name);
      const hadToGo = document === undefined || forgotUntilOf(document) !== undefined;
      return !hadToGo && !this.#shares.wasMissing(name, running) && !this.#isOver(order, name);
    });
    if (missing.length > 0)
      throw new Broken(
        'said to be confirmed, and not counted everywhere',
        `${running.call.name} of ${this.#book.nameOf(order)}: ${missing.join(' ')}`,
      );
  }

  /** Who names documents without home is told so, or that the order is not known. */
  #hearMisled({ order, running, ...told }: Heard): void {
    const code =
      told.kind === 'failed' && told.error instanceof HeadroomError ? told.error.code : 'none';
    if (!['INVALID_REQUEST', 'NOT_FOUND', 'FORGOTTEN', 'UNDECIDED'].includes(code))
      throw new Broken(
        'settled by documents that are not home',
        `${running.call.name} of ${this.#book.nameOf(order)}: ${code}`,
      );
  }

  #isForgotten(order: number): boolean {
    return this.#shares.forgotten.has(order);
  }

  #hearUndecided({ order, running }: Heard): void {
    this.#book.of(order).isUndecided = true;
    const disturbed = this.#follows(running)?.disturbed ?? 0;
    const isAtomic = running.call.do === 'checks' && running.call.atomic;
    const isWhole = isAtomic || this.#stage.scene.audit === 'session';
    if (!running.isTouched && disturbed < (isWhole ? 1 : DISTURBED_MIN))
      throw new Broken(
        'undecided, though nothing went wrong',
        `${running.call.name} of ${this.#book.nameOf(order)}`,
      );
  }

  #hearError(heard: Heard, error: unknown): void {
    const { order, running } = heard;
    const broken = (invariant: string): Broken =>
      new Broken(
        invariant,
        `${running.call.name} of ${this.#book.nameOf(order)}: ${String(error)}`,
      );
    if (!(error instanceof HeadroomError) || error instanceof InternalError)
      throw broken('an error that is no answer');
    const isRefund = running.call.do === 'refund';
    if (isRefund && this.#rows.isTrue(heard, error)) return;
    const known = this.#book.of(order);
    const asked = this.#book.asked(heard.order, heard.running);
    const isCheck = asked === undefined;
    const home = homeOf(orderIn(this.#stage.scene, order));
    const wasAllowed = (known.promise?.heardAt ?? Infinity) <= running.startedAt;
    switch (error.code) {
      case 'UNDECIDED':
        this.#hearUndecided(heard);
        return;
      case 'TOO_MANY_OPEN_HOLDS':
        if (!isCheck || running.call.do === 'record' || this.#follows(running)?.hadPlaces !== false)
          throw broken('refused as full, though there were places all the time');
        return;
      case 'ORDER_REUSED': {
        const { checks, records } = known;
        const others = running.call.do === 'record' ? checks : records;
        if (asked !== undefined || others.length === 0) throw broken('an error that cannot be');
        return;
      }
      case 'ALREADY_ROLLED_BACK':
        if (running.call.do === 'record') throw broken('an error that cannot be');
        this.#tell(heard, 'rolledBack', 'an error says so');
        if (!this.#book.mayFail(order)) throw broken('rolled back by nobody');
        return;
      case 'ALREADY_CONFIRMED':
        this.#tell(heard, 'confirmed', 'an error says so');
        if (isCheck || (asked.to === 'confirmed' && !this.#book.mayCount(order, true)))
          throw broken('an error that cannot be');
        this.#compareCountedByError(heard);
        return;
      case 'NOT_FOUND':
        if (asked?.by === 'recorded' && this.#rows.mayBeUnrecorded(order, running)) return;
        if (isCheck || (wasAllowed && !this.#isForgotten(order)))
          throw broken('not found, though it was allowed');
        return;
      case 'INVALID_REQUEST': {
        // A share of another home's order of that id may stand where its own home knows nothing of it.
        const hasTwin = twinsOf(this.#stage.scene, order).length > 1;
        if (isCheck || !hasTwin || (wasAllowed && !this.#isForgotten(order)))
          throw broken('an error that cannot be');
        return;
      }
      case 'FORGOTTEN':
        if (isCheck || !(this.#isForgotten(order) || this.#shares.wasForgetful(home, running)))
          throw broken('an error that cannot be');
        return;
      case 'RESERVATION_REPLACED':
        if (isCheck || asked.to === 'confirmed' || known.checks.length + known.records.length < 2)
          throw broken('an error that cannot be');
        return;
      case 'NOT_ALL_ALLOWED':
        if (running.call.do !== 'checks' || !running.call.atomic)
          throw broken('an error that cannot be');
        return;
      case 'CLOCK_SKEW':
        if (this.#stage.now === running.startedNow) throw broken('an error that cannot be');
        if (running.call.do !== 'record' && !hasTurns(this.#stage))
          throw broken('an error that cannot be');
        return;
      default:
        throw broken('an error that cannot be');
    }
  }
}

/** Reservations of one hold may tell more of it, or less: who was overtaken has not seen all shares. */
function nonceOf(reservation: string | undefined): string | undefined {
  return reservation === undefined ? undefined : readReservation(reservation)?.nonce;
}

/** Whether anything that decides about checks begins or ends while time passes. */
function hasTurns({ scene: { calls }, rulesByCounter }: Stage): boolean {
  const isCut = ({ windowMs = Infinity }: CounterRule): boolean => windowMs < Infinity;
  return calls.some((call) => call.do === 'terms') || [...rulesByCounter.values()].some(isCut);
}

/** Whether a settlement named documents of which none is home. */
function isMisled({ running, order }: Heard): boolean {
  const { call } = running;
  const settlements =
    call.do === 'settle' ? [call] : call.do === 'settlements' ? call.settlements : [];
  return settlements.some((one) => one.order === order && one.by === 'others');
}

/** Documents that an answer says may not count the payment. */
function uncountedIn(answer: object): readonly string[] {
  if (!('uncounted' in answer) || !Array.isArray(answer.uncounted)) return [];
  return answer.uncounted.filter((name): name is string => typeof name === 'string');
}
