/** Mistakes that are planted in writes and their filters, whatever they are for. */
import type { Filter, Update } from '../../lib/document/update.ts';
import type { Documents } from '../support/mingo-store.ts';
import type { Mistake } from './planting.ts';
import { inExpression, incrementing, sending, without } from './planting.ts';

function put(documents: Documents, id: string, document: Stored | undefined): void {
  if (document === undefined) documents.delete(id);
  else documents.set(id, document);
}

type Stored = ReturnType<Documents['get']>;

export const READ_BEFORE_WRITTEN: Mistake = {
  name: 'a write is decided on the document as it was when the write was asked for',
  found: { documents: 1, from: 12 },
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
  found: { documents: 1, from: 8 },
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

function forgetting(field: 'kept' | 'forgotUntil'): Mistake {
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

export const NOTHING_KEPT: Mistake = {
  ...forgetting('kept'),
  found: { documents: 2, from: 7 },
};

export const NOTHING_FORGOTTEN = forgetting('forgotUntil');

/** Changes each condition of an update's filter that stands alone, or among others that must all be true. */
function withConditions(update: Update, changed: (condition: Filter) => Filter): Update {
  const { $and: all = [], ...own } = update.filter;
  const conditions = [own, ...(all as readonly Filter[])].map(changed);
  return { ...update, filter: { $and: conditions, _id: update.filter._id } };
}

export const NOT_TO_THE_LETTER: Mistake = {
  name: 'a hold is settled that another call of its order made',
  found: { documents: 1, from: 423 },
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

/** An expression that asks for the ids of holds where it asked for the holds. */
const byIds = (expression: unknown): unknown =>
  inExpression(expression, (part) => {
    if (part === '$$h.v') return '$$h.v.id';
    return hasOrder(part) ? part.id : undefined;
  });

export const TAKEN_OFF_AGAIN: Mistake = {
  name: 'what lapsed is taken off the sums, though another call has done so',
  found: { documents: 1, from: 1_461 },
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
  found: { documents: 2, changes: ['twins'], from: 14 },
  statements: sending((update) => {
    const fields = Object.values((update.update.$set ?? {}) as Readonly<Record<string, SetHold>>);
    const ids = fields.flatMap(({ id, home }) => (home === undefined ? [] : [id]));
    if (ids.length === 0) return update;
    return { ...update, update: { ...update.update, $pull: { expired: { id: { $in: ids } } } } };
  }),
};

/** Leaves out what an update adds to some counts of open holds. */
const forgettingSums = (isForgotten: (path: string, by: bigint) => boolean) =>
  sending((update) =>
    incrementing(update, (path, by) => (isForgotten(path, by) ? [] : [[path, by]])),
  );

export const FORGETS_A_KIND: Mistake = {
  name: 'a hold that goes stays in the number of those that are open',
  found: { documents: 1 },
  statements: forgettingSums((path, by) => by < 0n && (path === 'open' || path === 'shares')),
};

export const FORGETS_NAMES: Mistake = {
  name: 'a hold that goes stays in the number of those that entered its buckets',
  found: { documents: 2 },
  statements: forgettingSums((path, by) => by < 0n && path.startsWith('p.')),
};

export const WAITS_FOR_EVER: Mistake = {
  name: 'a write waits in the database for as long as it takes',
  found: { documents: 2, changes: ['waits'], from: 31 },
  isUnbounded: true,
};
