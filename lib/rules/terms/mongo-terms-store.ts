import type { Collection, Db } from 'mongodb';
import type { Approval } from '../four-eyes/proposal.ts';
import { present } from '../../shared/present.ts';
import { documentId } from '../../shared/subject.ts';
import type { TermsChanged } from './terms-change.ts';
import { readTerms, storedTerms } from '../../limits/document/stored-terms.ts';
import type { StoredTerms } from '../../limits/document/stored-terms.ts';
import { changesFilter } from './terms-changes.ts';
import { asking } from '../../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from '../../mongo/failure.ts';
import type { CounterDocument } from '../../limits/mongo-counter-store.ts';
import { COUNTERS, sessionCounterStore } from '../../limits/mongo-counter-store.ts';
import { mongoCounters } from '../../limits/mongo-counters.ts';
import { approveOrEnd, NotOpenError } from '../four-eyes/mongo-proposal-store.ts';
import { LARGE_ROWS_BATCH, rowsOfPage } from '../../mongo/rows-of-page.ts';
import type { TermsStore } from './terms-store.ts';
import { inTransaction, untilCommitted } from '../../mongo/transaction.ts';

/** Name of the collection of changes of subjects' terms. */
export const TERMS_CHANGES = 'terms_changes';

/** A change as it is stored; `_id` is its version. */
type ChangeDocument = Omit<TermsChanged, 'version' | 'before' | 'after'> & {
  readonly _id: string;
  readonly document: string;
  readonly before?: StoredTerms;
  readonly after?: StoredTerms;
};

function changesOf(db: Db): Collection<ChangeDocument> {
  return db.collection<ChangeDocument>(TERMS_CHANGES);
}

/** The terms of subjects in a database. */
export function mongoTermsStore(db: Db, timeoutMs = STORE_TIMEOUT_MS_DEFAULT): TermsStore {
  const collection = db.collection<CounterDocument>(COUNTERS);
  const counters = mongoCounters(collection, { timeoutMs });
  return {
    async read({ kind, id }, estimate, at) {
      const asked = [documentId(kind, id)];
      const [view] = (await counters.read(asked, [], estimate, at)).values();
      // No document has the time here, and the clock of a laptop must not shorten a delay that a thief
      // has to wait for.
      if (view === undefined) return { now: at ?? (await counters.now()) ?? estimate };
      return { now: view.now, ...present({ terms: view.terms }) };
    },
    async replace(change, approval) {
      const isReplaced = await replaceTerms(db, timeoutMs, change, approval);
      const { kind, id } = change.subject;
      // What terms kept alive may go; where that fails, it goes later.
      if (isReplaced)
        await counters.shorten(documentId(kind, id), change.at).catch(() => undefined);
      return isReplaced;
    },
    async changes({ subject: { kind, id }, before, limit, bytesMax }) {
      const filter = changesFilter(documentId(kind, id), before);
      const found = await asking(
        db,
        timeoutMs,
      )(() =>
        rowsOfPage(
          changesOf(db).find(filter, {
            ...{ sort: { at: -1, _id: -1 }, limit, readPreference: 'primary' },
            ...(bytesMax === undefined ? {} : { batchSize: LARGE_ROWS_BATCH }),
          }),
          bytesMax,
        ),
      );
      return found.map(changeFrom);
    },
  };
}

/** Ends a commit without a trace. */
class OthersFirstError extends Error {
  override readonly name = 'OthersFirstError';
}

async function replaceTerms(
  db: Db,
  timeoutMs: number,
  { version, before, after, ...change }: TermsChanged,
  approval: Approval | undefined,
): Promise<boolean> {
  const { kind, id } = change.subject;
  const document = documentId(kind, id);
  const row: ChangeDocument = {
    _id: version,
    document,
    ...change,
    ...present({ before: before && storedTerms(before), after: after && storedTerms(after) }),
  };
  const attempt = (): Promise<boolean> =>
    inTransaction(db, timeoutMs, async (session) => {
      const collection = db.collection<CounterDocument>(COUNTERS);
      const counters = sessionCounterStore(collection, session, { timeoutMs });
      const asked = { expected: before?.version, terms: after };
      if (!(await counters.changeTerms(document, asked, change.at))) throw new OthersFirstError();
      await decided(changesOf(db).insertOne(row, { session }), timeoutMs);
      if (approval !== undefined) await approveOrEnd(db, approval, session, timeoutMs);
      return true;
    });
  try {
    return await untilCommitted(attempt);
  } catch (error) {
    if (error instanceof OthersFirstError || error instanceof NotOpenError) return false;
    throw error;
  }
}

function changeFrom({ _id, document: _document, before, after, ...row }: ChangeDocument) {
  const was = before && readTerms(before);
  const is = after && readTerms(after);
  return { version: _id, ...row, ...present({ before: was, after: is }) };
}
