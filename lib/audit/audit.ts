import { SETTLED_STATES } from '../shared/states.ts';
import { errorOf } from '../shared/errors.ts';
import { CLOCK_BACK_MS } from '../shared/bounds.ts';
import type { Actor } from '../shared/actor.ts';
import type { CheckRequest, OrderAsked, OrderName, Subjects } from '../shared/request.ts';
import type { Refusal, FrozenThen } from '../http/refusal.ts';
import type { RecordedShare } from '../limits/order-trace.ts';

/** Operations, and when they come in an order's life. */
const RANKS = { check: 0, record: 0, confirm: 1, rollback: 1, refund: 2 } as const;

/** Outcomes that changed something; a check that captures is `confirmed`. */
export const EFFECTS: readonly string[] = ['held', ...SETTLED_STATES, 'refunded'];

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
  /** Of a check or a record, as far as `AUDIT_ATTRIBUTES` keeps them. */
  readonly attributes?: CheckRequest['attributes'] | undefined;
  /** Where `AUDIT_ATTRIBUTES` is a list: names of the attributes that were said and are not kept. */
  readonly unkept?: readonly string[] | undefined;
  /** Minor units: asked or got by a check, counted by a confirm, given back by a rollback or a refund. */
  readonly amountMinor?: number | undefined;
  /** A refund gave back so many: 0 while something of the order was left. */
  readonly count?: number | undefined;
  /** A check's or a record's; other rows have it once `asChecked` gave it to them. */
  readonly currency?: string | undefined;
  /** Ids of the rules that refused. */
  readonly violations: readonly string[];
  /** At most RULES_PER_CHECK_MAX. */
  readonly refusals?: readonly Refusal[] | undefined;
  /** Of a check that takes what fits: what it asked for, and the rules that left least. Refused, `amountMinor` is its least. */
  readonly askedMinor?: number | undefined;
  readonly amountBy?: readonly string[] | undefined;
  /** Of such a check: the least that it takes, as it said. */
  readonly leastMinor?: number | undefined;
  /** What the payer of a check had proven. */
  readonly proofs?: readonly string[] | undefined;
  /** The proofs with which a refused check would have passed. */
  readonly challenges?: readonly string[] | undefined;
  /** The proposal by which a second person decides about it, or has let it pass. */
  readonly proposal?: string | undefined;
  /** Who let it pass. */
  readonly approvedBy?: Actor | undefined;
  /** The subjects for which it was refused, with the reason `frozen`. */
  readonly frozen?: readonly FrozenThen[] | undefined;
  readonly happenedAt?: Date | undefined;
  /** Everything that a record asked, or a check that counted at once, digested; also in the row of a confirm that found it counted. */
  readonly digest?: string | undefined;
  /** It was confirmed after its hold had expired. */
  readonly late?: boolean | undefined;
  /** The caller's words for a rollback or a refund. If no rule refused a check, `no-rule` or `frozen`. */
  readonly reason?: string | undefined;
  /** The caller's code for a rollback, or for a record of a failure: by it rules count it. */
  readonly reasonCode?: string | undefined;
  readonly refundId?: string | undefined;
  readonly reservation?: string | undefined;
  readonly holdExpiresAt?: Date | undefined;
  /** Of a check that was not held: what it asked besides. */
  readonly holdSeconds?: number | undefined;
  readonly capture?: true | undefined;
  /** A check of a call of all or none. */
  readonly atomic?: true | undefined;
  /** The newest revision of a rule by which a check or a record was decided. */
  readonly rules?: number | undefined;
  readonly nonce?: string | undefined;
  /** The effect was there already: the row of the call that made it is missing, or its answer was. */
  readonly repeated?: true | undefined;
  /** At least so many rows before it were lost by the process that wrote it. */
  readonly lost?: number | undefined;
  /** Documents that it concerned, home first; empty where none was asked. */
  readonly documents: readonly string[];
  /**
   * By these documents: how many writes each had seen. Of an effect its own is the last of them; a refusal came
   * after so many, and 0 is not known.
   */
  readonly q?: readonly number[] | undefined;
  /** From 1: how many orders of its call came before it. Absent of the first. */
  readonly inCall?: number | undefined;
  /** Home first. Of an effect only, and empty where a repeat tells of it. */
  readonly shares: readonly RecordedShare[];
  /** Of rows that were read alone. */
  readonly expireAt?: Date | undefined;
};

