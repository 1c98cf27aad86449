/** Mistakes that are planted in the store or in its callers, so that it is known that they would be found. */
import type { Documents } from '../support/mingo-store.ts';
import type { Effect, Running } from './moves.ts';
import type { AuditStore } from '../../lib/audit/audit.ts';
import type { RefundStore } from '../../lib/audit/refunds/refund-store.ts';
import type { SceneRules } from './scene-rules.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type { Statements } from '../../lib/document/statements.ts';
import type { Filter, Update } from '../../lib/document/update.ts';

export type Mistake = {
  readonly name: string;
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

function put(documents: Documents, id: string, document: Stored | undefined): void {
  if (document === undefined) documents.delete(id);
  else documents.set(id, document);
}

type Stored = ReturnType<Documents['get']>;

export const READ_BEFORE_WRITTEN: Mistake = {
  name: 'a write is decided on the document as it was when the write was asked for',
  effect: (documents, id, effect) => {
    const read = documents.get(id);
    return () => {
      if (read !== undefined) put(documents, id, read);
      return effect();
    };
  },
};

export const FORGETS_WRITES: Mistake = {
  name: 'every fourth write of a document is answered, and gone',
  effect: forgettingEvery(4),
};

function forgettingEvery(times: number): NonNullable<Mistake['effect']> {
  const writes = new WeakMap<Documents, number>();
  return (documents, id, effect) => () => {
    const before = documents.get(id);
    const count = (writes.get(documents) ?? 0) + 1;
    writes.set(documents, count);
    const answer = effect();
    if (count % times === 0) put(documents, id, before);
    return answer;
  };
}

export function without<Whole extends object, Field extends keyof Whole>(
  whole: Whole,
  field: Field,
): Omit<Whole, Field> {
  const rest = { ...whole };
  Reflect.deleteProperty(rest, field);
  return rest;
}

export function forgetting(field: 'kept' | 'forgotUntil'): Mistake {
  return {
    name: `no document has ${field}`,
    effect: (documents, id, effect) => () => {
      const answer = effect();
      const document = documents.get(id);
      if (document !== undefined) documents.set(id, without(document, field));
      return answer;
    },
  };
}

/** Sends another update in place of each. */
export function sending(changed: (update: Update) => Update): NonNullable<Mistake['statements']> {
  return (statements) => ({
    ...statements,
    update: (update, endsAtMs) => statements.update(changed(update), endsAtMs),
  });
}

/** Changes each condition of an update's filter that stands alone, or among others that must all be true. */
function withConditions(update: Update, changed: (condition: Filter) => Filter): Update {
  const { $and: all = [], ...own } = update.filter;
  const conditions = [own, ...(all as readonly Filter[])].map(changed);
  return { ...update, filter: { $and: conditions, _id: update.filter._id } };
}

export const NOT_TO_THE_LETTER: Mistake = {
  name: 'a hold is settled that another call of its order made',
  statements: sending((update) =>
    withConditions(update, (condition) =>
      Object.fromEntries(
        Object.entries(condition).map(([path, is]) => {
          if (path === '$expr') return [path, byIds(is)];
          return hasOrder(is) ? [`${path}.id`, is.id] : [path, is];
        }),
      ),
    ),
  ),
};

function hasOrder(value: unknown): value is { readonly id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && 'nonce' in value;
}

/** An expression, and all within it, that asks for the ids of holds where it asked for the holds. */
function byIds(expression: unknown): unknown {
  if (typeof expression !== 'object' || expression === null || expression instanceof Date)
    return expression;
  if (Array.isArray(expression)) return expression.map(byIds);
  if (hasOrder(expression)) return expression.id;
  return Object.fromEntries(
    Object.entries(expression).map(([name, value]) => [
      name,
      value === '$$h.v' ? '$$h.v.id' : byIds(value),
    ]),
  );
}

export const TAKEN_OFF_AGAIN: Mistake = {
  name: 'what lapsed is taken off the sums, though another call has done so',
  statements: sending((update) =>
    withConditions(update, (condition) => {
      const [path = '', ...others] = Object.keys(condition);
      return others.length === 0 && /^h\..*\.nonce$/.test(path) ? {} : condition;
    }),
  ),
};

export const EMPTY_BY_COUNT: Mistake = {
  name: 'a counter without a count is taken for empty, whatever its amount',
  statements: sending((update) =>
    withConditions(update, (condition) =>
      Object.fromEntries(
        Object.entries(condition).filter(([path]) => !/^b\..*\.(a|ua|un)$/.test(path)),
      ),
    ),
  ),
};

type SetHold = { readonly id?: string; readonly home?: string };

export const TAKEN_BY_ID: Mistake = {
  name: 'a share takes what expired of its id, and had its home there',
  statements: sending((update) => {
    const fields = Object.values((update.update.$set ?? {}) as Readonly<Record<string, SetHold>>);
    const ids = fields.flatMap(({ id, home }) => (home === undefined ? [] : [id]));
    if (ids.length === 0) return update;
    return { ...update, update: { ...update.update, $pull: { expired: { id: { $in: ids } } } } };
  }),
};

/** Leaves out what an update adds to some counts of open holds. */
function miscounting(name: string, isForgotten: (path: string, by: bigint) => boolean): Mistake {
  return {
    name,
    statements: sending((update) => {
      const { $inc = {} } = update.update as { readonly $inc?: Readonly<Record<string, bigint>> };
      const counted = Object.entries($inc).filter(([path, by]) => !isForgotten(path, by));
      return { ...update, update: { ...update.update, $inc: Object.fromEntries(counted) } };
    }),
  };
}

export const FORGETS_A_KIND = miscounting(
  'a hold that goes stays in the number of those that are open',
  (path, by) => by < 0n && (path === 'open' || path === 'shares'),
);

export const FORGETS_NAMES = miscounting(
  'a hold that goes stays in the number of those that entered its buckets',
  (path, by) => by < 0n && path.startsWith('p.'),
);
