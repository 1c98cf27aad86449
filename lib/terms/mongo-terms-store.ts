import type { Db, FindOptions } from 'mongodb';
import type { CounterDocument } from '../document/mongo-counter-store.ts';
import { COUNTERS, mongoCounterStore } from '../document/mongo-counter-store.ts';
import { mongoCounters } from '../document/mongo-commit.ts';
import type { StoredTerms } from '../document/stored-terms.ts';
import { readTerms, storedTerms } from '../document/stored-terms.ts';
import { asking } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from '../mongo/failure.ts';
import { olderThan, rowsOfPage } from '../mongo/rows-of-page.ts';
import { present } from '../shared/present.ts';
import { documentId } from '../shared/subject.ts';
import { commitApproved } from '../four-eyes/mongo-proposal-store.ts';
import type { TermsStore } from './terms-book.ts';
import type { TermsChanged } from '../changes/terms-change.ts';

/** Name of the collection of changes of subjects' terms. */
export const TERMS_CHANGES = 'terms_changes';

type ChangeDocument = Omit<TermsChanged, 'version' | 'before' | 'after'> & {
  readonly _id: string;
  readonly document: string;
  readonly before?: StoredTerms;
  readonly after?: StoredTerms;
};

/** The terms of subjects in a database. */
export function mongoTermsStore(db: Db, timeoutMs = STORE_TIMEOUT_MS_DEFAULT): TermsStore {
  const collection = db.collection<CounterDocument>(COUNTERS);
  const counters = mongoCounters(collection, { timeoutMs });
  const changes = db.collection<ChangeDocument>(TERMS_CHANGES);
  const ask = asking(db, timeoutMs);
  return {
    async read({ kind, id }, estimate, at) {
      const asked = [documentId(kind, id)];
      const [view] = (await counters.read(asked, [], estimate, at)).values();
      // The clock of a laptop must not shorten a delay that a thief has to wait for.
      if (view === undefined)
        return { now: at ?? (await counters.now()) ?? estimate, isUnseen: true };
      const { now, terms, writes } = view;
      return { now, ...present({ terms, isUnseen: writes === 0 ? (true as const) : undefined }) };
    },
    async replace({ version, before, after, ...change }, approval) {
      const document = documentId(change.subject.kind, change.subject.id);
      const stored = { before: before && storedTerms(before), after: after && storedTerms(after) };
      const row = { _id: version, document, ...change, ...present(stored) };
      const isReplaced = await commitApproved(db, timeoutMs, approval, async (inCommit) => {
        const { session } = inCommit;
        const store = mongoCounterStore(collection, { timeoutMs }, { session });
        const asked = { expected: before?.version, terms: after };
        if (!(await store.changeTerms(document, asked, change.at))) return false;
        await decided(changes.insertOne(row, inCommit), timeoutMs);
        return true;
      });
      // Where that fails, what the terms kept alive goes later.
      if (isReplaced) await counters.shorten(document, change.at).catch(() => undefined);
      return isReplaced;
    },
    async changes({ subject: { kind, id }, before, limit, bytesMax }) {
      const filter = { document: documentId(kind, id), ...(before && olderThan(before)) };
      const options: FindOptions = { sort: { at: -1, _id: -1 }, limit, readPreference: 'primary' };
      const found = await ask(() => rowsOfPage(changes.find(filter, options), bytesMax));
      return found.map(({ _id: version, document: _document, before: was, after: is, ...row }) => ({
        version,
        ...row,
        ...present({ before: was && readTerms(was), after: is && readTerms(is) }),
      }));
    },
  };
}