/** Rows of one order: oldest first, the AUDIT_ROWS_MAX newest of those that are asked for. */
export type OrderRows = {
  /** The database's instant; undefined where there are no rows. */
  readonly now?: Date | undefined;
  readonly rows: readonly AuditRow[];
};

/** The rows of the audit. Every call throws UndecidedError where the store does not answer in time. */
export type AuditStore = {
  /** Adds rows in the order given; one whose id is there already is left as it is, unless a repeat wrote it. */
  readonly append: (rows: readonly AuditRow[]) => Promise<void>;
  /** Reads what happened under an id, in whatever homes. */
  readonly rowsOf: (order: OrderName) => Promise<OrderRows>;
  /**
   * Reads what changed something, however much else was tried with the order since.
   *
   * @param home the rows of this home alone, for each may have an order of that id. Without it, a second home is
   * among the rows if there is one
   */
  readonly effectsOf: (order: OrderName, home?: string) => Promise<OrderRows>;
  /**
   * Reads the effects of 1 to ORDERS_PER_CALL_MAX orders of any applications, in the order given: one read,
   * and one more for each order where together they have more than AUDIT_ROWS_AT_ONCE_MAX.
   */
  readonly effectsOfMany: (orders: readonly OrderAsked[]) => Promise<readonly OrderRows[]>;
};

/** A row, as far as it says its place in time. */
type OrderedRow = Pick<AuditRow, 'at' | 'operation' | 'effective' | 'documents' | 'q'>;

/**
 * As they happened: by their instants, but rows of one home in the order of its writes, also where a clock was set
 * back between them; within a millisecond as an order's life goes.
 */
export function rowsInOrder<Row extends OrderedRow>(rows: readonly Row[]): readonly Row[] {
  const rank = ({ operation }: Row): number => RANKS[operation];
  const at = timesOf(rows);
  const timeOf = (row: Row): number => at.get(row) ?? row.at.getTime();
  return rows.toSorted((a, b) => timeOf(a) - timeOf(b) || byWrites(a, b) || rank(a) - rank(b));
}

/**
 * When rows happened, none before those of earlier writes of its home. A document that was deleted counts its writes
 * from 1 again, long after: no clock that is believed steps back so far.
 */
function timesOf<Row extends OrderedRow>(rows: readonly Row[]): ReadonlyMap<Row, number> {
  const times = new Map<Row, number>();
  const latest = new Map<string, number>();
  const numbered = rows.filter(({ q: [first = 0] = [] }) => first > 0);
  for (const row of numbered.toSorted(byNumber)) {
    const [home = ''] = row.documents;
    const [own, before = 0] = [row.at.getTime(), latest.get(home)];
    const time = before - own <= CLOCK_BACK_MS ? Math.max(before, own) : own;
    times.set(row, time);
    latest.set(home, time);
  }
  return times;
}

function byNumber(
  { q: [first = 0] = [] }: OrderedRow,
  { q: [second = 0] = [] }: OrderedRow,
): number {
  return first - second;
}

/** What wrote nothing came after the write that it saw. */
function byWrites(one: OrderedRow, other: OrderedRow): number {
  const [first = 0] = one.q ?? [];
  const [second = 0] = other.q ?? [];
  if (first === 0 || second === 0 || one.documents[0] !== other.documents[0]) return 0;
  return first - second || Number(other.effective) - Number(one.effective);
}

/** The call needs the audit, and this deployment keeps none. */
export class AuditOffError extends errorOf(
  'AUDIT_OFF',
  (what: string) =>
    `${what} needs the audit, and this deployment has none: set AUDIT to best-effort or session`,
) {}
