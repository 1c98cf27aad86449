/** What must be true of rows and refunds: they say what the documents count. */
import type { AuditRow } from '../../lib/audit/audit.ts';
import { Recorded } from '../../lib/audit/reconcile/reconcile.ts';
import { readStored } from '../../lib/audit/reconcile/stored-counters.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { RefundAnswer } from '../../lib/limits/answer.ts';
import { countsEnd } from '../model/model-rules.ts';
import type { Book } from './book.ts';
import { Broken } from './broken.ts';
import { ledgersIn, rowsIn } from './memory-audit.ts';
import type { Running } from './moves.ts';
import type { Heard } from './perform.ts';
import { grossBuckets, isIn, orderOfRow } from './refunded.ts';
import type { CounterRule } from './scene-rules.ts';
import { isOfExpired, isOfPayments } from './scene-rules.ts';
import type { Scene, SceneRefund } from './scene.ts';
import { allDocuments, amountOf, documentsOf, finalAmountOf, orderIn } from './scene.ts';
import type { Stage } from './stage.ts';
import { bucketsOf, holdsOf } from './stored.ts';

/** Compares rows with documents, and what callers are told of refunds with both. */
export class RowWatch {
  readonly #stage: Stage;
  readonly #scene: Scene;
  readonly #book: Book;
  readonly #isForgotten: (order: number) => boolean;
  /** Refunds that somebody was told are new, by order and name. */
  readonly #toldNew = new Set<string>();
  /** Orders of which nothing is left, as somebody was told. */
  readonly #whole = new Set<number>();

  constructor(stage: Stage, book: Book, isForgotten: (order: number) => boolean) {
    this.#stage = stage;
    this.#scene = stage.scene;
    this.#book = book;
    this.#isForgotten = isForgotten;
  }

