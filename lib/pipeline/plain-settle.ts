import type { Expression } from './expression.ts';
import type { PlainUpdate, Value } from './plain-update.ts';
import { pushing } from './plain-update.ts';

/** One hold that is settled, as its reservation tells: the filter holds it to every word of that. */
export type PlainSettled = {
  readonly hold: {
    readonly id: string;
    readonly nonce: string;
    readonly digest: string;
    readonly amount: bigint;
    readonly count: bigint;
    readonly until: Date;
    readonly buckets: readonly string[];
    readonly others?: readonly string[];
    readonly home?: string;
  };
  /** Buckets of the hold that sum amounts. */
  readonly summing: ReadonlySet<string>;
  readonly confirms: boolean;
  /** What is counted in place of what was held; not more than that. */
  readonly final: bigint;
  /** How home remembers it; not at all beside home. */
  readonly outcome: Value | undefined;
};

/** Of a hold that is not said to have shares in other documents, nor to be one: then it must not. */
const NOWHERE_ELSE = { others: { $exists: false }, home: { $exists: false } };

/**
 * The plain update of confirms and rollbacks. When the document comes back, it is proven that each
 * hold was there to the letter and had not expired; it is gone now, what it held is released, and what
 * is confirmed is counted.
 *
 * @param settled holds that are all open at the caller's estimate of the instant
 */
export function plainSettle(
  documentId: string,
  settled: readonly PlainSettled[],
  outcomesMax: number,
  serverNow: Expression,
): PlainUpdate {
  const first = new Date(Math.min(...settled.map(({ hold }) => hold.until.getTime())));
  const $inc: Record<string, bigint> = {};
  const add = (path: string, by: bigint): void => {
    $inc[path] = ($inc[path] ?? 0n) + by;
  };
  for (const { hold, summing, confirms, final } of settled)
    for (const name of hold.buckets) {
      const [amount, count] = confirms ? [final, hold.count] : [0n, 0n];
      if (summing.has(name)) {
        add(`buckets.${name}.heldAmount`, -hold.amount);
        if (amount !== hold.amount) add(`buckets.${name}.amount`, amount - hold.amount);
      }
      add(`buckets.${name}.heldCount`, -hold.count);
      if (count !== hold.count) add(`buckets.${name}.count`, count - hold.count);
    }
  const outcomes = settled.flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome]));
  if (outcomes.length > 0) $inc.remembered = BigInt(outcomes.length);
  const nonces = settled.map(({ hold }) => hold.nonce);
  const whole = settled.map(({ hold }) => ({
    holds: { $elemMatch: { ...NOWHERE_ELSE, ...hold } },
  }));
  return {
    filter: {
      _id: documentId,
      ...(whole.length === 1 ? whole[0] : { $and: whole }),
      seen: { $not: { $gte: first } },
      ...(serverNow instanceof Date ? {} : { $expr: { $not: [{ $gte: [serverNow, first] }] } }),
    },
    update: {
      $inc,
      $pull: { holds: { nonce: nonces.length === 1 ? nonces[0] : { $in: nonces } } },
      ...pushing({ holds: [], outcomes, outcomesMax }),
    },
    returnDocument: 'before',
    projection: { _id: 1 },
  };
}
