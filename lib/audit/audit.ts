import type { BucketReference, Entry } from '../document/document.ts';
import type { RuleOutcome } from '../limits/report.ts';
import type { Quantity, Window } from '../rule/rule.ts';
import type { OrderName, Subjects } from '../shared/request.ts';

/** Operations, and when they come in an order's life. */
const RANKS = { check: 0, record: 0, confirm: 1, rollback: 1, refund: 2 } as const;

/** Outcomes that changed something; a check that captures is `confirmed`. */
export const EFFECTS: readonly string[] = ['held', 'confirmed', 'rolledBack', 'refunded'];

/** The buckets of one document that an order's share entered. */
export type RecordedShare = {
  readonly document: string;
  readonly buckets: readonly BucketReference[];
};

/** How a rule stood when it refused a check, as the audit keeps it: the rule may have changed since. */
export type Refusal = {
  readonly rule: string;
  /** The rule's; rows of earlier versions lack it. */
  readonly version?: number;
  readonly outcome: Extract<RuleOutcome, 'exceeded' | 'below-minimum'>;
  readonly currency?: string;
  /** The rule's, if it says them. */
  readonly digits?: number;
  readonly window: Window;
  /** The stretch of that window that counted; absent for single transactions. */
  readonly period?: { readonly start: Date; readonly end: Date };
  /** Where the order was below it. */
  readonly min?: Quantity;
  /** The one that was in force for the transaction. */
  readonly max: Quantity;
  /** Without the order itself; absent for single transactions. */
  readonly used?: Quantity;
  readonly held?: Quantity;
  /** Where the maximum was the subject's own; `own` is the rule's. */
  readonly override?: { readonly reason: string; readonly until?: Date; readonly own: Quantity };
};

/** A subject that was frozen when a check was refused, as the audit keeps it. */
export type FrozenThen = {
  readonly kind: string;
  readonly id: string;
  readonly reason: string;
  readonly until?: Date;
};

/** The outcome of one operation on one order. A repeat has no row of its own unless the first one's was lost. */
export type AuditRow = OrderName & {
  /** One for each effect, however often a call tells it. */
  readonly id: string;
  readonly operation: keyof typeof RANKS;
  /** An effect, `refused`, or the code of an error that tells something about the order. */
  readonly outcome: string;
  readonly effective: boolean;
  /** The database's instant, of the last document that the operation saw. */
  readonly at: Date;
  readonly requestId?: string | undefined;
  /** Empty where neither the request nor a row says. */
  readonly subjects: Subjects;
  readonly type?: string | undefined;
  /** Minor units: asked by a check, counted by a confirm, given back by a rollback or a refund. */
  readonly amountMinor?: number | undefined;
  /** A refund gave back so many: 0 while something of the order was left. */
  readonly count?: number | undefined;
  /** A check's or a record's; other rows have it once `asChecked` gave it to them. */
  readonly currency?: string | undefined;
  /** Ids of the rules that refused. */
  readonly violations: readonly string[];
  /** At most RULES_PER_CHECK_MAX. */
  readonly refusals?: readonly Refusal[] | undefined;
  /** The subjects for which it was refused, with the reason `frozen`. */
  readonly frozen?: readonly FrozenThen[] | undefined;
  readonly happenedAt?: Date | undefined;
  /** Everything that a record asked, digested; also in the row of a confirm that found it counted. */
  readonly digest?: string | undefined;
  /** It was confirmed after its hold had expired. */
  readonly late?: boolean | undefined;
  /** The caller's words for a rollback or a refund. If no rule refused a check, `no-rule` or `frozen`. */
  readonly reason?: string | undefined;
  readonly refundId?: string | undefined;
  readonly reservation?: string | undefined;
  readonly holdExpiresAt?: Date | undefined;
  readonly nonce?: string | undefined;
  /** The effect was there already: the row of the call that made it is missing, or its answer was. */
  readonly repeated?: true | undefined;
  /** Documents that it concerned, home first; empty where none was asked. */
  readonly documents: readonly string[];
  /** Home first. Of an effect only, and empty where a repeat tells of it. */
  readonly shares: readonly RecordedShare[];
  /** Of rows that were read alone. */
  readonly expireAt?: Date | undefined;
};

/** One order, as documents told it while a call ran. */
export type OrderTrace = {
  /** The instant of the last one that answered; undefined where none is there. */
  readonly now?: Date | undefined;
  /** The order as home knew it: after a check, before a settlement. */
  readonly entry?: Entry;
  /** Home first: those that were asked, and knew of the order or were to hold it. */
  readonly documents: readonly string[];
  /** Whether the call changed home, or only found what an earlier one had done. */
  readonly changed: boolean;
  /** Entered or settled by the call. */
  readonly shares: readonly RecordedShare[];
};

/** Rows of one order: oldest first, the AUDIT_ROWS_MAX newest. */
export type OrderRows = {
  /** The database's instant; undefined where there are no rows. */
  readonly now?: Date | undefined;
  readonly rows: readonly AuditRow[];
};

/** The rows of the audit. Every call throws UndecidedError where the store does not answer in time. */
export type AuditStore = {
  /** Adds rows in the order given; one whose id is there already is left as it is, unless a repeat wrote it. */
  readonly append: (rows: readonly AuditRow[]) => Promise<void>;
  readonly rowsOf: (order: OrderName) => Promise<OrderRows>;
  /** Reads what changed something, however much else was tried with the order since. */
  readonly effectsOf: (order: OrderName) => Promise<OrderRows>;
  /**
   * Reads the effects of 1 to ORDERS_PER_CALL_MAX orders of one application, in the order given: one read,
   * and one more for each order where together they have more than AUDIT_ROWS_AT_ONCE_MAX.
   */
  readonly effectsOfMany: (orders: readonly OrderName[]) => Promise<readonly OrderRows[]>;
};

/** As they happened; within a millisecond, in the order of an order's life. */
export function inOrder(rows: readonly AuditRow[]): readonly AuditRow[] {
  const rank = ({ operation }: AuditRow): number => RANKS[operation];
  return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b));
}
