import { isDeepStrictEqual } from 'node:util';
import { Context } from 'mingo';
import { Aggregator } from 'mingo/aggregator';
import * as accumulator from 'mingo/operators/accumulator';
import * as expression from 'mingo/operators/expression';
import * as pipeline from 'mingo/operators/pipeline';
import * as projection from 'mingo/operators/projection';
import * as query from 'mingo/operators/query';
import { Query } from 'mingo/query';
import { updateOne } from 'mingo/updater';
import { OUTCOMES_DEFAULT } from '../../lib/shared/bounds.ts';
import type { Lanes, CounterStore } from '../../lib/document/counter-store.ts';
import type { Statements } from '../../lib/document/statements.ts';
import { learningLanes } from '../../lib/document/statements.ts';
import { countersOver } from '../../lib/document/counters.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import { SERVER_NOW } from '../../lib/document/update.ts';
import type { UpdateInObjects } from './in-objects.ts';
import { inObjects } from './in-objects.ts';
import { PLAIN_OFF } from './lanes.ts';
import { SINCE } from './statement-operators.ts';

type Document = Record<string, unknown>;

/** What the core sends is all that mingo has to know: it copies each operator for every statement. */
const sent = <Operators extends object>(operators: Operators): Operators =>
  Object.fromEntries(
    Object.entries(operators).filter(([name]) => Object.hasOwn(SINCE, name)),
  ) as Operators; // fewer of the same

const OPERATORS = {
  context: Context.init({
    accumulator: sent(accumulator),
    expression: sent(expression),
    pipeline: { ...sent(pipeline), $project: pipeline.$project },
    projection: sent(projection),
    query: sent(query),
  }),
};

/** The stored documents, by `_id`. A document is replaced when it changes, never changed in place. */
export type Documents = Map<string, Document>;

/** A store in memory that can be looked into. */
export type MingoStore = CounterStore & { readonly documents: Documents };

export type ServerClock = (documentId: string) => Date;

/**
 * A store whose statements are evaluated by mingo, an independent implementation of MongoDB's
 * expressions and updates: what it and a database agree on is not one engine's habit. Of several
 * documents, a commit works on copies, and begins again where one of them changed meanwhile.
 */
export function mingoStore(
  options: {
    readonly lanes?: Lanes;
    readonly outcomesMax?: number;
    readonly clock?: ServerClock;
  } = {},
): MingoStore {
  const { lanes = learningLanes(), outcomesMax = OUTCOMES_DEFAULT, clock } = options;
  const documents: Documents = new Map();
  const storeOver = (data: Documents, isOneCommit: boolean): CounterStore => {
    const store: CounterStore = countersOver(mingoStatements(data, clock), {
      outcomesMax,
      lanes,
      isOneCommit,
      together: (work) => (isOneCommit ? work(store) : commit(documents, storeOver, work)),
    });
    return store;
  };
  return { ...storeOver(documents, false), documents };
}

/** A store over statements, of which no commit is asked. */
export function countersWithoutCommits(
  statements: Statements,
  { outcomesMax = OUTCOMES_DEFAULT, lanes = PLAIN_OFF } = {},
): CounterStore {
  const together = () => Promise.reject(new Error('no commit is asked for'));
  return countersOver(statements, { outcomesMax, lanes, isOneCommit: false, together });
}

/** Documents that remember which of them were asked for, as they were before. */
class Snapshot extends Map<string, Document> {
  readonly #before: Documents;
  readonly asked = new Map<string, Document | undefined>();

  constructor(before: Documents) {
    super(before);
    this.#before = new Map(before);
  }

  override get(id: string): Document | undefined {
    this.asked.set(id, this.#before.get(id));
    return super.get(id);
  }
}

async function commit<T>(
  documents: Documents,
  storeOver: (data: Documents, isOneCommit: boolean) => CounterStore,
  work: (counters: CounterStore) => Promise<T>,
): Promise<T> {
  for (;;) {
    const snapshot = new Snapshot(documents);
    const result = await work(storeOver(snapshot, true));
    const asked = [...snapshot.asked];
    if (asked.some(([id, before]) => documents.get(id) !== before)) continue;
    for (const [id] of asked) {
      const after = snapshot.get(id);
      if (after !== undefined) documents.set(id, after);
    }
    return result;
  }
}

/**
 * Statements on documents in memory. mingo has no 64-bit integers, so bigint becomes number; the tested
 * amounts are small. An update that changes nothing leaves the very document, as a database does.
 *
 * @param clock gives what stands in the place of the server's instant
 */
export function mingoStatements(
  documents: Documents,
  clock: ServerClock = () => new Date(),
): Statements {
  return {
    update: (statement) => Promise.resolve(update(documents, inObjects(statement), clock)),

    make(documentId, pipeline, projection) {
      const before = documents.get(documentId) ?? { _id: documentId };
      const now = clock(documentId);
      const stages = pipeline.map((stage) => plain(stage, now) as Document); // a stage is an object
      const evaluated = evaluate(stages, before);
      const isSame = documents.has(documentId) && isDeepStrictEqual(evaluated, before);
      const after = isSame ? before : evaluated;
      documents.set(documentId, after);
      return Promise.resolve(look(after, projection, now));
    },

    find(documentIds, projection) {
      const found = documentIds.flatMap((id) => {
        const document = documents.get(id);
        return document === undefined
          ? []
          : [{ ...look(document, projection, clock(id)), _id: id }];
      });
      return Promise.resolve(found);
    },

    now: () => Promise.resolve(clock('')),
    pause: () => Promise.resolve(),
  };
}

function update(
  documents: Documents,
  { filter, update: changes, returns, upsert = false }: UpdateInObjects,
  clock: ServerClock,
): StoredDocument | undefined {
  const id = String(filter._id);
  const there = documents.get(id);
  const now = clock(id);
  const before = there ?? (upsert ? { _id: id } : undefined);
  if (before === undefined || !new Query(plain(filter, now) as Document, OPERATORS).test(before))
    return undefined;
  const after = structuredClone(before);
  const { $setOnInsert, ...operators } = changes;
  const made = there === undefined ? { $set: { ...operators.$set, ...$setOnInsert } } : {};
  const applied = plain({ ...operators, ...made }, now) as Document; // an object of operators
  if (Object.keys(applied).length > 0) updateOne([after], {}, applied);
  documents.set(id, after);
  return returns
    ? look(returns.document === 'after' ? after : before, returns.projection, now)
    : {};
}

/** A document as a projection shows it; without one as it is stored, as MongoDB does. */
function look(document: Document, projection: object, now: Date): StoredDocument {
  if (Object.keys(projection).length === 0) return structuredClone(document);
  return evaluate([{ $project: plain(projection, now) }], document); // as it was written
}

function evaluate(stages: Document[], document: Document): Document {
  const [after] = new Aggregator(stages, OPERATORS).run<Document>([structuredClone(document)]);
  if (after === undefined) throw new Error('an update of one document gives one document');
  return after;
}

/** Numbers in place of bigints, an instant in place of the server's. */
function plain(value: unknown, now: Date): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value === SERVER_NOW) return now;
  if (value instanceof Date || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => plain(item, now));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, now)]));
}
