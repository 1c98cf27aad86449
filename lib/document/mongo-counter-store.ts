import type { ClientSession, Collection, Document, FindOptions, ReadPreference } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { OUTCOMES_DEFAULT } from '../shared/bounds.ts';
import type { Lanes, CounterStore } from './counter-store.ts';
import type { Statements } from './statements.ts';
import { learningLanes } from './statements.ts';
import { countersOver } from './counters.ts';
import { hasId } from './conditions.ts';
import type { StoredDocument } from './stored.ts';
import type { Update } from './update.ts';
import { whenConnected } from '../mongo/client.ts';
import {
  STORE_TIMEOUT_MS_DEFAULT,
  decided,
  isDuplicateKey,
  sentOnce,
  serverMs,
} from '../mongo/failure.ts';

/** A stored document, as the driver types it. Its shape is in `stored.ts`. */
export type CounterDocument = Document & { readonly _id: string };

/** Name of the collection, one document a subject. */
export const COUNTERS = 'counters';

/** What a deployment and tests may choose of a store. */
export type MongoCounterOptions = {
  readonly timeoutMs?: number;
  readonly outcomesMax?: number;
  readonly lanes?: Lanes;
};

/** Does a call, and what belongs before and after it. */
export type Around = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

type Within = {
  readonly together?: CounterStore['together'];
  /** Of a multi-document commit, or of what is read causally after the session's last answer. */
  readonly session?: ClientSession;
  readonly inTurn?: Around;
  readonly readPreference?: ReadPreference;
};

/**
 * Sends one `findOneAndUpdate` by `_id` a call in the ordinary case. The filter of an upsert is `_id` alone:
 * the server repeats a lost insert race. Source: MongoDB manual, findAndModify, "Upsert with Unique Index".
 */
export function mongoCounterStore(
  counters: Collection<CounterDocument>,
  options: MongoCounterOptions,
  within: Within,
): CounterStore {
  const { outcomesMax = OUTCOMES_DEFAULT, lanes = learningLanes() } = options;
  const timeoutMs = options.timeoutMs ?? STORE_TIMEOUT_MS_DEFAULT;
  const { together, session, readPreference } = within;
  const statements = mongoStatements(counters, timeoutMs, within);
  const store: CounterStore = countersOver(statements, {
    outcomesMax,
    lanes,
    isOneCommit: session !== undefined && readPreference === undefined,
    together: together ?? ((work) => work(store)),
  });
  return store;
}

/**
 * Within a session a statement must carry no concern of its own. Outside, reads are as a majority has them, for an
 * answer must not be rolled back. Source: mongodb/mongo, transaction_validation.cpp,
 * validateWriteConcernForTransaction; MongoDB manual, "Transactions and Read Concern".
 */
export function mongoStatements(
  counters: Collection<CounterDocument>,
  timeoutMs: number,
  { session, readPreference, inTurn = (call) => call() }: Within,
): Statements {
  const there = session === undefined ? {} : { session };
  const reading: FindOptions =
    session === undefined || readPreference !== undefined
      ? {
          ...there,
          readConcern: { level: 'majority' },
          readPreference: readPreference ?? 'primary',
        }
      : there;
  const { read, send } = sendingTo(counters, timeoutMs, session, inTurn);
  const write = writingTo(counters, session);
  return {
    update: (update, endsAtMs) =>
      send(async (maxTimeMS, signal) => {
        try {
          return await write(update, update.update, maxTimeMS, signal);
        } catch (error) {
          // It is there, and does not match.
          if (update.upsert === true && isDuplicateKey(error)) return undefined;
          throw error;
        }
      }, endsAtMs),

    async make(documentId, pipeline, projection, endsAtMs) {
      const returns = { document: 'after', projection } as const;
      const made = { filter: { _id: documentId }, upsert: true, returns };
      const stages = [...pipeline] as Document[];
      const found = await send(
        (maxTimeMS, signal) => write(made, stages, maxTimeMS, signal),
        endsAtMs,
      );
      if (found === undefined) throw new TypeError('an upsert returns the document that it left');
      return found;
    },

    find: (documentIds, projection, endsAtMs) =>
      read(
        (maxTimeMS) =>
          counters
            .find<StoredDocument & { readonly _id: string }>(hasId(documentIds), {
              projection: { ...projection },
              ...reading,
              // A read in a commit may wait for another commit, and its own cannot be ended meanwhile.
              ...(session === undefined ? undefined : { maxTimeMS }),
            })
            .toArray(),
        endsAtMs,
      ),

    // In a commit nobody else writes what it has read.
    pause: (tries) => (session === undefined ? pauseByChance(tries) : Promise.resolve()),

    // Of no session: a commit may have no such command.
    async now() {
      const { localTime } = await read(() => counters.db.admin().command({ hello: 1 }));
      return localTime instanceof Date ? localTime : undefined;
    },
  };
}

/** How one write is sent: by itself, or as a part of a commit. */
function writingTo(counters: Collection<CounterDocument>, session: ClientSession | undefined) {
  const writing =
    session === undefined ? ({ writeConcern: { w: 'majority' } } as const) : { session };
  return async (
    { filter, returns, upsert = false }: Omit<Update, 'update'>,
    update: Document | Document[],
    maxTimeMS: number,
    signal: AbortSignal | undefined,
  ): Promise<StoredDocument | undefined> => {
    const bounded =
      signal === undefined
        ? { upsert, maxTimeMS, ...writing }
        : { upsert, maxTimeMS, signal, ...writing };
    if (returns === undefined) {
      const { matchedCount, upsertedCount } = await counters.updateOne(filter, update, bounded);
      return matchedCount + upsertedCount > 0 ? {} : undefined;
    }
    const found: Document | null = await counters.findOneAndUpdate(filter, update, {
      returnDocument: returns.document,
      projection: returns.projection,
      includeResultMetadata: false,
      ...bounded,
    });
    return found ?? undefined; // the store alone writes there
  };
}

/** Callers that overtook one another must not do so again: up to 5 ms, and longer with each try. */
function pauseByChance(tries: number): Promise<void> {
  return setTimeout(5 * Math.min(tries, 4) * Math.random());
}

/** How statements are sent: each in its time, and a write of a session as a part of its commit. */
function sendingTo(
  { db: { client } }: Collection<CounterDocument>,
  timeoutMs: number,
  session: ClientSession | undefined,
  inTurn: Around,
) {
  const end = (endsAtMs: number | undefined): number => endsAtMs ?? performance.now() + timeoutMs;
  const read = <T>(statement: (maxTimeMS: number) => Promise<T>, endsAtMs?: number): Promise<T> =>
    inTurn(() => {
      const waitMs = end(endsAtMs) - performance.now();
      return decided(
        whenConnected(client, () => statement(serverMs(waitMs))),
        waitMs,
      );
    });
  const send = <T>(
    statement: (maxTimeMS: number, signal: AbortSignal | undefined) => Promise<T>,
    endsAtMs?: number,
  ): Promise<T> => {
    // A commit begins again as a whole, and nothing of it is done before its end.
    if (session !== undefined)
      return read((maxTimeMS) => statement(maxTimeMS, undefined), endsAtMs);
    const write = (maxTimeMS: number, signal: AbortSignal | undefined) =>
      whenConnected(client, () => statement(maxTimeMS, signal));
    return sentOnce(write, end(endsAtMs), endsAtMs !== undefined);
  };
  return { read, send };
}
