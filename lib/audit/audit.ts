import type { BucketReference, Entry } from '../limits/document/document.ts';
import type { FrozenThen, Refusal } from '../limits/refusal.ts';
import type { OrderName, Subjects } from '../shared/request.ts';

/** What a row is about. */
export type AuditOperation = 'check' | 'record' | 'confirm' | 'rollback' | 'refund';

/**
 * What changed something: a hold, a payment counted (by check where it captures), a share given back, a
 * payment refunded.
 */
export type Effect = 'held' | 'confirmed' | 'rolledBack' | 'refunded';

/** The buckets of one document that an order's share entered. */
export type RecordedShare = {
  readonly document: string;
  readonly buckets: readonly BucketReference[];
};

/**
 * One row of the audit: what one operation on one order came to. Rows are only ever added.
 *
 * A repeat has no row of its own, unless the first one's was lost, or comes later: then that replaces it.
 */
export type AuditRow = OrderName & {
  /** One for each effect, however often a call tells it. */
  readonly id: string;
  readonly operation: AuditOperation;
  /** An effect, `refused`, or the code of an error that tells something about the order. */
  readonly outcome: string;
  /** Whether the outcome is an effect. */
  readonly effective: boolean;
  /** The database's instant, of the last document that the operation saw. */
  readonly at: Date;
  /** The request by which the caller's side may find it. */
  readonly requestId?: string;
  /** Empty where the request did not say, and nothing was found. */
  readonly subjects: Subjects;
  readonly type?: string;
  /** Minor units: asked by a check, counted by a confirm, given back by a rollback or a refund. */
  readonly amountMinor?: number;
  /** Of a refund: what it gave back, 0 while something of the order was left. */
  readonly count?: number;
  /** Of a check: a settlement does not say it. */
  readonly currency?: string;
  /** Ids of the rules that refused. */
  readonly violations: readonly string[];
  /** How each of them stood; at most RULES_PER_CHECK_MAX. */
  readonly refusals?: readonly Refusal[];
  /** The subjects for which it was refused, with the reason `frozen`. */
  readonly frozen?: readonly FrozenThen[];
  /** Of a record: when the payment happened. */
  readonly happenedAt?: Date;
  /** Of a record, or of a confirm that found the order counted: all that it was asked with, digested. */
  readonly digest?: string;
  /** A payment that was confirmed after its hold had expired. */
  readonly late?: boolean;
  /** Of a rollback or a refund, in the caller's words. Of a check that no rule refused, `no-rule` or `frozen`. */
  readonly reason?: string;
  /** Of a refund, the caller's name for it. */
  readonly refundId?: string;
  /** What `check` gave the caller. */
  readonly reservation?: string;
  readonly holdExpiresAt?: Date;
  /** The call that made the hold. */
  readonly nonce?: string;
  /** The effect was there already: the row of the call that made it is missing, or its answer was. */
  readonly repeated?: true;
  /** Documents that it concerned, home first; empty where none was asked. */
  readonly documents: readonly string[];
  /** Home first. Of an effect only, and empty where a repeat tells of it. */
  readonly shares: readonly RecordedShare[];
  /** When it may go; of a row that was read. */
  readonly expireAt?: Date;
};

/** What documents said of one order while a call ran. */
export type OrderTrace = {
  /** The instant of the last one that answered; undefined where none is there. */
  readonly now?: Date;
  /** What home knew of the order: after a check, before a settlement. */
  readonly entry?: Entry;
  /** Those that were asked, home first, and knew of the order or were to hold it. */
  readonly documents: readonly string[];
  /** Whether the call changed home, or only found what an earlier one had done. */
  readonly changed: boolean;
  /** What the call entered, or settled. */
  readonly shares: readonly RecordedShare[];
};

/** What rows need beside an order's own. */
export type Witness = {
  readonly trace: OrderTrace;
  /** Names a row that is no effect. */
  readonly nonce: string;
  /** The best idea of the database's clock, where no document told it. */
  readonly estimate: Date;
  readonly requestId?: string;
};

const RANKS = { check: 0, record: 0, confirm: 1, rollback: 1, refund: 2 } as const;

/** Rows in the order in which they happened; within a millisecond, in the order of an order's life. */
export function inOrder(rows: readonly AuditRow[]): readonly AuditRow[] {
  const rank = ({ operation }: AuditRow): number => RANKS[operation];
  return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b));
}