  look(): void {
    const { audit } = this.#scene;
    if (audit === undefined) return;
    const rows = rowsIn(this.#stage.documents);
    this.#compareRefunds(rows);
    if (audit === 'session')
      for (const name of allDocuments(this.#scene)) this.#compare(name, rows);
  }

  /** Where rows are part of every commit, they add up to what documents use, and tell of every hold. */
  #compare(name: string, rows: readonly AuditRow[]): void {
    const now = this.#stage.clockOf(name).getTime();
    for (const bucket of grossBuckets(this.#stage, name)) {
      const rule = this.#stage.rulesByCounter.get(bucket.counter);
      // No row tells of what expires, and a sum of cards is of none.
      if (rule === undefined || rule.isOfCards === true || isOfExpired(rule)) continue;
      if (bucket.until <= now) continue;
      const counted = rows.filter((row) => isCounted(row, rule) && isIn(row, name, bucket.name));
      const amount = counted.reduce((sum, row) => sum + (row.amountMinor ?? 0), 0);
      const count = counted.reduce((sum, row) => sum + (row.count ?? 1), 0);
      if (amount !== bucket.usedAmount || count !== bucket.usedCount)
        throw new Broken(
          'rows that do not add up to what is used',
          `${bucket.name} of ${name}: ${bucket.usedAmount} (${bucket.usedCount}), in rows ${amount} (${count})`,
        );
    }
    const told = new Set(rows.map(({ nonce }) => nonce));
    for (const { nonce } of holdsOf(this.#stage.documents.get(name)))
      if (!told.has(nonce)) throw new Broken('held, and in no row', `${nonce} in ${name}`);
  }

  /** What ledgers have is in rows, each refund once, and no more than was counted. */
  #compareRefunds(rows: readonly AuditRow[]): void {
    const refunded = rows.filter(({ outcome }) => outcome === 'refunded');
    const ledgers = [...ledgersIn(this.#stage.documents).values()];
    const inLedgers = ledgers.flat().reduce((sum, { amount }) => sum + amount, 0);
    const inRows = refunded.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0);
    if (inLedgers !== inRows || ledgers.flat().length !== refunded.length)
      throw new Broken('refunds that are in no row', `${inLedgers}, in rows ${inRows}`);
    for (const refunds of ledgers)
      if (new Set(refunds.map(({ id }) => id)).size < refunds.length)
        throw new Broken('refunded twice', JSON.stringify(refunds));
    for (const nonce of new Set(refunded.map((row) => row.nonce))) {
      const ofOrder = refunded.filter((row) => row.nonce === nonce);
      const sum = ofOrder.reduce((all, { amountMinor = 0 }) => all + amountMinor, 0);
      const [order = -1] = ofOrder.map((row) => this.#orderOf(row));
      const known = this.#book.orders[order];
      const most = known?.amount ?? finalAmountOf(Math.max(0, order));
      if (known !== undefined && sum > most && !this.#isForgotten(order))
        throw new Broken('refunded more than was counted', `${sum} of ${most}`);
    }
  }

  #orderOf(row: AuditRow): number {
    return orderOfRow(this.#scene, row);
  }

  hearRefund({ order, running }: Heard, answer: RefundAnswer): void {
    const { call } = running;
    if (call.do !== 'refund') return;
    const known = this.#book.of(order);
    const broken = (invariant: string): Broken =>
      new Broken(
        invariant,
        `${call.name} of ${this.#book.nameOf(order)}: ${JSON.stringify(answer)}`,
      );
    const counted = answer.refunded + answer.remaining;
    const isMeant = call.tenths === undefined || answer.amount === askedBy(call);
    if (!isMeant) throw broken('refunded with another amount');
    if (this.#isForgotten(order)) return;
    if (counted !== (known.amount ?? counted)) throw broken('refunded of another amount');
    known.amount = counted;
    const name = `${order} ${call.refundId}`;
    const isFirstAgain = !answer.repeated && this.#toldNew.has(name);
    const sameCalls = [...this.#stage.calls.values()].filter(
      (one) => one.call.do === 'refund' && one.call.refundId === call.refundId,
    );
    const isOfNothing = answer.repeated && sameCalls.length < 2 && !running.isTouched;
    if (isFirstAgain || isOfNothing) throw broken('a refund that is answered otherwise');
    if (!answer.repeated) this.#toldNew.add(name);
    if (answer.remaining === 0) this.#whole.add(order);
  }

  expectRefunded(): void {
    if (this.#scene.emptied === true) return;
    for (const order of this.#whole)
      for (const name of documentsOf(orderIn(this.#scene, order))) {
        const now = this.#stage.clockOf(name).getTime();
        for (const { counter, until, usedAmount } of bucketsOf(this.#stage.documents.get(name))) {
          const left = Math.floor(usedAmount / amountOf(order)) % 100;
          const rule = this.#stage.rulesByCounter.get(counter);
          if (rule === undefined || rule.isOfCards === true || !isOfPayments(rule)) continue;
          if (until > now && left > 0 && !this.#isForgotten(order))
            throw new Broken('refunded, and still used', `${this.#book.nameOf(order)} in ${name}`);
        }
      }
  }

  /** Where rows are part of every commit, and no document was deleted, they say what documents hold and use. */
  expectReconciled(): void {
    const { audit, deletionAheadMs } = this.#scene;
    if (audit !== 'session' || deletionAheadMs !== undefined) return;
    const rows = rowsIn(this.#stage.documents);
    for (const name of allDocuments(this.#scene)) {
      const stored = this.#stage.documents.get(name);
      if (stored === undefined) continue;
      const recorded = new Recorded(name);
      for (const row of rows.filter(({ effective }) => effective)) recorded.add(row);
      const found = recorded.compare(readStored({ ...stored, now: this.#stage.clockOf(name) }));
      if (found.length > 0)
        throw new Broken('rows that disagree with a document', `${name}: ${JSON.stringify(found)}`);
    }
  }

  /** Whether an error of a refund may be. */
  isTrue({ order, running }: Heard, error: HeadroomError): boolean {
    const { call } = running;
    if (call.do !== 'refund') return false;
    const known = this.#book.of(order);
    const wasConfirmed = (known.confirmedAt ?? Infinity) <= running.startedAt;
    const mayBeLost = this.mayBeUnrecorded(order, running);
    const refunds = rowsIn(this.#stage.documents).filter(
      (row) => row.outcome === 'refunded' && this.#orderOf(row) === order,
    );
    switch (error.code) {
      case 'NOT_FOUND':
      case 'NOT_CONFIRMED':
      case 'NOT_RECORDED':
        return !wasConfirmed || mayBeLost || this.#isForgotten(order);
      case 'REFUND_TOO_LARGE': {
        const sum = refunds.reduce((all, { amountMinor = 0 }) => all + amountMinor, 0);
        const least = call.tenths === undefined ? 1 : askedBy(call);
        // One that home has forgotten may have been counted again, with a smaller amount.
        const counted = this.#isForgotten(order) ? undefined : known.amount;
        return sum + least > (counted ?? amountOf(order));
      }
      case 'REFUND_REUSED':
        return refunds.some(
          (row) => row.refundId === call.refundId && row.amountMinor !== askedBy(call),
        );
      default:
        return false;
    }
  }

  /** Whether a call may miss rows of the order: another one went wrong, or had not ended when it began. */
  mayBeUnrecorded(order: number, { startedAt }: Running): boolean {
    const { checks, records, settlements } = this.#book.of(order);
    const calls = [...checks, ...records, ...settlements.map(({ running }) => running)];
    return (
      this.#scene.audit !== 'session' &&
      calls.some(({ isTouched, endedAt = Infinity }) => isTouched || endedAt > startedAt)
    );
  }
}

function isCounted({ outcome, reasonCode }: AuditRow, { ends }: CounterRule): boolean {
  const isEnd = outcome === 'confirmed' || outcome === 'rolledBack';
  return isEnd && countsEnd(ends, outcome, reasonCode);
}

function askedBy({ order, tenths = 0 }: SceneRefund): number {
  return tenths * amountOf(order);
}
