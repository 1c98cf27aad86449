import { LostAnswerError } from '../shared/errors.ts';
import type { Lanes } from './counter-store.ts';
import type { KnownLists } from './known-lists.ts';
import type { StoredDocument } from './stored.ts';
import type { Projection, Update, Value } from './update.ts';

/**
 * A database, or whatever evaluates what a database would. A write throws LostAnswerError if its answer is lost
 * and there is time left. What is sent then has the rest of its time: it ends at `endsAtMs`.
 */
export type Statements = {
  /** Nothing where the filter matches no document. */
  readonly update: (update: Update, endsAtMs?: number) => Promise<StoredDocument | undefined>;
  /** Gives the document as it is then. */
  readonly make: (
    documentId: string,
    pipeline: readonly Value[],
    projection: Projection,
    endsAtMs?: number,
  ) => Promise<StoredDocument>;
  readonly find: (
    documentIds: readonly string[],
    projection: Projection,
    endsAtMs?: number,
  ) => Promise<readonly (StoredDocument & { readonly _id: string })[]>;
  readonly now: () => Promise<Date | undefined>;
  /** Waits before a statement is tried once more that others overtook. */
  readonly pause: (tries: number) => Promise<void>;
};

/** A store of counters, as its calls use it. */
export type Adding = {
  readonly statements: Statements;
  readonly outcomesMax: number;
  readonly lanes: Lanes;
  readonly lists: KnownLists;
  /** Whether the statements are part of a commit: one that fails ends it. */
  readonly isOneCommit: boolean;
};

/** Gives the answer to a write; the error if it was lost, and the document must be looked at. */
export async function answered<T>(answer: Promise<T>): Promise<T | LostAnswerError> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof LostAnswerError) return error;
    throw error;
  }
}

const REFUSED_MAX = 1_000; // documents remembered; the first that was learned goes first
const READING_CALLS = 8; // checks that only read a document at first, after it refused

const unheard: Lanes['note'] = () => undefined;

/** Asks at once, but not a document that has just refused: it is nearly full, and a refusal needs no update. */
export function learningLanes(note: Lanes['note'] = unheard): Lanes {
  const callsLeft = new Map<string, number>();
  return {
    note,
    takesPlain(documentId, call) {
      const left = call === 'settle' ? undefined : callsLeft.get(documentId);
      if (left === undefined) return true;
      if (left <= 1) callsLeft.delete(documentId);
      else callsLeft.set(documentId, left - 1);
      return false;
    },
    learn(documentId, held) {
      callsLeft.delete(documentId); // a name that is there would keep its place
      if (held) return;
      callsLeft.set(documentId, READING_CALLS);
      const [oldest] = callsLeft.keys();
      if (callsLeft.size > REFUSED_MAX && oldest !== undefined) callsLeft.delete(oldest);
    },
  };
}
