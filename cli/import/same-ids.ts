import { createHash } from 'node:crypto';
import { documentId, homeKind } from '../../lib/shared/subject.ts';
import type { Payment } from '../../packages/client/src/index.ts';
import { countText, numberText } from '../output.ts';

/** Ids that are remembered, in some 100 MB. Rows after them are taken for payments of their own. */
const IDS_MAX = 2_000_000;

/** Kinds whose document is home to an order, where a deployment says nothing else. */
const HOME_KINDS = ['user'] as const;

/** A row compared with earlier ones: another payment, a repeat, or unknown. */
type Sameness = 'new' | 'repeated' | 'reused';

/** Finds rows that have the id of an earlier one. An order is known by its id and its home. */
export class SameIds {
  readonly #contents = new Map<number, number>();
  #reused: { rows: number; readonly id: string; readonly line: number } | undefined;
  repeated = 0;

  look(payment: Payment, line: number): Sameness {
    const { orderId, subjects } = payment;
    const kind = homeKind(subjects, HOME_KINDS);
    const order = hashOf([orderId, documentId(kind, subjects[kind] ?? '')]);
    const content = contentOf(payment);
    const known = this.#contents.get(order);
    if (known === undefined) {
      if (this.#contents.size < IDS_MAX) this.#contents.set(order, content);
      return 'new';
    }
    if (known === content) {
      this.repeated += 1;
      return 'repeated';
    }
    this.#reused ??= { rows: 0, id: orderId, line };
    this.#reused.rows += 1;
    return 'reused';
  }

  warnings(): readonly string[] {
    const full =
      this.#contents.size < IDS_MAX
        ? []
        : [`The first ${numberText(IDS_MAX)} ids were compared with each other, and no more.`];
    if (this.#reused === undefined) return full;
    const { rows, id, line } = this.#reused;
    const have = `${countText(rows, 'row')} ${rows === 1 ? 'has' : 'have'}`;
    return [
      `${have} the id of an earlier row and another content, such as ${JSON.stringify(id)} (line ${line}). Headroom rejects such a row (ORDER_REUSED). Give each payment an id of its own.`,
      ...full,
    ];
  }
}

function contentOf({ type, subjects, amount, currency, count, attributes, at }: Payment): number {
  const sorted = (record: object): unknown =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  const happened = new Date(at.toUpperCase()).getTime();
  return hashOf([
    type ?? null,
    sorted(subjects),
    amount,
    currency,
    count ?? 1,
    sorted(attributes ?? {}),
    happened,
  ]);
}

/** 48 bits: of two million ids, two are taken for one once in a hundred files. */
function hashOf(values: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(values)).digest().readUIntBE(0, 6);
}
