/** How mistakes are planted: in the store, in its statements or in its callers. */
import type { AuditStore } from '../../lib/audit/audit.ts';
import type { RefundStore } from '../../lib/audit/refunds/refund-store.ts';
import type { Ask, AskedOrder, CounterStore } from '../../lib/document/counter-store.ts';
import type { Statements } from '../../lib/document/statements.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import type { Update } from '../../lib/document/update.ts';
import type { UpdateInObjects } from '../support/in-objects.ts';
import { inObjects } from '../support/in-objects.ts';
import type { Documents } from '../support/mingo-store.ts';
import type { Effect, Running } from './moves.ts';
import type { SceneKind } from './random-scene.ts';
import type { SceneRules } from './scene-rules.ts';

/** A mistake, so that it is known that it would be found. */
export type Mistake = {
  readonly name: string;
  /** Stories by chance that find it; only stories that are written out do when absent. */
  readonly found?: Found;
  readonly nonce?: (running: Running | undefined) => string;
  /** When a write is asked for: gives what it does when it takes effect. */
  readonly effect?: (documents: Documents, document: string, effect: Effect) => Effect;
  /** How statements are sent, within a commit as well. */
  readonly statements?: (statements: Statements) => Statements;
  readonly isBlind?: boolean;
  /** Whether a write waits in the database for as long as it takes. */
  readonly isUnbounded?: boolean;
  readonly rules?: (known: SceneRules, first: SceneRules) => SceneRules;
  readonly audit?: (store: AuditStore) => AuditStore;
  readonly refunds?: (refunds: RefundStore) => RefundStore;
  /** @param rules those that the caller knows whose store it is */
  readonly counters?: (
    counters: CounterStore,
    documents: Documents,
    rules: () => SceneRules | undefined,
  ) => CounterStore;
};

export type Found = Pick<SceneKind, 'documents' | 'changes'> & {
  readonly isOneCommit?: boolean;
  /** The seed of the first story, which finds it as scenes are made today. Default: 1. */
  readonly from?: number;
};

export function foundIn(found: Found, mistake: Mistake): Mistake {
  return { ...mistake, found };
}

export function without<Whole extends object, Field extends keyof Whole>(
  whole: Whole,
  field: Field,
): Omit<Whole, Field> {
  const rest = { ...whole };
  Reflect.deleteProperty(rest, field);
  return rest;
}

/** Sends another update in place of each. */
export function sending(
  changed: (update: UpdateInObjects) => Update,
): NonNullable<Mistake['statements']> {
  return (statements) => ({
    ...statements,
    update: (update, endsAtMs) => statements.update(changed(inObjects(update)), endsAtMs),
  });
}

/** Sends another update in place of each, and reads other buckets in every document. */
export function seeing(
  changed: (update: Update) => Update,
  bucketsAs: (bucket: string, sums: StoredSums) => StoredSums,
): NonNullable<Mistake['statements']> {
  return (statements) => ({
    ...sending(changed)(statements),
    find: async (...asked) => {
      const found = await statements.find(...asked);
      return found.map(({ b: buckets, ...stored }) => {
        const others = Object.entries(buckets ?? {}).map(
          ([name, sums]) => [name, bucketsAs(name, sums)] as const,
        );
        return { ...stored, b: Object.fromEntries(others) };
      });
    },
  });
}

/** The sums of a bucket, as they are stored. */
export type StoredSums = NonNullable<StoredDocument['b']>[string];

/** What an update adds, by path. */
export type Increments = Readonly<Record<string, bigint>>;

/** An update that adds other sums. */
export function adding(update: Update, other: (sums: Increments) => Update['update']): Update {
  const { $inc, ...rest } = update.update as { readonly $inc?: Increments };
  return $inc === undefined ? update : { ...update, update: { ...rest, ...other($inc) } };
}

/** Another increment in place of each, or none. */
export function incrementing(
  update: Update,
  other: (path: string, by: bigint) => readonly (readonly [string, bigint])[],
): Update {
  return adding(update, (sums) => ({
    $inc: Object.fromEntries(Object.entries(sums).flatMap(([path, by]) => other(path, by))),
  }));
}

/**
 * An expression, and all within it, in which some are others.
 *
 * @param other gives what is in place of a part; undefined where that is to be looked into
 */
export function inExpression(expression: unknown, other: (part: unknown) => unknown): unknown {
  const changed = other(expression);
  if (changed !== undefined) return changed;
  if (typeof expression !== 'object' || expression === null || expression instanceof Date)
    return expression;
  if (Array.isArray(expression)) return expression.map((each) => inExpression(each, other));
  return Object.fromEntries(
    Object.entries(expression).map(([field, value]) => [field, inExpression(value, other)]),
  );
}

/** An update whose filter has other expressions. */
export function expressing(update: Update, other: (part: unknown) => unknown): Update {
  const { $expr, ...others } = update.filter;
  if ($expr === undefined) return update;
  return { ...update, filter: { ...others, $expr: inExpression($expr, other) } };
}

/** A store that does something otherwise, within a commit as well. */
export function changed(
  name: string,
  change: (counters: CounterStore, documents: Documents) => Partial<CounterStore>,
): Mistake {
  const over = (counters: CounterStore, documents: Documents): CounterStore => ({
    ...counters,
    together: (work) => counters.together((inner) => work(over(inner, documents))),
    ...change(counters, documents),
  });
  return { name, counters: over };
}

/** A store whose checks ask something else of a document. */
export function asking(
  name: string,
  other: (ask: Ask, document: ReturnType<Documents['get']>) => Ask,
): Mistake {
  return changed(name, (counters, documents) => ({
    hold: (ask, at) => counters.hold(other(ask, documents.get(ask.document)), at),
  }));
}

/** A store whose checks ask something else for each order. */
export function askingFor(name: string, other: (order: AskedOrder) => AskedOrder): Mistake {
  return asking(name, (ask) => ({ ...ask, orders: ask.orders.map(other) }));
}
